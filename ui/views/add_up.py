"""Noisy tables that add up: where the leftover people go, what each part suffers, what a reader can still learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import totals
from dpcore.mechanisms import DiscreteGaussian
from riskline.answers import CaseBudget, standing
from riskline.case import declaration
from riskline.case.declaration import count, custom, flag, of_session, option
from riskline.case.fields import Field
from riskline.case.releases import BY_RHO
from riskline.case.value import Case
from ui.link.page_table import fields_of
from ui.pictures.columns import Column
from ui.pictures.picture import Picture
from ui.pictures.ranges import MOST_DRAWN, Ranges, ranges_picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared.promise import PageAnswer, refusing
from ui.views.shared.session_results import kept_for_session
from ui.views.shared.strip import beginning_with, tried
from ui.views.shared.typed_table import Counts, decode_list, encode_counts
from ui.words.catalogue import label, say
from ui.words.phrasing import NEAREST, plain_number, rounded
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Lower, Typed, number, whole

word = partial(label, "add_up")
DEFAULT_COUNTS: Counts = ((435, 53, 36, 27, 18, 9, 5, 2, 1, 0),)
RULES = {"mode": "multinomial mode", "remainder": "L2 + largest remainder", "webster": "Webster"}
BUDGETS = {False: ("epsilon_total", "epsilon_parts"), True: ("rho_total", "rho_parts")}
"""The choices that hold the budgets of total and parts, by whether they are a ρ."""
LEVEL = 0.9
TAILS = ((1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2)
FEW_PARTS = 40
MOST_LEARNED = 24  # parts whose published counts are inverted while a reader waits
SWEEPS, WARM_UP = (250, 1000), 50  # of each chain; the longer run when the shorter one is worth too little
LEAST_WORTH, LARGEST_R_HAT = 100, 1.1  # independent draws that a range needs; how far the chains may disagree


@dataclass(frozen=True)
class AddUpInputs:
    """What a reader chose on this page."""

    counts: Counts = of_session(custom(DEFAULT_COUNTS, read=decode_list, write=encode_counts))
    rule: str = option(*RULES)
    guarantee: str = option("pure", "zero_concentrated")
    epsilon_total: float = declaration.number(1.0, low=0.05, high=20)
    epsilon_parts: float = declaration.number(1.0, low=0.05, high=20)
    rho_total: float = declaration.number(0.1, low=0.001, high=20)
    rho_parts: float = declaration.number(0.1, low=0.001, high=20)
    source: str = option("own", "parts")
    learn: bool = flag()
    seed: int = count(1, low=0, high=1_000_000)

    @property
    def parts(self) -> tuple[int, ...]:
        """The true parts."""
        return self.counts[0]

    @property
    def largest(self) -> int:
        """The place of the largest part, the first of equals."""
        return int(np.argmax(self.parts))

    @property
    def by_rho(self) -> bool:
        """Whether the budgets are a ρ each."""
        return self.guarantee in BY_RHO

    @property
    def spent(self) -> tuple[float, float]:
        """The budgets of the total and of each part."""
        total, parts = (getattr(self, name) for name in BUDGETS[self.by_rho])
        return total, parts

    @property
    def budgets(self) -> dict[str, Any]:
        """The same as dpcore asks for them: a ρ by the noise that has it."""
        total, parts = self.spent
        if self.by_rho:
            return {"noise_total": DiscreteGaussian(rho=total), "noise_parts": DiscreteGaussian(rho=parts)}
        return {"epsilon_total": total, "epsilon_parts": parts}

    @property
    def learned_from(self) -> tuple[object, ...]:
        """What a long run depends on."""
        return self.counts, *self.budgets.values(), self.seed

    def trial(self, case: Case) -> CaseBudget | None:
        """The budget that the page tries; None where it is the case's."""
        return tried(sum(self.spent), "rho" if self.by_rho else "epsilon", case)

    @property
    def other(self) -> str:
        """The rule the chosen one is held against."""
        return "mode" if self.rule == "remainder" else "remainder"


FIELDS = fields_of("add_up", AddUpInputs)


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, whose budgets begin as halves of the case's: total and parts count everybody once each."""
    budget = None if case.is_example else standing(case).budget
    if budget is None:
        return FIELDS
    by_rho = budget.currency == "rho"
    kind = {"guarantee": "zero_concentrated" if by_rho else "pure"}
    return beginning_with(FIELDS, kind | dict.fromkeys(BUDGETS[by_rho], budget.value / 2))


@dataclass(frozen=True, kw_only=True)
class AddUpView(PageAnswer):
    """Everything the page shows."""

    spread: Picture | None = None
    one_draw: Table | None = None
    note: str = ""


@refusing(AddUpView)
def add_up_view(inputs: AddUpInputs, style: Style) -> AddUpView:
    """The page for these choices."""
    told = partial(say, "add_up", style.voice)
    rules = (inputs.rule, inputs.other)
    chosen, other = (_simulated(inputs.parts, **_asked(inputs, rule, inputs.source)) for rule in rules)
    context = _context(inputs, chosen, other, style.voice)
    same_total = inputs.source == "parts" and not inputs.by_rho and inputs.epsilon_total >= inputs.epsilon_parts
    notes = {"note_same_total": same_total, "note_zero": not any(inputs.parts)}
    return AddUpView(
        answer=told("answer" if len(inputs.parts) > 1 else "answer_one", **context),
        small_print=told("small_print", **context),
        spread=_spread(inputs, chosen, other, told("reading_spread", **context), style),
        one_draw=_one_draw(inputs, chosen, other),
        note=" ".join(told(name) for name, holds in notes.items() if holds),
        computed=say("add_up", "technical", "computed", **context),
        python=_in_python(inputs, chosen),
    )


def _asked(inputs: AddUpInputs, rule: str, source: str) -> dict[str, Any]:
    """What is asked of the simulated releases by a rule; two rules with one seed see the same noise."""
    return inputs.budgets | {
        "rule": RULES[rule],
        "flavour": "independent" if source == "own" else "summed",
        "ties": "lowest_index",
        "size": 2000 if len(inputs.parts) <= FEW_PARTS else 500,
        "seed": inputs.seed,
    }


_simulated = kept_for_session(totals.simulate_releases)


def _in_python(inputs: AddUpInputs, chosen: totals.SimulatedReleases) -> CodeLines:
    """The lines for how far the largest part is off."""
    code, largest = CodeWriter(), inputs.largest
    parts = code.let("parts", inputs.parts)
    drawn = code.let("drawn", code(totals.simulate_releases, parts, **_asked(inputs, inputs.rule, inputs.source)))
    said = Exact(_bias(inputs, chosen), _signed)
    return code.ending(Source(f"{drawn}.parts[:, {largest}].mean() - {parts}[{largest}]"), said)


def _bias(inputs: AddUpInputs, released: totals.SimulatedReleases) -> float:
    """How far the largest part is off on average."""
    return float(released.parts[:, inputs.largest].mean()) - inputs.parts[inputs.largest]


def _context(
    inputs: AddUpInputs, chosen: totals.SimulatedReleases, other: totals.SimulatedReleases, voice: str
) -> dict[str, str]:
    total, each = inputs.spent
    largest, parts = inputs.largest, len(inputs.parts)
    moved = np.abs(chosen.parts - np.maximum(chosen.noisy_parts, 0)).mean(axis=0)
    share = float(moved[largest] / moved.sum()) if moved.sum() else 0.0
    found = {
        "gap": plain_number(float(np.abs(chosen.totals - chosen.noisy_parts.sum(axis=1)).mean()), 2),
        "share": f"{100 * share:.0f}",
        "noisy_error": plain_number(float(np.abs(chosen.noisy_parts - inputs.parts).mean()), 3),
        "draws": f"{len(chosen.totals):,}",
        "seed": f"{inputs.seed}",
        "symbol": "ρ" if inputs.by_rho else "ε",
        "noise": say("add_up", voice, f"noise_{inputs.guarantee}"),
        "likelihood": say("add_up", "technical", f"likelihood_{inputs.guarantee}"),
        "epsilon": plain_number(total + each, 4),
        "epsilon_moved": plain_number(2 * each, 4),
        "epsilon_total": plain_number(total, 4),
        "epsilon_parts": plain_number(each, 4),
        "drawn": f" {label('pictures', 'first_drawn', most=MOST_DRAWN, all=parts)}" if parts > MOST_DRAWN else "",
    }
    for before, rule, released in (("", inputs.rule, chosen), ("other_", inputs.other, other)):
        found[f"{before}rule"] = word(f"rule.{rule}")
        found[f"{before}bias"] = _signed(_bias(inputs, released))
        found[f"{before}spread"] = plain_number(float(released.parts[:, largest].std()), 2)
        found[f"{before}error"] = plain_number(float(np.abs(released.parts - inputs.parts).mean()), 3)
    return found


def _signed(value: float, direction: str = NEAREST) -> str:
    return "0.0" if abs(value) < 0.05 else f"{value:+.1f}".replace("-", "−")


def _whole(value: float) -> str:
    """A difference to the nearest whole person, with its sign; nothing has none."""
    return f"{rounded(value, 0, NEAREST):+.0f}".replace("+0", "0").replace("-", "−")


def _parts(inputs: AddUpInputs) -> tuple[Column, ...]:
    return (Column("true", word("true"), [f"{count:,}" for count in inputs.parts], quantity=word("true_measured")),)


def _spread(
    inputs: AddUpInputs, chosen: totals.SimulatedReleases, other: totals.SimulatedReleases, reading: str, style: Style
) -> Picture:
    true = np.array(inputs.parts)
    ways = []
    for name, released in (
        (word("noisy"), chosen.noisy_parts),
        (word(f"rule.{inputs.other}"), other.parts),
        (word(f"rule.{inputs.rule}"), chosen.parts),
    ):
        low, high = np.quantile(released, TAILS, axis=0)
        ways.append(Ranges(name, low - true, released.mean(axis=0) - true, high - true))
    return ranges_picture(
        "add-up-spread",
        _parts(inputs),
        ways,
        measured=word("spread_measured"),
        said=_signed,
        said_ends=_whole,
        caption=word("spread"),
        reading=reading,
        style=style,
    )


def _one_draw(inputs: AddUpInputs, chosen: totals.SimulatedReleases, other: totals.SimulatedReleases) -> Table:
    """One release: true, noisy and published parts with their total."""
    numbered = (word("part", number=number) for number in range(1, len(inputs.parts) + 1))
    released = (
        (word("true"), list(inputs.parts), sum(inputs.parts)),
        (word("noisy"), chosen.noisy_parts[0].tolist(), int(chosen.noisy_totals[0])),
        (word(f"rule.{inputs.rule}"), chosen.parts[0].tolist(), int(chosen.totals[0])),
        (word(f"rule.{inputs.other}"), other.parts[0].tolist(), int(other.totals[0])),
    )
    rows = tuple((name, *parts, sum(parts), total) for name, parts, total in released)
    return Table(word("draw", seed=inputs.seed), (word("counts_head"), *numbered, word("sum"), word("total")), rows)


@dataclass(frozen=True)
class Learned:
    """What a reader concludes about each true part, from noisy and from published counts."""

    noisy: NDArray[np.float64]
    released: NDArray[np.float64]
    noisy_deviation: NDArray[np.float64]
    released_deviation: NDArray[np.float64]
    known: str


def learned(inputs: AddUpInputs, progress: Callable[[int, int], bool | None] | None = None) -> Learned:
    """What a reader concludes from this draw, knowing the noisy counts or only the published ones."""
    if len(inputs.parts) > MOST_LEARNED:
        raise ValueError(word("too_many_parts", most=Typed(MOST_LEARNED, whole), parts=len(inputs.parts)))
    drawn = _simulated(inputs.parts, **_asked(inputs, "mode", "own"))
    total, parts = int(drawn.noisy_totals[0]), drawn.noisy_parts[0]
    noisy = totals.posterior_from_noisy(total, parts, **inputs.budgets)
    ends = np.array([(*law.interval(LEVEL), law.mean) for law in noisy.parts], dtype=float)
    released = totals.release_additive(total, parts, ties="lowest_index").parts
    if len(parts) == 2:
        pair = totals.posterior_from_released_pair(released, **inputs.budgets, ties="lowest_index")
        found = np.array([(*law.interval(LEVEL), law.mean) for law in pair.laws], dtype=float)
        deviation = np.sqrt([law.variance for law in pair.laws])
        known = word("known_exact")
    elif len(parts) == 1:
        raise ValueError(word("one_part"))
    else:
        sampled = _sampled(released, inputs, progress)
        low, high = np.quantile(sampled.draws, TAILS, axis=(0, 1), method="inverted_cdf")
        found = np.column_stack([low, high, sampled.means])
        deviation = np.array(sampled.standard_deviations)
        known = word("known_sampled", worth=Lower(float(sampled.effective.min()), number(2)))
    return Learned(ends, found, np.array(noisy.standard_deviations), deviation, known)


def _sampled(
    released: Sequence[int], inputs: AddUpInputs, progress: Callable[[int, int], bool | None] | None
) -> totals.SampledPosterior:
    """Draws of the true parts that are worth a range; refused when the longer run is not worth one either."""
    asked: dict[str, Any] = inputs.budgets | {"warm_up": WARM_UP, "seed": inputs.seed, "progress": progress}
    for sweeps in SWEEPS:
        sampled = totals.posterior_from_released(released, **asked, sweeps=sweeps)
        worth = float(sampled.effective.min())
        if worth >= LEAST_WORTH and sampled.r_hat <= LARGEST_R_HAT:
            return sampled
    raise ValueError(word("too_few_draws", worth=f"{round(worth):,}", least=LEAST_WORTH))


def learned_picture(inputs: AddUpInputs, found: Learned, style: Style) -> Picture:
    """Ranges of belief about each true part, from noisy and from published counts."""
    true, largest = np.array(inputs.parts, dtype=float), inputs.largest
    ways = [
        Ranges(name, ends[:, 0] - true, ends[:, 2] - true, ends[:, 1] - true)
        for name, ends in ((word("from_noisy"), found.noisy), (word("from_released"), found.released))
    ]
    context = {
        "noisy": plain_number(float(found.noisy_deviation[largest]), 2),
        "released": plain_number(float(found.released_deviation[largest]), 2),
        "known": found.known,
    }
    return ranges_picture(
        "add-up-learned",
        _parts(inputs),
        ways,
        measured=word("learned_measured"),
        said=_signed,
        of=word("learned_of"),
        caption=word("learned"),
        reading=say("add_up", style.voice, "reading_learned", **context),
        style=style,
        height=280,
    )
