"""The page at once: a noisy mean and variance, a regression, the study of coverage or a folder, as was asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import inference
from dpcore._properties import cached_property
from dpcore.adjustment import AreaTree, CountPosterior, NoisyTable, count_posterior
from dpcore.inference import ConjugateRegression, NoisySums, RegressionPosterior, cirrhosis_data
from dpcore.inference.coverage import StudyRow, coverage_table
from riskline.release.estimates import Estimates
from ui.pictures.columns import Column, side_by_side, single, written
from ui.pictures.marks import Axis, Band, Dots, Level, Line, Mark, Upright
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table, table_of
from ui.views.infer.learned import MEASURES, SUMS, InferInputs, Learned, ends
from ui.views.publish.held import Held, Offered, example
from ui.views.publish.view import counted
from ui.views.shared.promise import PageAnswer, PageInMaking, refusing
from ui.words.catalogue import label, say
from ui.words.phrasing import frequency, plain_number, rounded
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Lower, Typed, Upper, number, whole
from ui.words.refusals import UNCOMPUTABLE, refusal_words

POPULATIONS = {"low": 0.1, "middle": 0.5}
COMMAND = "python -m dpcore.inference.coverage --data-sets 20000 --points 5 > dpcore/data/coverage_study.csv"


STROKES = {"known": ("accent", "solid"), "ignored": ("reach", "dash"), "before": ("quiet", "dot")}
"""How a posterior with the bounds is drawn, one without them, and what was believed before."""


@cache
def _rows(population: str, epsilon: str) -> tuple[StudyRow, ...]:
    """The study at a setting, the fewest values first."""
    return tuple(
        row
        for row in coverage_table()
        if row.mean == POPULATIONS[population] and abs(row.epsilon - float(epsilon)) < 1e-12
    )


def study_parts(inputs: InferInputs, style: Style) -> dict[str, Any]:
    """The page's answer, picture and lines of Python for one setting of the study."""
    rows = _rows(inputs.population, inputs.study_epsilon)
    first = rows[0]
    hundred = next(row for row in rows if row.n == 100)
    often = frequency if not style.technical else (lambda share: f"{share:.3f}")
    context = {
        "n": str(first.n),
        "epsilon": inputs.study_epsilon,
        "truth": plain_number(first.mean, 2),
        "sd": plain_number(first.sd, 2),
        "length": f"{first.constrained.length:.2f}",
        "length_ignored": f"{first.unconstrained.length:.2f}",
        "held": often(first.constrained.coverage),
        "held_ignored": often(first.unconstrained.coverage),
        "held_hundred": often(hundred.constrained.coverage),
        "length_hundred": f"{hundred.constrained.length:.2f}",
        "length_hundred_ignored": f"{hundred.unconstrained.length:.2f}",
        "data_sets": f"{first.data_sets:,}",
        # only an interval longer than the range of the values can hold every possible mean
        "comparison": say("infer", style.voice, "longer_than_range") if first.unconstrained.length > 1 else "",
    }
    words = partial(say, "infer", style.voice, **context)
    return {
        "answer": words("coverage"),
        "small_print": words("coverage_small_print"),
        "main": _picture(rows, inputs.measure, words(f"reading_{inputs.measure}"), style),
        "command": COMMAND,
        "computed": say("infer", "technical", "coverage_computed", **context),
        "python": _study_in_python(first),
    }


def _picture(rows: tuple[StudyRow, ...], chosen: str, reading: str, style: Style) -> Picture:
    """What was measured with the bounds and without them, by the number of values."""
    measured = say("infer", style.voice, f"axis_{chosen}")
    sizes = np.array([row.n for row in rows], dtype=float)
    columns = [Column("n", label("infer", "study.axis"), sizes, said=int, hover="d")]
    marks: list[Mark] = []
    for measure in MEASURES:
        head = label("infer", f"study.{measure}")
        for kind, name in (("constrained", "known"), ("unconstrained", "ignored")):
            values = np.array([getattr(getattr(row, kind), measure) for row in rows])
            called = say("infer", style.voice, f"name_{name}")
            axis = measured if measure == chosen else head
            columns.append(Column(f"{measure}_{name}", called, values, quantity=axis, aspect=head, said=written(".3f")))
    coverage = chosen == "coverage"
    for name in ("known", "ignored"):
        (role, dash), place = STROKES[name], 5 if coverage and name == "known" else 1
        beside = ("left", "bottom" if name == "ignored" else "top")
        marks.append(Line(x="n", y=f"{chosen}_{name}", role=role, dash=dash, label=place, beside=beside))
    parts = [side_by_side(*columns)]
    lowest = None
    if coverage:
        parts.append(side_by_side(single("promised", label("infer", "study.promised"), 0.95, quantity=measured)))
        marks.append(Level(y="promised"))
        lowest = (min(0.55, float(columns[1].numbers.min()) - 0.03), 1.03)
    up = Axis(log=not coverage, range=lowest)
    return Picture.of("study", parts, marks, reading=reading, x=Axis(log=True), y=up, style=style, height=400)


def _study_in_python(first: StudyRow) -> CodeLines:
    """The lines that read the study's first row of these choices; its command makes the table anew."""
    code = CodeWriter()
    code.note(f"the table is made by: {COMMAND}")
    setting = f"(row.mean, row.epsilon) == {(first.mean, first.epsilon)!r}"
    rows = code.let("rows", Source(f"[row for row in {code(coverage_table)} if {setting}]"))
    return code.ending(Source(f"{rows}[0].constrained.length"), Exact(first.constrained.length, _end))


def _frame(learned: Learned) -> tuple[tuple[float, float], tuple[float, float]]:
    """Windows of mean and spread: all that is possible, or round a posterior much narrower than it."""
    release = learned.release
    tails = [0.004, 0.996]
    low, high = np.asarray(learned.known.mean.quantile(tails)).tolist()
    top = math.sqrt(float(learned.known.variance.quantile(0.996)))
    if learned.ignored is not None:
        first, last = np.asarray(learned.ignored.mean.quantile(tails)).tolist()
        low, high = min(low, first), max(high, last)
        top = max(top, math.sqrt(float(learned.ignored.variance.quantile(0.99))))
    width = release.width
    if high - low < 0.25 * width and top < 0.25 * width:
        pad = 0.15 * (high - low)
        return (low - pad, high + pad), (0.0, 1.15 * top)
    across = max(min(low, release.lower), release.lower - 0.35 * width)
    end = min(max(high, release.upper), release.upper + 0.35 * width)
    return (across - 0.02 * width, end + 0.02 * width), (0.0, min(max(1.05 * top, 0.55 * width), 0.9 * width))


def density_pictures(learned: Learned) -> tuple[Picture, Picture]:
    """Densities of the mean and of the standard deviation: with the bounds, without them; of the mean also before."""
    window, (_, top) = _frame(learned)
    at, spread = np.linspace(*window, 161), np.linspace(top / 400, top, 161)
    means = {name: np.asarray(found.mean.density(at)) for name, found in learned.posteriors.items()}
    spreads = {
        name: np.asarray(found.variance.density(spread**2)) * 2.0 * spread for name, found in learned.posteriors.items()
    }
    mean = _densities(learned, "mean", at, means | {"before": learned.prior_density(at)})
    return mean, _densities(learned, "spread", spread, spreads)


def _densities(learned: Learned, key: str, at: NDArray[np.float64], lines: dict[str, NDArray[np.float64]]) -> Picture:
    density, measured, reading = (learned.say(name) for name in ("density", f"axis_{key}", f"reading_{key}"))
    rows = side_by_side(
        Column("at", measured, at),
        *(Column(name, learned.say(f"name_{name}"), heights, quantity=density) for name, heights in lines.items()),
        listed=range(0, at.size, 8),
    )
    marks = [Line(x="at", y=name, role=role, dash=dash) for name, (role, dash) in STROKES.items() if name in lines]
    up = Axis(range=(0.0, 1.15 * max(float(heights.max()) for name, heights in lines.items() if name != "before")))
    return Picture.of(key, (rows,), marks, reading=reading, y=up, style=learned.style, legend="above", height=290)


CHAINS, DRAWS, WARM_UP = 200, 100, 60


def regression_draws(
    inputs: InferInputs, progress: Callable[[int, int], None] | None = None
) -> RegressionPosterior | str:
    """Draws of the regression given the noisy sums, or the sentence that says why there are none."""
    try:
        return inference.regression_posterior(
            inputs.noisy_sums, inputs.line_prior, **_run_of(inputs), progress=progress
        )
    except (ValueError, ArithmeticError) as error:
        return refusal_words(error)


def _run_of(inputs: InferInputs) -> dict[str, Any]:
    return {"chains": CHAINS, "draws": DRAWS, "warm_up": WARM_UP, "seed": inputs.draw_seed}


def regression_parts(inputs: InferInputs, style: Style, draws: RegressionPosterior | str | None) -> dict[str, Any]:
    """The page's answer, picture, numbers and table for the regression, before or after its draws.

    Raises ValueError with the sentence that came instead of draws.
    """
    if isinstance(draws, str):
        raise ValueError(draws)
    release, prior = inputs.noisy_sums, inputs.line_prior
    truth = inference.conjugate_regression(46, cirrhosis_data().sums, prior) if inputs.sums == "cirrhosis" else None
    context = _context(inputs, truth, draws, style)

    words = partial(say, "infer", style.voice, **context)
    return {
        "answer": words("regression_waiting" if draws is None else "regression_known"),
        "small_print": words("regression_small_print"),
        "main": _line_picture(truth, draws, words, style),
        "table": _sums_table(release, truth is not None, draws),
        "notes": () if inference.feasible_sums(release.n, release.values) else (words("regression_impossible"),),
        "computed": say("infer", "technical", "regression_computed", **context),
        "python": _regression_in_python(inputs, draws),
    }


def _regression_in_python(inputs: InferInputs, draws: RegressionPosterior | None) -> CodeLines:
    """The lines of the run, for the range that holds 95 of 100 slopes it draws."""
    code = CodeWriter()
    sums: object = inputs.noisy_sums
    if inputs.sums == "cirrhosis":
        sums = code(inference.draw_noisy_sums, code(cirrhosis_data), **inputs.of_sums, seed=inputs.draw_seed)
    release, prior = code.let("release", sums), code.let("prior", inputs.line_prior)
    found = code.let("found", code(inference.regression_posterior, release, prior, **_run_of(inputs)))
    said: tuple[Lower | Upper, ...] = ()
    if draws is not None:
        low, high = np.quantile(draws.slope, [0.025, 0.975]).tolist()
        said = Lower(low, _end), Upper(high, _end)
    return code.ending(code(np.quantile, Source(f"{found}.slope"), [0.025, 0.975]), *said)


def _end(value: float, way: str) -> str:
    """An end of an interval to hundredths, rounded outwards; its length to the nearest."""
    return f"{rounded(value, 2, way) + 0.0:.2f}"


def _context(
    inputs: InferInputs, truth: ConjugateRegression | None, draws: RegressionPosterior | None, style: Style
) -> dict[str, str]:
    context = dict.fromkeys(("exact_low", "exact_high", "low", "high", "middle", "rises", "worth", "kept"), "–") | {
        "n": f"{inputs.noisy_sums.n:,}",
        "epsilon": plain_number(inputs.epsilon_each, 4),
        "epsilon_total": plain_number(5 * inputs.epsilon_each, 4),
        "rho": plain_number(inputs.rho_sums, 4),
        "noise": plain_number(float(inputs.noisy_sums.std[0]), 3),
        "form": say("infer", "technical", f"sd_{inputs.budget[1]}"),
        "seed": str(inputs.draw_seed),
        "drawn": f"{CHAINS * DRAWS:,}",
    }
    if truth is not None:
        slope, sd = truth.mean[1], truth.sd[1]
        context["exact_low"] = _end(slope - 1.96 * sd, Lower.direction)
        context["exact_high"] = _end(slope + 1.96 * sd, Upper.direction)
    if draws is not None:
        low, high = np.quantile(draws.slope, [0.025, 0.975]).tolist()
        context |= {
            "low": _end(low, Lower.direction),
            "high": _end(high, Upper.direction),
            "middle": f"{float(draws.slope.mean()):.2f}",
            "rises": style.belief(round(float((draws.slope > 0).mean()), 2)),
            "worth": Lower(draws.effective_draws, number(2)).digits,
            "kept": f"{100 * draws.kept_share:.1f} %",
        }
    kept = "regression_to_keep" if draws is None else "regression_kept"
    return context | {
        "paid": say("infer", style.voice, f"paid_{inputs.budget[1]}", **context),
        "which_kept": say("infer", "technical", kept, **context),
        "estimate": "" if draws is None else say("infer", style.voice, "estimate", **context) + " ",
        "truth": "" if truth is None else " " + say("infer", style.voice, "truth", **context),
    }


def _line_picture(
    truth: ConjugateRegression | None, draws: RegressionPosterior | None, words: Callable[[str], str], style: Style
) -> Picture:
    x = np.linspace(0.0, 1.0, 41)
    across, up = (words(f"axis_{axis}" if truth is not None else f"axis_{axis}_own") for axis in ("x", "y"))
    columns = [Column("x", words("line.x"), x, quantity=across, said=written(".2f"), hover=".2f")]
    of_line = partial(Column, quantity=up, said=written(".3f"), absent="–", hover=".3f")
    marks: list[Mark] = []

    nowhere = np.full(x.size, np.nan)
    low = middle = high = nowhere
    if draws is not None:
        lines = draws.intercept[:, None] + draws.slope[:, None] * x
        low, middle, high = np.quantile(lines, [0.025, 0.5, 0.975], axis=0)
        marks += [Band(x="x", low="low", high="high", edge="accent"), Line(x="x", y="middle")]
    elif truth is None:
        marks.append(Line(x="x", y="middle", in_legend=False))  # nothing yet, on axes that say what will be there
    columns += [
        of_line("low", words("band"), low, aspect=words("line.lower")),
        of_line("middle", words("band_middle"), middle),
        of_line("high", words("band"), high, aspect=words("line.upper")),
        of_line("exact", words("band_exact"), nowhere if truth is None else truth.mean[0] + truth.mean[1] * x),
    ]
    rows = [side_by_side(*columns, listed=range(0, x.size, 5))]
    if truth is not None:
        marks += [Line(x="x", y="exact", role="reach", dash="dash")]
        data, name = partial(Column, hover=".2f"), f"{across}, {words('line.data')}"
        data_x = data("data_x", name, cirrhosis_data().x, quantity=across)
        rows.append(side_by_side(data_x, data("data_y", words("band_points"), cirrhosis_data().y, quantity=up)))
        marks.append(Dots(x="data_x", y="data_y", role="quiet", symbol="circle-open", size=7))
    reading = words("reading_line" if draws is not None else "reading_line_waiting")
    across_axis, up_axis = Axis(range=(-0.02, 1.02)), Axis(range=(-0.35, 1.35))
    return Picture.of(
        "line", rows, marks, reading=reading, x=across_axis, y=up_axis, style=style, legend="above", height=400
    )


def _sums_table(release: NoisySums, known: bool, draws: RegressionPosterior | None) -> Table:
    """Each sum as published, as it was when that is public, and as it is believed to be."""
    truth = cirrhosis_data().sums if known else None
    means, spreads = (draws.mean(), draws.sd()) if draws is not None else ({}, {})
    rows = (
        (
            label("infer", name).lower(),
            plain_number(float(value), 4),
            "–" if truth is None else plain_number(float(truth[place]), 4),
            f"{plain_number(means[name], 4)} ± {plain_number(spreads[name], 3)}" if means else "–",
        )
        for place, (name, value) in enumerate(zip(SUMS, release.values, strict=True))
    )
    return table_of("infer", "five_sums", rows, n=f"{release.n:,}")


SEED = 1
MOST_POINTS = 161
NEARLY_ALL = 0.999
"""Counts of the picture, and the probability that they have together."""


@dataclass(frozen=True)
class _OfFolder(PageInMaking):
    """The count of one area in the making, of the example where no folder was brought."""

    page = "infer"
    held: Held
    is_own: bool

    @cached_property
    def part(self) -> Offered:
        return Offered(self.held.folder, vars(self.inputs.of_folder))

    @cached_property
    def law(self) -> CountPosterior:
        """The law of the count given all levels."""
        estimates = Estimates(self.held.folder, self.inputs.level)
        return estimates.posterior(estimates.selection(self.part.counts(self.part.area)))

    @cached_property
    def noisy(self) -> int:
        """The published count of the area, or the sum over its cells."""
        return int(self.part.one_time.values[0, self.part.area, self.part.cells].sum())

    @cached_property
    def noise(self) -> NDArray[np.float64]:
        """Chances that the noise of this number is 0, 1 and so on, of either sign."""
        law, terms = self.part.table.laws[self.part.level], len(self.part.cells)
        return np.exp(law.log_sum_pmf(np.arange(math.ceil(15 * law.std * math.sqrt(terms)) + 8.0), terms))

    def half_width(self, level: float) -> int:
        """Plus or minus so much holds the true count as often as the level says."""
        held = 2 * np.cumsum(self.noise) - self.noise[0]
        return int(np.searchsorted(held, level))

    @property
    def parts(self) -> dict[str, Any]:
        part, (low, high) = self.part, self.law.interval(self.inputs.level)
        half, noisy = self.half_width(self.inputs.level), self.noisy
        numbers = {"low": low, "high": high, "mode": self.law.mode, "noisy": noisy}
        numbers |= {"alone_low": noisy - half, "alone_high": noisy + half}
        context: dict[str, object] = {name: counted(value, "nearest") for name, value in numbers.items()}
        context |= {
            "what": part.what(part.cell, part.area) + part.among(part.table, timed=True),
            "level": f"{plain_number(100 * self.inputs.level, 3)} %",
            "beyond": frequency(1 - self.inputs.level),
            "noise": part.table.laws[part.level].label,
        }
        left = self.say("folder_left", left=Typed(self.law.unread, whole)) if self.law.unread else ""
        invented = "" if self.is_own else self.say("folder_invented")
        missing = self.inputs.data == "own" and not self.is_own
        return {
            "answer": self.say("folder", **context),
            "small_print": f"{self.say('folder_small_print', **context)} {left or invented}".strip(),
            "main": self._picture(self.say("reading_folder", **context)),
            "notes": (say("publish", self.style.voice, "no_folder_yet"),) if missing else (),
            "command": f"{part.command} --posterior",
            "computed": say("infer", "technical", "folder_computed", **context),
            "python": None if self.is_own else self._python(low, high),
        }

    def _picture(self, reading: str) -> Picture:
        """Both laws over the counts that they hold, and the noisy count."""
        low, high = self.law.interval(NEARLY_ALL)
        half, noise, law = self.half_width(NEARLY_ALL), self.noise, self.law.probabilities
        first, last = min(low, self.noisy - half), max(high, self.noisy + half)
        at = np.arange(first, last + 1, math.ceil((last + 1 - first) / MOST_POINTS))
        laws = {"posterior": (at - self.law.first, law), "alone": (np.abs(at - self.noisy), noise)}
        probability = label("infer", "probability")
        columns = [Column("at", self.say("axis_folder"), at.astype(float), said=written(",.0f"))]
        for name, (place, chances) in laws.items():
            inside = (place >= 0) & (place < chances.size)
            heights = np.where(inside, chances[np.clip(place, 0, chances.size - 1)], 0.0)
            columns.append(Column(name, self.say(f"name_{name}"), heights, quantity=probability, said=written(".4f")))
        noisy = single("noisy", self.say("name_noisy"), float(self.noisy), quantity=self.say("axis_folder"))
        marks = (
            Upright(x="noisy", at=0.95),
            Line(x="at", y="posterior"),
            Line(x="at", y="alone", role="reach", dash="dash"),
        )
        rows = (side_by_side(*columns, listed=range(0, at.size, max(1, at.size // 20))), side_by_side(noisy))
        return Picture.of("folder", rows, marks, reading=reading, style=self.style, legend="above", height=400)

    def _python(self, low: int, high: int) -> CodeLines:
        """The lines for the ends of the range."""
        part, code = self.part, CodeWriter()
        table, areas = part.one_time.noisy(part.time), part.table.areas
        tree = code.let("tree", code(AreaTree, np.asarray(areas.tree.parents).tolist()))
        counts, variances = np.asarray(table.counts).astype(int).tolist(), np.asarray(table.variances)[:, :1]
        noisy = code.let("table", code(NoisyTable, tree, counts, variances=variances))
        laws = [
            (code.of(part.table.laws[areas.levels[level]]), len([*some])) for level, some in groupby(areas.level_of)
        ]
        noise = code.let("noise", Source(" + ".join(f"[{law}] * {size}" for law, size in laws)))
        found = code(count_posterior, noisy, noise=noise, area=part.area, cells=part.cells)
        ends = (Exact(low, whole), Exact(high, whole))
        return code.ending(Source(f"{found}.interval({self.inputs.level!r})"), *ends)


UNLIKELY = math.log(1e-9)  # log chance of the noise below which a release is asked about before it is analysed


@dataclass(frozen=True, kw_only=True)
class InferView(PageAnswer):
    """Everything the page shows; `refusal` says why the choices give no answer."""

    main: Picture | None = None
    spread: Picture | None = None
    table: Table | None = None
    notes: tuple[str, ...] = ()
    command: str = ""


@refusing(InferView, "infer", *UNCOMPUTABLE)
def infer_view(
    inputs: InferInputs, style: Style, draws: RegressionPosterior | str | None = None, own: Held | None = None
) -> InferView:
    """The page for these choices; `draws` are those of the regression once made, or why there are none.

    `own` is the noisy folder that somebody brought.
    """
    if inputs.part == "folder":
        held = own if inputs.data == "own" else None
        return InferView(**_OfFolder(inputs, style, held or example(inputs.case, SEED), held is not None).parts)
    if inputs.part == "regression":
        return InferView(**regression_parts(inputs, style, draws))
    if inputs.part == "coverage":
        return InferView(**study_parts(inputs, style))
    learned = Learned(inputs, style)
    known, ignored = learned.known, learned.ignored
    notes = dict.fromkeys((*known.warnings, *(ignored.warnings if ignored else (learned.no_answer,))))
    main, spread = density_pictures(learned)
    return InferView(
        answer=_typing_question(learned) + learned.say("answer"),
        small_print=learned.say("small_print"),
        main=main,
        spread=spread,
        notes=tuple(filter(None, (learned.still_of_example, *notes))),
        computed=say("infer", "technical", "computed", **learned.context),
        python=_in_python(learned),
    )


def _typing_question(learned: Learned) -> str:
    """Whether the less likely of both numbers is a typing error, when noise hardly ever puts it so far out."""
    release = learned.release
    chance, what, value = min(
        (release.log_chance_of_mean, "mean", learned.context["published"]),
        (release.log_chance_of_variance, "variance", learned.context["published_variance"]),
    )
    if chance > UNLIKELY:
        return ""
    zeros = math.floor(-chance / math.log(10))  # the chance is rounded up to the next power of ten
    return learned.say("typing_question", what=learned.say(f"typing_{what}"), value=value, zeros=f"{zeros:,}") + " "


def _in_python(learned: Learned) -> CodeLines:
    """The lines for the shortest interval of the mean."""
    code = CodeWriter()
    release, prior = code.let("release", learned.release), code.let("prior", learned.prior)
    found = code(inference.posterior, release, prior, constrained=True)
    said = ends(*learned.intervals(True)[0])
    return code.ending(Source(f"{found}.mean.shortest_interval({learned.inputs.level!r})"), *said)
