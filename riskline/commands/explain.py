"""`riskline explain`: what a budget or a named noise means for a belief, as *What an ε means* answers."""

from __future__ import annotations

from functools import partial

from dpcore.mechanisms import Curve
from riskline.commands import Command, refuse
from riskline.commands.own_mechanism import FILE, notes_of
from riskline.output import Answer, Said
from ui.pictures.style import Style
from ui.views.explain import FIELDS, ExplainInputs, explain_view
from ui.views.explain.meaning import Meaning
from ui.views.shared.strip import beginning_with_case
from ui.words.quantities import Failure, Lower, Typed, Upper, as_told, in_people, number


def answer(inputs: ExplainInputs, style: Style, own: Curve | None = None) -> Answer:
    """The belief after a release in both worlds, in the reading asked for, and the bounds of any release."""
    view = explain_view(inputs, style, own)
    refuse(view.refusal)
    meaning = Meaning(inputs, style, own)
    notes = notes_of(meaning, view.right_guess)
    people, bounds = in_people(meaning.of), meaning.bounds
    upper, lower = partial(meaning.claimed, Upper), partial(meaning.claimed, Lower)
    quantities: dict[str, Said] = {
        "prior": Typed(inputs.prior, as_told(meaning.before)),
        "posterior_if_true": meaning.told(meaning.reading, people),
        "posterior_if_false": meaning.told(meaning.reading, people, so=False),
        "epsilon_of_the_secret": upper(bounds.epsilon_prime, number(7)),
        "failure_probability": Failure(bounds.failure_probability, number(3)),
        "ratio_upper": upper(float(bounds.ratio_upper), number(4)),
        "ratio_lower": lower(float(bounds.ratio_lower), number(4)),
        "difference_upper": upper(float(bounds.difference_upper), number(4)),
        "difference_lower": lower(float(bounds.difference_lower), number(4)),
    }
    if meaning.curve is not None:
        quantities |= zip(("right_guess", "right_guess_by_the_usual_point"), meaning.guesses, strict=True)
    return Answer(
        sentence=view.answer,
        small_print=view.small_print,
        quantities=quantities,
        tables=() if view.readings is None else (view.readings,),
        notes=notes,
        lines=view.python,
    )


COMMAND = Command(
    stem="explain",
    fields=FIELDS,
    inputs=ExplainInputs,
    answer=answer,
    file=FILE,
    examples=(
        "explain --epsilon 1 --prior 0.1",
        "explain --guarantee approximate --epsilon 1.8 --delta 1e-5 --failure 0.05 --prior 10%",
        "explain --guarantee discrete_gaussian --rho 0.1 --reading exact --prior '1 in 20'",
        "explain --guarantee deployment --prior 0.1 --secret value --json",
    ),
    left_out=("log_accused", "false_alarm", "published"),
    of_case=partial(beginning_with_case, FIELDS),
    budgets=("epsilon", "rho"),
)
