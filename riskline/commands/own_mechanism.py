"""A mechanism in a file, asked as *What an ε means* asks a guarantee: what its curve allows about the secret."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.guarantees import ApproximateDP
from dpcore.mechanisms import Curve, KnownCurve
from dpcore.privacy_loss import PrivacyLoss
from dpcore.semantics import posterior_bounds
from dpcore.tradeoff import trade_off_of_secret, trade_off_over_steps
from riskline.choices import NotTaken
from riskline.commands import File, refuse
from riskline.output import Answer, Said
from ui.link.mechanism_file import KNOWN, read_mechanism
from ui.pictures.style import Style
from ui.views.explain import ExplainInputs
from ui.views.explain.meaning import Meaning, budget_words
from ui.views.shared.trade_off import NamedTradeOff, trade_off_picture
from ui.words.phrasing import decimal_belief, frequency, rounded
from ui.words.quantities import Failure, Lower, Typed, Upper, as_told, in_people, number

USUAL_DELTA = 1e-5
"""The delta of the one point at which most curves are told."""
LIMIT = "{up:**At most …**}{exception}. Whoever thinks it **{before}** likely {that} cannot get beyond that."
GUESSES = "The best guess on an even bet is right {curve:at most …}; by the usual point ({point}), {usual:at most …}."
BASIS = (
    "A limit for {label}, whatever is made of its output: from its whole curve, in either order of two neighbours. "
    "{promise} Not covered: the sparse vector technique, and noise, sampling or clipping that is chosen by what was "
    "released before; outputs drawn by simulation limit nothing from above."
)
NO_TAILS = "--reading must be bound for a mechanism in a file: its curve says nothing of how often a belief moves."


def _take(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The mechanism, and the usual point of its curve as the choices of the page, which tells what that one allows."""
    own = read_mechanism(content)
    point = usual_point(own)
    return {"guarantee": "approximate", "epsilon": point.epsilon, "delta": point.delta}, {"own": own}


def usual_point(own: Curve) -> ApproximateDP:
    """The smallest ε at the usual δ, or where δ falls no more; rounded up.

    >>> usual_point(KnownCurve(epsilons=(1.0, 2.0), deltas=(0.1, 0.01)))
    ApproximateDP(epsilon=2.0, delta=0.01, relation=<Relation.ADD_OR_REMOVE: 'add_or_remove'>)
    """
    loss = PrivacyLoss.of(own)
    delta = max(USUAL_DELTA, loss.infinite_mass)
    epsilon = loss.epsilon_at(delta)
    return ApproximateDP(epsilon=rounded(epsilon, 3, "up"), delta=float(f"{delta:.12g}"))


FILE = File(
    "A CSV file of a mechanism, known by one of: "
    + "; ".join(", ".join(known.heads) for known in KNOWN)
    + ". It then answers instead of a guarantee.",
    _take,
)


class OwnMechanism:
    """A mechanism of a file beside the choices of the page."""

    def __init__(self, inputs: ExplainInputs, style: Style, own: Curve) -> None:
        self.inputs, self.style, self.own = inputs, style, own
        self.meaning = Meaning(inputs, style)
        refuse(self.meaning.refusal)
        self.promise = self.meaning.promise
        self.tests = trade_off_over_steps(own, steps=self.promise.steps)
        self.usual = trade_off_of_secret(self.meaning.evidence.step, self.promise)

    @property
    def small_print(self) -> str:
        """What the limits rest on, and what they do not cover."""
        return BASIS.format(label=self.own.label, promise=self.meaning.words["promise"])

    @property
    def right_guesses(self) -> tuple[Upper, Upper]:
        """How often the best guess is right on an even bet: by the curve, and by the usual point."""
        return Upper(self.tests.right_guess(), frequency), Upper(self.usual.right_guess(), frequency)

    @property
    def guesses(self) -> str:
        """Both as a sentence."""
        curve, usual = self.right_guesses
        return GUESSES.format(curve=curve, usual=usual, point=budget_words(self.meaning.evidence.stated))

    def shift(self) -> float:
        """The shift of log odds that nothing made of the output exceeds but with the failure."""
        known = self.own
        if self.promise.steps > 1:
            epsilons = np.linspace(0.0, 40.0, 4001)
            known = KnownCurve(epsilons=tuple(epsilons.tolist()), deltas=tuple(self.tests.delta_at(epsilons).tolist()))
        return float(PrivacyLoss.of(known).every_view_epsilon(self.inputs.failure))


def belief_answer(inputs: ExplainInputs, style: Style, own: Curve) -> Answer:
    """The belief after a release of the mechanism in both worlds, and the best guess."""
    if inputs.reading != "bound":
        raise NotTaken(NO_TAILS, "reading")
    asked = OwnMechanism(inputs, style, own)
    meaning, shift = asked.meaning, asked.shift()
    low, high = posterior_bounds(prior=meaning.prior, epsilon=shift)
    people = in_people(meaning.of)
    curve, usual = asked.right_guesses
    quantities: dict[str, Said] = {
        "prior": Typed(meaning.prior, as_told(meaning.before)),
        "posterior_if_true": Upper(float(high), people),
        "posterior_if_false": Lower(float(low), people),
        "epsilon_of_the_secret": Upper(shift, number(7)),
        "failure_probability": Failure(inputs.failure, number(3)),
        "right_guess": curve,
        "right_guess_by_the_usual_point": usual,
    }
    exception = meaning.exception_words(inputs.failure)
    sentence = LIMIT.format(
        up=Upper(float(high), people), exception=exception, before=meaning.before, that=meaning.context["that"]
    )
    return Answer(sentence=sentence, small_print=asked.small_print, quantities=quantities, notes=(asked.guesses,))


def tests_answer(inputs: ExplainInputs, style: Style, own: Curve) -> Answer:
    """What the best test of the secret finds and misses at one rate of false accusations."""
    asked = OwnMechanism(inputs, style, own)
    rate = inputs.false_alarm
    found, missed = (float(share) for share in asked.tests.found_and_missed(rate))
    curve, usual = asked.right_guesses
    quantities: dict[str, Said] = {
        "false_alarm": Typed(rate, decimal_belief),
        "found": Upper(found, decimal_belief),
        "missed": Lower(missed, decimal_belief),
        "right_guess": curve,
        "right_guess_by_the_usual_point": usual,
    }
    picture = trade_off_picture(
        [NamedTradeOff(own.label, asked.tests), NamedTradeOff(asked.meaning.named, asked.usual)],
        false_alarm=rate,
        style=style,
        secret=asked.promise.secret,
    )
    return Answer(
        sentence=picture.reading,
        small_print=asked.small_print,
        quantities=quantities,
        tables=(picture.table,),
        notes=(asked.guesses,),
    )
