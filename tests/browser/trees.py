"""Accessibility trees, as a screen reader goes through them from top to bottom, short enough to be read and approved.

Playwright computes them from the page by the rules of ARIA, so that they do not change with the browser. What the fonts
of a machine decide is left out: the ticks and labels in a chart. So are addresses, all but a table's first rows, and
words beyond `LONGEST` characters: other approved files hold them whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from playwright.sync_api import Locator, Page

from tests.approved.difference import fail_with_difference

APPROVED = Path(__file__).resolve().parents[1] / "approved" / "trees"
LONGEST, MOST_ROWS = 90, 2
IN_A_LINE = ("text", "strong", "emphasis", "code", "superscript")
WHOLE = ("button", "link", "radio")
"""What holds the words of its name again."""
NAMED = re.compile(r'(?P<role>\S+) "(?P<name>(?:[^"\\]|\\.)*)"(?P<state>.*)')
CHANGING = re.compile(
    r"(?<=[\w.]:)\d{5}\b|(?<=port )\d+|(?<=Riskline )\d[\d.]*\d|(?<=(?:room|code) )[2-9A-Z]{3} [2-9A-Z]{3}\b"
)
"""What is another each time: the port of a server, the version, a room's code."""
FRAME = [
    f'{role} "{name}"'
    for role, name in (
        ("switch", "Technical"),
        ("button", "Help for Technical"),
        ("switch", "Large type"),
        ("button", "Help for Large type"),
        ("button", "Scenario"),
    )
]
CASE = 'button "Change"'
DRAWN = """() => !document.querySelector('[data-testid="stSkeleton"]')
    && [...document.querySelectorAll('[data-testid="stPlotlyChart"]')].every(one => one.querySelector('.main-svg'))"""
"""Whether no chart and no control is still on its way."""


def drawn(page: Page) -> None:
    """Wait for the charts: they come after the answer, and the page is at rest before."""
    page.wait_for_function(DRAWN, timeout=60_000)


def tree_of(part: Locator) -> list[str]:
    """What is heard in a part of a page, a line for each element, indented below the one that holds it."""
    nodes = yaml.load(part.aria_snapshot(), yaml.CSafeLoader)
    role, _, _, held = _node(nodes[0])
    return [CHANGING.sub("…", line) for line in _lines(held if role == "main" else nodes, 0)]


def approved_tree(name: str, lines: list[str], stem: str) -> None:
    """Fail with every line that differs from the approved tree of this name."""
    fail_with_difference(APPROVED / f"{name}.txt", "\n".join(lines) + "\n", stem)


def assert_heard_first(heard: list[str], question: str, answer: str, *, presses: str) -> None:
    """Assert that of a page question and answer are heard before what it asks, and a link or button to the next step.

    Before them stand the switches of the frame, between them the line about the case and its button.
    """
    first = [line for line in heard[:9] if line not in FRAME]
    if CASE in first:
        first = [first[0], *first[first.index(CASE) + 1 :]]
    asked = cut(CHANGING.sub("…", question))
    assert first[0] == f'heading "{asked}" [level=1]', heard[:9]
    told = first[1].removeprefix("paragraph:").removesuffix("…")
    assert "".join(answer.split()).startswith("".join(told.split())), heard[:9]
    step = rf'\s*{presses} "(?!Link to heading|Help for)'
    assert any(re.match(step, line) for line in heard if line not in (*FRAME, CASE)), f"no {presses} to the next step"


def _lines(nodes: list[Any], depth: int, said: str = "") -> Iterator[str]:
    for role, name, state, held in map(_node, nodes):
        words = _words(held)
        if role.startswith("/") or (role in ("paragraph", "text", "caption") and words == said):
            continue  # an address; a label again that is the name of its control
        if role == "img" and not name:
            continue  # a layer of a chart
        said = name
        if role == "row":
            yield "  " * depth + "row: " + " | ".join(map(_cell, held))
            continue
        told = f' "{cut(name)}"' if name else ""
        yield "  " * depth + role + told + state + (f": {cut(words)}" if words and words != name else "")
        if role not in WHOLE and not words and isinstance(held, list):
            kept = held[:MOST_ROWS] if role == "rowgroup" else held
            yield from _lines(kept, depth + 1, name)
            if len(kept) < len(held):
                yield "  " * (depth + 1) + f"and {len(held) - len(kept)} more rows"


def _node(node: Any) -> tuple[str, str, str, Any]:
    """Role, name, state and what is held: a text or more nodes."""
    key, held = next(iter(node.items())) if isinstance(node, dict) else (node, "")
    found = NAMED.fullmatch(key)
    if found is None:
        role, _, state = key.partition(" ")
        return role, "", f" {state}" if state else "", held
    return found["role"], found["name"].replace('\\"', '"'), found["state"], held


def _words(held: Any) -> str:
    """The sentence that a node holds, also where parts of it are bold; nothing where it holds more than that."""
    if not isinstance(held, list):
        return str(held)
    parts = [_node(node) for node in held]
    if not all(role in IN_A_LINE and not isinstance(text, list) for role, _, _, text in parts if role[0] != "/"):
        return ""
    return re.sub(
        r" (?=[.,;:)])|(?<=\() ", "", " ".join(str(text) for role, _, _, text in parts if role[0] != "/")
    ).strip()


def _cell(node: Any) -> str:
    _, name, _, held = _node(node)
    return cut(name or _words(held))


def cut(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rstrip()} …"
