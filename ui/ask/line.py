"""The line editor on a page: what is drawn there becomes the page's choices."""

from __future__ import annotations

from collections.abc import Mapping

from ui.frame.form import Form, put
from ui.line_editor.component import LineEdit, Mark, line_editor
from ui.link.points import encode_points
from ui.pictures.look import Look
from ui.views.drawing import Editor
from ui.views.promise import SECRET

TEMPLATES = {
    "cap_or_ratio": "A cap for rare guesses, a ratio above",
    "constant": "The same ratio for everybody",
    "increase": "At most so many points more",
    "box": "Only some priors",
    "drawn": "Draw it",
}
QUESTIONS = {
    "membership": "Whether someone is in the data",
    "value": "A value about someone",
    "both": "Both at once",
}
STRAIGHT = {
    "linear": "the belief after",
    "ratio": "the ratio",
    "loglog": "the ratio, on log scales",
    "step": "nothing: steps",
}


def ask_line(form: Form) -> None:
    """The question, the line and the numbers of its template."""
    form.choice("question", QUESTIONS, label=SECRET.label)
    both = form.values["question"] == "both"
    ask_template(form, offered={code: words for code, words in TEMPLATES.items() if not (both and code == "drawn")})
    ask_held(form)


def ask_held(form: Form) -> None:
    """The belief that does not vary, when there is one."""
    both = form.values["question"] == "both"
    if form.values["question"] == "membership":
        form.number("held", label="Belief about the value, held at", help="1: only being in the data is at stake")
    elif not both:
        form.number("held", label="Belief of being in the data, held at", help="0.05: one in twenty was sampled")


def ask_template(form: Form, *, offered: Mapping[str, str] = TEMPLATES, suffix: str = "") -> None:
    """Which line, and the numbers of its template; a suffix tells several lines on one page apart."""
    form.choice(f"line{suffix}", offered, style="select", label="Which line?")
    line = form.values[f"line{suffix}"]
    if line in ("constant", "cap_or_ratio", "box"):
        form.slider(f"ratio{suffix}", low=1.0, high=10.0, step=0.1, label="At most so many times as likely")
    if line == "cap_or_ratio":
        form.slider(f"cap{suffix}", low=0.0, high=0.95, step=0.01, label="Always acceptable up to")
    if line == "increase":
        form.slider(f"increase{suffix}", low=0.01, high=0.95, step=0.01, label="At most this much more")
    if line == "box":
        form.number(f"low{suffix}", label="From a prior of")
        form.number(f"high{suffix}", label="To a prior of")
    if line == "drawn":
        form.choice(f"interpolation{suffix}", STRAIGHT, style="select", label="Straight between the points is")


def draw_line(
    stem: str, editor: Editor, look: Look, *, view: str, log_prior: bool, height: int = 430, suffix: str = ""
) -> None:
    """Mount the editor; a point that is moved turns a template into a drawn line."""

    def taken(edit: LineEdit) -> None:
        changes: dict[str, object] = {"view": edit.view, "log": edit.log_prior}
        if encode_points(edit.points) != encode_points(editor.points):
            drawn = {"points": edit.points, "line": "drawn", "interpolation": editor.interpolation}
            changes |= {f"{name}{suffix}": value for name, value in drawn.items()}
        put(stem, **changes)

    mark = None
    if editor.binding is not None:
        mark = Mark(*editor.binding, "binding prior" if look.technical else "decides your budget")
    line_editor(
        editor.points,
        key=f"{stem}.editor{suffix}",
        on_change=taken,
        view=view,
        log_prior=log_prior,
        interpolation=editor.interpolation,
        reachable=editor.reachable.tolist(),
        binding=mark,
        technical=look.technical,
        large=look.large,
        height=height,
    )
