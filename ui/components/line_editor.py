"""The picture in which a line of risk is drawn: points dragged, added, removed, sketched and undone in the browser.

The page hands over the points its link holds and gets back the points the reader drew. What the browser sends is
checked like any stranger's input. Each message carries a revision number: an answer to an older drag can never pull
a newer one back, and a template the page chooses always wins over what was drawn before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from riskline.case.points import MOST_POINTS, Line, checked_points, same_line, sent_points
from ui.components.lean import component
from ui.views.shared.drawing import Editor
from ui.words.refusals import refusal_words

VIEWS: tuple[str, ...] = ("posterior", "ratio", "difference")
INTERPOLATIONS: tuple[str, ...] = ("linear", "ratio", "loglog", "step")

_PAGE_LEAD = 1000  # the page's own points outrank up to this many browser messages still in flight
_HIGHEST_REVISION = 2**52


@dataclass(frozen=True)
class LineEdit:
    """What the reader drew and how she looks at it."""

    points: Line
    view: str
    log_prior: bool
    revision: int
    settled: bool = True
    """False while a point is still being dragged."""
    refused: str | None = None
    """Why the browser's last message was not taken, in words; the last good points stay."""


def line_editor(
    editor: Editor,
    *,
    key: str,
    spot: str = "",
    on_change: Callable[[LineEdit], None] | None = None,
    view: str | None = None,
    log_prior: bool | None = None,
    technical: bool = False,
    large: bool = False,
    height: int = 440,
    bare: bool = False,
) -> LineEdit:
    """What the reader has drawn, after mounting the editor where this call stands on the page.

    `spot` names the point that decides. `on_change` is called before the script runs again, so that the whole page
    computes with the new points. Points other than those last shown or drawn replace the drawing, which the reader can
    undo; without `view` and `log_prior` the reader's last choice stays. `bare` leaves out the buttons.
    """
    memory: _Memory | None = st.session_state.get(_memory_key(key))
    checked = memory is not None and editor.points == memory.edit.points  # what a browser sent was, when it came
    wanted: Line = editor.points if checked else checked_points(editor.points)
    if view is not None and view not in VIEWS:
        raise ValueError(f"view must be one of {VIEWS}; got {view!r}")
    if editor.interpolation not in INTERPOLATIONS:
        raise ValueError(f"interpolation must be one of {INTERPOLATIONS}; got {editor.interpolation!r}")
    edit = _reconciled(key, wanted, view, log_prior)

    def changed() -> None:
        """Take what the browser sent, then let the page write its link."""
        taken = _taken(key, st.session_state[_memory_key(key)].edit)
        followed = on_change is not None
        st.session_state[_memory_key(key)] = _Memory(taken, None if followed else (wanted, view, log_prior))
        if on_change is not None:
            on_change(taken)

    drawn = {"points": edit.points, "view": edit.view, "log": edit.log_prior, "rev": edit.revision}
    beside = {
        "interpolation": editor.interpolation,
        "reachable": _curve(editor.reachable),
        "binding": None if editor.binding is None else [*editor.binding, spot],
        "comparisons": [[label, _curve(curve)] for label, curve in editor.others],
        "example": editor.example,
        "budget": editor.budget,
    }
    look = {"technical": technical, "large": large, "height": min(max(int(height), 240), 1000), "bare": bare}
    data = drawn | {"refused": edit.refused, "most": MOST_POINTS} | beside | look
    _component()(key=key, data=data, on_line_change=changed)
    return edit


def _memory_key(key: str) -> str:
    return f"{key}/memory"


_Asked = tuple[Line, str | None, bool | None]  # points, view and logarithmic prior that a page asks for


@dataclass(frozen=True)
class _Memory:
    """What was last shown, and what the page had asked for (nothing once the page was told to follow)."""

    edit: LineEdit
    asked: _Asked | None


def _reconciled(key: str, wanted: Line, view: str | None, log_prior: bool | None) -> LineEdit:
    """The newest of what was remembered, what the browser sent, and what the page asks for since it last asked."""
    memory: _Memory | None = st.session_state.get(_memory_key(key))
    asked = (wanted, view, log_prior)
    if memory is None:
        edit = _taken(key, LineEdit(wanted, view or VIEWS[0], bool(log_prior), revision=1))
    else:
        edit = _taken(key, memory.edit)
        known: list[_Asked] = [(state.points, state.view, state.log_prior) for state in (memory.edit, edit)]
        known += [] if memory.asked is None else [memory.asked]
        new_line = not any(same_line(wanted, line) for line, _, _ in known)
        new_view = view is not None and all(view != shown for _, shown, _ in known)
        new_log = log_prior is not None and all(log_prior != shown for _, _, shown in known)
        if new_line or new_view or new_log:
            edit = LineEdit(
                points=wanted if new_line else edit.points,
                view=str(view) if new_view else edit.view,
                log_prior=bool(log_prior) if new_log else edit.log_prior,
                revision=edit.revision + _PAGE_LEAD,
            )
    st.session_state[_memory_key(key)] = _Memory(edit, asked)
    return edit


def _taken(key: str, last: LineEdit) -> LineEdit:
    """The browser's state when it is newer and sound; else the last good one, ahead of what was refused."""
    sent = (st.session_state.get(key) or {}).get("line")
    if sent is None:
        return last
    revision = last.revision
    try:
        revision = _sent_revision(sent)
        if revision <= last.revision:
            return last
        return LineEdit(
            points=sent_points(sent.get("points")),
            view=_sent_choice("view", sent.get("view"), VIEWS),
            log_prior=_sent_choice("log", sent.get("log"), (True, False)),
            revision=revision,
            settled=sent.get("settled") is not False,
        )
    except ValueError as error:
        reason = refusal_words(error)
        if last.refused == reason and revision <= last.revision:
            return last
        return LineEdit(last.points, last.view, last.log_prior, revision + _PAGE_LEAD, refused=reason)


def _sent_revision(sent: Any) -> int:
    revision = sent.get("rev") if isinstance(sent, dict) else None
    if not isinstance(revision, int) or isinstance(revision, bool) or not 0 < revision < _HIGHEST_REVISION:
        raise ValueError("revision must be a whole number from 1")
    return revision


def _sent_choice(name: str, value: Any, options: tuple[Any, ...]) -> Any:
    if not any(value is option or (isinstance(value, str) and value == option) for option in options):
        raise ValueError(f"{name} must be one of {options}")
    return value


def _curve(pairs: Iterable[Sequence[float]]) -> list[list[float]]:
    """The pairs a browser can draw, to seven digits."""
    return [[float(f"{value:.7g}") for value in pair] for pair in pairs if all(map(math.isfinite, pair))]


_component = partial(component, "riskline_line_editor", "element.js", "editor.js", style="editor.css")
