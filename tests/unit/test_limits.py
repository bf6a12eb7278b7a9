"""Legal links of the publishing pages: at most 3 s of processor time and 300 MB a view, fold or run, and no traceback.

Each setting runs in a child process with hard limits of its own. What a machine measures varies: the limits have room.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.limits import HARD_SECONDS, MEGABYTES, SECONDS, corners, measured, settings
from ui.link.fields import Field, read_query

PAGES = ("infer", "add_up", "exact_totals", "public_information")
FOUND: dict[str, list[dict[str, str]]] = {
    "infer": [
        {"n": "2", "variance": "1e12"},
        {"n": "2", "prior": "flat"},
        {"prior": "flat", "variance": "-10000"},
        {"n": "20000", "epsilon_mean": "1000", "epsilon_variance": "1000"},
        {"lower": "0", "upper": "1e-300"},
        {"epsilon_mean": "1e-15", "epsilon_variance": "1e-15"},
        {"part": "regression", "sums": "own", "points": "5", "sum_yy": "-1e9", "intercept_guess": "-1000"},
        {"part": "regression", "sums": "own", "points": "100000", "epsilon_each": "1000"},
        {"part": "regression", "sums": "own", "points": "3", "epsilon_each": "1000", "shape": "1e-15", "rate": "1e-15"},
    ],
    "add_up": [
        {"epsilon_total": "1", "epsilon_parts": "10"},
        {"counts": " ".join(["3"] * 24), "epsilon_total": "20", "epsilon_parts": "0.05"},
        {"counts": "10000000 10000000 1", "epsilon_total": "0.05", "epsilon_parts": "0.05"},
    ],
    "exact_totals": [{"exact": "both", "table": "/".join(["90000 " * 10] * 20), "epsilon": "0.05"}],
    "public_information": [{"people": "5000", "rate_if_no": "0.9", "rate_if_yes": "0.1", "target": "0.01"}],
}
IN_PIECES = ("learned", "regression")  # runs with progress and Stop, which any change of a choice ends
FAST = {"infer": 6, "add_up": 30, "exact_totals": 20, "public_information": 30}


def hold(page: str, queries: list[dict[str, str]]) -> None:
    fields = import_module(f"ui.views.{page}").FIELDS
    assert not [query for query in queries if read_query(fields, query).refusals], "every setting is a legal one"
    found = measured(page, queries)
    assert len(found) >= len(queries)
    broken = [one for one in found if one["end"] not in ("answered", "refused")]
    assert not broken
    over = [one for one in found if one["seconds"] > SECONDS and one["part"] not in IN_PIECES]
    over += [one for one in found if one["megabytes"] > MEGABYTES]
    assert not over
    assert any(one["end"] == "answered" for one in found)


@pytest.mark.parametrize("page", PAGES)
def test_settings_at_their_corners_stay_within_their_limits(page: str) -> None:
    fields = import_module(f"ui.views.{page}").FIELDS
    hold(page, FOUND[page] + settings(fields, FAST[page], seed=2026))


@pytest.mark.study
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("page", PAGES)
def test_many_settings_at_their_corners_stay_within_their_limits(page: str) -> None:
    hold(page, settings(import_module(f"ui.views.{page}").FIELDS, 300, seed=11))


def test_corners_are_legal_and_hold_both_ends() -> None:
    for page in PAGES:
        for field in import_module(f"ui.views.{page}").FIELDS:
            values = [field.decode(text) for text in corners(field)]
            if field.kind in ("number", "count"):
                ends = {field.low, field.high} - ({field.low} if field.open_low else set())
                assert ends - ({field.high} if field.open_high else set()) <= set(values), field.name


def test_a_link_without_an_end_is_a_finding_and_not_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests import limits

    monkeypatch.setattr(limits, "HARD_SECONDS", 1)

    def endless() -> None:
        while True:
            pass

    found = limits._measured(endless)
    assert found["end"] == "killed at the hard limit"
    assert HARD_SECONDS > SECONDS
    hungry = limits._measured(lambda: bytearray(400 * 2**20))
    assert hungry["megabytes"] > MEGABYTES
    assert "ZeroDivisionError" in limits._measured(lambda: 1 / 0)["end"]


def test_corners_keep_open_ends_out() -> None:
    assert "0.0" not in corners(Field("x", "X", "number", 0.5, low=0, high=1, open_low=True, open_high=True))
