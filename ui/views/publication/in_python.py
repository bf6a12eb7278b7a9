"""The same in Python: from the line and the tables to how wide the ranges are; all of it released with OpenDP."""

from __future__ import annotations

import math

from dpcore.profiles import budget
from dpcore.publication import ClippedMean, ClippedTotal, CountTable, Row, allocate, belief_upper, publication_errors
from dpcore.rounding import round_up
from riskline.case.fields import number_text
from ui.views.publication.shared import Shared
from ui.words.phrasing import times
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Allowed, Exact, Lower, Upper, number, whole

SCALE_DIGITS = 8
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
        failing = chosen.failure if chosen.by_rho else 0.0
        budgets = Source(f"{shares}.budgets")
        reached = code(belief_upper, publication, budgets, shared.promise, prior=shared.prior, delta_prime=failing)
        return code.ending(reached, shared.rise.after)
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
    for place, (row, each) in enumerate(zip(rows, budgets, strict=True), 1):
        measurement, distance, draw = _measured(shared, place, row, each)
        often = f", {row.times:,} times" if row.times > 1 else ""
        lines += [
            "",
            f"# row {place}{f', {row.name!r}' if row.name else ''}: {_published(row)}{often}",
            f"noise_{place} = {measurement}",
            f"spent += {row.times} * noise_{place}.map(d_in={distance})",
        ]
        if row.times > 1:
            draw = f"[{draw.replace(f'data[{place}]', f'data[{place}][time]')} for time in range({row.times})]"
        draws.append(f"        {place}: {draw},")
    together = f"  # {'epsilon' if shared.publication.in_epsilon else 'rho'} of everything together"
    if shared.publication.group > 1:
        together += f", for {shared.publication.group:,} records that belong together"
    lines += ["", f"assert spent <= {float(shared.total)!r}{together}", "", ""]
    data = DATA.format(BY_TIME if any(row.times > 1 for row in rows) else "")
    lines += ["def publish(data):", data, "    return {", *draws, "    }"]
    return CodeLines("\n".join(lines), ())


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
