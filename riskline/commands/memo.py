"""`riskline memo`: the decision memo of a case, as *Decision memo* writes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from riskline.case.fields import shown
from riskline.case.file import not_used
from riskline.case.value import Case
from riskline.choices import NotTaken, values_of
from riskline.commands import limited_as_on_pages
from ui.documents.page import html_page
from ui.pictures.style import Style
from ui.views.memo import FIELDS as ALL
from ui.views.memo import MemoInputs, memo_view

FIELDS = tuple(field for field in ALL if field.name in ("until", "reasons", "household", "yearly"))
"""What the memo asks beside the case."""
KINDS = ("html", "docx", "pptx")
NEEDS = "pip install 'riskline[app]'"
WITHOUT_PICTURES = f"The pictures are left out: drawing them needs {NEEDS}."


def kind_of(name: str | None) -> str:
    """The kind of document that a file's name asks for: a page to print without one.

    Raises NotTaken for a name that ends otherwise.

    >>> kind_of("memo.docx"), kind_of(None)
    ('docx', 'html')
    """
    kind = "html" if name is None else PurePath(name).suffix.removeprefix(".").lower()
    if kind not in KINDS:
        raise NotTaken(f"--out must end with {', '.join(f'.{each}' for each in KINDS)}; got {shown(str(name))!r}.")
    return kind


def memo_of(case: Case, own: Mapping[str, str], voice: str, kind: str) -> tuple[bytes, str]:
    """The memo as a file of a kind, and what is to be said of it; a decision that came with a file is its claim.

    Raises NotTaken where a choice is refused, the case has no memo, or what writes the file is not installed.
    """
    values = {field.name: field.default for field in ALL if not field.of_case} | values_of(FIELDS, own)
    with limited_as_on_pages():
        view = memo_view(MemoInputs.of(values, case, claimed=True), Style(voice=voice))
    if view.refusal:
        raise NotTaken(view.refusal.replace("**", ""))
    document, note = view.printed_at(""), not_used(case)
    if kind == "html":
        notes = (note, "" if _can_draw() else WITHOUT_PICTURES)
        return html_page(document).encode("utf-8"), " ".join(filter(None, notes))
    try:
        if kind == "docx":
            from ui.documents.word import word_file

            return word_file(document), note
        from ui.documents.slides import slides_file

        return slides_file(view.deck), note
    except ImportError:
        raise NotTaken(f"Word files and slides need the dashboard's packages: {NEEDS}.") from None


def _can_draw() -> bool:
    """Whether what draws pictures into documents is installed."""
    try:
        import ui.documents.charts  # noqa: F401
    except ImportError:
        return False
    return True
