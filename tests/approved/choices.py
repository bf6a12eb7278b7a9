"""Every choice of every page with its range, its options in their order and its default, shown by a setting or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from riskline.case.fields import Field
from ui.link.page_table import PageEntry

FOLDER = Path(__file__).with_name("choices")


def file_of_choices(stem: str) -> Path:
    """Where the choices of a page are approved."""
    return FOLDER / f"{stem}.txt"


def choices_in_words(entry: PageEntry) -> str:
    """One line for each choice of a page: what a link calls it, what a reader does, and what it takes."""
    return "".join(
        f"{field.name}: {'; '.join(_told(field))}\n" for field in sorted(entry.fields, key=lambda one: one.name)
    )


def _told(field: Field) -> Iterator[str]:
    yield f"“{field.label}”{f' ({field.which})' if field.which else ''}"
    if field.kind == "choice":
        yield "one of " + " / ".join(field.options)
    elif field.kind in ("number", "count"):
        yield f"{field.kind}, must {field.rule}"
    else:
        yield field.kind
    yield f"at first {field.encode(field.default)}"
    if field.span is not None:
        yield f"slider from {field.span[0]:g} to {field.span[1]:g}" + (f" by {field.step:g}" if field.step else "")
    elif field.step is not None:
        yield f"by {field.step:g}"
    if field.format is not None:
        yield f"as {field.format}"
    if field.help:
        yield field.help
    if field.former_name or field.former_options:
        former = [f"{old} is {new}" for old, new in field.former_options.items()]
        yield "in links of 0.1: " + ", ".join([field.former_name, *former] if field.former_name else former)
