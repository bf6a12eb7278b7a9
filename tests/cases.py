"""Cases for tests, and what pages make of them, from links as pages write them and as those of 0.3 wrote them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from riskline.answers import case_budget
from riskline.case.choices import FIELDS as CASE
from riskline.case.fields import Refusal, pairs_of, read_pairs
from riskline.case.value import EXAMPLE, Case
from ui.link.case_links import LinkParts, parts_of
from ui.link.page_table import page_entry
from ui.views.memo import FIELDS, MemoInputs

OF_A_CASE = ("memo", "lessons", "public", "publish", "infer")
"""Pages that are of the whole case, and not of parts that they ask for."""


def case_of(query: str, stem: str = "choose", **more: Any) -> Case:
    """The case that a link to a page says, with more choices; the example where it says none."""
    parts = parts_of(stem, page_entry(stem).fields, pairs_of(query))
    assert not parts.case.refusals, parts.case.refusals
    found = parts.case.case or EXAMPLE
    return found.with_choices(**more) if more else found


def memo_inputs(choose: str = "", *, case: Case | None = None, claimed: bool = False, **chosen: Any) -> MemoInputs:
    """What a memo reports: links of other pages by stem, and choices of the case and of its own by name."""
    links = {stem: chosen.pop(stem, "") for stem in ("accuracy", "positions", "plan", "publication")}
    links["choose"] = choose
    parts = parts_of("memo", FIELDS, [(stem, query) for stem, query in links.items() if query])
    assert not parts.case.refusals, parts.case.refusals
    found = (case or EXAMPLE).with_choices(**(parts.case.case or {}))
    found = found.with_choices(**{name: chosen.pop(name) for name in list(chosen) if name in CASE})
    values = {field.name: field.default for field in FIELDS if not field.of_case} | chosen
    return MemoInputs.of(values, found, _beside(parts), claimed=claimed)


def _beside(parts: LinkParts) -> dict[str, dict[str, Any]]:
    """What a link says of other pages' own choices."""
    held = {}
    for stem, pairs in parts.beside.items():
        own, named = [field for field in page_entry(stem).fields if not field.of_case], dict(pairs)
        values = read_pairs(own, pairs).values
        held[stem] = {field.name: values[field.name] for field in own if {field.name, field.former_name} & named.keys()}
    return held


def inputs_of(stem: str, pairs: Iterable[tuple[str, str]]) -> tuple[Any, tuple[Refusal, ...]]:
    """What a page chose that was opened by a link, None for one without choices; and what of the link was refused."""
    kind = getattr(import_module(f"ui.views.{stem}"), "".join(map(str.capitalize, stem.split("_"))) + "Inputs", None)
    fields, pairs = page_entry(stem).fields, list(pairs)
    if kind is None:
        return None, ()
    if stem not in OF_A_CASE:
        reading = read_pairs(fields, pairs)
        return kind.of(reading.values) if hasattr(kind, "of") else kind(**reading.values), reading.refusals
    parts = parts_of(stem, fields, pairs)
    own = read_pairs([field for field in fields if not field.of_case], parts.own)
    case, refusals = parts.case.case or EXAMPLE, (*parts.case.refusals, *own.refusals)
    if stem == "memo":
        return MemoInputs.of(own.values, case, _beside(parts)), refusals
    return kind(**own.values, case=case), refusals


def some_case(dice: random.Random) -> Case:
    """A case with a line, as somebody could have made it."""
    secret = dice.choice(("presence", "value"))
    made: dict[str, Any] = {
        "secret": secret,
        "relation": dice.choice(("add_or_remove", "replace")) if secret == "value" else "add_or_remove",
        "unit": dice.choice(("person", "household", "days")),
        "group": dice.randint(1, 5),
        "line": dice.choice(("cap_or_ratio", "constant", "increase")),
        "ratio": round(dice.uniform(1.2, 6), 2),
        "cap": round(dice.uniform(0.05, 0.6), 2),
        "increase": round(dice.uniform(0.05, 0.5), 2),
        "guarantee": dice.choice(("pure", "pure", "zero_concentrated", "approximate")),
        "failure": dice.choice((0.01, 0.05)),
        "delta": dice.choice((1e-6, 1e-5)),
        "release": dice.choice(("anything", "count")),
        "prior": round(math.exp(dice.uniform(math.log(0.01), math.log(0.6))), 3),
    }
    if secret == "value" and made["release"] != "count" and made["relation"] != "replace":
        made["guarantee"] = "pure"
    case = Case(**made)
    if dice.random() < 0.3 and (budget := case_budget(case)) is not None:
        case = case.decided(value=round(budget.value / 2, 4) or budget.value, currency=budget.currency)
    return case
