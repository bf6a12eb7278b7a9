"""A bound speaks for what it holds for, and refuses to fill a wider sentence."""

from __future__ import annotations

import itertools

import pytest

from dpcore.errors import Code, Refused
from dpcore.promise import Promise
from dpcore.scope import KNOWS_ALL, UNSURE_INDEPENDENTLY, Bound, Reader, Scope, Side, View

PRESENCE = Promise(secret="presence", relation="add_or_remove")


def bound(**changed: object) -> Bound:
    given = {"value": 0.25, "side": "at_most", "scope": "table", "promise": PRESENCE} | changed
    return Bound(**given)  # type: ignore[arg-type]


def test_a_bound_is_claimed_for_its_own_scope_and_narrower_ones_only() -> None:
    for held, asked in itertools.product(Scope, repeat=2):
        if list(Scope).index(held) >= list(Scope).index(asked):
            claimed = bound(scope=held).claimed_as(asked)
            assert (claimed.scope, claimed.value, claimed.promise) == (asked, 0.25, PRESENCE)
        else:
            with pytest.raises(Refused) as refusal:
                bound(scope=held).claimed_as(asked)
            assert refusal.value.code is Code.TOO_NARROW
            assert str(refusal.value) == f"scope must be one that a bound for '{held}' holds for; got '{asked}'"


def test_a_tail_for_who_knows_everybody_speaks_for_nobody_else() -> None:
    tail = bound()
    assert (tail.reader, tail.view) == (KNOWS_ALL, View.RAW)
    with pytest.raises(Refused, match=r"reader must be one that a bound for 'knows_all' holds for; got 'unsure_indep"):
        tail.claimed_as("table", reader=UNSURE_INDEPENDENTLY)
    with pytest.raises(Refused, match=r"view must be one that a bound for 'raw' holds for; got 'any_function'"):
        tail.claimed_as("table", view="any_function")
    profile = bound(reader=UNSURE_INDEPENDENTLY, view="any_function")
    assert profile.claimed_as("count", reader=KNOWS_ALL, view="raw") == bound(scope="count")


def test_readers_are_an_open_set() -> None:
    relatives = Reader("relatives", (UNSURE_INDEPENDENTLY,))
    assert relatives.contains(KNOWS_ALL)
    assert not UNSURE_INDEPENDENTLY.contains(relatives)
    assert bound(reader=relatives).claimed_as("table", reader=UNSURE_INDEPENDENTLY).reader is UNSURE_INDEPENDENTLY


def test_an_exact_number_is_its_own_releases() -> None:
    exact = bound(side="exact")
    assert exact.claimed_as("table") == exact
    with pytest.raises(Refused, match=r"side must be a bound to be claimed of anything else than its own release"):
        exact.claimed_as("count")
    wide = bound(side="exact", reader=UNSURE_INDEPENDENTLY, view="any_function")
    for other in ({"reader": KNOWS_ALL}, {"view": "raw"}):  # a bound would hold for them, a number need not
        assert bound(reader=UNSURE_INDEPENDENTLY, view="any_function").claimed_as("table", **other)
        with pytest.raises(Refused, match=r"side must be a bound to be claimed of anything else"):
            wide.claimed_as("table", **other)
    with pytest.raises(Refused, match=r"scope must be that of named noise for an exact number; got 'any_mechanism'"):
        bound(side="exact", scope="any_mechanism")


def test_refusals_name_the_rule() -> None:
    with pytest.raises(Refused, match=r"value must lie in \[0, 1\]; got 1.2"):
        bound(value=1.2)
    with pytest.raises(Refused, match=r"side must be one of 'at_most', 'at_least', 'exact'; got 'over'"):
        bound(side="over")
    with pytest.raises(Refused, match=r"scope must be one of 'count', 'table', 'plan', 'any_mechanism'; got 'all'"):
        bound(scope="all")
    with pytest.raises(Refused, match=r"scope must be one of"):
        bound().claimed_as("all")
    with pytest.raises(Refused, match=r"view must be one of 'raw', 'any_function'; got 'picture'"):
        bound(view="picture")
    with pytest.raises(Refused, match=r"view must be one of 'raw', 'any_function'; got 'all'"):
        View.ANY_FUNCTION.contains("all")
    with pytest.raises(Refused, match=r"promise must be a Promise"):
        bound(promise="presence")
    with pytest.raises(Refused, match=r"reader must be a reader such as KNOWS_ALL"):
        bound(reader="everybody")
    with pytest.raises(Refused, match=r"covers must be readers such as KNOWS_ALL"):
        Reader("all", ("some",))  # type: ignore[arg-type]
    with pytest.raises(Refused, match=r"covers must be readers such as \(KNOWS_ALL,\); got 3"):
        Reader("all", 3)  # type: ignore[arg-type]
    assert Side("exact") is Side.EXACT
