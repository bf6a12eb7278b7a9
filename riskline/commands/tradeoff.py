"""`riskline tradeoff`: what the best test of a secret finds at a rate of false accusations, as on *What an ε means*."""

from __future__ import annotations

from functools import partial

from dpcore.mechanisms import Curve
from dpcore.tradeoff import TradeOff
from riskline.commands import Command, refuse
from riskline.commands.own_mechanism import FILE, notes_of
from riskline.output import Answer, Said
from ui.pictures.style import Style
from ui.views.explain import FIELDS, ExplainInputs, explain_view
from ui.views.explain.meaning import Meaning
from ui.views.shared.strip import beginning_with_case, one_release
from ui.words.phrasing import decimal_belief
from ui.words.quantities import Exact, Lower, Typed, Upper


def answer(inputs: ExplainInputs, style: Style, own: Curve | None = None) -> Answer:
    """The share found and missed at one rate of false accusations, of this noise and of any release as private."""
    view = explain_view(inputs, style, own)
    refuse(view.refusal)
    assert view.trade_off is not None
    meaning = Meaning(inputs, style, own)
    bound, exact = meaning.evidence.most_telling, meaning.evidence.tests
    quantities: dict[str, Said] = {"false_alarm": Typed(inputs.false_alarm, decimal_belief)}
    if exact is not None:
        quantities |= _at(meaning, exact, "", exact=True)
    quantities |= _at(meaning, bound, "" if exact is None else "_by_any_release", exact=False)
    if meaning.curve is not None:
        quantities |= _at(meaning, meaning.evidence.usual, "_by_the_usual_point", exact=False)
    several = inputs.number_of_releases if meaning.entry is None else 1
    return Answer(
        sentence=view.trade_off.reading,
        small_print=meaning.words["promise"] + one_release(several, style.voice),
        quantities=quantities,
        tables=(view.trade_off.table,),
        notes=notes_of(meaning, view.right_guess) or (view.right_guess,),
    )


def _at(meaning: Meaning, curve: TradeOff, whose: str, *, exact: bool) -> dict[str, Said]:
    """What a curve says at the rate of false accusations, and of the best guess from the belief before."""
    inputs = meaning.inputs
    found, missed = (float(share) for share in curve.found_and_missed(inputs.false_alarm))
    up, down = (Exact, Exact) if exact else (partial(meaning.claimed, Upper), partial(meaning.claimed, Lower))
    return {
        f"found{whose}": up(found, decimal_belief),
        f"missed{whose}": down(missed, decimal_belief),
        f"right_guess{whose}": up(float(curve.right_guess(prior=inputs.prior)), decimal_belief),
    }


COMMAND = Command(
    stem="explain",
    fields=FIELDS,
    inputs=ExplainInputs,
    answer=answer,
    file=FILE,
    examples=(
        "tradeoff --epsilon 1 --false-alarm 5%",
        "tradeoff --guarantee zero_concentrated --rho 0.5",
        "tradeoff --guarantee gaussian --rho 0.125 --false-alarm 0.01 --json",
    ),
    left_out=("log_accused", "reading", "published"),
    of_case=partial(beginning_with_case, FIELDS),
    budgets=("epsilon", "rho"),
)
