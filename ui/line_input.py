"""The line editor on a page: what is drawn there becomes the page's choices."""

from __future__ import annotations

from ui import inputs
from ui.figures.look import Look
from ui.line_editor import LineEdit, Mark, encode_points, line_editor
from ui.views.drawing import Editor

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


def ask_line(form: inputs.Form) -> None:
    """The question, the line and the numbers of its template."""
    form.choice("question", QUESTIONS, label="What could be disclosed?")
    both = form.values["question"] == "both"
    offered = {code: words for code, words in TEMPLATES.items() if not (both and code == "drawn")}
    form.choice("line", offered, style="select", label="Which line?")
    line = form.values["line"]
    if line in ("constant", "cap_or_ratio", "box"):
        form.slider("ratio", low=1.0, high=10.0, step=0.1, label="At most so many times as likely")
    if line == "cap_or_ratio":
        form.slider("cap", low=0.0, high=0.95, step=0.01, label="Always acceptable up to")
    if line == "increase":
        form.slider("increase", low=0.01, high=0.95, step=0.01, label="At most this much more")
    if line == "box":
        form.number("low", label="From a prior of")
        form.number("high", label="To a prior of")
    if line == "drawn":
        form.choice("interpolation", STRAIGHT, style="select", label="Straight between the points is")
    if form.values["question"] == "membership":
        form.number("held", label="Belief about the value, held at", help="1: only being in the data is at stake")
    elif not both:
        form.number("held", label="Belief of being in the data, held at", help="0.05: one in twenty was sampled")


def draw_line(stem: str, editor: Editor, look: Look, *, view: str, log_prior: bool, height: int = 430) -> None:
    """Mount the editor; a point that is moved turns a template into a drawn line."""

    def taken(edit: LineEdit) -> None:
        changes: dict[str, object] = {"view": edit.view, "log": edit.log_prior}
        if encode_points(edit.points) != encode_points(editor.points):
            changes |= {"points": edit.points, "line": "drawn", "interpolation": editor.interpolation}
        inputs.put(stem, **changes)

    mark = None
    if editor.binding is not None:
        mark = Mark(*editor.binding, "binding prior" if look.technical else "decides your budget")
    line_editor(
        editor.points,
        key=f"{stem}.editor",
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
