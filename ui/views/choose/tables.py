"""The budget in numbers, and other rules for setting ε beside it."""

from __future__ import annotations

from dpcore.accuracy import Noise
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.profiles import Status, lee_clifton
from dpcore.semantics import wood_posterior_upper
from riskline.answers.errors import noise_error
from riskline.case.fields import listed_numbers
from ui.pictures.table import Table
from ui.views.choose.answer import Answered, along, noise_of
from ui.views.choose.one_ratio import one_ratio
from ui.words.catalogue import say
from ui.words.phrasing import frequency, rounded_budget, times
from ui.words.quantities import Allowed, Exact, Upper, number

NOISE_WORDS = {
    "geometric": "whole-number (geometric) noise",
    "discrete_gaussian": "whole-number (discrete Gaussian) noise",
    "gaussian": "continuous Gaussian noise",
}


def numbers_on_top(answer: Answered) -> tuple[tuple[str, str, str], ...]:
    """The budget, one ratio for everybody, what the line gains over it, and the noise."""
    voice, implied, budget = answer.style.voice, answer.implied, answer.budget
    if budget is None:
        return ((say("choose", voice, "number_budget"), "no limit", ""),)
    total = budget.total
    unrounded = Allowed(total.rho if isinstance(total, ZeroConcentratedDP) else total.epsilon, number(7))
    together = " together" if budget.releases > 1 else ""
    found = [(say("choose", voice, "number_budget"), answer.spend, f"unrounded{together} {unrounded}")]
    rule = one_ratio(answer)
    if rule is not None:
        found += [
            (
                say("choose", voice, "number_baseline"),
                rule.spend,
                f"{Upper(implied.strictest_ratio, times):at most …} for every belief, "
                "same question and kind of release",
            ),
            (say("choose", voice, "number_gain"), rule.gain.digits, f"more {rule.gained} than that"),
        ]
    if implied.status is Status.BINDS:
        found.append(_noise(answer))
    return tuple(found)


def _noise(answer: Answered) -> tuple[str, str, str]:
    """The error that each release's budget puts on one count."""
    budget = answer.budget
    assert budget is not None
    kind: Noise = noise_of(budget)
    error = noise_error(budget.recommended_each, kind).error  # of the budget that is said and handed on
    where = f"{'in each release' if budget.releases > 1 else 'in a count'} with {NOISE_WORDS[kind]}"
    return (
        say("choose", answer.style.voice, "number_noise"),
        f"± {Upper(error.half_width, number(3)).digits}",
        f"{where}, at least 95 % of the time; exactly right {frequency(error.probability_exact)}",
    )


def other_rules(answer: Answered) -> Table | None:
    """Other rules for setting ε, beside this line's."""
    implied, inputs = answer.implied, answer.inputs
    if implied.status is not Status.BINDS:
        return None
    rows: list[tuple[object, ...]] = [
        ("Your line", rounded_budget(implied.lower), f"binds at a belief of {answer.context['prior']}"),
        (
            "One ratio for everybody",
            rounded_budget(implied.baseline),
            f"the strictest ratio of your line, {Exact(implied.strictest_ratio, times)}, "
            "held at every belief, for the same question and kind of release",
        ),
    ]
    place = implied.binding
    if place is not None and 0 < place.prior < 1:
        wood = float(wood_posterior_upper(prior=place.prior, epsilon=answer.shift))
        rows.append(
            (
                "Wood et al. (3.44)",
                rounded_budget(implied.lower),
                f"their bound for the belief that decides: {Upper(wood, frequency).digits}; "
                f"here {Upper(float(answer.reach(*along(inputs, place))), frequency).digits}",
            )
        )
    if inputs.population.strip():
        people = _public_values(inputs.population)
        theirs = lee_clifton(population=people, statistic=inputs.statistic, posterior_cap=inputs.cap)
        rows.append(
            (
                f"Lee and Clifton, {inputs.statistic} of {len(people)} public values",
                rounded_budget(theirs.epsilon),
                f"who was left out: at most {frequency(inputs.cap)}; "
                f"any statistic: ε = {rounded_budget(theirs.general)}",
            )
        )
    head = "ε between the two cases, everything together" if answer.together else "ε"
    return Table("Your line beside other rules", ("rule", head, "what it says"), tuple(rows))


def _public_values(text: str) -> list[float]:
    try:
        return listed_numbers(text)
    except ValueError as error:
        raise ValueError(f"Each public value {error}") from None
