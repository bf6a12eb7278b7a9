"""Everything that *Plan a publication* shows of its tables, and the same in Python and OpenDP."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from dpcore.guarantees import Guarantee, PureDP, ZeroConcentratedDP
from dpcore.profiles import budget
from dpcore.publication import ClippedMean, ClippedTotal, CountTable, Row, allocate, belief_upper, publication_errors
from dpcore.rounding import round_down, round_up
from dpcore.scope import Scope
from riskline.answers import budget_together
from riskline.case.fields import MAX_VALUE_LENGTH, number_text
from riskline.case.line import LINES
from riskline.case.promise import records_together
from riskline.case.releases import Ledger, LedgerRow
from riskline.case.tables import Sheet, encode_tables
from riskline.case.value import Case
from riskline.release.areas import AreaList
from riskline.release.draft import draft, left_out
from riskline.release.folder import as_json
from ui.link.page_table import PageLink
from ui.pictures.description import Description
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.publication.choices import PublicationInputs
from ui.views.publication.results import frontier_picture, named, of_levels, ranges_picture, results_table, who_pays
from ui.views.publication.shared import Shared
from ui.views.shared.promise import PageAnswer, StatedBelief, refusing
from ui.views.shared.session_results import kept_for_session
from ui.views.shared.strip import budget_words
from ui.words.catalogue import heads, label, say
from ui.words.phrasing import plain_number, times
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Exact, Lower, Upper, number, whole
from ui.words.refusals import UNCOMPUTABLE

SCALE_DIGITS, LEDGER_DIGITS = 8, 12
MARGIN = 1 + 1e-9  # OpenDP rounds a cost up, so a scale that is exact in its digits would cost a last digit too much

DATA = '    """Everything once. data[row]: the true counts of a row, or for each area the amounts of its people{}."""'
BY_TIME = ";\n    where it is released more often, data[row][time] from time 0"


def in_python(shared: Shared, answer: str) -> CodeLines:
    """The lines for the number of this answer: how wide ranges are, the belief after, or how many ranges are kept."""
    code, chosen, asked = CodeWriter(), shared.inputs, shared.publication
    total = code.let("total", _total(shared, code))
    publication = code.let("publication", asked)
    more = {"shares": list(shared.by_hand)} if any(shared.by_hand) else {}
    shares = code(allocate, publication, total, rule=shared.rule, reserve=chosen.reserve, **more)
    if answer in ("answer_wide", "answer_wide_some"):
        return code.ending(Source(f"{shares}.stretch"), Upper(float(shared.allocation.stretch or 0.0), times))
    if answer == "answer_kept":
        budgets, told = Source(f"{shares}.budgets"), {"prior": shared.prior, "delta_prime": shared.failing}
        return code.ending(code(belief_upper, publication, budgets, shared.promise, **told), shared.rise.after)
    if answer == "answer_unasked":
        return code.ending(total, Allowed(shared.total, number(6)))
    shares = code.let("shares", shares)
    errors = code.let("errors", code(publication_errors, publication, Source("shares.budgets"), level=chosen.level))
    if answer == "answer_finer":
        finest = f"min(row.wish.half_width / width for row, width in zip({publication}.rows, {errors}.half_width))"
        return code.ending(Source(finest), Lower(shared.finer, times))
    kept = Source(
        "sum(bool(row.wish) and width <= row.wish.half_width * (1 + 1e-12) "
        f"for row, width in zip({publication}.rows, {errors}.half_width))"
    )
    return code.ending(kept, Exact(float(sum(one is True for one in shared.kept)), whole))


def _total(shared: Shared, code: CodeWriter) -> object:
    """The budget of everything together: typed, or that of the line for those who belong together."""
    if shared.line is None:
        return shared.total
    line = code.let("line", shared.line.implied.profile)
    chosen = code.let("chosen", code(budget, line, **shared.inputs.choose.terms.asked))
    together = f"{chosen}.recommended_each"
    if shared.publication.group > 1:
        together += f" * {chosen}.group" + ("**2" if shared.inputs.by_rho else "")
    return Source(together)


def in_opendp(shared: Shared) -> CodeLines:
    """The lines that draw every release of these tables, and refuse to where OpenDP finds that they cost too much."""
    rows, budgets = shared.publication.rows, shared.allocation.budgets.tolist()
    lines = ["import opendp.prelude as dp", "", 'dp.enable_features("contrib")', "spent = 0.0"]
    if not rows[0].is_whole and any(not isinstance(row, CountTable) for row in rows):
        lines = ["import math", "", *lines, "# sums here are rounded to floats: the budgets are those of exact sums"]
    draws = []
    for place, (row, each, one) in enumerate(zip(rows, budgets, shared.published, strict=True), 1):
        measurement, distance, draw = _measured(shared, place, row, each)
        told, drawn = _published(of_one_time(row, one.together)), row.times * one.together
        often = f", {drawn:,} times" if drawn > 1 else ""
        often += ", each record in one of them: they cost as much as one" if one.together > 1 else ""
        often += "; its exact totals, which nothing protects, are not drawn here" if any(one.exact) else ""
        lines += [
            "",
            f"# row {place}{f', {row.name!r}' if row.name else ''}: {told}{often}",
            f"noise_{place} = {measurement}",
            f"spent += {row.times} * noise_{place}.map(d_in={distance})",
        ]
        if drawn > 1:
            draw = f"[{draw.replace(f'data[{place}]', f'data[{place}][time]')} for time in range({drawn})]"
        draws.append(f"        {place}: {draw},")
    together = f"  # {'epsilon' if shared.publication.in_epsilon else 'rho'} of everything together"
    if shared.publication.group > 1:
        together += f", for {shared.publication.group:,} records that belong together"
    lines += ["", f"assert spent <= {float(shared.total)!r}{together}", "", ""]
    data = DATA.format(BY_TIME if any("for time in" in draw for draw in draws) else "")
    lines += ["def publish(data):", data, "    return {", *draws, "    }"]
    return CodeLines("\n".join(lines), ())


def of_one_time(row: Row, together: int) -> Row:
    """A row as it is at one of the times of which each record falls into one.

    >>> of_one_time(CountTable(cells=24), 12).cells
    2
    """
    return row if isinstance(row, ClippedMean) else replace(row, cells=row.cells // together)


def _published(row: Row) -> str:
    """What one release of a row is, as a comment says it."""
    if isinstance(row, CountTable):
        return "one count" if row.numbers == 1 else f"{row.numbers:,} counts"
    kind = "mean" if isinstance(row, ClippedMean) else "total"
    least = f", {row.people:,} people or more" if isinstance(row, ClippedMean) else ""
    cells = f" and {row.cells:,} cells" if isinstance(row, ClippedTotal) and row.cells > 1 else ""
    return (f"a {kind}" if row.numbers == 1 else f"a {kind} in each of {row.areas:,} areas{cells}") + least


def _measured(shared: Shared, place: int, row: Row, each: float) -> tuple[str, str, str]:
    """(the measurement of a row, how far one unit moves what it is given, the call that draws a release)."""
    publication, whole = shared.publication, row.is_whole
    moved = publication.largest_changes[place - 1]
    reach = moved.l1 if publication.in_epsilon else _euclidean(len(moved.amounts), moved.amounts[0])
    scale = reach / each if publication.in_epsilon else reach / math.sqrt(2 * each)
    rounded = repr(round_up(scale * MARGIN, SCALE_DIGITS, significant=True))
    make = "laplace" if publication.in_epsilon else "gaussian"
    atom = 'dp.atom_domain(T="i64")' if whole else "dp.atom_domain(T=float, nan=False)"
    unit = '"i64"' if whole else "float"
    metric = f"dp.l1_distance(T={unit})" if publication.in_epsilon else "dp.l2_distance(T=float)"
    far = _written(reach, whole and publication.in_epsilon)
    counts = f"dp.m.make_{make}(dp.vector_domain({atom}), {metric}, scale={rounded})"
    if isinstance(row, CountTable):
        return counts, far, f"noise_{place}(data[{place}])"
    low, high = (_written(end, whole) for end in (row.low, row.high))
    clipped = f"{'sum' if whole else 'math.fsum'}(min(max(amount, {low}), {high}) for amount in amounts)"
    if len(moved.amounts) > 1:  # two totals change: the cost is that of both together
        return counts, far, f"noise_{place}([{clipped} for amounts in data[{place}]])"
    if whole and publication.relation.value == "add_or_remove":
        chain = (
            f"(dp.vector_domain({atom}), dp.symmetric_distance()) >> dp.t.then_clamp(({low}, {high}))"
            f" >> dp.t.then_sum() >> dp.m.then_{make}(scale={rounded})"
        )
        return chain, str(publication.group), f"[noise_{place}(amounts) for amounts in data[{place}]]"
    if isinstance(row, ClippedMean):
        clipped += f" / max(len(amounts), {row.people})"
    measurement = f"dp.m.make_{make}({atom}, dp.absolute_distance(T={unit}), scale={rounded})"
    return measurement, _written(reach, whole), f"[noise_{place}({clipped}) for amounts in data[{place}]]"


def _euclidean(cells: int, change: float) -> float:
    """Root of the sum of squared changes; the next float above where the root is no whole number."""
    root = math.isqrt(cells)
    return root * change if root * root == cells else math.nextafter(math.sqrt(cells), math.inf) * change


def _written(value: float, whole: bool) -> str:
    return number_text(value) if whole else repr(float(value))


MOST_PERCENT = 95
"""Of a cap: the end of its slider."""
RATIO_DIGITS = 4
TO_LINE = PageLink("choose", label("frame", "choose"))


@dataclass(frozen=True, kw_only=True)
class PublicationView(PageAnswer):
    """Everything the page shows; `refusal` says why the choices give no answer."""

    ranges: Description | None = None
    paid: str = ""
    results: Table | None = None
    frontier: Picture | None = None
    levels: Picture | None = None
    levels_refusal: str = ""
    """Why the rows are no levels that add up; everything else holds whether they are or not."""
    enough: tuple[tuple[str, Any], ...] = ()
    """Choices that try the least budget keeping every range, and what a button for them says."""
    to_enough: str = ""
    keeping: str = ""
    other_noise: str = ""
    """What keeping all ranges takes with the noise that the line did not lead to, and what a button for it says."""
    to_other_noise: str = ""
    levels_attack: str = ""
    to_hierarchy: PageLink | None = None
    to_line: PageLink | None = None
    next: PageLink | None = None
    ledger: Ledger = ()
    released: str = "count"
    to_ledger: str = ""
    notice: str = ""
    exact: str = ""
    python_opendp: CodeLines | None = None


@refusing(PublicationView, "publication", *UNCOMPUTABLE)
def publication_view(inputs: PublicationInputs, style: Style, before: Sheet | None = None) -> PublicationView:
    """The page for these choices; of the tables as they were `before` a change it tells who pays for that."""
    shared = Shared(inputs, style)
    if all(row.is_blank for row in inputs.tables):
        trial = "" if inputs.trial is None else budget_words(inputs.trial.value, inputs.trial.currency)
        tried = ", " + say("case", style.voice, "trying", trial=trial) if trial else ""
        return PublicationView(answer=shared.say("answer_empty", trial=tried))
    if not shared.has_budget:
        return PublicationView(
            answer=shared.answer,
            small_print=shared.inputs.choose.words(shared.style.voice)["promise"],
            to_line=TO_LINE,
            python=None if shared.line is None else shared.line.python,
        )
    context = shared.context
    return PublicationView(
        answer=shared.answer,
        small_print=shared.small_print,
        keeping=context["keeping"].lstrip(),
        ranges=ranges_picture(shared),
        paid=who_pays(shared, before),
        results=results_table(shared),
        frontier=frontier_picture(shared),
        **of_levels(shared),
        enough=tuple(shared.enough.items()),
        to_enough=shared.to_enough,
        other_noise=shared.other_noise_words,
        to_other_noise=shared.to_other_noise,
        to_line=TO_LINE,
        next=_next(shared),
        ledger=_ledger(shared),
        released="cells" if shared.promise.steps > shared.promise.group else "count",
        to_ledger=shared.say("way_plan"),
        computed=say("publication", "technical", "computed", **context),
        notice=label("sheet", "too_long") if len(encode_tables(shared.inputs.tables)) > MAX_VALUE_LENGTH else "",
        exact=shared.exact,
        stated=_stated(shared),
        python=in_python(shared, shared.answer_name),
        python_opendp=in_opendp(shared),
    )


def _next(shared: Shared) -> PageLink:
    """The memo; while no line is drawn, a line that allows the typed budget, by what the typed belief then reaches."""
    case, prior = shared.inputs.case, shared.prior
    if case.is_example or case.line is not None or shared.inputs.together is not None:
        return PageLink("memo", label("frame", "memo"))
    for percent in range(math.ceil(100 * shared.rise.after.value), MOST_PERCENT + 1):
        ratio = round_up(percent / 100 / prior, RATIO_DIGITS, significant=True)
        made = {"line": LINES[0], "cap": percent / 100, "ratio": ratio, "noise": shared.inputs.noise}
        drawn = case.with_choices(**made)
        held = budget_together(drawn)
        if held is not None and held.value >= shared.total:
            return PageLink("choose", label("publication", "draw"), tuple((name, drawn.texts[name]) for name in made))
    return TO_LINE


def _stated(shared: Shared) -> tuple[StatedBelief, ...]:
    """What everything together tells the attacker the sentences are about, where one step of the rows is known."""
    chosen = shared.inputs
    promise = replace(shared.promise, failure_probability=shared.failing)
    group = records_together(chosen.unit, chosen.group)
    spent = shared.allocation.spent
    source: Guarantee = PureDP(epsilon=spent / group, relation=promise.relation)
    if chosen.by_rho:
        source = ZeroConcentratedDP(rho=spent / group**2, relation=promise.relation)
    stated = StatedBelief(shared.prior, shared.context["posterior"], promise, source, before=shared.rise.words)
    if promise.steps == promise.group:
        return (stated,)
    if all(row.kind == "counts" for row in chosen.tables):
        spends = shared.allocation.budgets * shared.publication.times
        rows = tuple(
            (spend, row.numbers // row.areas, row.cells_per_person, 1 if shared.where == "nowhere" else row.areas)
            for spend, row in zip(spends.tolist(), shared.publication.rows, strict=True)
            if isinstance(row, CountTable)
        )
        return (replace(stated, scope=Scope.PLAN, rows=rows),)
    return ()


def _ledger(shared: Shared) -> Ledger:
    """The same releases one after the other: each number that one person moves is a release of its own, at its share.

    Each keeps by how much a record moves it, and so its noise.
    """
    chosen, publication = shared.inputs, shared.publication
    per_record = publication.group**2 if chosen.by_rho else publication.group
    rows = []
    budgets, changes = shared.allocation.budgets.tolist(), publication.largest_changes
    for row, spent, change in zip(publication.rows, budgets, changes, strict=True):
        numbers, by = len(change.amounts), change.amounts[0] / publication.group
        each = number_text(round_down(spent / numbers / per_record, LEDGER_DIGITS, significant=True))
        moved = "" if by == 1 else number_text(by)
        rows.append(LedgerRow(row.name, chosen.noise, each, "", number_text(row.times * numbers), moved))
    return tuple(rows)


FEW = 5  # tables on the first page of a document


@dataclass(frozen=True, kw_only=True)
class PublicationSummary(PageAnswer):
    """The page's answer, the tables, and the picture of risk against use."""

    every: Table | None = None
    """All tables: what they publish, their share of the budget, the range asked for and the range they get."""
    few: Table | None = None
    """At most five, with their ranges: those not kept first, the widest beside a typical number first."""
    level: Any = None
    """How often each range holds, as a passage says it."""
    frontier: Description | None = None
    opendp: str = ""


@kept_for_session
@refusing(PublicationSummary, "publication", *UNCOMPUTABLE)
def publication_summary(inputs: PublicationInputs, style: Style) -> PublicationSummary:
    """What another page tells of these choices."""
    shared = Shared(inputs, style)
    if not shared.has_budget:
        return PublicationSummary(answer=shared.answer)
    return PublicationSummary(
        answer=shared.answer,
        small_print=shared.small_print,
        level=shared.context["level"],
        every=_every_table(shared),
        few=_few_tables(shared),
        frontier=frontier_picture(shared),
        opendp=in_opendp(shared).text,
    )


def what_is_published(row: Row) -> str:
    """What a row publishes, in words.

    >>> what_is_published(CountTable(cells=12, cells_per_person=4)), what_is_published(CountTable())
    ('counts, a person in up to 4 cells', 'counts')
    """
    if isinstance(row, CountTable):
        alone = row.cells_per_person == 1
        return label("publication", f"what.{'counts' if alone else 'cells'}", cells=f"{row.cells_per_person:,}")
    bounds = {"low": plain_number(row.low, 6), "high": plain_number(row.high, 6)}
    if isinstance(row, ClippedMean):
        return label("publication", "what.mean", **bounds, people=f"{row.people:,}")
    return label("publication", "what.total", **bounds)


def _areas_and_cells(row: Row) -> str:
    cells = row.cells if isinstance(row, CountTable) else 1
    return f"{row.areas:,}" if cells == 1 else f"{row.areas:,} × {cells:,}"


RANGES = itemgetter(1, 2, 4)
"""Of a row of `results_table`: the range asked for, the one it gets, and that beside a typical number."""


def _every_table(shared: Shared) -> Table:
    """All tables, their ranges and shares as they stand on the page."""
    page = results_table(shared)
    rows = tuple(
        (
            named(shared, place),
            what_is_published(row) + (label("publication", "what.one") if one.together > 1 else ""),
            _areas_and_cells(of_one_time(row, one.together)),
            f"{row.times * one.together:,}",
            told[5],
            *RANGES(told),
        )
        for place, (row, told, one) in enumerate(zip(shared.publication.rows, page.rows, shared.published, strict=True))
    )
    return Table("", (page.columns[0], *heads("publication", "every"), page.columns[5], *RANGES(page.columns)), rows)


def _few_tables(shared: Shared) -> Table:
    """The tables with the least room, and their ranges."""
    page = results_table(shared)
    relative, shares = shared.errors.relative_half_width.tolist(), shared.allocation.shares.tolist()

    def room(place: int) -> tuple[bool, float, float]:
        beside = relative[place]
        return shared.kept[place] is not False, math.inf if math.isnan(beside) else -beside, -shares[place]

    places = sorted(range(len(page.rows)), key=room)[:FEW]
    rows = tuple((named(shared, place), *RANGES(page.rows[place])) for place in places)
    return Table("", (page.columns[0], *RANGES(page.columns)), rows)


OF_EXAMPLE = ("secret", "unit", "group", "relation", "moves", "noise", "tables")


def begun_plan(inputs: PublicationInputs, areas: AreaList | None = None) -> tuple[str, tuple[str, ...]]:
    """The plan as its file holds it, with the areas of the case's levels where they are at hand; and the rows left out.

    Raises Refused where nothing can be drawn.
    """
    shared, case = Shared(inputs, Style()), inputs.case
    if case.is_example:
        case = Case(**{name: getattr(inputs, name) for name in OF_EXAMPLE})
    budgets = shared.allocation.budgets.tolist()
    begun = draft(case, shared.published, shared.publication, budgets, shared.total, areas)
    return as_json(begun), left_out(shared.publication)
