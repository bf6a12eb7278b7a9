"""Lines of Python that reproduce a memo's numbers with dpcore, and that set its release up in OpenDP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.accuracy import CountError
from dpcore.mechanisms import noise_kind
from dpcore.profiles import Budget, ImpliedEpsilon


@dataclass(frozen=True)
class NoiseChoice:
    """The noise of a count: its kind, its budget (ε or ρ) and how often its range must hold.

    `changed` is how many counts of a table, each with such noise, one step can change.
    """

    kind: str
    budget: float
    level: float
    changed: int = 1


def shown(value: float) -> str:
    """A number as the comments write it."""
    return f"{value:.6g}"


def reproducing_lines(
    answer: ImpliedEpsilon,
    budget: Budget | None,
    *,
    shift: float,
    belief: tuple[float, ...],
    noise: NoiseChoice | None,
    error: CountError | None,
    one_ratio: Budget | None = None,
    each: float | None = None,
) -> str:
    """The lines for dpcore; each `print` carries what it prints as a comment.

    `one_ratio` is the budget of the profile's strictest ratio at every belief, asked for like `budget`; `each` the
    budget of each release where it is not the recommended one.
    """
    profile = repr(answer.profile)
    names = profile.partition("(")[0]
    if budget is None:
        return (
            f"from dpcore.profiles import {names}\n\nprofile = {profile}\n"
            f"print(profile.implied_epsilon(value_exponent={answer.value_exponent!r}).epsilon)  # inf"
        )
    delta = getattr(budget.total, "delta", None)  # a method where the budget is none in ε and δ
    named: dict[str, Any] = {"route": budget.route.value, "releases": budget.releases, "group": budget.group}
    named |= {"value_exponent": answer.value_exponent, "delta_prime": budget.failure_probability or None}
    named |= {"delta": delta if isinstance(delta, float) and delta else None}
    named |= {"relation": "replace" if budget.total.relation.value == "replace" else None}
    promise = ", ".join(f"{name}={value!r}" for name, value in named.items() if value is not None)
    spent, written = budget.recommended_each, "chosen.recommended_each"
    if each is not None and each != spent:
        spent, written = each, repr(float(each))
    together = round(budget.releases * spent, 15)  # as the memo says it: the sum of what is printed
    rule = "" if one_ratio is None else repr(one_ratio.answer.profile)
    imported = ", ".join(sorted(filter(None, {names, rule.partition("(")[0]})))
    lines = [
        "from dpcore.accuracy import count_error, noise_with_budget",
        f"from dpcore.profiles import {imported}, budget",
        "",
        f"profile = {profile}",
        f"chosen = budget(profile, {promise})",
        f"print(chosen.recommended_each)  # {shown(budget.recommended_each)}",
        f"print(round({budget.releases} * {written}, 15))  # {shown(together)}",
        f"print(chosen.answer.epsilon)  # {shown(answer.epsilon)}",
    ]
    if one_ratio is not None:
        lines.append(f"one_ratio = budget({rule}, {promise})")
        lines.append(f"print(one_ratio.recommended_each)  # {shown(one_ratio.recommended_each)}")
    if answer.binding is not None:
        reached = float(answer.reachable(*belief, epsilon=shift))
        where = ", ".join(repr(float(one)) for one in belief)
        lines.append(f"print(chosen.answer.binding.prior)  # {shown(answer.binding.prior)}")
        lines.append(f"print(chosen.answer.reachable({where}, epsilon={float(shift)!r}))  # {shown(reached)}")
    return "\n".join([*lines, *_noise_lines(noise, error)])


def checked_lines(lines: str, answer: float, noise: NoiseChoice | None, error: CountError | None) -> str:
    """Lines that end with `answer`, with what that prints, and those of the noise."""
    measured = _noise_lines(noise, error)
    imported = ["from dpcore.accuracy import count_error, noise_with_budget"] if measured else []
    return "\n".join([*imported, lines, f"print(answer)  # {shown(answer)}", *measured])


def _noise_lines(noise: NoiseChoice | None, error: CountError | None) -> list[str]:
    if noise is None or error is None:
        return []
    return [
        f"noise = noise_with_budget({noise.budget!r}, {noise.kind!r})",
        f"error = count_error(noise, level={noise.level!r})",
        f"print(error.half_width)  # {shown(error.half_width)}",
        f"print(error.root_mean_square)  # {shown(error.root_mean_square)}",
        f"print(error.probability_exact)  # {shown(error.probability_exact)}",
    ]


CERTIFIED = "# the budget is certified for this integer noise at this scale, not for another scale"
EXACT = "# the budget holds for this continuous noise, not for integer noise"


def release_lines(noise: NoiseChoice, *, releases: int, holds_for: str = "") -> str:
    """The lines for OpenDP: one noisy count, a whole number as the errors beside it take it, its budget checked first.

    `holds_for` names the noise when the budget holds for that noise alone; another noise is refused.
    """
    if holds_for not in ("", noise.kind):
        raise ValueError(f"noise must be the one the budget holds for, {holds_for!r}; got {noise.kind!r}")
    made = noise_kind(noise.kind).with_budget(noise.budget)
    *begun, count, check = made.release_lines()
    symbol = "rho" if made.budget_kind == "rho" else "epsilon"
    spent = f"{symbol} of one release" if noise.changed == 1 else f"{symbol} of one count; two of a table may change"
    held = [CERTIFIED if made.is_whole else EXACT] if holds_for else []
    true, published = ("0", "count(true_count)") if made.is_whole else ("0.0", "round(count(true_count))")
    drawn = f"  # {releases:,} releases, one draw each" if releases > 1 else ""
    asked = f"true_count = {true}  # put the true count here"
    return "\n".join([*begun, *held, count, f"{check}  # {spent}", asked, f"published = {published}{drawn}"])
