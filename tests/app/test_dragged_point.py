"""What a page does with a point that was dragged: its line is read, checked, spelled and drawn once.

`AppTest` mounts no component, so the browser's message is put where the server would put it, and the editor's callback
is called first thing in the run that follows, as the server does it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.profiles import drawn
from riskline.case import points
from riskline.case.fields import Field
from riskline.case.line import DEFAULT_POINTS
from tests.app.opened_page import address, open_page, sound
from ui.components import line_editor as component
from ui.frame.case import STORE
from ui.frame.form import Form
from ui.rooms.store import store
from ui.views.room import ACTIVITIES
from ui.views.room.activity import values_of

MOVED = (DEFAULT_POINTS[0], (0.12, 0.3), *DEFAULT_POINTS[2:])


class Mounted:
    """What the page gave the editor when it mounted it."""

    def __call__(self, *, key: str, data: dict[str, Any], on_line_change: Callable[[], None]) -> None:
        self.key, self.data, self.changed = key, data, on_line_change


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch) -> Mounted:
    mounted = Mounted()
    monkeypatch.setattr(component, "_component", lambda: mounted)
    return mounted


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the moved line is decoded (from a message or a link), checked, spelled for a link, made a profile."""
    count: Counter[str] = Counter()

    def watch(holder: Any, name: str, what: str, line_of: Callable[..., object]) -> None:
        original = getattr(holder, name)

        def counting(*arguments: Any, **named: Any) -> Any:
            found = original(*arguments, **named)
            count[what] += line_of(found, *arguments) == MOVED
            return found

        monkeypatch.setattr(holder, name, counting)

    def returned(found: Any, *_: Any) -> object:
        return found

    watch(component, "sent_points", "decoded", returned)
    watch(Field, "decode", "decoded", returned)
    for module in (points, component):
        watch(module, "checked_points", "checked", returned)
    watch(points, "encode_points", "spelled", lambda _, line: line)
    watch(Field, "encode", "spelled", lambda _, field, value: value)
    watch(drawn.DrawnLine, "__post_init__", "drawn", lambda _, line: line.nodes)
    return count


def drag(test: AppTest, editor: Mounted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the browser say that a point was moved."""
    arrive, changed = Form.__init__, [editor.changed]

    def after_callbacks(form: Form, *arguments: Any, **named: Any) -> None:
        while changed:
            changed.pop()()
        arrive(form, *arguments, **named)

    monkeypatch.setattr(Form, "__init__", after_callbacks)
    sent = {"points": [list(point) for point in MOVED], "view": "posterior", "log": False, "rev": 2, "settled": False}
    test.session_state[editor.key] = {"line": sent}
    test.run()
    sound(test)
    assert not changed


@pytest.mark.parametrize(("stem", "suffix", "times"), [("choose", "", 2), ("positions", "1", 1)])
def test_a_dragged_point_is_decoded_checked_and_drawn_once(
    stem: str, suffix: str, times: int, editor: Mounted, counted: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The case checks it once more by the text that it has in a link; every address after that has the same text."""
    test = open_page(stem, **{f"line{suffix}": "drawn"})
    sound(test)
    counted.clear()
    drag(test, editor, monkeypatch)
    assert test.session_state[STORE][stem][f"points{suffix}"] == editor.data["points"] == MOVED
    assert counted == Counter(decoded=times, checked=times, spelled=times, drawn=1)


def test_a_point_that_is_dragged_on_a_phone_is_in_the_answer_that_it_sends(
    editor: Mounted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, patient_rooms: None
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_FOLDER", str(tmp_path))
    monkeypatch.delenv("RISKLINE_ROOMS_URL", raising=False)
    room = store().open_room()
    phone = open_page("join", code=room.code)
    phone.button(key="join.join").click().run()
    number = store().start(room.code, room.moderator_key, "line", "")
    sound(phone.run())
    drag(phone, editor, monkeypatch)
    assert phone.session_state[STORE]["join"]["line_points"] == editor.data["points"] == MOVED
    phone.button(key="join.send").click().run()
    sound(phone)
    answer = store().own_answer(room.code, address(phone)["me"], number)
    assert answer is not None
    assert values_of(ACTIVITIES["line"].answers, answer)["line_points"] == MOVED
