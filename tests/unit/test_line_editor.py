"""What Python takes from the editor: the newest sound state, never a stranger's, never an older one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import Mock, patch

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ui.components.lean import lean
from ui.components.line_editor import line_editor
from ui.views.shared.drawing import Editor

START = ((0.1, 0.3), (0.5, 0.7))
EDITOR = Editor(START, "linear", np.empty((0, 2)), None)
OTHER = ((0.2, 0.4),)


def page() -> None:
    import streamlit as st

    from ui.components.line_editor import line_editor
    from ui.views.shared.drawing import Editor

    asked = st.session_state.get("asked", {})
    drawn = {"points": ((0.1, 0.3), (0.5, 0.7)), "interpolation": "linear", "reachable": (), "binding": None}
    drawn |= {
        name: asked[name] for name in ("points", "interpolation", "reachable", "binding", "others") if name in asked
    }
    st.session_state["edit"] = line_editor(Editor(**drawn), key="line", **asked.get("style", {}))


def sent(**changes: Any) -> dict[str, Any]:
    state = {"points": [[0.1, 0.3], [0.5, 0.8]], "view": "ratio", "log": True, "rev": 2, "settled": True}
    return {"line": state | changes}


def run(app: AppTest, state: Any = None, **asked: Any) -> Any:
    if state is not None:
        app.session_state["line"] = state
    if asked:
        app.session_state["asked"] = asked
    app.run()
    assert not app.exception
    return app.session_state["edit"]


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(page, default_timeout=30)


def test_the_first_run_shows_the_points_of_the_page(app: AppTest) -> None:
    edit = run(app)
    assert (edit.points, edit.view, edit.log_prior, edit.revision, edit.refused) == (START, "posterior", False, 1, None)


def test_what_the_reader_drew_is_taken_with_its_revision(app: AppTest) -> None:
    run(app)
    edit = run(app, sent(settled=False))
    assert edit.points == ((0.1, 0.3), (0.5, 0.8))
    assert (edit.view, edit.log_prior, edit.revision, edit.settled) == ("ratio", True, 2, False)


def test_an_older_message_changes_nothing(app: AppTest) -> None:
    run(app)
    newest = run(app, sent(rev=9))
    assert run(app, sent(rev=8, points=[[0.3, 0.9]])) == newest


def test_points_the_page_chooses_outrank_messages_under_way(app: AppTest) -> None:
    run(app)
    run(app, sent(rev=5))
    edit = run(app, points=OTHER)
    assert (edit.points, edit.revision) == (OTHER, 1005)
    assert (edit.view, edit.log_prior) == ("ratio", True)  # the reader's look stays
    assert run(app, sent(rev=6)).points == OTHER
    assert run(app, sent(rev=1006)).points == ((0.1, 0.3), (0.5, 0.8))


def test_a_page_that_follows_the_drawing_does_not_push_it_back(app: AppTest) -> None:
    run(app)
    drawn = run(app, sent())
    assert run(app, points=drawn.points) == drawn


def test_a_line_that_comes_back_with_the_digits_of_a_link_is_the_same_line(app: AppTest) -> None:
    run(app)
    drawn = run(app, sent(points=[[0.1, 0.3 + 1e-15], [0.5, 0.8]]))
    assert run(app, points=((0.1, 0.3), (0.5, 0.8))) == drawn


def test_a_page_that_keeps_asking_for_the_same_does_not_undo_the_drawing(app: AppTest) -> None:
    run(app, style={"view": "posterior", "log_prior": False})
    drawn = run(app, sent())
    assert drawn.view == "ratio"
    assert run(app) == drawn


def test_a_page_can_go_back_to_where_it_was_before_the_drawing(app: AppTest) -> None:
    run(app)
    run(app, sent(), points=((0.1, 0.3), (0.5, 0.8)))
    assert run(app, points=START).points == START


def test_a_look_the_page_asks_for_is_shown(app: AppTest) -> None:
    run(app)
    edit = run(app, style={"view": "difference", "log_prior": True})
    assert (edit.points, edit.view, edit.log_prior, edit.revision) == (START, "difference", True, 1001)


def test_a_look_the_page_asks_for_keeps_what_was_drawn_meanwhile() -> None:
    for style, look in (({"view": "difference"}, ("difference", True)), ({"log_prior": False}, ("ratio", False))):
        app = AppTest.from_function(page, default_timeout=30)
        run(app)
        drawn = run(app, sent())
        edit = run(app, style=style)
        assert edit.points == drawn.points != START
        assert (edit.view, edit.log_prior) == look


LOOKS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nothing": ({}, {}),
    "symbols, low": (
        {"style": {"technical": True, "height": 100}, "reachable": ((0.1, 0.2), (0.3, float("inf")))},
        {"technical": True, "height": 240, "reachable": [[0.1, 0.2]]},
    ),
    "large, high": (
        {"style": {"large": True, "height": 5000}, "others": (("Old", ((0.1, 0.2),)),), "interpolation": "step"},
        {"large": True, "height": 1000, "comparisons": [["Old", [[0.1, 0.2]]]], "interpolation": "step"},
    ),
    "bare, less high": (
        {"style": {"bare": True, "height": 300, "log_prior": True, "spot": "Here"}, "binding": (0.1, 0.2)},
        {"bare": True, "height": 300, "log": True, "binding": [0.1, 0.2, "Here"]},
    ),
}


@pytest.mark.parametrize(("asked", "told"), LOOKS.values(), ids=LOOKS)
def test_the_browser_is_told_what_the_page_asks_for_and_nothing_else(
    app: AppTest, asked: dict[str, Any], told: dict[str, Any]
) -> None:
    mounted = Mock()
    with patch("ui.components.line_editor._component", lambda: mounted):
        run(app, **asked)
    plain = {"view": "posterior", "log": False, "refused": None, "interpolation": "linear", "reachable": []}
    plain |= {
        "binding": None,
        "comparisons": [],
        "technical": False,
        "large": False,
        "bare": False,
        "example": False,
        "budget": "",
    }
    assert mounted.call_args.kwargs["data"] == plain | {"points": START, "rev": 1, "height": 440, "most": 64} | told


HOSTILE = {
    "below the diagonal": (sent(points=[[0.5, 0.4]]), "posterior must lie in"),
    "too many points": (sent(points=[[k / 100, 1] for k in range(1, 90)]), "1 to 64"),
    "points as text": (sent(points="0.1~0.2"), "list of pairs"),
    "no points": ({"line": {"rev": 2}}, "list of pairs"),
    "not a number": (sent(points=[[0.1, float("nan")]]), "got nan"),
    "an unknown view": (sent(view="<script>"), "view must be one of"),
    "a list for a view": (sent(view=["ratio"]), "view must be one of"),
    "a number for a truth value": (sent(log=1), "log must be one of"),
    "a huge revision": (sent(rev=10**300), "revision must be"),
    "a truth value for a revision": (sent(rev=True), "revision must be"),
    "text for a state": ({"line": "hello"}, "revision must be"),
    "a list for a state": ({"line": [1, 2]}, "revision must be"),
}


@pytest.mark.parametrize(("state", "reason"), HOSTILE.values(), ids=HOSTILE)
def test_a_strangers_message_is_refused_in_words_and_the_last_good_points_stay(
    app: AppTest, state: dict[str, Any], reason: str
) -> None:
    run(app)
    edit = run(app, state)
    assert (edit.points, edit.view, edit.log_prior) == (START, "posterior", False)
    assert edit.revision > 1000
    assert reason in edit.refused
    assert run(app) == edit  # and the refusal is said once, not again with each run


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"editor": replace(EDITOR, points=())}, "points must be 1 to 64 in number; got 0"),
        ({"editor": EDITOR, "view": "odds"}, "view must be one of"),
        ({"editor": replace(EDITOR, interpolation="cubic")}, "interpolation must be one of"),
    ],
)
def test_the_pages_own_arguments_are_checked(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        line_editor(key="line", **arguments)


def test_what_travels_with_every_run_stays_small() -> None:
    script, style = lean("element.js", "editor.js"), lean("editor.css")
    assert len(script) + len(style) < 34_000
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "") + style
