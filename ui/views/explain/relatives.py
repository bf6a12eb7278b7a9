"""What if relatives resemble, at the budget of *What an ε means*."""

from __future__ import annotations

from dpcore.mechanisms import NoiseMechanism
from riskline.answers.relatives import RelativesChoice, resembling
from ui.pictures.style import Style
from ui.views.explain.meaning import ExplainInputs, Meaning
from ui.views.shared.own_mechanism import CURVE_KINDS
from ui.views.shared.promise import refusing
from ui.views.shared.relatives import RelativesView, relatives_view
from ui.words.phrasing import limits_nothing
from ui.words.quantities import Allowed, to_spend
from ui.words.refusals import UNCOMPUTABLE


@refusing(RelativesView, "explain", *UNCOMPUTABLE)
def explain_relatives(inputs: ExplainInputs, relatives: RelativesChoice, style: Style) -> RelativesView:
    """What the page's budget tells where relatives resemble, and the budget that tells no more than it does alone."""
    if inputs.guarantee in CURVE_KINDS:
        return relatives_view(None, inputs.prior, style)
    meaning = Meaning(inputs, style)
    promise, evidence, noise = meaning.promise, meaning.evidence, meaning.evidence.mechanism
    failing = meaning.bounds.failure_probability
    told = {"promise": promise, "guarantee": evidence.guarantee, "relatives": relatives, "failure": failing}
    found = None if meaning.entry is not None else resembling(**told)
    one_count = (inputs.released, promise.group, getattr(noise, "sensitivity", 0)) == ("count", 1, 1)
    of_count = noise if one_count and isinstance(noise, NoiseMechanism) else None
    keeps = ("", "")
    if found is not None and not limits_nothing(found.limits(meaning.prior)[0].value):
        each = Allowed(found.budget_each(steps=promise.steps), to_spend)
        keeps = ("keeps_limit", f"{meaning.context['symbol']} = {each}")
    exception = meaning.exception_words(failing)
    return relatives_view(found, meaning.prior, style, keeps=keeps, exception=exception, noise=of_count)
