"""No setting of the attack pages takes more than 3 s of processor time or 300 MB, or says what nobody can read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ui.link.fields import read_query
from ui.link.page_table import page_entry
from ui.pictures.look import Look
from ui.views.hierarchy import HierarchyInputs, hierarchy_view

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("stem", "count"), [("hierarchy", 12), ("block", 40), ("play", 40), ("rebuild", 4)])
def test_corner_settings_stay_within_time_and_memory(stem: str, count: int) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.attack_settings", stem, str(count)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    settings = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(settings) == count
    for setting in settings:
        assert setting["seconds"] <= 3.0, setting
        assert setting["megabytes"] <= 300, setting
        assert setting["unreadable"] == "", setting


def test_a_belief_that_is_almost_nothing_is_told_as_that() -> None:
    inputs = HierarchyInputs(belief="sparse", x1=-7815, prior=0.6)
    assert "from **below 1e-15** to **below 1e-15**" in hierarchy_view(inputs, Look(voice="technical")).answer
    assert "e-1" not in hierarchy_view(inputs, Look()).answer


@pytest.mark.parametrize("text", ["5e-324", "1e-300", "0"])
def test_a_prior_that_is_almost_nothing_is_refused_by_name(text: str) -> None:
    (refusal,) = read_query(page_entry("block").fields, {"prior": text}).refusals
    assert refusal.sentence.startswith("Belief before must lie in [1e-15, 1)")
