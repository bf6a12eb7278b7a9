"""The same release otherwise: under other priors and budgets, by other ways, and what it says of the next value."""

from __future__ import annotations

import math
from dataclasses import replace

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
from ui.pictures.table import Table, table_of
from ui.views.infer.choices import InferInputs
from ui.views.infer.learned import Learned, interval_of_mean, interval_words, moment, outwards
from ui.words.catalogue import heads, label
from ui.words.phrasing import decimal_belief, frequency, plain_number
from ui.words.quantities import Lower, number
from ui.words.refusals import refusal_words

OTHER_BUDGETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
CHAIN_DRAWS = 3_000


def _interval_words(release: NoisyMoments, prior: Prior, constrained: bool, level: float) -> str:
    """An interval for the mean, or that there is none."""
    if not propriety(release.n, prior, constrained=constrained).proper:
        return label("infer", "no_answer")
    try:
        return interval_words(*interval_of_mean(release, prior, constrained, level))
    except Refused as refusal:
        if refusal.code is not Code.INFEASIBLE:
            raise
        return label("infer", "contradicts")


def other_priors(inputs: InferInputs, style: Style) -> tuple[str, Table]:
    """The same release under other priors: which answers are the prior's doing, which priors give none."""
    learned = Learned(inputs, style)
    release, width = learned.release, learned.release.width
    middle = 0.5 * (release.lower + release.upper)
    guess = ConjugatePrior(inputs.guess, inputs.guess_weight, max(inputs.guess_spread, 1e-3 * width) ** 2, 1.0)
    heavy = ConjugatePrior(guess.mean, 10 * guess.mean_weight, guess.variance, 10.0)
    moved = ConjugatePrior(2 * middle - guess.mean, guess.mean_weight, guess.variance, 1.0)
    words = {
        "mean": plain_number(guess.mean, 3),
        "spread": plain_number(math.sqrt(guess.variance), 3),
        "other": plain_number(moved.mean, 3),
    }
    named: dict[str, Prior] = {
        "yours": learned.prior,
        "guess": guess,
        "heavy": heavy,
        "moved": moved,
        "flat": FlatPrior(),
        "root": PowerPrior(0.5),
        "usual": PowerPrior(1.0),
    }
    rows = [
        (
            learned.say(f"other_prior.{name}", **words),
            _interval_words(release, prior, True, inputs.level),
            _interval_words(release, prior, False, inputs.level),
            "" if propriety(release.n, prior, constrained=True).proper else learned.say("no_posterior"),
        )
        for name, prior in named.items()
    ]
    caption = learned.say("other_priors.caption")
    return learned.say("other_priors"), Table(caption, (*heads("infer", "other_priors"), ""), tuple(rows))


def prediction(inputs: InferInputs, style: Style) -> tuple[str, Table]:
    """The next value: with the bounds, without them, and after two repairs."""
    learned = Learned(inputs, style)
    belief = decimal_belief if style.technical else frequency
    used = learned.known.predictive
    said = [("known", moment(used.mean), moment(used.sd), belief(used.below), belief(used.above))]
    words = {"sd": moment(used.sd), "below": "–", "above": "–", "sd_ignored": "–"}
    if learned.ignored is not None:
        free, zero = learned.ignored.predictive, belief(0.0)
        words |= {"below": belief(free.below), "above": belief(free.above), "sd_ignored": moment(free.sd)}
        said += [
            ("ignored", moment(free.mean), words["sd_ignored"], words["below"], words["above"]),
            ("recoded", "", moment(free.sd_recoded), zero, zero),
            ("cut", "", moment(free.sd_cut_normal), zero, zero),
        ]
    rows = ((learned.say(f"analysis.{name}"), *cells) for name, *cells in said)
    sentence = learned.say("prediction" if learned.ignored else "prediction_alone", **words)
    return sentence, table_of("infer", "prediction", rows, **learned.context)


def other_budgets(inputs: InferInputs, style: Style) -> Picture:
    """What the same published numbers would have said under other budgets."""
    learned = Learned(inputs, style)
    ends: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    kinds = (True, False) if learned.ignored is not None else (True,)
    budgets = []
    for epsilon in sorted({*OTHER_BUDGETS, inputs.other}):
        release = replace(learned.release, epsilon_mean=epsilon, epsilon_variance=epsilon)
        try:
            pairs = [interval_of_mean(release, learned.prior, constrained, inputs.level) for constrained in kinds]
        except Refused as refusal:
            if epsilon == inputs.other or refusal.code is not Code.INFEASIBLE:
                raise
            continue  # so precise a release could not have come out like this
        budgets.append(epsilon)
        for constrained, pair in zip(kinds, pairs, strict=True):
            ends[constrained].append(pair)
    across, up = learned.say("axis_budget"), learned.say("axis_mean")
    columns = [Column("epsilon", learned.say("budgets.epsilon"), np.array(budgets), quantity=across)]
    marks: list[Mark] = []
    for constrained, key, role, dash in (
        (True, "known", "accent", "solid"),
        (False, "ignored", "reach", "dash"),
    )[: len(kinds)]:
        name, interval = learned.say(f"name_{key}"), np.array(ends[constrained])
        told = [interval_words(*pair) for pair in ends[constrained]]
        columns += [
            Column(f"{key}_told", name, told),
            *(
                Column(
                    f"{key}_{end}",
                    name,
                    interval[:, at],
                    quantity=up,
                    aspect=learned.say(f"budgets.{end}"),
                    listed=False,
                )
                for at, end in enumerate(("low", "high"))
            ),
        ]
        marks += [
            Line(x="epsilon", y=f"{key}_low", role=role, dash=dash),
            Line(x="epsilon", y=f"{key}_high", role=role, dash=dash, label=0 if constrained else 2),
        ]
    if len(kinds) == 1:
        columns.append(Column("ignored_told", learned.say("name_ignored"), [learned.say("no_answer")] * len(budgets)))
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
    caption = learned.say("budgets.caption")
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
    exact, seed = learned.known.mean, str(inputs.seed)

    def row(name: str, *cells: str, error: str, **words: str) -> tuple[str, ...]:
        called = learned.say(f"way.{name}", draws=f"{CHAIN_DRAWS:,}", seed=seed)
        return called, *cells, learned.say(f"way.{error}", **words)

    rows = [row("exact", moment(exact.mean), moment(exact.sd), error="no_error")]
    try:
        chain = gibbs(release, prior, constrained=True, draws=CHAIN_DRAWS, chains=1, warm_up=200, seed=inputs.seed)
    except ValueError as error:
        rows.append(row("chain", "–", "–", error="not_run"))
        sentence = learned.say("other_ways_alone", reason=refusal_words(error))
    else:
        worth = Lower(chain.effective_draws_mean, number(2)).digits
        mean, spread = (plain_number(float(moment), 5) for moment in (chain.mean.mean(), chain.mean.std()))
        rows.append(row("chain", mean, spread, error="draws", worth=worth))
        sentence = learned.say("other_ways", draws=f"{CHAIN_DRAWS:,}", worth=worth)
    if release.n >= 5 and not isinstance(prior, ConjugatePrior):
        confined = likelihood_constrained_posterior(release, prior)
        mean, spread = plain_number(confined.mean, 5), plain_number(confined.mean_sd, 5)
        share = plain_number(100 * confined.relative_error, 1)
        rows.append(row("confined", mean, spread, error="approximation", share=share))
    return sentence, Table(learned.say("ways.caption"), (*heads("infer", "ways"), ""), tuple(rows))
