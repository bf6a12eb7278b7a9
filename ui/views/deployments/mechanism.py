"""A mechanism known by its curve, set beside published budgets: what it lets somebody guess of the same secret."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.guarantees import Relation
from dpcore.mechanisms import Curve
from dpcore.promise import Promise, Secret
from dpcore.scope import Bound, Scope
from dpcore.tradeoff import trade_off_of_secret
from riskline.answers.evidence import Evidence
from ui.views.deployments.choices import DeploymentsInputs
from ui.views.shared.own_mechanism import NOTHING, curve_in_words, is_long
from ui.words.catalogue import label
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Quantity


@dataclass(frozen=True)
class Beside:
    """A mechanism in words, and how often a guess is right at most after whatever is computed from it."""

    words: str
    guess: Bound
    curve: Curve

    def in_python(self, prior: float, said: Quantity) -> CodeLines | None:
        """The lines for that guess; none for a file of more points than somebody would read."""
        if is_long(self.curve):
            return None
        code = CodeWriter()
        tests = code.let("tests", code(trade_off_of_secret, code.let("mechanism", self.curve), self.guess.promise))
        return code.ending(Source(f"{tests}.right_guess(prior={prior!r})"), said)


def mechanism_beside(inputs: DeploymentsInputs, voice: str, own: Curve | None) -> Beside | str:
    """The mechanism that is chosen, of one person's record; or why nothing is said of it, nothing where none is."""
    if inputs.also == NOTHING:
        return ""
    curve, secret = inputs.curve_of(inputs.also, own), Secret(inputs.secret)
    if curve is None:
        return label("explain", "refused.no_file")
    if curve.is_estimate:
        return label("deployments", "also.estimate")
    if curve.is_local and secret is Secret.PRESENCE:
        return label("plan", "given_visibly")
    if curve.is_local:
        promise = Promise(secret=Secret.ANSWER, relation=Relation.REPLACE)
    else:
        promise = Promise(secret=secret, relation=curve.relation or Relation.ADD_OR_REMOVE)
    found = Evidence(promise=promise, source=curve).right_guess(inputs.prior, Scope.ANY_MECHANISM)
    return Beside(curve_in_words(inputs.also, curve, voice), found, curve)
