"""Printed claims of the paper on partially private data, checked at the values the text or its definitions give."""

from __future__ import annotations

from functools import partial

from dpcore.public_information import CorrelatedAnswers, RangedCount, draw_rate_by_rejection, worst_table_loss
from riskline.record.tables import PublishedValue

row = partial(PublishedValue, "seeman")


def _distance(people: int, rate_if_no: float, rate_if_yes: float) -> float:
    return CorrelatedAnswers(people=people, rate_if_no=rate_if_no, rate_if_yes=rate_if_yes).distance


def _table_loss(concentrations: tuple[float, ...] | None) -> float:
    return worst_table_loss(cells=3, total=6, epsilon_per_unit=0.5, concentrations=concentrations)


ROWS = [
    row(
        "Example 3", "distance of the two laws of a count of unrelated answers", 1, 0, lambda: _distance(1000, 0.3, 0.3)
    ),
    row(
        "Example 3, extreme dependence",
        "distance of the two laws of a count of 20 when all answer alike",
        20,
        0,
        lambda: _distance(20, 0.0, 1.0),
    ),
    row(
        "equation (6), level set as printed",
        "distance for 10 people, 0.9 yes given no, 0.1 yes given yes",
        6,
        0,
        lambda: _distance(10, 0.9, 0.1),
        verdict="erratum",
        computed=7,
        reading="The printed level set holds the levels of one law only; the other law's levels reach one further.",
    ),
    row(
        "Lemma 5",
        "largest loss of a conditioned count over its budget (budget 0.01, 20,000 people)",
        2.0,
        1,
        lambda: RangedCount(people=20_000, epsilon=0.01, treatment="conditioned").loss / 0.01,
        tolerance=0.05,
    ),
    row(
        "Theorem 1, congenial base",
        "privacy loss of a table of 3 cells and total 6 at nominal 1",
        1.0,
        1,
        lambda: _table_loss(None),
        verdict="erratum",
        computed=1.318,
        reading="The theorem drops the normaliser of the law, which depends on the true table.",
    ),
    row(
        "Theorem 1, Dirichlet-multinomial base (5, 1, 0.1)",
        "privacy loss of a table of 3 cells and total 6 at nominal 1",
        1.0,
        1,
        lambda: _table_loss((5.0, 1.0, 0.1)),
        verdict="erratum",
        computed=1.982,
        reading="The theorem drops the normaliser of the law; with a skewed base the loss nearly doubles.",
    ),
    row(
        "Algorithm 1, bound as printed",
        "posterior mean of the rate, 20 people, release 1, conditioned to the range, epsilon 0.5",
        0.1387,
        4,
        lambda: RangedCount(people=20, epsilon=0.5, treatment="conditioned").rate_posterior(1).mean,
        verdict="erratum",
        computed=0.1274,
        reading="The bound must hold over the true count; over the release alone it cancels the normaliser.",
    ),
    row(
        "Algorithm 1, inequality turned round",
        "mean of 200,000 proposals filtered with U at most the ratio, same release",
        0.1274,
        4,
        lambda: float(
            draw_rate_by_rejection(
                RangedCount(people=20, epsilon=0.5, treatment="conditioned"), 1, proposals=200_000, seed=1
            ).mean()
        ),
        tolerance=0.002,
        verdict="reading",
        reading="Accept when U is at most the ratio; the paper prints the inequality the other way. Monte Carlo.",
    ),
]
