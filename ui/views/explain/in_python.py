"""The same in Python: the belief after in the true world, from the promise, the budget and the belief before."""

from __future__ import annotations

import numpy as np

from dpcore.deployments import deployment, guarantee_of
from dpcore.guarantees import ProbabilisticDP
from dpcore.privacy_loss import ExactPosterior, PrivacyLoss
from dpcore.semantics import belief_bounds, posterior_bounds, posterior_upper
from ui.views.explain.meaning import Meaning
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import in_people


def in_python(meaning: Meaning) -> CodeLines:
    """The lines for the belief after in the true world, in the reading shown."""
    code, prior, reading = CodeWriter(), meaning.inputs.prior, meaning.reading
    said = meaning.told(reading, in_people(meaning.of))
    if reading == "bound":
        own = code.let("guarantee", _guarantee(code, meaning))
        failure = meaning.inputs.failure
        if isinstance(meaning.evidence.guarantee, ProbabilisticDP):
            failure = max(failure, meaning.evidence.guarantee.delta)
        bounds = code.let("bounds", code(belief_bounds, own, prior=prior, delta_prime=failure))
        after = code(posterior_bounds, prior=prior, epsilon=Source(f"{bounds}.epsilon_prime"))
        return code.ending(Source(f"{after}[1]"), said)
    loss = code.let(
        "loss", Source(f"{code.named(PrivacyLoss)}.of({', '.join(map(code.of, meaning.evidence.pair or ()))})")
    )
    if reading == "every_view":
        shift = Source(f"{loss}.every_view_epsilon({meaning.inputs.failure!r})")
        return code.ending(code(posterior_upper, prior=prior, epsilon=shift), said)
    if reading == "average":
        return code.ending(Source(f"{code(ExactPosterior, loss, prior=prior)}.mean(side='present')"), said)
    level = 1 - meaning.inputs.failure
    assert meaning.evidence.loss is not None
    if meaning.evidence.loss.certainty == "exact":
        law = code(ExactPosterior, loss, prior=prior)
        return code.ending(Source(f"{law}.quantile({level!r}, side='present')"), said)
    even = code.let("even", code(ExactPosterior, loss, prior=0.5))
    high = code.let("high", Source(f"{even}.quantile_bracket({level!r}, side='present').high"))
    shift = code.let("shift", Source(f"min({_log_odds(code, high)}, {loss}.largest)"))
    if not 0 < prior < 1:
        return code.ending(prior, said)
    before = code.let("before", prior)
    odds = code.let("odds", code(np.exp, Source(f"{_log_odds(code, before)} + {shift}")))
    return code.ending(Source(f"{odds} / (1 + {odds})"), said)


def _log_odds(code: CodeWriter, belief: Source) -> Source:
    return Source(f"{code(np.log, belief)} - {code(np.log1p, Source(f'-{belief}'))}")


def _guarantee(code: CodeWriter, meaning: Meaning) -> Source:
    """The guarantee between the two worlds of the secret, from what is stated for one step."""
    promise = code.let("promise", meaning.promise)
    step: object = meaning.evidence.step
    if meaning.entry is not None:
        step = code(guarantee_of, code(deployment, meaning.entry.name), meaning.promise.relation)
    return Source(f"{promise}.guarantee_of_secret({code.of(step)})")
