"""The answers beside the truth, and the processor time that each took."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from mpmath import mpf, nstr

from benchmarks.peers.questions import QUESTIONS, TOOLS, Question
from benchmarks.timing import ROOT, best

FILE = ROOT / "ui" / "data" / "peers.json"
ROUNDING = 1e-12  # of the truth
PROOF = ROOT / "docs" / "proof" / "peers.md"


def measured() -> list[dict[str, Any]]:
    """Every question with its truth and every answer."""
    return [_asked(question) for question in QUESTIONS]


def _asked(question: Question) -> dict[str, Any]:
    truth = mpf(question.truth())
    answers = []
    for tool, (call, ask) in question.ways.items():
        answer = float(ask())
        excess = mpf(answer) - truth
        answers.append(
            {
                "tool": tool,
                "version": version(TOOLS[tool]) if TOOLS[tool] else "",
                "call": call,
                "answer": answer,
                "safe_excess": float(excess if question.safe_above else -excess),
                "seconds": best(ask, 3),
            }
        )
    return {"key": question.key, "words": question.words, "truth": nstr(truth, 16), "answers": answers}


def _off(one: dict[str, Any], asked: dict[str, Any]) -> str:
    """How far an answer lies from the truth; nothing where that is within the machine's own rounding."""
    excess = one["safe_excess"]
    return "–" if abs(excess) <= ROUNDING * float(asked["truth"]) else f"{excess:+.1e}"


def as_text(found: list[dict[str, Any]]) -> str:
    """What the app ships."""
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def as_document(found: list[dict[str, Any]]) -> str:
    """What the repository shows."""
    lines = [
        "# The same questions asked of other libraries",
        "",
        "`python -m benchmarks.peers` ran all of this at once and wrote this page. `benchmarks/peers/truths.py`",
        "computes the truth without dpcore or any library compared here. *Off by* is an answer's distance from it:",
        "a positive one holds but is not tight, a negative one claims more than holds, and a dash means less than a",
        "millionth of a millionth. A library missing from a table has no call for the question. Each is called as",
        "its documentation says, with its own settings (prv-accountant for a bracket that is 0.02 wide). OpenDP's",
        "numbers come from ρ alone, or from ε alone: they hold for every release with that budget. Times are",
        "processor time, the best of three.",
    ]
    for each in found:
        lines += ["", f"## {each['words']}", "", f"Truth: {each['truth']}", ""]
        lines += ["| library | call | answer | off by | ms |", "|---|---|---|---|---|"]
        for one in each["answers"]:
            told = f"{one['answer']:.12g} | {_off(one, each)} | {1000 * one['seconds']:.2g}"
            lines.append(f"| {one['tool']} {one['version']} | `{one['call']}` | {told} |")
    return "\n".join(lines) + "\n"
