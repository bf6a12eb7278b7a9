"""Pages made from data when they are built: errata with their results, and how to cite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from dpcore.sources import WORKS
from riskline.record.errata import ERRATA, OWN_ERRATA, Checked

ROOT = Path(__file__).resolve().parents[3]


class Noted(SphinxDirective):
    """A section for each of some notes: where, what is printed, what is right, and one line that computes it now."""

    notes: tuple[Any, ...]

    def parts(self, note: Any) -> Iterator[tuple[str, str]]:
        """Words before a text, and the text."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Sections with targets of their own, their results computed by this call."""
        return [self._section(note) for note in self.notes]

    def _section(self, note: Any) -> nodes.section:
        section = nodes.section("", nodes.title("", note.title), ids=[nodes.make_id(note.title)])
        self.state.document.note_explicit_target(section)
        for head, text in self.parts(note):
            section += nodes.paragraph("", "", nodes.strong("", head), nodes.Text(" "), *_code_in_words(text))
        section += _computed(note)
        return section


def _code_in_words(text: str) -> Iterator[nodes.Node]:
    """Words, and code where they stand between backticks."""
    for place, piece in enumerate(text.split("`")):
        yield nodes.literal("", piece) if place % 2 else nodes.Text(piece)


def _computed(note: Checked) -> nodes.literal_block:
    lines, result = note.imports.replace("; ", "\n"), note.result()
    exact = replace(note, digits=15).result() == result
    result = result if exact else f"≈ {result}"  # most are bounds, and shown to the nearest digit
    return nodes.literal_block("", "", nodes.Text(f"{lines}\n\nprint({note.check})\n# {result}"), language="python")


class Errata(Noted):
    """Where print and computation differ."""

    notes = ERRATA

    def parts(self, note: Any) -> Iterator[tuple[str, str]]:
        """What is printed and where, and what we compute."""
        yield f"{WORKS[note.source].short}, {note.locator}.", ""
        yield "Printed:", note.printed
        yield "Computed:", note.reason
        if note.inferred:
            yield "", "The explanation is inferred from the numbers."


class OwnErrata(Noted):
    """What earlier versions of Riskline said wrongly."""

    notes = OWN_ERRATA

    def parts(self, note: Any) -> Iterator[tuple[str, str]]:
        """What was said and where, and what is right."""
        yield f"Version {note.version}, {note.where}.", ""
        yield "Said:", note.printed
        yield "Right:", note.reason


class Citation(SphinxDirective):
    """The entry of a bibliography, from CITATION.cff."""

    def run(self) -> list[nodes.Node]:
        """What to write, as text and as BibTeX."""
        path = ROOT / "CITATION.cff"
        self.env.note_dependency(str(path))
        cited = yaml.safe_load(path.read_text(encoding="utf-8"))
        authors = " and ".join(
            person.get("name") or f"{person['given-names']} {person['family-names']}" for person in cited["authors"]
        )
        entry = {"author": f"{{{authors}}}", "title": f"{{{cited['title']}}}", "version": cited["version"]}
        entry["year"] = str(cited["date-released"])[:4]
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in entry.items())
        text = nodes.paragraph("", cited["message"])
        return [text, nodes.literal_block("", f"@software{{riskline,\n{lines}\n}}", language="bibtex")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the directives."""
    app.add_directive("errata", Errata)
    app.add_directive("own-errata", OwnErrata)
    app.add_directive("citation", Citation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
