"""Settings of a page, one after the other in a process of their own; what each took is printed as JSON.

Usage: python -m tests.attack_settings PAGE COUNT. Half of the values are ends of their range, in random company.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from importlib import import_module
from typing import Any

from tests.peak_memory import peak_bytes
from ui.link.fields import Field, read_query
from ui.link.page_table import page_entry
from ui.pictures.look import Look

FOLDS = {"hierarchy": ("build_up", "after_fitting", "noise_of_sums")}
UNREADABLE = re.compile(r"(?i:\bnan\b|\binf\b)|\bNone\b|np\.float|(?<![\w.,-])-0(?![\w.,])|\de-\d\d\d")


def corner_text(field: Field, dice: random.Random) -> str | None:
    """A legal value, an end of its range every other time; None leaves the default."""
    if field.name == "limit":
        return "0.5"  # seconds of search on the page *Rebuild a block*
    if dice.random() < 0.35:
        return None
    if field.kind in ("number", "count"):
        if field.name in ("place", "person") and dice.random() < 0.8:
            return str(dice.randint(1, 28))
        kind, width = dice.random(), field.high - field.low
        inside = field.low + width * dice.random() ** dice.choice((1, 3, 8))
        value = field.low if kind < 0.3 else field.high if kind < 0.6 else inside
        return str(int(value)) if field.kind == "count" else repr(float(value))
    if field.kind == "choice":
        return dice.choice(field.options)
    if field.kind == "flag":
        return dice.choice(("yes", "no"))
    return "".join(dice.choice("123456") for _ in range(dice.randint(0, 10))) if field.name == "bets" else None


def words_of(view: Any) -> str:
    """Every sentence and number a view holds, without its figures."""
    parts = [str(getattr(view, name, "")) for name in ("answer", "small_print", "conclusion", "numbers", "computed")]
    pictures = [value for value in vars(view).values() if hasattr(value, "reading")]
    pictures += list(getattr(view, "pictures", ()))
    return " ".join([*parts, *(picture.reading for picture in pictures)])


def main(stem: str, count: int) -> None:
    """Print the query, the processor time, the peak of memory so far and what cannot be read, a line for a setting."""
    module, dice = import_module(f"ui.views.{stem}"), random.Random(f"{stem} corners")
    view_of, inputs_of = getattr(module, f"{stem}_view"), getattr(module, f"{stem.capitalize()}Inputs")
    for step in range(count):
        texts = {field.name: corner_text(field, dice) for field in page_entry(stem).fields}
        query = {name: text for name, text in texts.items() if text is not None}
        reading = read_query(page_entry(stem).fields, query)
        look, start = Look(voice=("plain", "technical")[step % 2]), time.process_time()
        chosen = inputs_of(**reading.values)
        view = view_of(chosen, look)
        words = words_of(view)
        if view.refusal is None:
            words += " ".join(getattr(module, fold)(chosen, look).reading for fold in FOLDS.get(stem, ()))
        seconds = time.process_time() - start
        found = UNREADABLE.search(words)
        peak = peak_bytes() / 2**20
        seen = words[max(0, found.start() - 40) : found.end() + 20] if found else ""
        print(json.dumps({"query": query, "seconds": seconds, "megabytes": peak, "unreadable": seen}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
