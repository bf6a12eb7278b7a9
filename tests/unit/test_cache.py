"""What the process keeps for the next question is bounded by its bytes, also where it grows afterwards."""

from __future__ import annotations

import functools
import gc
import typing
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import numpy as np
import pytest

import dpcore
import ui
from dpcore._cache import SizedCache, cached_by_size, size_of
from dpcore.mechanisms import DiscreteGaussian
from dpcore.privacy_loss import PrivacyLoss

NUMBERS = (int, float, str, tuple[int, ...], tuple[float, ...])
OF_OURS = {
    "ui.frame.entry.compressed",
    "ui.frame.entry._as_sent",
    "ui.frame.run._pages",
    "ui.views.lessons.view._facts",
    "ui.views.home._example",
    "ui.views.home._first_line",
    "ui.words.catalogue.labels",
    "ui.words.catalogue.passages",
    "ui.words.catalogue._phrases",
    "ui.views.infer.view._rows",
}
"""Functions whose arguments are a file, a voice, a page, a switch or a population of ours: as many as there are."""


class Growing:
    def __init__(self) -> None:
        self.more: list[Any] = []


def test_the_results_unused_for_longest_go_first() -> None:
    computed: list[int] = []

    @cached_by_size(30_000)
    def zeros(size: int) -> Any:
        computed.append(size)
        return np.zeros(size)

    for size in (1000, 1001, 1002, 1000, 1003, 1000, 1001):
        zeros(size)
    assert computed == [1000, 1001, 1002, 1003, 1001]
    assert zeros.bytes_held() <= 30_000
    zeros(100_000)
    assert zeros.bytes_held() == 0
    assert zeros.__name__ == "zeros"


def test_a_result_that_grows_is_measured_again() -> None:
    @cached_by_size(100_000)
    def growing(name: str) -> Growing:
        return Growing()

    first = growing("first")
    growing("second").more.append(np.zeros(10_000))
    growing("third")
    assert growing.bytes_held() >= 80_000
    growing("second").more.append(np.zeros(10_000))
    growing("fourth")
    assert growing.bytes_held() <= 100_000
    assert growing("first") is not first


def test_adding_a_result_does_not_ask_for_those_that_are_held() -> None:
    """A plan of 365 different releases took 600,000 hashes, as long as the law it keeps."""
    asked = 0

    class Key:
        def __init__(self, number: int) -> None:
            self.number = number

        def __hash__(self) -> int:
            nonlocal asked
            asked += 1
            return self.number

    @cached_by_size()
    def same(key: Key) -> Key:
        return key

    keys = [Key(number) for number in range(300)]
    for key in keys:
        same(key)
    assert asked <= 20 * len(keys)
    assert same.bytes_held() == sum(size_of(((key,), ())) + size_of(key) for key in keys)
    same.cache_clear()
    assert same.bytes_held() == 0


def test_the_size_counts_what_an_object_has_computed() -> None:
    loss = PrivacyLoss.of(DiscreteGaussian(rho=1e-4))
    before = size_of(loss)
    loss.epsilon_at(1e-6)
    assert size_of(loss) > before + 8_000


def caches() -> Iterator[Any]:
    for package in (dpcore, ui):
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(found.name)
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper) and str(found.__module__).startswith(("ui.", "dpcore.")):
            yield found


def test_what_is_counted_by_number_are_numbers_and_what_is_ours() -> None:
    asked = 0
    for cached in caches():
        function = cached.__wrapped__
        name, told = f"{function.__module__}.{function.__qualname__}", typing.get_type_hints(function)
        if set(told) == {"return"} or name in OF_OURS or "<locals>" in name:
            continue
        asked += 1
        assert told["return"] in NUMBERS, f"{name} keeps {told['return']}: cached_by_size"
    assert asked


def test_all_that_is_kept_in_bytes_is_bounded_together() -> None:
    list(caches())
    kept = [
        found
        for found in gc.get_objects()
        if isinstance(found, SizedCache) and found.__module__.startswith(("ui", "dpcore"))
    ]
    assert len(kept) >= 14
    assert sum(found.most_bytes for found in kept) <= 128 * 2**20


@pytest.mark.parametrize("most", [1_000, 20_000])
def test_a_kept_function_answers_as_the_function_does(most: int) -> None:
    kept = cached_by_size(most)(lambda size, *, fill=1.0: np.full(size, fill))
    for _ in range(2):
        for size in (3, 300, 2_000):
            assert (kept(size, fill=2.0) == 2.0).all()
            assert kept(size).size == size
