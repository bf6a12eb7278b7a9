"""`riskline memo`: the decision memo of a case, as *Decision memo* writes it, and what is filed beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from ui.views.memo.filing import QUESTIONS, filing_view
from ui.words.catalogue import label
from ui.words.markdown import without_marks

FIELDS = tuple(field for field in ALL if field.name in ("until", "reasons", "household", "yearly"))
"""What the memo asks beside the case."""
KINDS = ("html", "docx", "pptx")
FILED = {"label": ("html", "svg", "png"), "registry": ("yaml", "yml"), "annex": ("html", "docx")}
"""What is filed beside the memo, each with the kinds of file it can be."""
ANNEXES = tuple(QUESTIONS)
NEEDS = "pip install 'riskline[app]'"
WITHOUT_PICTURES = f"The pictures are left out: drawing them needs {NEEDS}."


def kind_of(name: str | None, kinds: Sequence[str] = KINDS) -> str:
    """The kind of document that a file's name asks for: the first one without a name.

    Raises NotTaken for a name that ends otherwise.

    >>> kind_of("memo.docx"), kind_of(None), kind_of(None, FILED["registry"])
    ('docx', 'html', 'yaml')
    """
    kind = kinds[0] if name is None else PurePath(name).suffix.removeprefix(".").lower()
    if kind not in kinds:
        raise NotTaken(f"--out must end with {', '.join(f'.{each}' for each in kinds)}; got {shown(str(name))!r}.")
    return kind


def memo_of(case: Case, own: Mapping[str, str], voice: str, kind: str) -> tuple[bytes, str]:
    """The memo as a file of a kind, and what is to be said of it; a decision that came with a file is its claim.

    Raises NotTaken where a choice is refused, the case has no memo, or what writes the file is not installed.
    """
    with limited_as_on_pages():
        view = memo_view(_inputs(case, own), Style(voice=voice))
    if view.refusal:
        raise NotTaken(without_marks(view.refusal))
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


def _inputs(case: Case, own: Mapping[str, str]) -> MemoInputs:
    values = {field.name: field.default for field in ALL if not field.of_case} | values_of(FIELDS, own)
    return MemoInputs.of(values, case, claimed=True)


def filed_of(case: Case, own: Mapping[str, str], voice: str, what: str, kind: str) -> tuple[bytes, str]:
    """What is filed of a case, as a file of a kind: "label", "registry" or an annex by its name; and a note on it.

    Raises NotTaken as `memo_of`, and where the case has no budget.
    """
    with limited_as_on_pages():
        view = filing_view(_inputs(case, own), Style(voice=voice))
    if view.refusal or view.card is None:
        raise NotTaken(without_marks(view.refusal or ""))
    notes = not_used(case)
    try:
        if what == "registry":
            missing = label("filing", "missing", missing=", ".join(view.open)) if view.open else ""
            return view.record_at("").encode(), " ".join(filter(None, (notes, missing)))
        if what == "label":
            if kind == "png":
                from ui.documents.charts import pixels_of

                return pixels_of(view.card.svg), notes
            return (view.card.page if kind == "html" else view.card.svg).encode(), notes
        if kind == "docx":
            from ui.documents.word import word_file

            return word_file(view.annexes[what]), notes
        return html_page(view.annexes[what]).encode(), notes
    except ImportError:
        raise NotTaken(f"This file needs the dashboard's packages: {NEEDS}.") from None


def _can_draw() -> bool:
    """Whether what draws pictures into documents is installed."""
    try:
        import ui.documents.charts  # noqa: F401
    except ImportError:
        return False
    return True
