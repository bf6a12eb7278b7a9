"""What commands print and complain of, with exit codes: examples, cases in a file, help, and what is refused."""

from __future__ import annotations

import json
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any
from unittest.mock import patch

from riskline.case.file import write_toml
from riskline.case.value import Case
from riskline.command import ANSWERING, PURPOSES, command_of
from tests.command_line import told
from tests.filed_cases import CASES, SAID, SCHOOL
from tests.noisy_folders import release, written
from ui.views.publication.choices import LABOUR

FILE = Path(__file__).with_name("commands.txt")

OF_CASES = ("budget", "explain", "accuracy", "methods", "plan", "publication", "attack", "census", "tradeoff", "audit")
HELD = {
    "undecided": CASES[0],
    "a household, twelve releases": CASES[1].with_choices(**SAID),
    "a table of values": CASES[2],
    "rho, three releases": CASES[4],
    "a promise that may fail": CASES[5],
    "coins": CASES[6],
    "decided": CASES[7],
    "decided in rho": CASES[3].decided(value=0.05, currency="rho", by="The board", date="3 May", reason="enough"),
    "a school": SCHOOL,
    "tables": Case(ratio=3.0, secret="value", relation="replace", tables=LABOUR, noise="discrete_gaussian"),
}
MEMOS = ("memo", "memo --registry", "memo --label", "memo --annex nist", "memo --annex impact --reasons Asked")
APPROVED_ELSEWHERE = ("cases", "cases --source thesis --verdict erratum --json")
"""Examples whose answers are long and read in other files."""
REFUSED = """
budgt
budget 3
budget --cap
budget --cap much
budget --cap 2 --ratio 0.5 --json
budget --link choose?ratio=2&x=1
budget --link plan?rounds=2
budget --json --python
memo --hh
help
help plan x
memo
memo --case none.toml
memo --case case.toml --out memo.txt
memo --case case.toml --label --out label.docx
memo --case case.toml --label --registry
memo --rason x
memo --case broken.toml
budget --case broken.toml
budget --case case.toml --ratio 2 --out x
estimate out
estimate out table=Births;area=S9
estimate out table=Births;area=C1;sex=x
estimate nowhere area=C1
estimate out area=C1 --level 2
estimate out area=C1 --over area=C2 --minus area=C3
estimate out table=Births;x=1
estimate out area=C1
estimate out table=Births;area=S1,C1
estimate out table=Marriages
release
release plan.json
adjust out
completion
plan case.toml
class --port x
app --port 70000
"""
LONG_NUMBER = re.compile(r"\b\d+\.\d{9,}\b")
"""More digits than every processor computes."""
ESTIMATES = (
    "'table=Births; area=C1'",
    "'table=Births; area=C1; sex=f' --json",
    "'table=Births; area=S1' --level 90%",
    "'table=Births; area=C1,C2; time=Jan' --over 'table=Births; area=C1,C2'",
    "'table=Deaths; area=C5' --over 'table=Births; area=C5; time=Jan' --per 1000",
    "'table=Births; area=C1; time=Feb' --minus 'table=Births; area=C1; time=Jan'",
    "'table=Births; area=C7; time=Jan; sex=f; age, years=0+' --posterior",
    "'table=Deaths; area=US' --json",
)


def commands_in_words() -> str:
    """Each command with what it tells."""
    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        patch("riskline.commands.memo._can_draw", lambda: False),
    ):
        (Path(folder) / "broken.toml").write_text("ratio = \n", encoding="utf-8")
        written(Path(folder), release(9))
        return "\n".join(_lines()).rstrip() + "\n"


def _lines() -> Iterator[str]:
    for name in ANSWERING:
        for example in command_of(name).examples:
            if example not in APPROVED_ELSEWHERE:
                yield from _told(*shlex.split(example))
    known: set[str] = set()
    for what, case in HELD.items():
        Path("case.toml").write_text(write_toml(case), encoding="utf-8")
        yield f"## {what}"
        for name in (*OF_CASES, *MEMOS, "budget --voice technical --json"):
            lines = list(_told(*name.split(), "--case", "case.toml"))
            yield from (line for line in lines if not line or line[0] in "$!" or f"{name}: {line}" not in known)
            known |= {f"{name}: {line}" for line in lines}
    yield "## What each says of itself"
    for name in PURPOSES:
        yield from _told("help", name)
    yield "## Noisy tables"
    for asked in ESTIMATES:
        yield from _told("estimate", "out", *shlex.split(asked))
    yield "## What is refused"
    for given in REFUSED.splitlines():  # the first names nothing
        yield from _told(*given.split())


def _told(*words: str) -> Iterator[str]:
    """A command as it is typed, what it complains of, its exit code, and what it prints."""
    found = told(*words)
    yield f"$ riskline {shlex.join(words)}"
    yield from (f"! {line}" for line in found.complaint.splitlines())
    yield from [f"exit code {found.code}"] if found.code else []
    yield from _printed(found.out)
    yield ""


def _printed(out: str) -> Iterator[str]:
    """What is printed; of JSON the digits that every processor computes, of a page its words."""
    if out.startswith("{"):
        out = "\n".join(_parts(json.loads(out, parse_float=_short)))
    elif out.startswith("<"):
        page = re.sub(r"<(style|script|svg)\b.*?</\1>", "", out, flags=re.DOTALL)
        out = re.sub(r"(?=<(?:p|h\d|dt|li|tr|figcaption|a)\b)", "\n", page)
        out = "\n".join(" ".join(re.sub(r"<[^>]*>", " ", line).split()) for line in out.splitlines())
    yield from (
        LONG_NUMBER.sub(lambda digits: f"{_short(digits[0])}", line.rstrip())
        for line in out.splitlines()
        if line.strip()
    )


def _parts(document: dict[str, Any]) -> Iterator[str]:
    """A line for each part of what a document holds, but the version that wrote it."""
    for name, held in document.items():
        if isinstance(held, dict):
            yield from (f"  {name}: {part}: {json.dumps(value, ensure_ascii=False)}" for part, value in held.items())
        elif isinstance(held, list):
            yield from (f"  {name}: {json.dumps(value, ensure_ascii=False)}" for value in held)
        elif name != "riskline":
            yield f"  {name}: {json.dumps(held, ensure_ascii=False)}"


def _short(digits: str) -> float:
    return float(f"{float(digits):.6g}")
