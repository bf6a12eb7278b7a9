"""A property computed once for each object: nobody waits for what another object computes."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from dpcore._properties import cached_property


@dataclass(frozen=True)
class Asked:
    """A value whose property takes until somebody lets it go on."""

    begun: threading.Event
    go_on: threading.Event

    @cached_property
    def answer(self) -> int:
        self.begun.set()
        assert self.go_on.wait(20)
        return 42


def test_one_objects_slow_property_holds_no_other_objects_up() -> None:
    slow = Asked(threading.Event(), threading.Event())
    quick = Asked(threading.Event(), threading.Event())
    quick.go_on.set()
    found: list[int] = []
    first = threading.Thread(target=lambda: found.append(slow.answer))
    second = threading.Thread(target=lambda: found.append(quick.answer))
    first.start()
    assert slow.begun.wait(20)
    second.start()
    second.join(5)
    answered = list(found)
    slow.go_on.set()
    first.join(20)
    second.join(20)
    assert answered == [42], "the second waited for the first"
    assert found == [42, 42]


def test_a_property_is_computed_once() -> None:
    asked = Asked(threading.Event(), threading.Event())
    asked.go_on.set()
    assert asked.answer == 42
    asked.go_on.clear()
    assert asked.answer == 42
