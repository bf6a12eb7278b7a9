"""What the app ships about published numbers is what the tables give now, and the errata's lines do what they say."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from dpcore.sources import work
from riskline.record.errata import ERRATA, OWN_ERRATA, Erratum, OwnErratum
from riskline.record.shipped import record
from ui.views.how_we_know import errata, own_errata, published_rows

ROOT = Path(__file__).resolve().parents[2]
RENEW = "run scripts/write_published_table"


def test_the_shipped_table_is_what_the_tables_give_now() -> None:
    now = record()
    shipped = [asdict(row) for row in published_rows()]
    names = [(row["source"], row["locator"], row["quantity"]) for row in now["rows"]]
    assert [(row["source"], row["locator"], row["quantity"]) for row in shipped] == names, RENEW
    for held, fresh in zip(shipped, now["rows"], strict=True):
        assert held["computed"] == pytest.approx(fresh["computed"], rel=2e-5, abs=1e-12), (held, RENEW)
        assert {**held, "computed": 0} == {**fresh, "computed": 0}, RENEW
    assert [asdict(note) for note in errata()] == now["errata"], RENEW
    assert [asdict(note) for note in own_errata()] == now["own_errata"], RENEW


@pytest.mark.parametrize("note", OWN_ERRATA, ids=lambda note: note.title)
def test_what_an_earlier_version_said_is_not_what_its_line_gives(note: OwnErratum) -> None:
    assert "\n" not in note.line
    assert "from dpcore" in note.line
    result = float(note.result().split(", ")[0])
    assert abs(result - note.said) > 0.005 * abs(note.said), note.title
    assert note.printed.endswith(".")
    assert note.reason.endswith(".")
    head = f"{note.title} {note.version}: {note.where}"
    assert max(map(len, head.split())) <= 36, "a longer word is broken on a phone"


@pytest.mark.parametrize("note", ERRATA, ids=lambda note: note.title)
def test_an_erratum_names_a_work_and_one_line_that_anyone_can_run(note: Erratum) -> None:
    work(note.source)
    assert "\n" not in note.line
    assert "from dpcore" in note.line
    assert note.result().split(", ")[0] not in note.printed.replace(",", " ").split()
    assert ("infer" in note.reason) == note.inferred


def test_a_line_prints_what_the_page_says_in_a_process_of_its_own() -> None:
    note = next(note for note in ERRATA if note.locator == "chapter 2.2.3")
    done = subprocess.run([sys.executable, "-c", note.line], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert f"{float(done.stdout):.6g}" == note.result()
