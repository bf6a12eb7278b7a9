"""A list of areas inside areas: codes, names, parents, and levels that have names."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.adjustment import AreaTree
from dpcore.errors import Code, Refused
from riskline.case.fields import shown
from riskline.case.sheet import begins_formula

MOST_AREAS = 2_000_000
HEADS = ("code", "name", "parent", "level")
"""The headings of a file of areas; name, parent and level may be missing."""
ABOVE_ALL = "all"
"""The code of the area that a prefix of no letters adds above all others."""
MOST_DEEP = 20
MAY_BEGIN_FORMULA = re.compile("[-=+@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""What a formula has: other texts, of millions, are not looked at further."""


@dataclass(frozen=True)
class AreaList:
    """Areas inside areas, a tree of any shape.

    codes, names : of each area; codes are different
    parents : the code of the area each lies in, empty for one that lies in no other
    levels : names of levels, widest first
    level_of : each area's level, by its place in `levels`; below that of its parent

    >>> areas = AreaList(("24", "24001"), ("Maryland", "Allegany"), ("", "24"), ("state", "county"), (0, 1))
    >>> areas.at("county").tolist(), areas.tree.parents.tolist()
    ([1], [-1, 0])
    """

    codes: tuple[str, ...]
    names: tuple[str, ...]
    parents: tuple[str, ...]
    levels: tuple[str, ...]
    level_of: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.codes) <= MOST_AREAS:
            raise Refused("areas", f"be from 1 to {MOST_AREAS:,}", len(self.codes), Code.TOO_LARGE)
        if len(self.place) < len(self.codes):
            twice = next(code for number, code in enumerate(self.codes) if self.place[code] != number)
            raise Refused("areas", "have each code once", shown(twice), Code.REPEATED)
        for code, parent, level in zip(self.codes, self.parents, self.level_of, strict=True):
            if not code:
                raise Refused("areas", "have a code each", code, Code.EMPTY)
            if parent and parent not in self.place:
                raise Refused("areas", f"have parents among the codes, also {shown(code)!r}", shown(parent), Code.EMPTY)
            if not 0 <= level < len(self.levels) or (parent and self.level_of[self.place[parent]] >= level):
                rule = f"lie at a level below that of their parent, also {shown(code)!r}"
                raise Refused(
                    "areas", rule, self.levels[level] if level < len(self.levels) else level, Code.WRONG_ORDER
                )

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The number of each area by its code."""
        return {code: number for number, code in enumerate(self.codes)}

    @cached_property
    def tree(self) -> AreaTree:
        """The same as a tree of numbers."""
        return AreaTree([self.place[parent] if parent else -1 for parent in self.parents])

    def at(self, level: str) -> NDArray[np.int64]:
        """The numbers of the areas of a level, in their order."""
        return np.flatnonzero(np.asarray(self.level_of) == self.levels.index(level))

    def inside(self, level: str) -> NDArray[np.int64]:
        """For each area, the number of the area of a level that it is or lies in; -1 where there is none.

        >>> AreaList(("a", "b", "c"), ("", "", ""), ("", "a", "a"), ("all", "part"), (0, 1, 1)).inside("all").tolist()
        [0, 0, 0]
        """
        found = np.full(len(self.codes), -1, dtype=np.int64)
        own = self.at(level)
        found[own] = own
        parents = np.asarray(self.tree.parents)
        for depth in self.tree.levels[1:]:
            known = found[parents[depth.areas]]
            found[depth.areas] = np.where(found[depth.areas] < 0, known, found[depth.areas])
        return found

    def down_to(self, levels: Sequence[str]) -> AreaList:
        """The areas of some levels, and those that contain them."""
        kept = np.isin(np.asarray(self.level_of), [self.levels.index(level) for level in levels])
        parents = np.asarray(self.tree.parents)
        for depth in self.tree.levels[:0:-1]:
            inside = depth.areas[kept[depth.areas]]
            kept[parents[inside]] = True
        return self if kept.all() else self._of(np.flatnonzero(kept))

    def _of(self, places: NDArray[np.int64]) -> AreaList:
        def some(values: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(values[place] for place in places.tolist())

        return AreaList(some(self.codes), some(self.names), some(self.parents), self.levels, some(self.level_of))

    @property
    def texts(self) -> Iterator[str]:
        """Every text of a file of them."""
        return itertools.chain(self.codes, self.names, self.levels)

    @property
    def rows(self) -> list[tuple[str, str, str, str]]:
        """The areas as rows under the headings of a file."""
        levels = (self.levels[level] for level in self.level_of)
        return list(zip(self.codes, self.names, self.parents, levels, strict=True))


def refuse_formulas(where: str, texts: Iterable[str]) -> None:
    """Refuse a text of a CSV file that a spreadsheet would run: what is published stands in its files as it is."""
    found = next((text for text in texts if MAY_BEGIN_FORMULA.search(text) and begins_formula(text)), None)
    if found is not None:
        rule = "have no =, +, - or @ where a cell of a CSV file can begin: a spreadsheet would run it as a formula"
        raise Refused(where, rule, shown(found), Code.UNSUPPORTED)


def areas_of_rows(
    rows: Sequence[Mapping[str, str]], levels: Sequence[str], *, at: Callable[[int], str] = lambda place: ""
) -> AreaList:
    """The areas of rows with a code and perhaps a name, a parent and a level.

    Where no level is given, it is how deep an area lies. `at` is what a refusal calls a row, by its place.

    >>> areas_of_rows([{"code": "a"}, {"code": "b", "parent": "a"}], ["all", "part"]).level_of
    (0, 1)
    """
    codes, names, parents, said = (tuple(row.get(head, "").strip() for row in rows) for head in HEADS)
    _check_codes(codes, parents, at)
    unknown = next((level for level in said if level and level not in levels), None)
    if unknown is not None:
        raise Refused("areas", f"lie at levels among {', '.join(levels)}", shown(unknown), Code.UNKNOWN_CHOICE)
    if all(said):
        depths = tuple(levels.index(level) for level in said)
    elif any(said):
        rule = "each have a level, or none of them"
        raise Refused("areas", rule, "", Code.INCONSISTENT, got="", at=at(said.index("")))
    else:
        depths = () if not codes else _depths(codes, parents, len(levels), at)
    depth_of = dict(zip(codes, depths, strict=True))
    for place, (code, parent) in enumerate(zip(codes, parents, strict=True)):
        if parent and depth_of[parent] >= depth_of[code]:
            rule = f"lie at a level below that of their parent, also {shown(code)!r}"
            raise Refused("areas", rule, levels[depth_of[code]], Code.WRONG_ORDER, at=at(place))
    return AreaList(codes, names, parents, tuple(levels), depths)


def _check_codes(codes: Sequence[str], parents: Sequence[str], at: Callable[[int], str]) -> None:
    """Refuse a row without a code, with one that was there before, or with a parent that is none of them."""
    places = {code: place for place, code in enumerate(reversed(codes))}
    for place, (code, parent) in enumerate(zip(codes, parents, strict=True)):
        if not code:
            raise Refused("areas", "have a code each", code, Code.EMPTY, at=at(place))
        if len(codes) - 1 - places[code] != place:
            raise Refused("areas", "have each code once", shown(code), Code.REPEATED, at=at(place))
        if parent and parent not in places:
            rule = f"have parents among the codes, also {shown(code)!r}"
            raise Refused("areas", rule, shown(parent), Code.EMPTY, at=at(place))


def areas_of_file(content: bytes) -> AreaList:
    r"""The areas of a file that says by itself how they lie in each other: by parents, or by how their codes begin.

    Levels have the names of its column `level`; without one they are numbered, the widest first.

    Raises Refused, with the row (the headings are row 1) where one is to blame.

    >>> areas = areas_of_file(b"code,name\n24,Maryland\n24001,Allegany\n")
    >>> areas.levels, areas.parents
    (('level 1', 'level 2'), ('', '24'))
    """
    numbered = _numbered(content)
    rows = [row for _, row in numbered]
    if not 0 < len(rows) <= MOST_AREAS:
        raise Refused("areas", f"be from 1 to {MOST_AREAS:,}", len(rows), Code.TOO_LARGE)
    lengths = sorted({len(row["code"].strip()) for row in rows})
    if "parent" not in rows[0] and 1 < len(lengths) <= MOST_DEEP and lengths[0]:
        found = parents_of_prefixes(rows, lengths, [f"{depth}" for depth in lengths])
        rows = [{**by_code, "level": row.get("level", "")} for by_code, row in zip(found, rows, strict=True)]
    levels = _levels_named(rows) or [f"level {depth}" for depth in range(1, MOST_DEEP + 1)]
    areas = areas_of_rows(rows, levels, at=lambda place: f"row {numbered[place][0]}")
    return replace(areas, levels=areas.levels[: max(areas.level_of) + 1])


def _levels_named(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """The levels that rows name, each after those of the parents of its areas; else in the order of the file."""
    level_of = {row["code"].strip(): row.get("level", "").strip() for row in rows}
    above: dict[str, set[str]] = {level: set() for level in level_of.values() if level}
    for row in rows:
        level, parent = row.get("level", "").strip(), row.get("parent", "").strip()
        if level and level_of.get(parent, level) != level:
            above[level].add(level_of[parent])
    try:
        return [level for level in TopologicalSorter(above).static_order() if level]
    except CycleError:
        return list(above)  # one of its rows is refused by its level


def _depths(codes: Sequence[str], parents: Sequence[str], levels: int, at: Callable[[int], str]) -> tuple[int, ...]:
    try:
        tree = AreaTree.of_names(codes, [parent or None for parent in parents])
    except Refused as refusal:  # codes and parents are sound, so that areas lie in a circle
        place = int(refusal.value)
        rule = f"be a tree: {refusal.name} must {refusal.rule}"
        raise Refused("areas", rule, shown(codes[place]), refusal.code, at=at(place)) from None
    if len(tree.levels) > levels:
        rule = f"name every level: areas lie {len(tree.levels)} deep"
        raise Refused("levels", rule, levels, Code.WRONG_SHAPE, got=f"{levels} names")
    found = np.empty(len(codes), dtype=np.int64)
    for depth, level in enumerate(tree.levels):
        found[level.areas] = depth
    return tuple(found.tolist())


def parents_of_prefixes(rows: Sequence[Mapping[str, str]], lengths: Sequence[int], levels: Sequence[str]) -> Any:
    """Rows whose codes begin with the code of the area above, with parent and level; 0 adds one area above all.

    >>> rows = parents_of_prefixes([{"code": "24"}, {"code": "24001"}], [2, 5], ["state", "county"])
    >>> [(row["parent"], row["level"]) for row in rows]
    [('', 'state'), ('24', 'county')]
    """
    if len(lengths) != len(levels) or any(not a < b for a, b in pairwise(lengths)):
        rule = "be one rising length of code for each level"
        raise Refused("prefixes", rule, list(lengths), Code.WRONG_ORDER)
    whole = [{"code": ABOVE_ALL, "name": levels[0], "parent": "", "level": levels[0]}] if lengths[0] == 0 else []
    found = []
    for row in rows:
        code = row.get("code", "").strip()
        if not code or len(code) not in lengths:
            rule = f"have codes of {', '.join(map(str, lengths))} letters"
            raise Refused("areas", rule, shown(code), Code.WRONG_FORM)
        depth = lengths.index(len(code))
        above = code[: lengths[depth - 1]] if depth else ""
        found.append({**row, "parent": ABOVE_ALL if whole and depth == 1 else above, "level": levels[depth]})
    return whole + found


def read_areas(content: bytes) -> list[dict[str, str]]:
    r"""The rows of a file of areas, read by its headings.

    >>> read_areas(b"Name,Code\nMaryland,24\n")
    [{'name': 'Maryland', 'code': '24'}]
    """
    return [row for _, row in _numbered(content)]


def _numbered(content: bytes) -> list[tuple[int, dict[str, str]]]:
    """The rows of a file of areas, with their numbers in it."""
    try:
        lines = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise Refused("areas", "be a CSV file in UTF-8", None, Code.WRONG_FORM, got="") from None
    heads = [head.strip().lower() for head in lines[0]] if lines else []
    wrong = next((head for head in heads if head not in HEADS), None)
    if "code" not in heads or wrong is not None or len(set(heads)) < len(heads):
        rule = f"have the headings code and, once each, {', '.join(HEADS[1:])}"
        raise Refused("areas", rule, shown(", ".join(heads)), Code.WRONG_FORM)
    found = []
    for number, line in enumerate(lines[1:], 2):
        if line and len(line) != len(heads):
            rule = f"have {len(heads)} cells in row {number}"
            raise Refused("areas", rule, len(line), Code.WRONG_SHAPE)
        if line:
            found.append((number, dict(zip(heads, line, strict=True))))
    return found
