"""Public information: how it weakens a promise when answers go together, how it sharpens a release of many tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import public_information
from dpcore._cache import MEGABYTE, cached_by_size
from dpcore._properties import cached_property
from dpcore.acs_like import acs_like
from dpcore.mechanisms import Geometric
from dpcore.public_information import METHODS, CategoricalRecords, CorrelatedAnswers, ErrorLine, Workload, error_lines
from riskline.case import declaration
from riskline.case.declaration import count, option
from ui.link.page_table import fields_of
from ui.pictures.columns import Column, digits, side_by_side
from ui.pictures.marks import PERCENT, Axis, Line, Mark, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.shared.promise import PageAnswer, refusing
from ui.words.catalogue import label, say
from ui.words.phrasing import NEAREST, plain_number, times, typed_frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Estimate, Exact, Least, Typed, Upper, number, whole

word = partial(label, "public_information")
MOST_QUERIES = 5_000
MOST_PUBLIC = 20_000
MOST_COUNTED = 10_000_000
"""Most pairs of a private record and a table: they are in memory at once."""
MOST_PAIRS = 500_000
"""Most pairs of a possible record and a table for the line 'no public data'."""
MOST_FLOOR_PAIRS = 50_000
"""Most pairs of a different public record and a table for the line of the best reweighting."""
MOST_FLOOR_SHARES = 1_500_000
"""Most pairs of a different public record and a share for that line: its programme takes seconds, not minutes."""
NEEDS_PUBLIC = frozenset({"public_alone", "public_assisted", "public_assisted_marginals", "best_mixture"})


@dataclass(frozen=True, eq=False)
class OwnRecords:
    """The private records of a reader and, if there are any, public records coded like them."""

    private: CategoricalRecords
    public: CategoricalRecords | None = None

    @cached_property
    def workload(self) -> Workload:
        """Every table of two columns."""
        return Workload.all_marginals(self.private.sizes, order=2)

    @cached_property
    def floor(self) -> bool:
        """Whether the best reweighting of the public records is found in reasonable time."""
        if self.public is None:
            return False
        different, tables = len(public_information.distinct_records(self.public.rows)[0]), len(self.workload.sets)
        return different * tables <= MOST_FLOOR_PAIRS and different * self.workload.queries <= MOST_FLOOR_SHARES

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The lines that can be drawn from these files."""
        left_out = set() if self.public is not None else set(NEEDS_PUBLIC)
        if self.workload.domain * len(self.workload.sets) > MOST_PAIRS:
            left_out.add("no_public_data")
        if not self.floor:
            left_out.add("best_mixture")
        return tuple(method for method in METHODS if method not in left_out)


def read_private(data: bytes) -> OwnRecords:
    """The private records of a CSV file; `ValueError` says what is wrong with it and where."""
    private = public_information.read_records(data)
    if len(private.attributes) < 2:
        raise ValueError(word("one_column", least=Typed(2, whole)))
    sizes = private.sizes
    queries = (sum(sizes) ** 2 - sum(size * size for size in sizes)) // 2
    if queries > MOST_QUERIES:
        raise ValueError(word("too_many_shares", most=Typed(MOST_QUERIES, whole), shares=f"{queries:,}"))
    own = OwnRecords(private)
    counted = len(private.rows) * len(own.workload.sets)
    if counted > MOST_COUNTED:
        raise ValueError(word("too_many_counted", most=Typed(MOST_COUNTED, whole), counted=f"{counted:,}"))
    return own


def with_public(own: OwnRecords, data: bytes) -> OwnRecords:
    """The same private records beside the public ones of a CSV file, which must be coded like them."""
    public = public_information.read_records(data, coded_like=own.private)
    if len(public.rows) > MOST_PUBLIC:
        raise ValueError(word("too_many_public", most=Typed(MOST_PUBLIC, whole), records=f"{len(public.rows):,}"))
    return OwnRecords(own.private, public)


EPSILONS = (0.05, 0.1, 0.3, 1.0, 3.0)
STROKES = {
    "public_alone": ("quiet", "dot"),
    "gaussian": ("reach", "dash"),
    "public_assisted": ("third", "dashdot"),
    "public_assisted_marginals": ("accent", "solid"),
    "no_public_data": ("fourth", "longdash"),
    "best_mixture": ("mark", "longdashdot"),
}
POINT_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
MORE = 1.005  # times the usual noise: less is told as the usual noise
NEEDED = ("public_alone", "gaussian", "public_assisted_marginals")


@dataclass(frozen=True)
class PublicInformationInputs:
    """What a reader chose on this page."""

    side: str = option("hurts", "helps")
    data: str = option("invented", "own")
    people: int = count(100, low=2, high=5_000)
    rate_if_no: float = declaration.number(0.45, low=0, high=1, step=0.01)
    rate_if_yes: float = declaration.number(0.55, low=0, high=1, step=0.01)
    target: float = declaration.number(1.0, low=0.01, high=20)
    records: int = count(50_000, low=100, high=200_000)
    public: int = count(5_000, low=1, high=20_000)
    shift: float = declaration.number(0.5, low=-2, high=2, span=(0.0, 1.0), step=0.05)
    delta: float = declaration.number(1e-6, low=0, high=1, open_low=True, open_high=True)
    rounds: int = count(30, low=1, high=60)
    repeats: int = count(3, low=1, high=5)
    seed: int = count(1, low=0, high=1_000_000)

    @property
    def study(self) -> tuple[int, int, float, float, int, int, int]:
        """What the lines depend on."""
        return self.records, self.public, self.shift, self.delta, self.rounds, self.repeats, self.seed


FIELDS = fields_of("public_information", PublicInformationInputs)


@dataclass(frozen=True, kw_only=True)
class PublicInformationView(PageAnswer):
    """Everything the page shows."""

    picture: Picture | None = None
    note: str = ""


@refusing(PublicInformationView)
def public_information_view(
    inputs: PublicInformationInputs, style: Style, lines: Sequence[ErrorLine] = (), own: OwnRecords | None = None
) -> PublicInformationView:
    """The page for these choices, the lines that have arrived so far and the reader's own files, if there are any."""
    return _hurts(inputs, style) if inputs.side == "hurts" else _helps(inputs, style, lines, own)


@cached_by_size()
def _noise_by_rate(people: int, rate_if_no: float, rate_if_yes: float, target: float) -> NDArray[np.float64]:
    """Columns: share of yes if the person says yes, noise needed, noise by the safe bound."""
    rising = rate_if_yes >= rate_if_no  # then the loss has a closed form; otherwise every count is looked at
    points = 31 if people <= (2000 if rising else 300) else 11 if people <= 2000 or rising else 5
    rates = np.unique(np.append(np.linspace(rate_if_no, 1.0 if rising else 0.0, points), rate_if_yes))
    rows = []
    for rate in rates:
        answers = CorrelatedAnswers(people=people, rate_if_no=rate_if_no, rate_if_yes=float(rate))
        if answers.distance == 0:  # two people with opposite answers: the count is known before it is published
            continue
        exact, bound = answers.noise_epsilon(target), answers.noise_epsilon_bound(target)
        rows.append((rate, Geometric(epsilon=exact).std, Geometric(epsilon=bound).std))
    return np.array(rows)


def _hurts(inputs: PublicInformationInputs, style: Style) -> PublicInformationView:
    answers = CorrelatedAnswers(people=inputs.people, rate_if_no=inputs.rate_if_no, rate_if_yes=inputs.rate_if_yes)
    epsilon, bound = answers.noise_epsilon(inputs.target), answers.noise_epsilon_bound(inputs.target)
    usual, needed = Geometric(epsilon=inputs.target).std, Geometric(epsilon=epsilon).std
    context: dict[str, Any] = {
        "people": f"{inputs.people:,}",
        "no": plain_number(inputs.rate_if_no, 3),
        "yes": plain_number(inputs.rate_if_yes, 3),
        "target": plain_number(inputs.target, 4),
        "times": Least(needed / usual, times),
        "needed": Least(needed, number(3)) if needed > usual * MORE else plain_number(needed, 3),
        "usual": plain_number(usual, 3),
        "bound": Least(Geometric(epsilon=bound).std, number(3)),
        "distance": Typed(answers.distance, whole),
        "epsilon": Allowed(epsilon, number(3)),
        "epsilon_bound": Allowed(bound, number(3)),
        "really": Upper(answers.loss(inputs.target), number(3)).digits,
    }
    told = partial(say, "public_information", style.voice)
    shares = {name: typed_frequency(getattr(inputs, f"rate_if_{name}")) for name in ("no", "yes")}
    return PublicInformationView(
        answer=told("answer_hurts" if needed > usual * MORE else "answer_same", **context),
        small_print=told("small_print_hurts", **context),
        picture=_noise_picture(inputs, context | ({} if style.technical else shares), needed, style),
        computed=_for_experts("computed_hurts" if answers.distance > 1 else "computed_same", **context),
        python=_noise_in_python(answers, inputs.target, needed, usual),
    )


_for_experts = partial(say, "public_information", "technical")


def _noise_in_python(answers: CorrelatedAnswers, target: float, needed: float, usual: float) -> CodeLines:
    """The lines for how many times the usual noise is needed, or for its spread where the usual noise is enough."""
    code = CodeWriter()
    together = code.let("answers", answers)
    if needed > usual * MORE:
        return code.ending(Source(f"{together}.noise_multiplier({target!r})"), Least(needed / usual, times))
    epsilon = code.let("epsilon", Source(f"{together}.noise_epsilon({target!r})"))
    return code.ending(Source(f"{code(Geometric, epsilon=epsilon)}.std"), Exact(needed, number(3)))


def _noise_picture(inputs: PublicInformationInputs, context: dict[str, Any], needed: float, style: Style) -> Picture:
    found = _noise_by_rate(inputs.people, inputs.rate_if_no, inputs.rate_if_yes, inputs.target)
    across = partial(Column, quantity=say("public_information", style.voice, "apart_measured"))
    noise = partial(Column, quantity=word("noise_measured"))
    by_rate = side_by_side(
        Column("rate", word("rate"), found[:, 0], said=digits(3)),
        across("apart", word("apart"), found[:, 0] - inputs.rate_if_no, listed=False),
        noise("exact", word("exact"), found[:, 1]),
        noise("bound", word("safe_rule"), found[:, 2]),
    )
    this_apart = across("this_apart", word("this_apart"), [inputs.rate_if_yes - inputs.rate_if_no])
    here = side_by_side(this_apart, noise("here", word("here"), [needed]))
    bound, exact = Line(x="apart", y="bound", role="reach", dash="dash"), Line(x="apart", y="exact")
    marks, x = (bound, exact, Spot(x="this_apart", y="here")), Axis(ticks=() if style.technical else PERCENT)
    rows, caption = (by_rate, here), word("noise", **context)
    reading = say("public_information", style.voice, "reading_hurts", **context)
    return Picture.of(
        "noise-by-rate", rows, marks, reading=reading, caption=caption, x=x, style=style, legend="above", height=360
    )


@cached_by_size(14 * MEGABYTE)
def _data(records: int, public: int, shift: float, seed: int) -> tuple[Workload, NDArray[np.int64], NDArray[np.int64]]:
    base, moved = acs_like(), acs_like(time_shift=shift, place_shift=shift)
    workload = Workload.all_marginals(base.sizes, order=2)
    return workload, base.draw(records, seed=seed), moved.draw(public, seed=seed + 1)


def _records(
    inputs: PublicInformationInputs, own: OwnRecords | None
) -> tuple[Workload, NDArray[np.int64], NDArray[np.int64] | None]:
    """Tables, private and public records; a reader's own are never put into a cache that outlives the session."""
    if own is None:
        return _data(inputs.records, inputs.public, inputs.shift, inputs.seed)
    return own.workload, own.private.rows, None if own.public is None else own.public.rows


def arriving(
    inputs: PublicInformationInputs,
    own: OwnRecords | None = None,
    known: Sequence[ErrorLine] = (),
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[ErrorLine]:
    """The lines that are not known yet, one after the other."""
    workload, private, public = _records(inputs, own)
    there = {line.method for line in known}
    methods = [method for method in (METHODS if own is None else own.methods) if method not in there]
    return error_lines(workload, private, public, **_asked(inputs), methods=methods, progress=progress)


def _asked(inputs: PublicInformationInputs) -> dict[str, Any]:
    """What every line is asked for; one method measures a whole table a round, and has at most eight."""
    return {
        "epsilons": EPSILONS,
        "delta": inputs.delta,
        "rounds": inputs.rounds,
        "marginal_rounds": max(1, min(8, inputs.rounds)),
        "repeats": inputs.repeats,
        "seed": inputs.seed,
    }


def _helps(
    inputs: PublicInformationInputs, style: Style, lines: Sequence[ErrorLine], own: OwnRecords | None
) -> PublicInformationView:
    known = {line.method: line for line in lines}
    workload = Workload.all_marginals(acs_like().sizes, order=2) if own is None else own.workload
    records = inputs.records if own is None else len(own.private.rows)
    public = inputs.public if own is None else 0 if own.public is None else len(own.public.rows)
    context = {
        "records": f"{records:,}",
        "public": f"{public:,}",
        "columns": f"{len(workload.sizes)}",
        "domain": f"{workload.domain:,}",
        "shift": plain_number(inputs.shift, 3),
        "delta": plain_number(inputs.delta, 3),
        "lowest": plain_number(EPSILONS[0]),
        "queries": f"{workload.queries:,}",
    } | {name: f"{getattr(inputs, name)}" for name in ("rounds", "repeats", "seed")}
    told = partial(say, "public_information", style.voice)
    context["whose"] = "" if own is None else " " + told("own_lines")
    name, found = "answer_waiting", ""
    if own is not None and own.public is None and "gaussian" in known:
        name = "answer_own_alone"
        context["gaussian"] = _points(known["gaussian"].errors[0])
    elif all(method in known for method in NEEDED):
        crossing = public_information.crossing_epsilon(known["public_assisted_marginals"], known["gaussian"])
        name, names = "answer_helps", ("alone", "gaussian", "assisted")
        if crossing in (None, EPSILONS[0]):  # everywhere shown, or nowhere
            name = "answer_helps_everywhere" if crossing is None else "answer_helps_nowhere"
        context |= {key: _points(known[method].errors[0]) for key, method in zip(names, NEEDED, strict=True)}
        context["crossing"] = "" if crossing is None else plain_number(crossing)
        found = " " + told("found", **context)
    experts = "computed_helps" if own is None else "computed_helps_own"
    return PublicInformationView(
        answer=told(name, **context),
        small_print=told("small_print_helps", **context),
        picture=_lines_picture(lines, told("reading_helps", **context, found=found), style) if lines else None,
        note=" ".join(told(note, **context) for note in _notes(inputs, own, records)),
        computed=_for_experts(experts, **context, methods=_for_experts("methods", **context)),
        python=None if own else _line_in_python(inputs, known.get("public_assisted_marginals")),
    )


def _line_in_python(inputs: PublicInformationInputs, line: ErrorLine | None) -> CodeLines:
    """The lines of the run that draws the error with public data; its largest error at the smallest budget."""
    code, seed = CodeWriter(), inputs.seed
    base = code.let("base", code(acs_like))
    moved = code.let("moved", code(acs_like, time_shift=inputs.shift, place_shift=inputs.shift))
    workload = code.let("workload", Source(f"{code.named(Workload)}.all_marginals({base}.sizes, order=2)"))
    private = Source(f"{base}.draw({inputs.records}, seed={seed})")
    public = Source(f"{moved}.draw({inputs.public}, seed={seed + 1})")
    drawn = code(error_lines, workload, private, public, **_asked(inputs) | {"methods": ["public_assisted_marginals"]})
    said = () if line is None else (Estimate(line.errors[0], _points),)
    return code.ending(Source(f"next({drawn}).errors[0]"), *said)


def _notes(inputs: PublicInformationInputs, own: OwnRecords | None, records: int) -> Iterator[str]:
    """Names of what the reader should know about the files and the choice of delta."""
    if inputs.data == "own" and own is None:
        yield "note_no_file"
    if own is not None and own.public is None:
        yield "note_no_public"
    if own is not None and "no_public_data" not in own.methods:
        yield "note_domain"
    if own is not None and own.public is not None and not own.floor:
        yield "note_floor"
    if inputs.delta >= 1 / records:
        yield "note_delta"


def _points(error: float, direction: str = NEAREST) -> str:
    """An error of a share in percentage points."""
    return plain_number(100 * error, 2, direction)


LEAST_POINTS = 1e-3  # a smaller error is drawn there, at the foot of a logarithmic axis


def _lines_picture(lines: Sequence[ErrorLine], reading: str, style: Style) -> Picture:
    epsilons = sorted({epsilon for line in lines for epsilon in line.epsilons})
    columns = [Column("epsilon", word("epsilon"), np.array(epsilons), said=digits(3))]
    marks: list[Mark] = []
    unlisted, points = partial(Column, listed=False), word("points")
    for line in lines:
        at = dict(zip(line.epsilons, zip(line.errors, line.standard_errors, strict=True), strict=True))
        pairs = [at.get(epsilon, (math.nan, math.nan)) for epsilon in epsilons]
        errors = 100 * np.array([error for error, _ in pairs])
        spreads = 100 * np.array([spread for _, spread in pairs])
        drawn = np.maximum(errors, LEAST_POINTS)
        name, (role, dash) = word(f"method.{line.method}"), STROKES[line.method]
        told = [
            ""
            if math.isnan(error)
            else _points(error / 100) + ("" if line.exact or not spread > 0 else f" ± {_points(spread / 100)}")
            for error, spread in zip(errors.tolist(), spreads.tolist(), strict=True)
        ]
        columns += [
            Column(f"told_{line.method}", name, told),
            unlisted(f"error_{line.method}", name, errors, quantity=points, aspect=word("error_aspect")),
            unlisted(f"drawn_{line.method}", name, drawn, quantity=points, aspect=word("drawn_aspect")),
        ]
        if not line.exact:
            columns.append(unlisted(f"spread_{line.method}", name, spreads, aspect=word("spread_aspect")))
        marks.append(Line(x="epsilon", y=f"drawn_{line.method}", role=role, dash=dash))
    ticks = (tuple((float(at), plain_number(at, 4)) for at in values) for values in (EPSILONS, POINT_TICKS))
    x, y = (Axis(log=True, ticks=written) for written in ticks)
    key, rows, caption = f"error-lines-{len(lines)}", (side_by_side(*columns),), word("lines")
    return Picture.of(
        key, rows, marks, reading=reading, caption=caption, x=x, y=y, style=style, legend="below", height=400
    )
