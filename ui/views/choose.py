"""Choose a budget: from the line of acceptable risk to epsilon, the prior that decides, and what can be reached."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.profiles import Certainty, ImpliedEpsilon, InfeasibleProfile, Status
from ui.figures.belief_map import belief_map
from ui.figures.curves import Curve, Spot, curves
from ui.figures.look import Look
from ui.links import Field
from ui.phrasing import DOWN, UP, budget, decimal_belief, frequency, plain_number, times
from ui.picture import Picture
from ui.table import Table
from ui.text import say
from ui.views.drawing import LINE_FIELDS, Editor, LineChoice, chosen_profile, template_points

FIELDS: tuple[Field, ...] = (
    *LINE_FIELDS,
    Field("view", "How the line is looked at", "choice", "posterior", options=("posterior", "ratio", "difference")),
    Field("log", "Logarithmic prior", "flag", False),
    Field("p_cut", "Belief that the person is in the data, along the cut", "number", 1.0, low=0.01, high=1),
    Field("q_cut", "Belief about the value, along the cut", "number", 0.1, low=0.01, high=1),
)


@dataclass(frozen=True)
class ChooseInputs(LineChoice):
    """What a reader chose on this page."""

    view: str = "posterior"
    log: bool = False
    p_cut: float = 1.0
    q_cut: float = 0.1

    @property
    def line_choice(self) -> LineChoice:
        """The line alone."""
        return LineChoice(**{field.name: getattr(self, field.name) for field in fields(LineChoice)})


@dataclass(frozen=True)
class ChooseView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str
    small_print: str
    implied: ImpliedEpsilon | None = None
    editor: Editor | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    computed: str = ""
    refusal: str | None = None


def choose_view(inputs: ChooseInputs, look: Look) -> ChooseView:
    """The page for these choices."""
    try:
        profile = chosen_profile(inputs.line_choice)
        implied = profile.implied_epsilon()
    except InfeasibleProfile as error:
        where = frequency(error.membership_prior * error.value_prior)
        return _refused(say("choose", look.voice, "infeasible", prior=where, detail=str(error)), inputs)
    except ValueError as error:
        return _refused(f"{error}.", inputs)
    return ChooseView(
        answer=_answer(inputs, implied, look),
        small_print=_small_print(inputs, implied, look),
        implied=implied,
        editor=_editor(inputs, implied),
        numbers=_numbers(implied, look),
        pictures=_pictures(inputs, implied, look),
        computed=say("choose", look.voice, "computed", **_facts(inputs, implied, look)),
    )


def _refused(sentence: str, inputs: ChooseInputs) -> ChooseView:
    return ChooseView(answer="", small_print="", refusal=sentence)


WHAT = {
    "membership": "that a given person is in the data",
    "value": "that a given person has the value in question",
    "both": "that a given person is in the data and has the value in question",
}
FORMULAS = {
    "theorem_10": "Theorem 10",
    "theorem_11": "Theorem 11",
    "theorem_12": "Theorem 12",
    "equation_3_28": "(3.28), with the infinite case it lacks",
}


def _facts(inputs: ChooseInputs, implied: ImpliedEpsilon, look: Look) -> dict[str, str]:
    """Words and numbers every passage of the page may use; beliefs as people in the plain voice, as decimals else."""
    belief = decimal_belief if look.technical else frequency
    place = implied.binding
    prior = place.prior if place else math.nan
    reached = float(implied.reachable(*_along(inputs, place), epsilon=implied.recommended)) if place else math.nan
    return {
        "budget": budget(implied.lower),
        "exact": plain_number(implied.epsilon, 7, DOWN),
        "what": WHAT[inputs.question],
        "prior": "" if place is None else (belief(prior) if prior > 0 else "nearly 0"),
        "p": "" if place is None else plain_number(place.membership_prior, 4),
        "q": "" if place is None else plain_number(place.value_prior, 4),
        "posterior": "" if place is None else belief(reached, UP),
        "ratio": times(implied.strictest_ratio, DOWN) if math.isfinite(implied.strictest_ratio) else "",
        "formula": FORMULAS.get(implied.formula, "(3.15), the exact minimum over the line"),
        "held": belief(inputs.held),
        "certainty": CERTAINTIES[implied.certainty],
        "outside": " Nothing is required below the first and above the last point." if inputs.line == "drawn" else "",
    }


CERTAINTIES = {
    Certainty.EXACT: "Exact",
    Certainty.BRACKET: "Certified lower end",
    Certainty.ESTIMATE: "Estimate, possibly too large",
}


def _along(inputs: ChooseInputs, place: Any) -> tuple[float, ...]:
    """A place as the coordinates of a profile over one or both beliefs."""
    if inputs.question == "both":
        return place.membership_prior, place.value_prior
    return (place.membership_prior,) if inputs.question == "membership" else (place.value_prior,)


def _answer(inputs: ChooseInputs, implied: ImpliedEpsilon, look: Look) -> str:
    facts = _facts(inputs, implied, look)
    if implied.status is Status.BINDS_NOTHING:
        return say("choose", look.voice, "answer_nothing", **facts)
    if implied.status is Status.ZERO_BUDGET:
        return say("choose", look.voice, "answer_zero", **facts)
    assert implied.binding is not None
    if implied.binding.prior == 0:
        return say("choose", look.voice, "answer_approached", **facts)
    return say("choose", look.voice, "answer", **facts)


def _small_print(inputs: ChooseInputs, implied: ImpliedEpsilon, look: Look) -> str:
    return say("choose", look.voice, "small_print", **_facts(inputs, implied, look))


def priors_for_curves(highest: float, log: bool) -> NDArray[np.float64]:
    """Priors at which a curve is drawn: dense near the ends, up to the highest that can occur."""
    top = min(highest, 0.9995)
    if log:
        return np.geomspace(min(1e-4, top / 10), top, 160)
    steps = np.linspace(0.0, 1.0, 161)[1:]
    return top * steps**1.5


def _editor(inputs: ChooseInputs, implied: ImpliedEpsilon) -> Editor | None:
    if inputs.question == "both":
        return None
    points = inputs.points if inputs.line == "drawn" else template_points(inputs.line_choice)
    prior = priors_for_curves(inputs.held, inputs.log)
    if implied.status is Status.BINDS_NOTHING:
        reachable = np.empty((0, 2))
    else:
        belief = np.minimum(prior / inputs.held, 1.0)
        reachable = np.column_stack([prior, implied.reachable(belief, epsilon=implied.recommended)])
    place = implied.binding
    mark = None
    if place is not None and 0 < place.prior < 1:
        mark = (place.prior, float(implied.reachable(*_along(inputs, place), epsilon=implied.recommended)))
    interpolation = inputs.interpolation if inputs.line == "drawn" else "linear"
    return Editor(points, interpolation, reachable, mark)


def _numbers(implied: ImpliedEpsilon, look: Look) -> tuple[tuple[str, str, str], ...]:
    found = [
        (
            say("choose", look.voice, "number_budget"),
            f"ε = {budget(implied.lower)}" if implied.status is not Status.BINDS_NOTHING else "no limit",
            f"unrounded {plain_number(implied.epsilon, 7, DOWN)}",
        )
    ]
    if implied.status is Status.BINDS and math.isfinite(implied.baseline):
        found.append(
            (
                say("choose", look.voice, "number_baseline"),
                f"ε = {budget(implied.baseline)}",
                f"at most {times(implied.strictest_ratio, DOWN)} for every prior",
            )
        )
        found.append((say("choose", look.voice, "number_gain"), plain_number(implied.gain, 3, DOWN), "more ε"))
    return tuple(found)


def _pictures(inputs: ChooseInputs, implied: ImpliedEpsilon, look: Look) -> tuple[Picture, ...]:
    if implied.status is Status.BINDS_NOTHING:
        return ()
    if inputs.question == "both":
        return _maps(inputs, implied, look)
    return (_epsilon_by_prior(inputs, implied, look),)


def _epsilon_by_prior(inputs: ChooseInputs, implied: ImpliedEpsilon, look: Look) -> Picture:
    prior = priors_for_curves(inputs.held, inputs.log)
    belief = np.minimum(prior / inputs.held, 1.0)
    largest = np.asarray(implied.largest_epsilon(belief))
    facts = _facts(inputs, implied, look)
    place = implied.binding
    spot = None
    if place is not None and place.prior > 0:
        spot = Spot(place.prior, implied.epsilon, say("choose", look.voice, "spot", **facts))
    ceiling = max(4 * implied.epsilon, 1e-3)
    shown = np.where(largest <= ceiling, largest, np.nan)
    drawing = curves(
        [Curve("largest ε this prior allows", prior, shown, "accent")],
        x_title="prior: how likely the attacker thinks it before",
        y_title="largest ε",
        look=look,
        spot=spot,
        level=(implied.recommended, f"ε = {facts['budget']}"),
        log_x=inputs.log,
        y_range=(0.0, ceiling),
        height=300,
    )
    allowed = np.asarray(implied.profile.highest_posterior(belief))
    reached = np.asarray(implied.reachable(belief, epsilon=implied.recommended))
    rows = tuple(
        (plain_number(x, 4), plain_number(line, 4), plain_number(top, 4, UP), plain_number(epsilon, 5, DOWN))
        for x, line, top, epsilon in zip(prior[::8], allowed[::8], reached[::8], largest[::8], strict=True)
    )
    table = Table(
        "Your line, what an attacker can reach at the recommended budget, and the largest ε each prior allows",
        ("prior", "your line", "reachable posterior", "largest ε"),
        rows,
    )
    reading = say("choose", look.voice, "reading_epsilon", **facts)
    return Picture("epsilon-by-prior", drawing, reading, reading.replace("**", ""), table)


def _maps(inputs: ChooseInputs, implied: ImpliedEpsilon, look: Look) -> tuple[Picture, ...]:
    grid = np.linspace(0.01, 1.0, 100)
    membership, value = np.meshgrid(grid, grid, indexing="ij")
    largest = np.asarray(implied.largest_epsilon(membership, value))
    ratio = np.asarray(implied.profile.highest_posterior(membership, value)) / (membership * value)
    place = implied.binding
    marked = None if place is None else (max(place.membership_prior, 0.005), max(place.value_prior, 0.005))
    cuts = (inputs.p_cut, inputs.q_cut)
    facts = _facts(inputs, implied, look)
    pictures = []
    ceiling = float(np.clip(8 * implied.epsilon, 1e-2, 100))
    for key, quantity, name, top in (
        ("allowed-ratio", ratio, "highest ratio", max(4 * implied.strictest_ratio, 2.0)),
        ("allowed-epsilon", largest, "largest ε", ceiling),
    ):
        drawing = belief_map(
            grid, grid, quantity, name=name, marked=marked, cuts=cuts, look=look, ceiling=min(top, 100)
        )
        rows = tuple(
            (plain_number(grid[i], 2), plain_number(grid[j], 2), plain_number(float(quantity[i, j]), 4, DOWN))
            for i in range(9, 100, 10)
            for j in range(9, 100, 10)
        )
        reading = say("choose", look.voice, f"reading_{key.replace('-', '_')}", **facts)
        table = Table(reading.replace("**", ""), ("in the data", "value", name), rows)
        pictures.append(Picture(key, drawing, reading, reading.replace("**", ""), table))
    pictures.append(_cut_picture(inputs, implied, look, grid))
    return tuple(pictures)


def _cut_picture(inputs: ChooseInputs, implied: ImpliedEpsilon, look: Look, grid: NDArray[np.float64]) -> Picture:
    along_value = np.asarray(implied.largest_epsilon(np.full(grid.shape, inputs.p_cut), grid))
    along_membership = np.asarray(implied.largest_epsilon(grid, np.full(grid.shape, inputs.q_cut)))
    ceiling = max(6 * implied.epsilon, 1e-3)
    lines = [
        Curve(
            "value varies", grid, np.where(along_value <= ceiling, along_value, np.nan), "accent", "dash", label_at=30
        ),
        Curve(
            "being in the data varies",
            grid,
            np.where(along_membership <= ceiling, along_membership, np.nan),
            "reach",
            "dot",
            label_at=55,
        ),
    ]
    belief = decimal_belief if look.technical else frequency
    facts = _facts(inputs, implied, look) | {"p_cut": belief(inputs.p_cut), "q_cut": belief(inputs.q_cut)}
    drawing = curves(
        lines,
        x_title="the belief that varies",
        y_title="largest ε",
        look=look,
        level=(implied.recommended, f"ε = {facts['budget']}"),
        y_range=(0.0, ceiling),
        height=300,
    )
    rows = tuple(
        (plain_number(x, 2), plain_number(a, 5, DOWN), plain_number(b, 5, DOWN))
        for x, a, b in zip(grid[9::10], along_value[9::10], along_membership[9::10], strict=True)
    )
    reading = say("choose", look.voice, "reading_cuts", **facts)
    table = Table(
        reading.replace("**", ""), ("belief", "largest ε, value varies", "largest ε, membership varies"), rows
    )
    return Picture("cuts", drawing, reading, reading.replace("**", ""), table)
