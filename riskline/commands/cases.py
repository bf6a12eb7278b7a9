"""`riskline cases`: every printed number computed again, here and now, beside what *How we know* shows of it."""

from __future__ import annotations

from collections import Counter

from riskline.commands import Command
from riskline.output import Answer
from riskline.record.tables import PublishedValue, all_rows
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.how_we_know import (
    FIELDS,
    VERDICTS,
    HowWeKnowInputs,
    PublishedRow,
    chosen_rows,
    how_we_know_view,
    place_of,
    word,
)
from ui.words.phrasing import plain_number
from ui.words.quantities import Exact, number, whole

NOT_AS_RECORDED = "not as recorded"


def answer(inputs: HowWeKnowInputs, style: Style) -> Answer:
    """What each of the numbers asked for comes to now, and whether that is what the record says of it."""
    rows = {(row.source, row.locator, row.quantity): row for row in all_rows()}
    shown = chosen_rows(inputs)
    found = [(one, rows[one.source, one.locator, one.quantity]) for one in shown]
    values = [float(row.compute()) for _, row in found]
    faults = [row.fault(value) for (_, row), value in zip(found, values, strict=True)]
    verdicts = Counter(one.verdict for one, fault in zip(shown, faults, strict=True) if not fault)
    return Answer(
        sentence=_sentence(len(rows), len(shown), verdicts, sum(map(bool, faults))),
        small_print=how_we_know_view(inputs, style).limits,
        quantities={
            "computed": tuple(Exact(value, number(6)) for value in values),
            "recomputed": Exact(len(shown), whole),
            "not_as_recorded": Exact(sum(map(bool, faults)), whole),
        },
        tables=(_table(found, values, faults),) if shown else (),
        failed=any(faults),
    )


def _sentence(every: int, shown: int, verdicts: Counter[str], failed: int) -> str:
    told = [f"{word(f'verdict.{verdict}')} {verdicts[verdict]}" for verdict in VERDICTS if verdicts[verdict]]
    told += [f"{NOT_AS_RECORDED} {failed}"] if failed else []
    ending = f": {', '.join(told)}." if told else "."
    return f"**{shown}** of {every} printed numbers were recomputed here{ending}"


def _table(found: list[tuple[PublishedRow, PublishedValue]], values: list[float], faults: list[str]) -> Table:
    rows = [
        (
            place_of(one),
            one.quantity,
            one.printed,
            plain_number(value, 6),
            f"{NOT_AS_RECORDED}: {fault}" if fault else word(f"verdict.{one.verdict}"),
            one.reading,
        )
        for (one, _), value, fault in zip(found, values, faults, strict=True)
    ]
    return Table("", ("where", "what", "printed", "computed now", "verdict", "reading"), tuple(rows))


COMMAND = Command(
    stem="how_we_know",
    fields=FIELDS,
    inputs=HowWeKnowInputs,
    answer=answer,
    examples=("cases", "cases --find 'Table 2.4'", "cases --source thesis --verdict erratum --json"),
)
