"""What the page does with a range that was dragged: it is read, checked and shared once, and is one step of undo.

`AppTest` mounts no component, so the browser's message is put where the server would put it, and the editor's callback
is called first thing in the run that follows, as the server does it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.app.opened_page import open_page, sound, text_of
from ui.components import range_editor as component
from ui.frame.case import STORE
from ui.frame.form import Form
from ui.views.publication import shared, view

SHEET = "Cases~counts~30~12~8!Deaths~counts~20~~8!Beds~counts~20~~8~~~~~~~~10%20%25"


class Mounted:
    """What the page gave the editor when it mounted it."""

    def __call__(self, *, key: str, data: dict[str, Any], on_ranges_change: Callable[[], None]) -> None:
        self.key, self.data, self.changed = key, data, on_ranges_change


def test_a_dragged_range_is_decoded_checked_and_shared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    mounted, count = Mounted(), Counter[str]()
    monkeypatch.setattr(component, "_component", lambda: mounted)

    def watch(holder: Any, name: str) -> None:
        original = getattr(holder, name)

        def counting(*arguments: Any, **named: Any) -> Any:
            count[name] += 1
            return original(*arguments, **named)

        monkeypatch.setattr(holder, name, counting)

    test = open_page("publication", tables=SHEET)
    sound(test)
    assert [row["asked"] for row in mounted.data["rows"]] == [30, 20, 20]
    assert [row["gets_said"] for row in mounted.data["rows"]] == ["± 20", "± 13", "± 16"]
    assert mounted.data["rows"][2]["share_said"] == "10.0 %"
    arrive, called = Form.__init__, [True]

    def after_callbacks(form: Form, *arguments: Any) -> None:
        while called:
            called.pop()
            mounted.changed()
        arrive(form, *arguments)

    monkeypatch.setattr(Form, "__init__", after_callbacks)
    for name in ("sent_moves", "range_editor"):
        watch(component, name)
    watch(view, "ranges_picture")
    for name in ("allocate", "publication_of"):
        watch(shared, name)
    given = mounted.data["sheet"]
    test.session_state[mounted.key] = {"ranges": {"sheet": given, "rev": 1, "moves": [[1, 10]]}}
    test.run()
    sound(test)
    assert [row.wish for row in test.session_state[STORE]["publication"]["tables"]] == ["30", "10", "20"]
    assert [row["asked"] for row in mounted.data["rows"]] == [30, 10, 20]
    assert mounted.data["rev"] == 1
    assert mounted.data["sheet"] == given  # the browser goes on from what it was given
    assert "asks for ± 10 instead of ± 20" in text_of(test)
    # shared once, once more as before, and once at the least budget that keeps every range
    assert count == Counter(sent_moves=1, ranges_picture=1, allocate=3, publication_of=3)
