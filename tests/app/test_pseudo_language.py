"""Whatever a page shows comes from the catalogue: in another alphabet, next to nothing stays in Latin letters."""

from __future__ import annotations

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
