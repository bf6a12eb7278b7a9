"""The same release otherwise: under other priors and budgets, by other ways, and what it says of the next value."""

from __future__ import annotations

import math

import numpy as np

from dpcore.errors import Code, Refused
from dpcore.inference import (
    ConjugatePrior,
    FlatPrior,
    NoisyMoments,
    PowerPrior,
    Prior,
    gibbs,
    likelihood_constrained_posterior,
    propriety,
)
from ui.pictures.columns import Column, Numbers, side_by_side, single
from ui.pictures.marks import Axis, Line, Mark, Panel, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.infer.choices import InferInputs
from ui.views.infer.learned import Learned, interval_of_mean, moment, outwards
from ui.words.phrasing import decimal_belief, frequency, plain_number
from ui.words.quantities import Lower, number
from ui.words.refusals import refusal_words

OTHER_BUDGETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
CHAIN_DRAWS = 3_000


def _interval_words(release: NoisyMoments, prior: Prior, constrained: bool, level: float) -> str:
    """An interval for the mean, or that there is none."""
    if not propriety(release.n, prior, constrained=constrained).proper:
        return "no answer"
    try:
        return " to ".join(outwards(*interval_of_mean(release, prior, constrained, level)))
    except Refused as refusal:
        if refusal.code is not Code.INFEASIBLE:
            raise
        return "contradicts the release"


def other_priors(inputs: InferInputs, style: Style) -> tuple[str, Table]:
    """The same release under other priors: which answers are the prior's doing, which priors give none."""
    learned = Learned(inputs, style)
    release, width = learned.release, learned.release.width
    middle = 0.5 * (release.lower + release.upper)
    guess = ConjugatePrior(inputs.guess, inputs.guess_weight, max(inputs.guess_spread, 1e-3 * width) ** 2, 1.0)
    heavy = ConjugatePrior(guess.mean, 10 * guess.mean_weight, guess.variance, 10.0)
    moved = ConjugatePrior(2 * middle - guess.mean, guess.mean_weight, guess.variance, 1.0)
    spread = plain_number(math.sqrt(guess.variance), 3)
    named: list[tuple[str, Prior]] = [
        ("yours", learned.prior),
        (f"guess {plain_number(guess.mean, 3)}, spread {spread}, worth 1 value", guess),
        ("the same guess worth 10 values", heavy),
        (f"guess {plain_number(moved.mean, 3)} instead", moved),
        ("every mean and variance equally likely", FlatPrior()),
        ("one over the root of the variance (a = 0.5)", PowerPrior(0.5)),
        ("one over the variance (a = 1), usual without noise", PowerPrior(1.0)),
    ]
    rows = []
    for name, prior in named:
        decided = propriety(release.n, prior, constrained=True)
        rows.append(
            (
                name,
                _interval_words(release, prior, True, inputs.level),
                _interval_words(release, prior, False, inputs.level),
                "" if decided.proper else "no posterior exists (Theorem 17)",
            )
        )
    caption = f"{learned.context['level']} intervals for the mean from the same release"
    return learned.say("other_priors"), Table(caption, ("prior", "bounds used", "bounds ignored", ""), tuple(rows))


def prediction(inputs: InferInputs, style: Style) -> tuple[str, Table]:
    """The next value: with the bounds, without them, and after two repairs."""
    learned = Learned(inputs, style)
    belief = decimal_belief if style.technical else frequency
    used = learned.known.predictive
    rows: list[tuple[str, str, str, str, str]] = [
        ("bounds used", moment(used.mean), moment(used.sd), belief(used.below), belief(used.above))
    ]
    words = {"sd": moment(used.sd), "below": "–", "above": "–", "sd_ignored": "–"}
    if learned.ignored is not None:
        free = learned.ignored.predictive
        below, above = belief(free.below), belief(free.above)
        zero = belief(0.0)
        rows += [
            ("bounds ignored", moment(free.mean), moment(free.sd), below, above),
            ("bounds ignored, then impossible values moved to a bound", "", moment(free.sd_recoded), zero, zero),
            ("bounds ignored, then a normal cut to the bounds", "", moment(free.sd_cut_normal), zero, zero),
        ]
        words |= {"below": below, "above": above, "sd_ignored": moment(free.sd)}
    context = learned.context
    columns = (
        "analysis",
        "mean",
        "standard deviation",
        f"chance below {context['lower']}",
        f"chance above {context['upper']}",
    )
    sentence = learned.say("prediction" if learned.ignored else "prediction_alone", **words)
    return sentence, Table("A new value from the same people", columns, tuple(rows))


def other_budgets(inputs: InferInputs, style: Style) -> Picture:
    """What the same published numbers would have said under other budgets."""
    learned = Learned(inputs, style)
    budgets = sorted({*OTHER_BUDGETS, inputs.other})
    ends: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    kinds = (True, False) if learned.ignored is not None else (True,)
    usable = []
    for epsilon in budgets:
        release = NoisyMoments(
            n=inputs.n,
            mean=inputs.mean,
            variance=inputs.variance,
            epsilon_mean=epsilon,
            epsilon_variance=epsilon,
            lower=learned.release.lower,
            upper=learned.release.upper,
        )
        try:
            pairs = [interval_of_mean(release, learned.prior, constrained, inputs.level) for constrained in kinds]
        except Refused as refusal:
            if epsilon == inputs.other or refusal.code is not Code.INFEASIBLE:
                raise
            continue  # so precise a release could not have come out like this
        usable.append(epsilon)
        for constrained, pair in zip(kinds, pairs, strict=True):
            ends[constrained].append(pair)
    budgets = usable
    across, up = learned.say("axis_budget"), learned.say("axis_mean")
    columns = [Column("epsilon", "ε of each number", np.array(budgets), quantity=across)]
    marks: list[Mark] = []
    for constrained, key, role, dash in (
        (True, "known", "accent", "solid"),
        (False, "ignored", "reach", "dash"),
    )[: len(kinds)]:
        name, interval = learned.say(f"name_{key}"), np.array(ends[constrained])
        told = [" to ".join(outwards(*pair)) for pair in ends[constrained]]
        columns += [
            Column(f"{key}_told", name, told),
            Column(f"{key}_low", name, interval[:, 0], quantity=up, aspect="from", listed=False),
            Column(f"{key}_high", name, interval[:, 1], quantity=up, aspect="to", listed=False),
        ]
        marks += [
            Line(x="epsilon", y=f"{key}_low", role=role, dash=dash),
            Line(x="epsilon", y=f"{key}_high", role=role, dash=dash, label=0 if constrained else 2),
        ]
    if len(kinds) == 1:
        columns.append(Column("ignored_told", learned.say("name_ignored"), ["no answer"] * len(budgets)))
    here = side_by_side(single("other", f"ε = {plain_number(inputs.other, 4)}", inputs.other, quantity=across))
    marks.append(Upright(x="other"))
    every = np.concatenate([np.array(ends[constrained]).ravel() for constrained in kinds])
    width = learned.release.width
    low, high = learned.release.lower - 0.3 * width, learned.release.upper + 0.3 * width
    shown = (
        max(low, float(every.min())) - 0.03 * width,
        min(high, float(every.max())) + 0.08 * width,
    )
    place = budgets.index(inputs.other)
    there = outwards(*ends[True][place])
    free = outwards(*ends[False][place]) if len(kinds) > 1 else ("–", "–")
    reading = learned.say(
        "other_budget" if len(kinds) > 1 else "other_budget_alone",
        other=plain_number(inputs.other, 4),
        there_low=there[0],
        there_high=there[1],
        free_low=free[0],
        free_high=free[1],
    )
    caption = f"{learned.context['level']} intervals for the mean, had each number been published with this ε"
    return Picture(
        key="budgets",
        numbers=Numbers(caption, (side_by_side(*columns), here)),
        marks=tuple(marks),
        panels=(Panel(x=Axis(log=True), y=Axis(range=shown)),),
        reading=reading,
        style=style,
        height=320,
    )


def other_ways(inputs: InferInputs, style: Style) -> tuple[str, Table]:
    """The same question by the sampler of the source, and with every value confined to the bounds."""
    learned = Learned(inputs, style)
    prior, release = learned.prior, learned.release
    rows = [
        ("exact, by quadrature", moment(learned.known.mean.mean), moment(learned.known.mean.sd), "no sampling error")
    ]
    name = f"a Gibbs chain of {CHAIN_DRAWS:,} draws, seed {inputs.seed}"
    try:
        chain = gibbs(release, prior, constrained=True, draws=CHAIN_DRAWS, chains=1, warm_up=200, seed=inputs.seed)
    except ValueError as error:
        rows.append((name, "–", "–", "it cannot be run"))
        sentence = learned.say("other_ways_alone", reason=refusal_words(error))
    else:
        worth = Lower(chain.effective_draws_mean, number(2)).digits
        mean, spread = float(chain.mean.mean()), float(chain.mean.std())
        rows.append((name, plain_number(mean, 5), plain_number(spread, 5), f"worth about {worth} independent draws"))
        sentence = learned.say("other_ways", draws=f"{CHAIN_DRAWS:,}", worth=worth)
    if release.n >= 5 and not isinstance(prior, ConjugatePrior):
        confined = likelihood_constrained_posterior(release, prior)
        accuracy = f"approximation, about {plain_number(100 * confined.relative_error, 1)} % of the standard deviation"
        rows.append(
            (
                "every single value confined to the bounds (section 4.14)",
                plain_number(confined.mean, 5),
                plain_number(confined.mean_sd, 5),
                accuracy,
            )
        )
    return sentence, Table("The mean, by other ways", ("way", "mean", "standard deviation", ""), tuple(rows))
