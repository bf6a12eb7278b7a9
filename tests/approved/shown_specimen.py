"""Everything that the frame puts on a page of a view but links (which outlines have), element by element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

import dpcore
from tests.approved.outline import downloads

FILE = Path(__file__).with_name("shown_specimen.txt")
UNSEEN = re.compile(r'^\s*(id|spec|config|url|page_script_hash): .*$|^\s*deferred_file_id: "[^"]*"$', re.MULTILINE)
"""What a browser keeps for itself, and the figure: pictures have specimens of their own."""


def _page() -> None:
    import streamlit as st

    from riskline.case.fields import Refusal
    from tests.approved.specimens import ICONS, PICTURES
    from ui.frame import show
    from ui.pictures.panels import icon_panels
    from ui.pictures.style import Style
    from ui.pictures.table import Badges, Table
    from ui.words.python_lines import CodeLines

    told = [Refusal(f"n{number}", f"n{number} must be *1*; got x") for number in range(10)]
    table = Table("A **table** <i>", ("what", "how"), (("row **one**", Badges(("a", "<b>"))), ("two", 0.5)))
    st.session_state["_title"] = "A page"
    show.refused("Not `this`.")
    show.refused(None)
    show.refused_below("[x] is no number", "**3**", box="page.box")
    show.answer("It is **3** < 4.", "A bound; **thesis**", stale=True)
    show.answer("It is **3**.", "Exact")
    show.sentence("One **bold** & more")
    show.refusals(told)
    show.refusals(told[:8])
    show.refusals([])
    show.notice("**Bold** and *not*")
    show.caption("**Small** and _not_")
    show.numbers([("What **it** is", "**3**", "in & out"), ("Other", "4", "")])
    show.picture(PICTURES["dots"](Style()))
    show.picture(None)
    show.icons(icon_panels("people", ICONS[:1], Style()), reading="It **reads**")
    show.show_table(table)
    show.show_table(None)
    show.long_table(table, key="long")
    show.computed("By $x$", key="stem")
    show.paper("<p>a sheet</p>", "Its <name>")
    st.session_state["_python"] = CodeLines("answer = 1", ())
    show.same_in_python("stem")
    show.same_in_python("without")


def shown_in_words() -> str:
    """Each element with its fields, and what each file holds that is offered."""
    test = AppTest.from_function(_page, default_timeout=60)
    for key in ("specimen.table", "people.table", "twin.table", "stem.python"):
        test.session_state[key] = True
    with downloads() as files:
        test.run()
    assert not test.exception, test.exception
    lines = [*_told(test.main, 0, files), "# Files", *(line for file in files.values() for line in _held(*file))]
    told = "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"
    return told.replace(dpcore.__version__, "(version)")


def _told(block: Block, depth: int, files: dict[str, Any]) -> Iterator[str]:
    for child in block.children.values():
        fields = UNSEEN.sub("", str(child.proto)).strip()
        found = files.get(getattr(child.proto, "id", ""))
        key = re.findall(r"[0-9a-f]{32}-(.*)", getattr(child.proto, "id", ""))
        told = " ".join([child.type, *key, *fields.split()])
        yield "  " * depth + told + (f" -> {found[0]} as {found[1]}" if found else "")
        if isinstance(child, Block):
            yield from _told(child, depth + 1, files)


def _held(name: str, mime: str, data: Any) -> Iterator[str]:
    """A file's name and kind, and how it begins: a table whole, and where a drawing says that it was made."""
    content = data() if callable(data) else data
    content = content.encode() if isinstance(content, str) else content
    yield f"{name} ({mime})"
    yield content.decode() if name.endswith(".csv") else repr(content[:8])
    if name.endswith(".svg"):
        yield from re.findall(r">(Riskline [^<]*)<", content.decode())
