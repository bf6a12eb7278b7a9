"""The commands that answer: each is a page of the dashboard, read on a command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from riskline.case.fields import Field
from riskline.case.value import Case
from riskline.choices import NotTaken
from riskline.limits import within_limits
from riskline.output import Answer
from ui.link.sheet_file import LARGEST_FILE, read_sheet_csv
from ui.words.refusals import BEYOND_NUMBERS, TOO_FAR, UNCOMPUTABLE

Row = TypeVar("Row")


@dataclass(frozen=True)
class File:
    """A file that a command takes: what it holds; the choices that it sets, and what it brings beside them.

    Of `several`, `take` is handed their names and contents. `most` is how many bytes one may have. One that holds a
    budget stands beside no case, which has its own.
    """

    help: str
    take: Callable[[Any], tuple[dict[str, Any], dict[str, Any]]]
    most: int = LARGEST_FILE
    several: int = 1
    holds_budget: bool = False


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command that answers.

    stem, fields, inputs : the page whose question it asks, its choices, and what holds them
    answer : what it tells of those choices, in a voice, and of what a file brings beside them
    examples : arguments that a help shows
    left_out : choices that change nothing of what is told: links bring them, a help leaves them out
    file : the file it takes, if any
    plan : the plan of a release that it can begin, as a file, and what is to be said of it
    implied : choices that say another one: which, and how
    of_case : its choices as they begin with a case, where it can be asked about one
    budgets, needs : the choices that hold a budget, where it is about one; the part that a case must have
    """

    stem: str
    fields: tuple[Field, ...]
    inputs: Callable[..., Any]
    answer: Callable[..., Answer]
    examples: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    file: File | None = None
    plan: Callable[[Any], tuple[str, str]] | None = None
    implied: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    of_case: Callable[[Case], tuple[Field, ...]] | None = None
    budgets: tuple[str, ...] = ()
    needs: str = ""

    @property
    def holds_case(self) -> bool:
        """Whether the view takes the whole case and not only choices of it."""
        return "case" in getattr(self.inputs, "__dataclass_fields__", ())


def refuse(refusal: str | None) -> None:
    """Ends a command where its page has no answer, in the page's words."""
    if refusal == BEYOND_NUMBERS:
        raise NotTaken(TOO_FAR, computable=False)
    if refusal:
        raise NotTaken(refusal)


@contextmanager
def limited_as_on_pages() -> Iterator[None]:
    """Ends a command that needs more time or memory than its page has, in the page's words."""
    try:
        with within_limits():
            yield
    except UNCOMPUTABLE:
        raise NotTaken(TOO_FAR, computable=False) from None


def rows_of_csv(
    content: bytes, heads: Mapping[str, str], most_rows: int, row_of: Callable[[tuple[str, ...]], Row | None]
) -> tuple[Row, ...]:
    """The rows of a page's spreadsheet in a CSV file, as the page takes them."""
    cells = read_sheet_csv(content, heads=list(heads.values()), most_rows=most_rows)
    return tuple(row for typed in cells if (row := row_of(typed)) is not None)
