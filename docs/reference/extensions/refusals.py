"""The page of all refusals: what each code means, and a table for each module, from `refusal_table`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

from dpcore.errors import Code
from extensions.modules import modules
from extensions.refusal_table import RefusalRow, refusals


def _table(heads: Sequence[str], rows: Iterable[Sequence[nodes.Node]]) -> nodes.table:
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in heads), cols=len(heads))
    head = nodes.row("", *(nodes.entry("", nodes.paragraph("", words)) for words in heads))
    body = [nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in row)) for row in rows]
    group += [nodes.thead("", head), nodes.tbody("", *body)]
    return nodes.table("", group)


def _meaning(code: Code) -> str:
    described = ModuleAnalyzer.for_module(inspect.getmodule(Code).__name__).find_attr_docs()
    return " ".join(" ".join(described["Code", code.name]).split())


class Codes(SphinxDirective):
    """The codes, each with its meaning."""

    def run(self) -> list[nodes.Node]:
        """One row a code."""
        return [_table(("Code", "Meaning"), ((nodes.literal("", code), nodes.Text(_meaning(code))) for code in Code))]


class Refusals(SphinxDirective):
    """What every module refuses."""

    def run(self) -> list[nodes.Node]:
        """A section for each module that has a page of its own; what its private parts refuse is among it."""
        pages = {module.__name__: [] for module in modules()}
        for row in refusals():
            parts = row.module.split(".")
            homes = [".".join(parts[:depth]) for depth in range(len(parts), 1, -1)]
            home = next((name for name in homes if name in pages), None)
            pages.setdefault(home or homes[-1], []).append(row)
        return [self._section(name, rows) for name, rows in sorted(pages.items()) if rows]

    def _section(self, name: str, rows: list[RefusalRow]) -> nodes.section:
        section = nodes.section("", nodes.title("", name), ids=[nodes.make_id(f"refusals-{name}")])
        self.state.document.note_explicit_target(section)
        shown = {
            (row.name, row.rule, row.codes, row.places): (
                nodes.literal("", row.name),
                nodes.Text(row.rule),
                nodes.Text(", ".join(row.codes)),
                nodes.Text(", ".join(row.places)),
            )
            for row in rows
        }
        section += _table(("Input", "must", "Codes", "Raised by"), shown.values())
        return section


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the directives."""
    app.add_directive("codes", Codes)
    app.add_directive("refusals", Refusals)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
