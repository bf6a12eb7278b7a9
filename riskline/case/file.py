"""A case in a file: a table of JSON or TOML with one entry for each choice, and what the file holds besides."""

from __future__ import annotations

import difflib
import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, fields
from datetime import date, time
from typing import Any

from dpcore.errors import Code, Refused
from dpcore.schema import Level
from riskline.case.choices import FIELDS
from riskline.case.decision import decision_from_table
from riskline.case.fields import number_text, shown
from riskline.case.methods import method_from_table, method_table
from riskline.case.points import checked_points
from riskline.case.releases import LedgerRow
from riskline.case.spending import spending_from_table, spending_table
from riskline.case.tables import TableRow
from riskline.case.value import Case

VERSION = 1
FORMAT = "riskline_case"
ROWS = {"tables": TableRow, "geography": Level, "rows": LedgerRow}


def case_table(case: Case) -> dict[str, Any]:
    """The choices of a case as JSON and TOML know them: texts, numbers, lists and tables by name.

    >>> case_table(Case(unit="household", group=4, points=((0.1, 0.2), (0.5, 0.7)), line="drawn"))["points"]
    [[0.1, 0.2], [0.5, 0.7]]
    """
    return {name: _plain(name, value) for name, value in case.made.items()} | case.kept


def _plain(name: str, value: Any) -> Any:
    if name == "points":
        return [list(point) for point in value]
    if name in ROWS:
        return [{key: cell for key, cell in asdict(row).items() if cell} for row in value]
    if name == "method_today":
        return method_table(value)
    if name == "spent":
        return spending_table(value)
    return value.as_table if name == "chosen" else value


def case_from_table(table: Mapping[str, Any]) -> Case:
    """The case that a table of JSON or TOML holds; what this version does not know is kept as it is, a date as text.

    Raises ValueError: ``unit must be one of …; got …``: the name of the choice, its rule and the value; ``shelf must
    hold finite numbers; got …``, known or not.

    >>> case_from_table({"unit": "household", "group": 4, "filing": {"shelf": 1}}).kept
    {'filing': {'shelf': 1}}
    """
    made = {}
    table = {name: _in_json(name, value) for name, value in table.items()}
    for name in FIELDS:
        if name in table:
            try:
                made[name] = FIELDS[name].checked(_read(name, table[name]))
            except (ValueError, TypeError) as error:
                raise ValueError(f"{name}: {error}") from None
    return Case({name: value for name, value in table.items() if name not in FIELDS}, **made)


def not_used(case: Case) -> str:
    """What is said of the parts of a file that are no choices of a case: they are kept, and nothing comes of them.

    >>> not_used(case_from_table({"ratioo": 4.0}))
    "The file's 'ratioo' (did you mean 'ratio'?) is no choice of a case: it is kept, and nothing is computed from it."
    >>> not_used(Case(ratio=4.0))
    ''
    """
    if not case.kept:
        return ""
    named = []
    for name in case.kept:
        near = difflib.get_close_matches(name, FIELDS, 1, 0.75)
        named.append(repr(shown(name)) + (f" (did you mean {near[0]!r}?)" if near else ""))
    if len(named) > 1:
        listed = ", ".join(named[:-1]) + f" and {named[-1]}"
        return f"The file's {listed} are no choices of a case: they are kept, and nothing is computed from them."
    return f"The file's {named[0]} is no choice of a case: it is kept, and nothing is computed from it."


def _read(name: str, value: Any) -> Any:
    if name == "points":
        return checked_points(value)
    if name in ROWS:
        if not isinstance(value, list):
            raise ValueError(f"must be a list of rows; got {shown(str(value))!r}")
        return tuple(_row(ROWS[name], row) for row in value)
    if name == "method_today":
        return method_from_table(value)
    if name == "spent":
        return spending_from_table(value)
    return decision_from_table(value) if name == "chosen" else value


def _row(kind: type[Any], row: Any) -> Any:
    """A row of a file, by its names: a cell that a page asks for as text may stand there as a number."""
    if not isinstance(row, Mapping):
        raise ValueError(f"must have cells with names in each row; got {shown(str(row))!r}")
    types = {cell.name: cell.type for cell in fields(kind)}
    for name in row:
        if name not in types:
            raise ValueError(f"must have no cell {shown(name)!r} in a row; its cells are {', '.join(types)}")
    cells = {
        name: number_text(cell) if types[name] == "str" and type(cell) in (int, float) else cell
        for name, cell in row.items()
    }
    for name, cell in cells.items():
        if types[name] == "str" and not isinstance(cell, str):
            raise ValueError(f"must have a text or a number as {name!r} of a row; got {shown(str(cell))!r}")
    missing = [cell.name for cell in fields(kind) if cell.default is MISSING and cell.name not in cells]
    if missing:
        raise ValueError(f"must have a cell {missing[0]!r} in each row; got {shown(str(dict(row)))!r}")
    return kind(**cells)


def write_json(case: Case) -> str:
    """A case as a JSON file.

    >>> print(write_json(Case(unit="household")), end="")
    {
      "riskline_case": 1,
      "unit": "household"
    }
    """
    return json.dumps({FORMAT: VERSION} | case_table(case), indent=2, ensure_ascii=False) + "\n"


def write_toml(case: Case) -> str:
    """A case as a TOML file.

    >>> print(write_toml(Case(unit="household", group=4)), end="")
    riskline_case = 1
    unit = "household"
    group = 4
    """
    table = {FORMAT: VERSION} | case_table(case)
    return "".join(f"{_key(name)} = {_toml(value)}\n" for name, value in table.items())


def _key(name: str) -> str:
    return name if name.replace("_", "").isalnum() and name.isascii() else _toml(name)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return (
            "{" + ", ".join(f"{_key(name)} = {_toml(part)}" for name, part in value.items() if part is not None) + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(part) for part in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_file(content: bytes) -> Case:
    r"""The case that a JSON or TOML file holds, told apart by its first character.

    Raises ValueError: ``The file must be text that UTF-8 can write``, ``The file must be a case as JSON or TOML; …``,
    ``The file must hold a case; …``, ``The file must be of format 1 or earlier; got 2``, and as `json_table` and
    `case_from_table`.

    >>> read_file(b"riskline_case = 1\nratio = 2.0")
    Case(line='cap_or_ratio', ratio=2.0)
    >>> read_file(write_json(Case(ratio=2.0)).encode()) == Case(ratio=2.0)
    True
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("The file must be text that UTF-8 can write") from None
    try:
        table = json_table(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except Refused:
        raise
    except (ValueError, RecursionError) as error:
        raise ValueError(f"The file must be a case as JSON or TOML; {_place(text, str(error))}") from None
    if "riskline_scenario" in table:
        if not isinstance(table.get("case", {}), Mapping) or table["riskline_scenario"] == 1:
            raise ValueError("The file must hold a case; a scenario of 0.1 to 0.3 gets one where a page saves it again")
        table = {FORMAT: VERSION} | table.get("case", {})
    version = table.pop(FORMAT, None)
    if type(version) is not int:
        raise ValueError(f"The file must be a case as JSON or TOML; it must say {FORMAT} = {VERSION}")
    if version > VERSION:
        raise ValueError(f"The file must be of format {VERSION} or earlier; got {version}")
    return case_from_table(table)


def json_table(content: str | bytes, what: str = "the file") -> Any:
    """What JSON holds; `what` is what a refusal calls it.

    Raises Refused where one part is named twice, of which one would be lost in silence, and for a number that is none;
    ValueError for what is no JSON.
    """

    def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise Refused(what, "have each part once", shown(name), Code.REPEATED)
            found[name] = value
        return found

    def no_number(text: str) -> float:
        raise Refused(what, "hold finite numbers", text, Code.NOT_FINITE)

    return json.loads(content, object_pairs_hook=once, parse_constant=no_number)


def _place(text: str, fault: str) -> str:
    """What stands in the line where a text cannot be read; the beginning of it where the parser names none."""
    found = re.search(r"line (\d+)", fault)
    if found is None:
        return f"got {shown(text)!r}"
    line = text.split("\n")[int(found[1]) - 1]
    return f"got {shown(line)!r} in line {found[1]}"


def _in_json(name: str, value: Any) -> Any:
    """A value of TOML as JSON has it: a date or a time as text.

    Raises ValueError where its numbers are not finite: ``… must hold finite numbers; got …``.
    """
    if isinstance(value, Mapping):
        return {part: _in_json(name, inner) for part, inner in value.items()}
    if isinstance(value, list):
        return [_in_json(name, inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{shown(name)} must hold finite numbers; got {value}")
    return value.isoformat() if isinstance(value, date | time) else value
