"""How often a bound may fail: δ and δ′ in human terms, and how views of an output can weaken it."""

from __future__ import annotations

import math
from functools import cache, partial

from scipy.special import ndtr

from dpcore.guarantees import (
    ApproximateDP,
    ProbabilisticDP,
    PureDP,
    gaussian_every_view_exceedance,
)
from ui.pictures.table import Table
from ui.views.explain.choices import SMALLEST
from ui.views.explain.meaning import Meaning
from ui.words.catalogue import label
from ui.words.phrasing import frequency, plain_number
from ui.words.quantities import Failure, Lower, Upper, number, whole

word = partial(label, "explain")


def among(probability: float, people: int = 1000) -> str:
    """An expected number of people among some for whom something of this probability happens.

    Examples
    --------
    >>> among(0.01), among(1e-6), among(0)
    ('at most 10', 'fewer than one: one in 1,000,000', 'none')
    """
    if probability == 0:
        return word("among.none")
    if probability * people >= 1:
        return word("among.most", people=Upper(math.ceil(people * probability * (1 - 1e-12)), whole))
    one_in = math.floor(1 / probability * (1 + 1e-12))
    return word("among.one_in", people=f"{one_in:,}") if one_in < 1e12 else word("among.rarer")


def failing_words(meaning: Meaning) -> str:
    """Delta and delta' in human terms."""
    own, say_here = meaning.evidence.guarantee, meaning.say
    passages = []
    if isinstance(own, ApproximateDP | ProbabilisticDP):
        name = "delta" if isinstance(own, ApproximateDP) else "delta_probabilistic"
        passages.append(say_here(name, among=among(own.delta), delta=Failure(own.delta, number(3))))
    failing = meaning.bounds.failure_probability
    if isinstance(own, PureDP):
        passages.append(say_here("never_fails"))
    elif not isinstance(own, ProbabilisticDP):
        passages.append(say_here("delta_prime", among=among(failing), failure=Failure(failing, number(3))))
    if meaning.evidence.loss is not None:
        exceeded = float(meaning.evidence.loss.exceedance(meaning.bounds.epsilon_prime, direction="either"))
        level, surely = float(meaning.inputs.failure), meaning.evidence.loss.largest <= meaning.bounds.epsilon_prime
        passages.append(
            say_here(
                "exceeded",
                among=among(level),
                really="0" if surely else Failure(max(exceeded, SMALLEST), number(2)),
                failure=Failure(level, number(3)),
            )
        )
    return "\n\n".join(passages)


WEAK_RHO, WEAK_SHIFT, WEAK_CUT = 0.3, 2.3, 2.1


@cache
def _weakening() -> tuple[float, float, float, float]:
    """Gaussian noise at rho .3: how often log odds rise by more than 2.3, by raw output, by one cell of two, at most.

    The last number is the rise that the cell {Z > 2.1} gives, which is above 2.3.
    """
    spread = math.sqrt(2 * WEAK_RHO)
    raw = float(ndtr((WEAK_RHO - WEAK_SHIFT) / spread))
    cell = float(ndtr((WEAK_RHO - WEAK_CUT) / spread))
    rise = math.log(cell / float(ndtr((-WEAK_RHO - WEAK_CUT) / spread)))
    most = float(gaussian_every_view_exceedance(rho=WEAK_RHO, epsilon_prime=WEAK_SHIFT))
    return raw, cell, most, rise


def weakening_facts() -> dict[str, str]:
    """Words and numbers of the passage on views that weaken a bound."""
    raw, cell, most, rise = _weakening()
    return {
        "raw": frequency(raw),
        "cell": word("in_ten_thousand", releases=f"{1e4 * cell:.0f}"),
        "most": word("in_ten_thousand", releases=math.ceil(1e4 * most)),
        "raw_decimal": plain_number(raw, 2),
        "cell_decimal": plain_number(cell, 3),
        "most_decimal": Upper(most, number(3)).digits,
        "rise": Lower(rise, number(3)).digits,
        "odds": plain_number(math.exp(WEAK_SHIFT), 2),
        "rho": f"{WEAK_RHO:g}",
        "threshold": f"{WEAK_SHIFT:g}",
        "cut": f"{WEAK_CUT:g}",
    }


def weakening_table() -> Table:
    """How often log odds rise by more than a threshold, by what the attacker sees."""
    raw, cell, most, _ = _weakening()
    return Table(
        word("weakening", rho=f"{WEAK_RHO:g}", threshold=f"{WEAK_SHIFT:g}"),
        (word("weakening.seen"), word("weakening.probability"), word("weakening.releases")),
        (
            (word("weakening.raw"), plain_number(raw, 2), f"{1e4 * raw:.0f}"),
            (word("weakening.cell", cut=f"{WEAK_CUT:g}"), plain_number(cell, 3), f"{1e4 * cell:.0f}"),
            (word("weakening.most"), Upper(most, number(3)).digits, f"{math.ceil(1e4 * most)}"),
        ),
    )
