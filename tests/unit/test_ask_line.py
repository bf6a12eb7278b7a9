"""The questions about the line: which are asked beside which answers, and what a drawing and an answer make of it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from riskline.case.choices import GROUPS
from riskline.case.line import PARTS
from ui.ask import line as ask
from ui.components.line_editor import LineEdit
from ui.pictures.style import Style
from ui.views.choose.view import Questions
from ui.views.shared.drawing import Editor
from ui.words.catalogue import option_words, say


class Asked:
    """A form that notes what it is asked for, each with what it is offered."""

    def __init__(self, **values: Any) -> None:
        self.values, self.asked = values, list[Any]()

    def choice(self, name: str, words: Any = None, *, style: str = "radio") -> Any:
        self.asked.append((name, style) if words is None else (name, style, list(words)))
        return self.values.get(name)

    def number(self, name: str) -> None:
        self.asked.append(name)

    def slider(self, name: str) -> None:
        self.asked.append(f"{name} on a slider")

    def ask(self, *asked: Any) -> None:
        for one in asked:
            one() if callable(one) else self.asked.append(one)

    def beside(self, *columns: Any, **look: Any) -> None:
        for place, column in enumerate(columns):
            self.ask(f"column {place + 1}", *(column if isinstance(column, tuple) else (column,)))


def asked(question: Callable[..., Any], *given: Any, values: dict[str, Any], **how: Any) -> list[Any]:
    form = Asked(**values)
    question(form, *given, **how)
    return form.asked


@pytest.mark.parametrize(
    ("secret", "held", "technical", "is_asked"),
    [
        *(("value", 1.0, False, True), ("value", 0.5, True, True), ("both", 0.5, True, False)),
        *(("presence", 1.0, False, False), ("presence", 0.5, False, True), ("presence", 1.0, True, True)),
    ],
)
def test_the_belief_that_does_not_vary_is_asked_where_there_is_one(
    secret: str, held: float, technical: bool, is_asked: bool
) -> None:
    values = {"secret": secret, "held": held}
    assert asked(ask.ask_held, values=values, technical=technical) == ["held"] * is_asked


LINES = list(option_words("case", "line"))


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("suffix", ["", "2"])
def test_a_line_is_asked_with_the_numbers_of_its_template(drawn: bool, suffix: str) -> None:
    offered = [line for line in LINES if line not in ("none", *(() if drawn else ("drawn",)))]
    for line in offered:
        found = asked(ask.ask_template, values={f"line{suffix}": line}, drawn=drawn, suffix=suffix)
        assert found[0] == (f"line{suffix}", "radio", offered)
        if line == "drawn":
            assert found[1:] == [(f"interpolation{suffix}", "select", list(option_words("case", "interpolation")))]
        else:
            ends = ("low", "high")
            parts = [f"{part}{suffix}" + ("" if part in ends else " on a slider") for part in PARTS.get(line, ())]
            assert found[1:] == parts
    none = asked(ask.ask_template, values={f"line{suffix}": "none"}, drawn=drawn, suffix=suffix)
    assert none == [(f"line{suffix}", "radio", [line for line in LINES if line == "none" or line in offered])]


def test_both_beliefs_at_once_are_drawn_by_no_hand_and_kept_only_where_a_line_made_them() -> None:
    for secret, drawn in (("both", False), ("value", True)):
        found = asked(ask.ask_line, values={"secret": secret, "line": "none", "held": 1.0}, technical=False)
        assert found[0] == ("secret", "radio")
        assert ("drawn" in found[1][2]) is drawn
    words = list(option_words("case", "secret"))
    assert asked(ask.choose_secret, values={"secret": "both"}) == [("secret", "select", words)]
    words.remove("both")
    assert asked(ask.choose_secret, values={"secret": "value"}) == [("secret", "select", words)]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (
            {"guarantee": "pure", "unit": "person", "release": "count"},
            [("guarantee", "select"), ("unit", "select"), "relation", "releases", "release"],
        ),
        (
            {"guarantee": "zero_concentrated", "unit": "household", "release": "table"},
            [
                *(("guarantee", "select"), "route", "failure", ("unit", "select"), "group", "relation"),
                *("releases", "release", "areas"),
            ],
        ),
        (
            {"guarantee": "approximate", "unit": "person", "release": "tables"},
            [("guarantee", "select"), "delta", "failure", ("unit", "select"), "relation", "releases", "release"],
        ),
    ],
)
def test_guarantee_unit_and_release_ask_what_they_need(values: dict[str, Any], found: list[Any]) -> None:
    assert "household" in GROUPS
    said = asked(ask.ask_promise, values=values)
    assert [one for one in said if not str(one).startswith("column")] == found
    assert [said.index(f"column {place}") for place in (1, 2, 3)] == [
        *(0, said.index(("unit", "select")) - 1, said.index("releases") - 1)
    ]
    secret = asked(ask.ask_secret, values=values | {"secret": "value"})
    assert [one if isinstance(one, str) else one[0] for one in secret] == [
        *("column 1", "secret", "column 2", "unit", *(["group"] if values["unit"] == "household" else [])),
        *("column 3", "relation"),
    ]


def test_each_answer_of_the_interview_is_a_press_and_so_are_the_ways_back(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: list[str] = []
    buttons: dict[str, Any] = {}
    monkeypatch.setattr(ask.st, "button", lambda words, *, key, **look: buttons.__setitem__(key, (words, look)))
    options = (("Yes", "cy"), ("No", "cn"))
    ask.offer_answers("demo", Questions("?", options=options, back="c", again=""), str.upper, pressed.append)
    assert [(key, words) for key, (words, _) in buttons.items()] == [
        ("demo.interview_answer0", "Yes"),
        ("demo.interview_answer1", "No"),
        ("demo.back", "BACK"),
        ("demo.again", "AGAIN"),
    ]
    for _, look in buttons.values():
        look["on_click"](*look["args"])
    assert pressed == ["cy", "cn", "c", ""]
    buttons.clear()
    ask.offer_answers("demo", Questions("?"), str.upper, pressed.append)
    assert buttons == {}


CURVE = np.array([[0.1, 0.5]])
EDITOR = Editor(
    points=((0.1, 0.5),), interpolation="ratio", reachable=CURVE, binding=None, others=(("a", CURVE),), example=True
)
STYLE = Style(voice="technical", large=True)


@pytest.fixture
def mounted(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the editor was mounted with, and the choices that were put."""
    found: dict[str, Any] = {"put": []}

    def editor(given: Editor, **look: Any) -> Any:
        found.update(editor=given, look=look)
        return SimpleNamespace(points=given.points)

    monkeypatch.setattr(ask, "line_editor", editor)
    monkeypatch.setattr(ask, "put", lambda stem, **made: found["put"].append((stem, made)))
    return found


def test_a_point_that_is_moved_makes_a_drawn_line_and_a_look_alone_does_not(mounted: dict[str, Any]) -> None:
    ask.draw_line("demo", EDITOR, STYLE, view="ratio", log_prior=True, suffix="2")
    look = mounted["look"]
    assert mounted["editor"] is EDITOR
    taken = look.pop("on_change")
    assert look == {
        "key": "demo.editor2",
        "spot": say("choose", "technical", "spot"),
        "technical": True,
        "large": True,
        "view": "ratio",
        "log_prior": True,
        "height": 430,
    }
    taken(LineEdit(EDITOR.points, "posterior", False, 2))
    taken(LineEdit(((0.2, 0.6),), "ratio", True, 3))
    drawn = {"points2": ((0.2, 0.6),), "line2": "drawn", "interpolation2": "ratio"}
    assert mounted["put"] == [
        ("demo", {"view": "posterior", "log": False}),
        ("demo", {"view": "ratio", "log": True} | drawn),
    ]


def test_a_small_line_has_no_others_and_no_example_and_is_the_choice_of_its_name(mounted: dict[str, Any]) -> None:
    ask.draw_small_line("demo", EDITOR, STYLE, name="line_points")
    assert (mounted["editor"].points, mounted["editor"].others, mounted["editor"].example) == (EDITOR.points, (), False)
    assert (mounted["look"]["bare"], mounted["look"]["key"]) == (True, "demo.editor")
    mounted["look"]["on_change"](LineEdit(((0.2, 0.6),), "ratio", True, 3))
    assert mounted["put"] == [("demo", {"line_points": ((0.2, 0.6),)})]
