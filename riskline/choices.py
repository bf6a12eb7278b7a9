"""What a command is asked: the choices of its page, as options or as a link, read and refused as the page does it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from riskline.case.fields import Field, pairs_of, read_query, shown, thousands_reading
from riskline.case.link import MARK, read_case
from riskline.case.value import Case
from ui.link.case_links import page_query
from ui.link.page_table import FRAME_FIELDS, PAGES

if TYPE_CHECKING:
    from riskline.commands import Command

NAMED_IN_PLACE = 6
"""So many options of a choice stand beside its name in a help; more are listed in its words."""
LONGEST_OPENING = 60


class NotTaken(Exception):
    """Choices without an answer.

    sentence : why, as the page says it
    choice : the choice that is refused; nothing where it is several together
    more : further refusals, each its choice and its sentence
    computable : False where it is numbers that cannot be computed with
    """

    def __init__(
        self, sentence: str, choice: str = "", *, more: tuple[tuple[str, str], ...] = (), computable: bool = True
    ) -> None:
        super().__init__(sentence)
        self.refusals = ((choice, sentence), *more)
        self.computable = computable


def option(choice: str) -> str:
    """How a choice is called on a command line.

    >>> option("half_width")
    '--half-width'
    """
    return "--" + choice.replace("_", "-")


def of_option(choice: str, said: str, named: str | None) -> str:
    """A page's refusal of a choice as a command line says it: of the option, and not of the control of that label.

    >>> of_option("line", "“Which line?” must be one of box, drawn.", "“Which line?”")
    '--line must be one of box, drawn.'
    >>> of_option("points", "The points rise.", "Drawn points"), of_option("", "The link is too long.", None)
    ('--points: The points rise.', 'The link is too long.')
    """
    if named is None:
        return said
    if said.startswith(named):
        return option(choice) + said.removeprefix(named)
    _, quoted, rest = said.partition("”") if said.startswith("“") else ("", "", said)
    return f"{option(choice)}{rest}" if quoted else f"{option(choice)}: {said}"


def add_options(parser: Any, fields: Iterable[Field]) -> None:
    """An option for each choice, told as its page tells it; texts are kept as typed, for the page's own reading."""
    fields = tuple(fields)
    opening = {field.name: field.default for field in fields}
    for field in fields:
        of_few = field.kind == "choice" and len(field.offered) <= NAMED_IN_PLACE
        parser.add_argument(
            option(field.name),
            dest=field.name,
            default=argparse.SUPPRESS,
            metavar="|".join(field.offered) if of_few else ("yes|no" if field.kind == "flag" else "VALUE"),
            help=explained(field.as_shown(opening)).replace("%", "%%"),
            **({"nargs": "?", "const": "yes"} if field.kind == "flag" else {}),
        )


def read_as_thousands(fields: Iterable[Field], asked: argparse.Namespace) -> Iterator[str]:
    """What is said of typed numbers whose one comma may have been a decimal one.

    >>> list(read_as_thousands([Field("ratio", "Times", "number", 3.0)], argparse.Namespace(ratio="2,500")))
    ['--ratio: Read as 2500: the comma stands between thousands.']
    """
    for field in fields:
        said = thousands_reading(getattr(asked, field.name, "")) if field.kind in ("number", "count") else None
        if said:
            yield f"{option(field.name)}: {said}"


def option_fault(error: argparse.ArgumentError) -> str:
    """Why an option was not taken, as a sentence.

    >>> cap = argparse.ArgumentParser().add_argument("--cap")
    >>> option_fault(argparse.ArgumentError(cap, "expected one argument"))
    'The option --cap must be followed by a value; one that begins with - is joined to it by =.'
    """
    name = error.argument_name
    if "not allowed with" in error.message:
        return f"Choose {error.message.rpartition(' ')[2]} or {name}, not both."
    if "ignored explicit" in error.message:
        return f"The option {name} takes no value."
    return f"The option {name} must be followed by a value; one that begins with - is joined to it by =."


def listed_choices(command: Command) -> list[Field]:
    """The choices that a help lists: those of its examples first, in their order, then the case's, then its own."""
    typed = " ".join(command.examples).split()

    def place(field: Field) -> tuple[int, bool]:
        name = option(field.name)
        return typed.index(name) if name in typed else len(typed), not field.of_case

    return sorted((field for field in command.fields if field.name not in command.left_out), key=place)


def named_below(field: Field) -> bool:
    """Whether the options of a choice are names of several words, which a help lists one a line."""
    return field.kind == "choice" and any(" " in each for each in field.offered)


def lists(fields: Iterable[Field]) -> str:
    """The names that some choices take, one a line under their option.

    >>> print(lists([Field("whose", "Whose?", "choice", "Town, north", options=("Town, north", "Elsewhere"))]), end="")
    --whose takes one of these, in quotation marks:
      Town, north
      Elsewhere
    <BLANKLINE>
    """
    told = ""
    for field in filter(named_below, fields):
        names = "".join(f"  {each}\n" for each in field.offered)
        told += f"{option(field.name)} takes one of these, in quotation marks:\n{names}\n"
    return told


def explained(field: Field) -> str:
    """What an option is, what it may be and what it is at first, in the words of its page.

    >>> explained(Field("releases", "How many releases?", "count", 1, low=1, high=1000))
    'How many releases? (a whole number from 1 to 1,000; default: 1)'
    >>> explained(Field("cap", "Always acceptable up to", "number", 0.25, low=0, high=1, open_high=True))
    'Always acceptable up to (at least 0 and less than 1; default: 0.25)'
    """
    rule = ""
    if field.kind in ("number", "count") or len(field.offered) > NAMED_IN_PLACE:
        rule = "one of the names below" if named_below(field) else replace(field, format=None).rule.removeprefix("be ")
        rule += "; "
    first = field.default_text if len(field.default_text) <= LONGEST_OPENING else "the page's example"
    return f"{field.label} ({rule}default: {first or 'none'})"


def query_of(link: str, stem: str, fields: Iterable[Field] = ()) -> dict[str, str]:
    """The parameters of a link to a page, or of what follows its question mark.

    Raises NotTaken where the link leads to another page.

    >>> query_of("http://localhost:8501/choose?ratio=2", "choose"), query_of("?ratio=2", "choose")
    ({'ratio': '2'}, {'ratio': '2'})
    """
    parts = _parts_of(link)
    page = parts.path.rstrip("/").rpartition("/")[2]
    if page and page != stem:
        known = {entry.stem: entry.title for entry in PAGES}
        there = f"the page {known[page]!r}" if page in known else f"{shown(page)!r}"
        raise NotTaken(f"The link must lead to the page {known[stem]!r}; it leads to {there}.")
    return page_query(stem, fields, pairs_of(parts.query))


def case_of(link: str) -> Case | None:
    """The case that a link says it holds; None where it says nothing of one, and for the example.

    >>> case_of("publication?case=own&unit=household"), case_of("publication?rho=1")
    (Case(unit='household'), None)
    """
    query = dict(pairs_of(_parts_of(link).query))
    found = read_case(query).case if MARK in query else None
    return None if found is None or found.is_example else found


def _parts_of(link: str) -> SplitResult:
    try:
        return urlsplit(link if "?" in link or "=" not in link else f"?{link}")
    except ValueError:
        raise NotTaken(f"The link must be an address of Riskline; got {shown(link)!r}.") from None


def values_of(fields: Iterable[Field], query: Mapping[str, str]) -> dict[str, Any]:
    """The choices that a query spells, every one of which is taken.

    Raises NotTaken with the page's sentence for each that is not.
    """
    reading = read_query(fields, query, known=[field.name for field in FRAME_FIELDS])
    if reading.refusals:
        first, *others = ((refusal.name, refusal.why) for refusal in reading.refusals)
        raise NotTaken(first[1], first[0], more=tuple(others))
    return reading.values
