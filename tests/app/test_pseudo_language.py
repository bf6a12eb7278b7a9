"""Whatever a page shows comes from the catalogue: in another alphabet, next to nothing stays in Latin letters."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.app.pseudo_language import pseudo_file, share_of, shown_in_html, transliterated
from tests.each import each
from ui.link.page_table import PAGES

ROOT = Path(__file__).resolve().parents[2]
WANTED = 0.97


@cache
def measured() -> dict[str, float]:
    """The share of the letters that come from the catalogue, by page."""
    command = [sys.executable, "-m", "tests.app.pseudo_language", "--json"]
    told = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=240)
    assert told.returncode == 0, told.stderr[-3000:]
    shares: dict[str, float] = json.loads(told.stdout)
    return shares


def test_every_page_is_said_in_another_language() -> None:
    shares = measured()
    assert set(shares) == {"page_table", *(entry.stem for entry in PAGES)}
    short = {stem: share for stem, share in shares.items() if share < WANTED}
    assert not short, f"python -m tests.app.pseudo_language {' '.join(short)} tells the words; {short}"


@each(
    "said, moved",
    [
        ("a {b} c", "\u0561 {b} \u0563"),
        (
            "{up:at most **…**} and {share:.1f}",
            "{up:\u0561\u0574 \u056d\u056f\u0573\u0574 **…**} \u0561\u056e\u0564 {share:.1f}",
        ),
        ("{n} {n:row|rows}", "{n} {n:\u0572\u056f\u0577|\u0572\u056f\u0577\u0573}"),
        ("$x$ `y` [z](https://a)", "$x$ `y` [\u057a](https://a)"),
    ],
)
def test_placeholders_formulas_code_and_addresses_stay(said: str, moved: str) -> None:
    assert transliterated(said) == moved


def test_names_of_passages_and_labels_stay() -> None:
    assert pseudo_file("plain", "## name\n\nB") == "## name\n\n\u0532"
    assert pseudo_file("labels", "# Head\n\n- name.option: B") == "# Head\n\n- name.option: \u0532"


def test_words_left_in_python_are_counted() -> None:
    share = share_of(iter(["\u0561\u0561\u0561 two", "**1e-7** 0.4.0.dev0 `code`"]), str)
    assert (share.moved, share.left, share.words) == (3, 3, ("two",))
    assert shown_in_html('<img alt="a"><p>b</p><style>c</style>') == ["a", "b"]


REFUSING = [*(ROOT / "ui" / "link").glob("*.py"), *(ROOT / "ui" / "views").rglob("*.py")]
STILL_IN_PYTHON = {
    "ui/link/page_table.py": "a page that our own code names wrongly",
    "ui/views/choose/view.py": "one rule of a public list",
    "ui/views/positions/standing.py": "the length of a name",
    "ui/views/room/activity.py": "answers that phones send",
    "ui/views/room/attack.py": "bets that phones send",
    "ui/views/room/coin_survey.py": "answers that phones send",
    "ui/views/room/prediction.py": "guesses that phones send",
    "ui/views/room/proof.py": "guesses that phones send",
    "ui/views/room/understanding.py": "answers that phones send",
    "ui/views/room/vote.py": "votes that phones send",
}
"""Files whose refusals are not in the catalogue yet, or that no reader sees."""


def _refusals_in_python(source: str) -> list[str]:
    """Words of `ValueError`s that are written where they are raised."""
    raised = [node.exc for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Raise)]
    calls = [call for call in raised if isinstance(call, ast.Call) and ast.unparse(call.func) == "ValueError"]
    texts = [part.value for call in calls for part in ast.walk(call) if isinstance(part, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and " " in text.strip()]


def test_what_a_view_or_a_link_refuses_is_said_from_the_catalogue() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in REFUSING if _refusals_in_python(path.read_text())}
    assert found <= set(STILL_IN_PYTHON)
    assert _refusals_in_python("raise ValueError(f'must be one; got {1}')") == ["must be one; got "]
    assert _refusals_in_python("raise ValueError(word('counts.none')) from None") == []
