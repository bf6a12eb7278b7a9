"""From a plan and data to a folder of noisy tables: in which order things are checked, paid for and drawn.

Everything that can be refused is refused before the budget is spent; the ledger says that it is spent before anything
is drawn; the folder is there whole or not at all.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dpcore
from dpcore.errors import Code, Refused
from dpcore.guarantees import Relation
from riskline.case.fields import shown
from riskline.release import ledger
from riskline.release.data import TrueCounts, true_counts
from riskline.release.drawing import checked_spending, drawn_tables, measured
from riskline.release.folder import FORMATS, FileFormat, check_out, read_record, write_folder
from riskline.release.plan import DATA, Plan, read_plan

AGAIN = "--again"
LARGEST_PLAN = 200_000_000  # bytes of a plan, or of its areas


class Interrupted(Exception):
    """A draw that was stopped after its budget was spent; its text says so.

    by_hand : whether somebody stopped it
    """

    def __init__(self, text: str, by_hand: bool) -> None:
        super().__init__(text)
        self.by_hand = by_hand


@dataclass(frozen=True)
class Made:
    """A release that was made.

    plan : its plan
    record : what its folder says of it
    digest : the SHA-256 of that record
    """

    plan: Plan
    record: Mapping[str, Any]
    digest: str


def plan_of_file(path: Path) -> Plan:
    """The plan of a file, its areas in a file beside it where it names one."""
    return read_plan(_content("the plan", path), lambda name: _content("areas", path.parent / name))


def _content(called: str, path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST_PLAN + 1)
    except (OSError, ValueError):
        raise Refused(called, "be a file that can be read", shown(path.name), Code.EMPTY) from None
    if len(content) > LARGEST_PLAN:
        raise Refused(called, f"have at most {LARGEST_PLAN:,} bytes", None, Code.TOO_LARGE, got="more")
    return content


def make_release(
    plan_file: Path, data: Path, out: Path, *, form: str = "csv", again: bool = False, clip: bool = False
) -> Made:
    """Draws all tables of a plan once, into a folder.

    form : "csv" or "parquet"
    again : whether the plan may be drawn although it was drawn before, which costs its budget once more
    clip : whether what is beyond a unit's limits is left out instead of refused

    Raises Refused for whatever is wrong, before anything is spent; `Interrupted` where it stops afterwards.
    """
    written: FileFormat = next((each for each in FORMATS if each == form), FORMATS[0])
    if written != form:
        raise Refused("format", f"be one of {', '.join(FORMATS)}", shown(form), Code.UNKNOWN_CHOICE)
    plan = plan_of_file(plan_file)
    beside = plan_file.absolute().parent
    earlier, number = ledger.entries(beside, plan.digest), ledger.next_number(beside, plan.digest)
    _refuse_second(plan, out, earlier, again)
    check_out(out)
    if clip:
        _refuse_clipping(plan)
    drawn = measured(plan, plan.releases)
    spent = checked_spending(plan, drawn)
    counts = _read(data, plan, clip)
    said = {
        "drawn": datetime.now(UTC).isoformat(timespec="seconds"),
        "plan": plan.digest,
        "draw": number,
        "currency": plan.currency,
        "budget": plan.budget,
        "spent": spent,
    }
    record = said | {
        "spent_in_all_draws": spent + sum(one.get("spent", plan.budget) for one in earlier),
        "earlier": earlier,
        "other_plans": ledger.others(beside, plan.digest),
        "riskline": dpcore.__version__,
        "opendp": importlib.metadata.version("opendp"),
        "mechanism": plan.noise.label,
        "noise": plan.noise.name,
        "promise": {name: plan.case[name] for name in ("secret", "unit", "relation")}
        | {"group": plan.group, "moves": plan.moves},
        "decision": None if plan.case.decision is None else plan.case.decision.as_table,
        "data": plan.data,
        "clipped_where_needed": clip,
        "limits_checked": dict(counts.checked),
        "releases": [one.about for one in drawn],
        "not_protected": [exact_words(table.name, table.exact, clip) for table in plan.tables if table.exact],
    }
    try:
        paid = ledger.begin(beside, plan.digest, number, {**said, "plan_file": plan_file.name, "out": out.name})
    except OSError:
        rule = "be in a folder that can be written to, for its ledger"
        raise Refused("the plan", rule, shown(plan_file.name), Code.UNSUPPORTED) from None
    try:
        tables = drawn_tables(plan, counts, drawn)
        digest = write_folder(out, plan.areas, tables, plan=plan.as_written, record=record, form=written)
        ledger.finish(paid, digest)
    except BaseException as fault:
        text = _stopped(plan, spent, number, out, fault)
        raise Interrupted(text, isinstance(fault, KeyboardInterrupt)) from None
    return Made(plan, record, digest)


def _read(data: Path, plan: Plan, clip: bool) -> TrueCounts:
    """The true counts; a fault that nobody foresaw keeps its message, which may quote them, to itself."""
    try:
        return true_counts(data, plan, clip=clip)
    except Refused:
        raise
    except Exception as fault:
        raise RuntimeError(f"{type(fault).__name__} while data were read") from None


def _refuse_clipping(plan: Plan) -> None:
    """Refuse to clip where nothing says whose a row is, and where which rows stay could place somebody elsewhere."""
    if plan.data != DATA[0] or not (plan.record or plan.unit):
        rule = "be used with records, and a column of the plan that says whose a row is"
        raise Refused("clip", rule, None, Code.UNSUPPORTED, got="")
    if plan.case["relation"] == Relation.REPLACE and plan.moves == "nowhere":
        rule = "not be used where a replaced record stays in its area: the row that is kept could be of another one"
        raise Refused("clip", rule, None, Code.INCONSISTENT, got="")


def exact_words(table: str, level: str, clipped: bool = False) -> str:
    """What is said of exact totals wherever they are.

    >>> exact_words("Births", "state")
    "NOT PROTECTED: 'Births' publishes the true total of each area of the level 'state', without noise."
    """
    total = "total of what was kept" if clipped else "true total"
    return f"NOT PROTECTED: {table!r} publishes the {total} of each area of the level {level!r}, without noise."


def _refuse_second(plan: Plan, out: Path, earlier: list[dict[str, Any]], again: bool) -> None:
    if again:
        return
    if not earlier:
        try:
            there = read_record(out)
        except Refused:
            return
        if there.get("plan") != plan.digest:
            return
        earlier = [{"drawn": there.get("drawn"), "state": ledger.PUBLISHED}]
    last = earlier[-1]
    done = "its tables were published" if last["state"] == ledger.PUBLISHED else "it is not recorded as published"
    often = "once" if len(earlier) == 1 else f"{len(earlier)} times"
    before = f"the plan was drawn before ({often}, last at {last.get('drawn', 'an unknown time')}; {done})"
    text = f"{before}: drawing it again costs {plan.currency} = {plan.budget:g} once more, with {AGAIN}"
    raise Refused("the plan", "be drawn once", len(earlier), Code.REPEATED, text=text)


def _stopped(plan: Plan, spent: float, number: int, out: Path, fault: BaseException) -> str:
    """What is said of a draw that was stopped: its message could quote a count, so only its kind is said."""
    try:
        record = read_record(out)
        complete = (record.get("plan"), record.get("draw")) == (plan.digest, number)
    except Refused:
        complete = False
    there = "its folder is complete" if complete else "no table was written"
    return (
        f"Stopped after the draw began ({type(fault).__name__}): {plan.currency} = {spent:.6g} counts as spent, as "
        f"draw {number} in {ledger.LEDGER}, and {there}."
    )
