"""What a reader chose is kept for the session at most: no cache of the process holds a text, a name or a count."""

from __future__ import annotations

import functools
import gc
from importlib import import_module
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest

from dpcore._cache import SizedCache, size_of
from tests.cases import inputs_of
from ui.pictures.style import Style
from ui.views.shared import session_results
from ui.views.shared.session_results import kept_for_session, results_kept_in

WORD = "jabberwock"
COUNT = 104_729
calls: list[int] = []


@kept_for_session
def squares(value: int) -> Any:
    calls.append(value)
    return np.full(value, value)


def test_a_result_is_computed_once_a_session_and_never_shared() -> None:
    calls.clear()
    first: dict[Any, Any] = {}
    with results_kept_in(first):
        assert squares(3) is squares(3)
        with results_kept_in({}):
            squares(3)
        squares(3)
    assert calls == [3, 3]
    assert len(first) == 1


def test_without_a_session_nothing_is_kept() -> None:
    calls.clear()
    token = session_results._STORE.set(None)
    try:
        squares(2)
        squares(2)
    finally:
        session_results._STORE.reset(token)
    assert calls == [2, 2]


def test_the_oldest_results_go_by_number_and_by_bytes() -> None:
    store: dict[Any, Any] = {}
    with results_kept_in(store):
        for value in range(session_results.MOST_RESULTS + 5):
            squares(value)
        squares(5)  # used again: the latest
        squares(1000)
        kept = {key[2][0] for key in store}
        assert len(store) == session_results.MOST_RESULTS
        assert 5 in kept
        assert 6 not in kept
        squares(session_results.MOST_BYTES // 16)
        squares(session_results.MOST_BYTES // 16 + 1)
        assert sum(size for _, size in store.values()) <= session_results.MOST_BYTES
        for third in range(3):  # two of them fit
            squares(session_results.MOST_BYTES // 20 - third)
        assert [key[2][0] for key in store] == [session_results.MOST_BYTES // 20 - third for third in (1, 2)]
        squares(session_results.MOST_BYTES)  # larger than the whole store
        assert not store


def test_the_size_counts_what_is_inside() -> None:
    assert size_of((np.zeros(1000), {"a": np.zeros(1000)})) >= 16_000
    assert size_of(Style()) < 1000


def held_by_the_process() -> str | None:
    """A cache of the process that holds the word or the count, if there is one."""
    gc.collect()
    kinds = (functools._lru_cache_wrapper, SizedCache)
    stop = (ModuleType, FunctionType, BuiltinFunctionType, MethodType, type, *kinds)
    for cached in [found for found in gc.get_objects() if isinstance(found, kinds)]:
        if not str(cached.__module__).startswith(("ui.", "dpcore.")):
            continue
        seen: set[int] = set()
        waiting = [part for part in gc.get_referents(cached) if not isinstance(part, stop)]
        while waiting:
            part = waiting.pop()
            if id(part) in seen or isinstance(part, stop):
                continue
            seen.add(id(part))
            if isinstance(part, str) and WORD in part:
                return f"{cached.__module__}.{cached.__qualname__}"
            if isinstance(part, (int, float)) and part == COUNT:
                return f"{cached.__module__}.{cached.__qualname__}"
            if isinstance(part, np.ndarray) and part.dtype != object and (part == COUNT).any():
                return f"{cached.__module__}.{cached.__qualname__}"
            waiting.extend(gc.get_referents(part))
    return None


ASKED = {
    "memo": {
        "case": "own",
        "title": WORD,
        "author": WORD,
        "hidden": WORD,
        "released": WORD,
        "one": WORD,
        "until": WORD,
        "ratio": "4",
        "tables": f"{WORD}~counts~5",
        "chosen": f"0.5~epsilon~{WORD}~{WORD}~~{WORD}",
    },
    "plan": {"rows": f"a~0.1~1~~{WORD}!l~0.2~3~~{WORD}"},
    "exact_totals": {"table": f"{COUNT}~5~6_3~5~8"},
    "add_up": {"counts": f"{COUNT}~5~6"},
    "infer": {"n": str(COUNT)},
    "positions": {"name1": WORD},
    "hierarchy": {"x1": str(COUNT)},
    "choose": {"population": f"{COUNT} 2 3 4 5 6 7"},
    "accuracy": {"count": str(COUNT), "total": str(COUNT), "places": f"{WORD}~{COUNT}"},
    "publication": {"tables": f"{WORD}~counts~{COUNT}"},
}


def test_no_cache_of_the_process_holds_what_a_reader_typed() -> None:
    for stem, asked in ASKED.items():
        module = import_module(f"ui.views.{stem}")
        chosen, _ = inputs_of(stem, asked.items())
        view = getattr(module, f"{stem}_view")(chosen, Style())
        assert view.answer or view.refusal
    del view, chosen
    assert held_by_the_process() is None


@functools.lru_cache(maxsize=2)
def leaking(value: Any) -> Any:
    return [value]


def test_the_search_finds_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaking, "__module__", "ui.views.leaking")
    leaking(f"a {WORD}")
    assert held_by_the_process() == "ui.views.leaking.leaking"
    leaking.cache_clear()
    leaking(COUNT)
    assert held_by_the_process() == "ui.views.leaking.leaking"
    leaking.cache_clear()
