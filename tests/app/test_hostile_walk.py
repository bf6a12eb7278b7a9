"""A hostile walk over every page: no setting takes long or much, ends in a traceback, or says what nobody can read.

One test a page, so that two cores share them; `make hostile` walks as long as one likes.
"""

from __future__ import annotations

import random
import resource
from collections.abc import Iterator

import pytest

from riskline.case.fields import Field, read_query
from riskline.case.link import NAMES, read_case
from tests.app.opened_page import open_page, sound
from tests.hostile import measure
from tests.hostile.measure import HARD_SECONDS, MEGABYTES, SECONDS, Walker, wrong
from tests.hostile.peak_memory import resident_bytes
from tests.hostile.sentences import unreadable
from tests.hostile.settings import FOUND, NONSENSE, corners, queries, settings, walked
from ui.link.page_table import PAGES, page_entry

COUNTS = {"plan": 21, "infer": 14, "hierarchy": 9, "home": 4, "rebuild": 5}
"""Pages of which more was found before, where one setting is slow, or where all are alike."""
COUNT, OPENED = 6, 2
"""As many as meet a page's limits, words and refusals; that a walk comes to every end of every field is its own test.

`make hostile` walks on from here, as long as one likes.
"""


@pytest.fixture(scope="session")
def walker() -> Iterator[Walker]:
    """One process for all the pages that this worker walks over."""
    started = Walker()
    yield started
    started.close()


@pytest.mark.parametrize("stem", [entry.stem for entry in PAGES])
def test_no_setting_burns_kills_or_garbles_a_page(stem: str, walker: Walker) -> None:
    count = COUNTS.get(stem, COUNT)
    assert count > len(FOUND.get(stem, ()))
    found = walker.walk(stem, settings(stem, count, whole=OPENED))
    assert [one for one in found if wrong(one)] == []
    views = [one for one in found if one["part"] == "view"]
    assert len(views) == count
    assert len([one for one in found if one["part"].startswith("page")]) == OPENED
    assert sum(one["end"] == "answered" for one in views) > count / 3


def test_no_typing_breaks_choose() -> None:
    dice = random.Random("typing")
    test = open_page("choose", guarantee="approximate", unit="household", line="box")
    for _ in range(15):
        box = dice.choice(list(test.text_input))
        box.set_value(dice.choice(NONSENSE))
        test.run()
        sound(test)
        assert not test.exception


# ---- the walk itself ------------------------------------------------------------------------------------------------


def test_a_walk_meets_every_corner_of_every_field() -> None:
    for entry in PAGES:
        if not entry.fields:
            continue
        wanted = {(field.name, text) for field in walked(entry.stem) for text in corners(field)}
        length = len(wanted) + len(FOUND.get(entry.stem, ())) + 3
        met = {pair for query in queries(entry.stem, 3 * length) for pair in query.items()}
        assert wanted <= met


def test_corners_are_legal_and_hold_both_ends() -> None:
    for entry in PAGES:
        for field in entry.fields:
            if field.kind in ("number", "count") and field.name != "limit":
                values = [field.decode(text) for text in corners(field)]
                ends = {max(field.low, -1e12), min(field.high, 1e12)}
                ends -= ({field.low} if field.open_low else set()) | ({field.high} if field.open_high else set())
                assert ends <= set(values), (entry.stem, field.name)
    assert "0.0" not in corners(Field("x", "X", "number", 0.5, low=0, high=1, open_low=True, open_high=True))


def test_found_links_are_legal() -> None:
    for stem, links in FOUND.items():
        fields = page_entry(stem).fields
        own = {field.name for field in fields}
        for query in queries(stem, len(links)):
            assert read_query(fields, query, known=NAMES).refusals == ()
            assert read_case({name: text for name, text in query.items() if name not in own}).refusals == ()


def test_what_is_over_a_limit_broken_or_garbled_is_a_finding() -> None:
    here, limits = resident_bytes(), [resource.getrlimit(kind) for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)]
    quick = {"part": "view"} | measure.measured(lambda: "fine", above=here)
    assert not wrong(quick)
    assert wrong(quick | {"seconds": SECONDS + 0.1})
    assert not wrong(quick | {"seconds": SECONDS + 0.1, "part": "learned"})
    assert wrong({"part": "view"} | measure.measured(lambda: 1 / 0, above=here))
    assert wrong({"part": "view"} | measure.measured(lambda: int("x"), above=here))
    assert not wrong({"part": "fold"} | measure.measured(lambda: int("x"), above=here, may_refuse=True))
    assert wrong({"part": "view"} | measure.measured(lambda: "within nan of it", above=here))
    assert [resource.getrlimit(kind) for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)] == limits
    for odd in ("np.float64(1)", "about inf", "is None.", "1e-300", "-0 in 100", "could not be drawn"):
        assert unreadable((f"It reads {odd}",))
        assert not unreadable((f"It reads {odd}",), typed=odd)
    for fine in ("1e-99", "1e-100", "2020-04", "$10^{-0.5}$", "inf of all", "so -0.5"):
        assert not unreadable((f"It reads {fine}",))


def test_a_setting_without_an_end_or_a_measure_is_a_finding_and_not_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "HARD_SECONDS", 2)  # a busy machine takes a second to hand over 400 MB

    def parts(stem: str, setting: dict[str, object]) -> measure.Parts:
        kind = setting["query"]["kind"] if setting["query"] else ""  # type: ignore[index]
        return {"view": {"": str, "endless": endless, "hungry": lambda: bytearray(400 * 2**20) and "eaten"}[kind]}

    def endless() -> None:
        while True:
            pass

    monkeypatch.setattr(measure, "parts", parts)
    asked = [{"query": {"kind": kind}, "voice": "plain", "whole": False} for kind in ("endless", "hungry", "")]
    killed, hungry, fine = measure.in_children("home", asked)
    assert killed["end"] == "killed at a hard limit"
    assert wrong(killed)
    assert hungry["megabytes"] > MEGABYTES
    assert wrong(hungry)
    assert fine["end"] == "answered"
    assert fine["megabytes"] < 50
    assert HARD_SECONDS > SECONDS
