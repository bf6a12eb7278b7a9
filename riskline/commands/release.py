"""`riskline release PLAN DATA --out FOLDER`: draws the tables of a plan with OpenDP, on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpcore.errors import Refused
from riskline.case.fields import as_sentence, shown
from riskline.choices import NotTaken
from riskline.release.folder import is_unwritable
from riskline.release.ledger import LEDGER
from riskline.release.making import Made, make_release

OPTIONS = ("out", "format", "clip")
"""Inputs that are options of the command."""
SYMBOLS = {"rho": "ρ", "epsilon": "ε"}
UNITS = {"person": "one person", "records": "one person", "household": "one household", "days": "one person's days"}
STEPS = {"add_or_remove": "added or removed", "replace": "replaced"}


def released(plan: str, data: str, out: str, *, form: str, again: bool, clip: bool) -> str:
    """What a release that was made says on the terminal.

    Raises NotTaken for whatever is refused, before anything is spent; `Interrupted` where it stops afterwards.
    """
    try:
        return _told(make_release(Path(plan), Path(data), Path(out), form=form, again=again, clip=clip), out)
    except Refused as refusal:
        named = f"--{refusal}" if refusal.name in OPTIONS else str(refusal)
        raise NotTaken(as_sentence(named), computable=not is_unwritable(refusal)) from None
    except OSError as error:
        raise NotTaken(f"A file could not be used: {(error.strerror or 'it is no file').lower()}.") from None


def _told(made: Made, out: str) -> str:
    plan, record = made.plan, made.record
    numbers = sum(
        len(plan.areas.at(level)) * table.cells * len(table.times) for table in plan.tables for level in table.levels
    )
    symbol, spent = SYMBOLS[plan.currency], record["spent"]
    unit = UNITS[plan.case["unit"]] + (f" of up to {plan.group:,} records" if plan.group > 1 else "")
    lines = [
        f"Drawn with OpenDP {record['opendp']}: {numbers:,} noisy numbers in {len(plan.tables):,} "
        f"{'table' if len(plan.tables) == 1 else 'tables'}, "
        f"in the folder {shown(out)!r}.",
        f"Spent: {symbol} = {spent:.6g} of {plan.budget:g}, by OpenDP's own maps, for {unit}, "
        f"{STEPS[plan.case['relation']]}.",
    ]
    if record["earlier"]:
        lines.append(f"With earlier draws of this plan: {symbol} = {record['spent_in_all_draws']:.6g}.")
    if record["other_plans"]:
        lines.append(_other_plans(record["other_plans"]))
    lines += record["not_protected"]
    unchecked = [limit for limit, done in record["limits_checked"].items() if not done]
    if unchecked:
        lines.append(f"Not checked, because the data do not say whose a row is: {', '.join(unchecked)}.")
    if record["clipped_where_needed"]:
        lines.append("Whatever was beyond a unit's limits was left out.")
    lines.append(f"The record's SHA-256 is {made.digest}; the draw is also in {LEDGER}, beside the plan.")
    return "\n".join(lines)


def _other_plans(draws: list[dict[str, Any]]) -> str:
    """What other plans spent whose draws stand in the same ledger."""
    spent, unread = dict.fromkeys(SYMBOLS, 0.0), 0
    for one in draws:
        if one.get("currency") in spent:
            spent[one["currency"]] += one["spent"]
        else:
            unread += 1
    told = [f"{SYMBOLS[currency]} = {amount:.6g}" for currency, amount in spent.items() if amount]
    told += [f"{unread:,} that cannot be read"] if unread else []
    return f"Draws of other plans in {LEDGER}: {' and '.join(told)}. About the same people, all of them add up."
