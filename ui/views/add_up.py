"""Noisy tables that add up: where the leftover people go, what each part suffers, what a reader can still learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.totals import (
    SampledPosterior,
    SimulatedReleases,
    posterior_from_noisy,
    posterior_from_released,
    posterior_from_released_pair,
    release_additive,
    simulate_releases,
)
from riskline.answers import standing
from riskline.case import declaration
from riskline.case.declaration import count, custom, flag, of_session, option
from riskline.case.fields import Field
from riskline.case.value import Case
from ui.link.page_fields import fields_of
from ui.pictures.columns import Column, digits
from ui.pictures.picture import Picture
from ui.pictures.ranges import MOST_DRAWN, Ranges, ranges_picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared.session_results import kept_for_session
from ui.views.shared.typed_table import Counts, decode_list, encode_counts
from ui.words.catalogue import label, say
from ui.words.phrasing import NEAREST, plain_number, rounded
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Lower, Typed, number, whole
from ui.words.refusals import refusal_sentence

word = partial(label, "add_up")
DEFAULT_COUNTS: Counts = ((435, 53, 36, 27, 18, 9, 5, 2, 1, 0),)
RULES = {"mode": "multinomial mode", "remainder": "L2 + largest remainder", "webster": "Webster"}
BUDGETS = ("epsilon_total", "epsilon_parts")
LEVEL = 0.9
TAILS = ((1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2)
FEW_PARTS = 40
MOST_LEARNED = 24  # parts whose published counts are inverted while a reader waits
SWEEPS, WARM_UP = (250, 1000), 50  # of each chain; the longer run when the shorter one is worth too little
LEAST_WORTH, LARGEST_R_HAT = 100, 1.1  # independent draws that a range needs, and agreement of the chains


@dataclass(frozen=True)
class AddUpInputs:
    """What a reader chose on this page."""

    counts: Counts = of_session(custom(DEFAULT_COUNTS, read=decode_list, write=encode_counts))
    rule: str = option(*RULES)
    epsilon_total: float = declaration.number(1.0, low=0.05, high=20)
    epsilon_parts: float = declaration.number(1.0, low=0.05, high=20)
    source: str = option("own", "parts")
    learn: bool = flag()
    seed: int = count(1, low=0, high=1_000_000)

    @property
    def parts(self) -> tuple[int, ...]:
        """The true parts."""
        return self.counts[0]

    @property
    def learned_from(self) -> tuple[object, ...]:
        """What a long run depends on."""
        return self.counts, self.epsilon_total, self.epsilon_parts, self.seed

    @property
    def other(self) -> str:
        """The rule the chosen one is held against."""
        return "mode" if self.rule == "remainder" else "remainder"


FIELDS = fields_of("add_up", AddUpInputs)


def beginning(case: Case) -> tuple[Field, ...]:
    """The page's choices, whose budgets begin as halves of the case's ε: total and parts count everybody once each."""
    budget = None if case.is_example else standing(case).budget
    if budget is None or budget.currency == "rho":
        return FIELDS
    half = budget.value / 2
    return tuple(
        replace(field, default=half) if field.name in BUDGETS and field.low <= half <= field.high else field
        for field in FIELDS
    )


@dataclass(frozen=True)
class AddUpView:
    """Everything the page shows."""

    answer: str
    small_print: str
    numbers: tuple[tuple[str, str, str], ...] = ()
    spread: Picture | None = None
    draw: Picture | None = None
    one_draw: Table | None = None
    note: str = ""
    computed: str = ""
    python: CodeLines | None = None
    refusal: str | None = None


def add_up_view(inputs: AddUpInputs, style: Style) -> AddUpView:
    """The page for these choices."""
    told = partial(say, "add_up", style.voice)
    try:
        chosen, other = (_simulated(inputs.counts, *_promise(inputs), rule) for rule in (inputs.rule, inputs.other))
        context = _context(inputs, chosen, other)
        return AddUpView(
            answer=told("answer" if len(inputs.parts) > 1 else "answer_one", **context),
            small_print=told("small_print", **context),
            numbers=(
                (told("number_privacy"), word("budget", epsilon=context["epsilon"]), word("privacy_note")),
                (told("number_moved"), word("budget", epsilon=context["epsilon_moved"]), word("moved_note")),
                (told("number_error"), context["error"], word("error_note", **context)),
                (told("number_share"), word("share", **context), word("share_note")),
            ),
            spread=_spread(inputs, chosen, other, told("reading_spread", **context), style),
            draw=_draw(inputs, chosen, other, told("reading_draw", **context), style),
            one_draw=_one_draw(inputs, chosen, other),
            note=_note(inputs, told),
            computed=told("computed", **context),
            python=_in_python(inputs, chosen),
        )
    except ValueError as error:
        return AddUpView("", "", refusal=refusal_sentence(error))


def _promise(inputs: AddUpInputs) -> tuple[float, float, str, int]:
    return inputs.epsilon_total, inputs.epsilon_parts, inputs.source, inputs.seed


@kept_for_session
def _simulated(
    counts: Counts, epsilon_total: float, epsilon_parts: float, source: str, seed: int, rule: str
) -> SimulatedReleases:
    """Simulated releases; two rules with one seed see the same noise."""
    return simulate_releases(counts[0], **_asked(counts, epsilon_total, epsilon_parts, source, seed, rule))


def _asked(
    counts: Counts, epsilon_total: float, epsilon_parts: float, source: str, seed: int, rule: str
) -> dict[str, Any]:
    """What is asked of the simulated releases of these counts."""
    return {
        "epsilon_total": epsilon_total,
        "epsilon_parts": epsilon_parts,
        "rule": RULES[rule],
        "flavour": "independent" if source == "own" else "summed",
        "ties": "lowest_index",
        "size": 2000 if len(counts[0]) <= FEW_PARTS else 500,
        "seed": seed,
    }


def _in_python(inputs: AddUpInputs, chosen: SimulatedReleases) -> CodeLines:
    """The lines for how far the noisy parts miss the total; of one part, how far it is off."""
    code = CodeWriter()
    parts = code.let("parts", inputs.parts)
    asked = _asked(inputs.counts, *_promise(inputs), inputs.rule)
    drawn = code.let("drawn", code(simulate_releases, parts, **asked))
    if len(inputs.parts) == 1:
        off = float(chosen.parts[:, 0].mean()) - inputs.parts[0]
        return code.ending(Source(f"{drawn}.parts[:, 0].mean() - {parts}[0]"), Exact(off, _off))
    gap = float(np.abs(chosen.totals - chosen.noisy_parts.sum(axis=1)).mean())
    missed = code.let("missed", Source(f"{drawn}.totals - {drawn}.noisy_parts.sum(axis=1)"))
    return code.ending(Source(f"abs({missed}).mean()"), Exact(gap, number(2)))


def _context(inputs: AddUpInputs, chosen: SimulatedReleases, other: SimulatedReleases) -> dict[str, str]:
    largest, parts = int(np.argmax(inputs.parts)), len(inputs.parts)
    gap = np.abs(chosen.totals - chosen.noisy_parts.sum(axis=1))
    moved = np.abs(chosen.parts - np.maximum(chosen.noisy_parts, 0)).mean(axis=0)
    share = float(moved[largest] / moved.sum()) if moved.sum() else 0.0
    return {
        "gap": plain_number(float(gap.mean()), 2),
        "gap_here": f"{int(chosen.totals[0] - chosen.noisy_parts[0].sum()):+,}",
        "share": f"{100 * share:.0f}",
        "largest": f"{inputs.parts[largest]:,}",
        "parts": f"{parts:,}",
        "rule": word(f"rule_inside.{inputs.rule}"),
        "other": word(f"rule_inside.{inputs.other}"),
        "bias": _signed(float(chosen.parts[:, largest].mean()) - inputs.parts[largest]),
        "spread": plain_number(float(chosen.parts[:, largest].std()), 2),
        "other_bias": _signed(float(other.parts[:, largest].mean()) - inputs.parts[largest]),
        "other_spread": plain_number(float(other.parts[:, largest].std()), 2),
        "error": plain_number(float(np.abs(chosen.parts - inputs.parts).mean()), 3),
        "other_error": plain_number(float(np.abs(other.parts - inputs.parts).mean()), 3),
        "noisy_error": plain_number(float(np.abs(chosen.noisy_parts - inputs.parts).mean()), 3),
        "draws": f"{len(chosen.totals):,}",
        "seed": f"{inputs.seed}",
        "epsilon": plain_number(inputs.epsilon_total + inputs.epsilon_parts, 4),
        "epsilon_moved": plain_number(2 * inputs.epsilon_parts, 4),
        "epsilon_total": plain_number(inputs.epsilon_total, 4),
        "epsilon_parts": plain_number(inputs.epsilon_parts, 4),
        "drawn": f" {word('drawn', most=MOST_DRAWN, parts=parts)}" if parts > MOST_DRAWN else "",
    }


def _signed(value: float) -> str:
    return "0.0" if abs(value) < 0.05 else f"{value:+.1f}".replace("-", "−")


def _off(value: float, direction: str) -> str:
    return _signed(value)


def _whole(value: float) -> str:
    """A difference to the nearest whole person, with its sign; nothing has none."""
    return f"{rounded(value, 0, NEAREST):+.0f}".replace("+0", "0").replace("-", "−")


def _parts(inputs: AddUpInputs) -> tuple[Column, ...]:
    """The columns that name each part."""
    return (Column("true", word("true"), [f"{count:,}" for count in inputs.parts], quantity=word("true_measured")),)


def _spread(
    inputs: AddUpInputs, chosen: SimulatedReleases, other: SimulatedReleases, reading: str, style: Style
) -> Picture:
    true = np.array(inputs.parts)
    ways = []
    for name, released in (
        (word("noisy"), chosen.noisy_parts),
        (word(f"rule_inside.{inputs.other}"), other.parts),
        (word(f"rule_inside.{inputs.rule}"), chosen.parts),
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


def _draw(
    inputs: AddUpInputs, chosen: SimulatedReleases, other: SimulatedReleases, reading: str, style: Style
) -> Picture:
    true = np.array(inputs.parts)
    off = [chosen.noisy_parts[0] - true, other.parts[0] - true, chosen.parts[0] - true]
    names = (word("noisy"), word(f"rule_inside.{inputs.other}"), word(f"rule_inside.{inputs.rule}"))
    return ranges_picture(
        "add-up-draw",
        _parts(inputs),
        [Ranges(name, error, error, error) for name, error in zip(names, off, strict=True)],
        measured=word("draw_measured"),
        said=_signed,
        of=word("draw_of"),
        caption=word("draw", seed=inputs.seed),
        reading=reading,
        style=style,
        summary=_one_draw(inputs, chosen, other),
        height=260,
    )


def _one_draw(inputs: AddUpInputs, chosen: SimulatedReleases, other: SimulatedReleases) -> Table:
    """One release: true, noisy and published parts with their total."""
    numbered = (word("part", number=number) for number in range(1, len(inputs.parts) + 1))
    heads = (word("counts_head"), *numbered, word("sum"), word("total"))
    noisy, fitted, beside = chosen.noisy_parts[0], chosen.parts[0], other.parts[0]
    true_total, total, beside_total = sum(inputs.parts), int(chosen.totals[0]), int(other.totals[0])
    rows: tuple[tuple[object, ...], ...] = (
        (word("true"), *inputs.parts, true_total, true_total),
        (word("noisy"), *noisy.tolist(), int(noisy.sum()), int(chosen.noisy_totals[0])),
        (word(f"rule_inside.{inputs.rule}"), *fitted.tolist(), int(fitted.sum()), total),
        (word(f"rule_inside.{inputs.other}"), *beside.tolist(), int(beside.sum()), beside_total),
    )
    return Table(word("draw", seed=inputs.seed), heads, rows)


def _note(inputs: AddUpInputs, told: Callable[..., str]) -> str:
    """What is special about these numbers, if anything."""
    same_total = inputs.source == "parts" and inputs.epsilon_total >= inputs.epsilon_parts
    notes = {"note_same_total": same_total, "note_zero": not any(inputs.parts)}
    return " ".join(told(name) for name, holds in notes.items() if holds)


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
    drawn = _simulated(inputs.counts, inputs.epsilon_total, inputs.epsilon_parts, "own", inputs.seed, "mode")
    one, many = inputs.epsilon_total, inputs.epsilon_parts
    total, parts = int(drawn.noisy_totals[0]), drawn.noisy_parts[0]
    noisy = posterior_from_noisy(total, parts, epsilon_total=one, epsilon_parts=many)
    ends = np.array([(*law.interval(LEVEL), law.mean) for law in noisy.parts], dtype=float)
    released = release_additive(total, parts, ties="lowest_index").parts
    if len(parts) == 2:
        pair = posterior_from_released_pair(released, epsilon_total=one, epsilon_parts=many, ties="lowest_index")
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
        worth = Lower(float(sampled.effective.min()), number(2))
        known = word("known_sampled", worth=worth)
    return Learned(ends, found, np.array(noisy.standard_deviations), deviation, known)


def _sampled(
    released: Sequence[int], inputs: AddUpInputs, progress: Callable[[int, int], bool | None] | None
) -> SampledPosterior:
    """Draws of the true parts that are worth a range; refused when the longer run is not worth one either."""
    for sweeps in SWEEPS:
        sampled = posterior_from_released(
            released,
            epsilon_total=inputs.epsilon_total,
            epsilon_parts=inputs.epsilon_parts,
            sweeps=sweeps,
            warm_up=WARM_UP,
            seed=inputs.seed,
            progress=progress,
        )
        worth = float(sampled.effective.min())
        if worth >= LEAST_WORTH and sampled.r_hat <= LARGEST_R_HAT:
            return sampled
    raise ValueError(word("too_few_draws", worth=f"{round(worth):,}", least=LEAST_WORTH))


def learned_picture(inputs: AddUpInputs, found: Learned, style: Style) -> Picture:
    """Ranges of belief about each true part, from noisy and from published counts."""
    true = np.array(inputs.parts, dtype=float)
    largest = int(np.argmax(inputs.parts))
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
        more=(
            Column("noisy_sd", word("noisy_deviation"), found.noisy_deviation, said=digits(3)),
            Column("released_sd", word("released_deviation"), found.released_deviation, said=digits(3)),
        ),
        caption=word("learned"),
        reading=say("add_up", style.voice, "reading_learned", **context),
        style=style,
        height=280,
    )
