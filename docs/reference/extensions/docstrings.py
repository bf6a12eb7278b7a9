"""Docstrings as they are meant: citations as links into the list of works, and |x| as it is written."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from dpcore.sources import SOURCE_LINES, WORKS, cited

PLAIN = re.compile(r"(?<!\\)\|")
CODE = re.compile(r"(`+[^`]+`+|^ *>>> .*\n(?:.*\S.*\n)*)", re.MULTILINE)


def as_written(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Keep the bars of formulas from being read as markup, outside code and examples."""
    pieces = CODE.split("\n".join(lines) + "\n")
    pieces[::2] = [PLAIN.sub(r"\|", piece) for piece in pieces[::2]]
    lines[:] = "".join(pieces).splitlines()


def list_citations(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Turn the lines with sources into the section that numpydoc knows, as items of a list, before it reads them."""
    text = "\n".join(lines)
    works = [f"* :ref:`{WORKS[key].short} <work-{key}>`, {place}" for key, place in cited(text)]
    if works:
        lines[:] = [*SOURCE_LINES.sub("", text).rstrip().split("\n"), "", "References", "----------", *works, ""]


ONE_LINE = re.compile(r"^(\w[\w, ]* : [^;]+); (.+)$")
"""A parameter, its type and its meaning, where they stand on one line."""


def set_meanings_apart(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Put the meaning of a parameter below its type, where numpydoc looks for it."""
    inside = False
    found: list[str] = []
    for number, line in enumerate(lines):
        if lines[number + 1 : number + 2] and re.fullmatch("-{3,}", lines[number + 1]):
            inside = line in ("Parameters", "Attributes")
        entry = ONE_LINE.match(line) if inside else None
        found += [entry[1], f"    {entry[2]}"] if entry else [line]
    lines[:] = found


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
    app.connect("autodoc-process-docstring", set_meanings_apart, priority=450)
    app.add_directive("works", Works)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
