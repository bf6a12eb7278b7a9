"""Docstrings as they are meant: citations as links into the list of works, and |x| as it is written."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from dpcore.sources import WORKS


def _cited(line: str) -> str:
    key, _, place = line.strip().partition(", ")
    work = WORKS.get(key)
    if work is None:
        return f"* {line.strip()}"
    return f"* :ref:`{work.short} <work-{key}>`" + (f", {place}" if place else "")


PLAIN = re.compile(r"(?<!\\)\|")
CODE = re.compile(r"(`+[^`]+`+|^ *>>> .*\n(?:.*\S.*\n)*)", re.MULTILINE)


def as_written(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Keep the bars of formulas from being read as markup, outside code and examples."""
    pieces = CODE.split("\n".join(lines) + "\n")
    pieces[::2] = [PLAIN.sub(r"\|", piece) for piece in pieces[::2]]
    lines[:] = "".join(pieces).splitlines()


SOURCES = re.compile(r"^Source: (.*(?:\n    .*)*)\n?", re.MULTILINE)
"""A work and the place in it, below the prose of a docstring; one too long for its line goes on indented."""


def list_citations(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Turn the lines with sources into the section that numpydoc knows, as items of a list, before it reads them."""
    text = "\n".join(lines)
    cited = [_cited(" ".join(source.split())) for source in SOURCES.findall(text)]
    if cited:
        lines[:] = [*SOURCES.sub("", text).rstrip().split("\n"), "", "References", "----------", *cited, ""]


class Works(SphinxDirective):
    """The list of works, from `dpcore.sources`."""

    def run(self) -> list[nodes.Node]:
        """One item a work, each a target that docstrings link to."""
        items = []
        for key, work in WORKS.items():
            target = nodes.make_id(f"work-{key}")
            text = nodes.paragraph("", "", nodes.strong("", work.short), nodes.Text(f". {work.title}. "))
            text += nodes.emphasis("", work.venue)
            items.append(nodes.list_item("", text, ids=[target]))
            self.env.domains.standard_domain.note_hyperlink_target(
                f"work-{key}", self.env.current_document.docname, target, work.short
            )
        return [nodes.bullet_list("", *items)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Rewrite docstrings before numpydoc does, which has priority 500."""
    app.connect("autodoc-process-docstring", as_written, priority=300)
    app.connect("autodoc-process-docstring", list_citations, priority=400)
    app.add_directive("works", Works)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
