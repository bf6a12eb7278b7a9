"""What a link asked for, what of it was refused, and what it should say.

A page's choices are `Field`s. A link holds the ones that differ from their default, as text; a value that is
refused is reported by name and value and replaced by the default, never silently.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from dpcore._properties import cached_property

FRAME_NAMES = ("voice", "type")
"""Parameters of the frame, on whatever page."""
MAX_VALUE_LENGTH = 4000
LONGEST_IN_FILE = 40_000  # characters of one choice: a long list of releases or tables that no link can hold
MOST_OPTIONS_NAMED = 12
SHOWN_VALUE_LENGTH = 40


def shown(text: str) -> str:
    r"""A refused text as a notice shows it: one line of printable characters, cut at 40.

    >>> shown("one\ntwo\ud800")
    'one two�'
    """
    line = " ".join(text[: 4 * SHOWN_VALUE_LENGTH].split())
    line = "".join(mark if mark.isprintable() else "\ufffd" for mark in line)
    short = len(line) <= SHOWN_VALUE_LENGTH and len(text) <= 4 * SHOWN_VALUE_LENGTH
    return line if short else line[: SHOWN_VALUE_LENGTH - 1] + "…"


def encodable(text: str) -> str:
    """The same text, if a page, a link and a file can hold it.

    Raises ValueError: ``must be text that UTF-8 can write; got '…'`` for half of a surrogate pair, which only a damaged
    file holds.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"must be text that UTF-8 can write; got {shown(text)!r}") from None
    return text


def as_sentence(text: str) -> str:
    """What was refused as a sentence of its own: a capital first, one full stop last.

    >>> as_sentence("prior must lie in [0, 1]; got 1.2")
    'Prior must lie in [0, 1]; got 1.2.'
    """
    first = text[:1].upper() if text[:1].isascii() else text[:1]
    return f"{first}{text[1:].rstrip('.')}."


JOINTS = re.compile(r" out of | in |/")
THOUSANDS_COMMA = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?")
THOUSANDS_SPACE = re.compile(r"[+-]?[1-9][0-9]{0,2}( [0-9]{3})+([.,][0-9]+)?")
THOUSANDS_POINT = re.compile(r"[+-]?[1-9][0-9]{0,2}((\.[0-9]{3})+,[0-9]+|(\.[0-9]{3}){2,})")
DECIMAL_COMMA = re.compile(r"(?![+-]?[1-9][0-9]{0,2},[0-9]{3}e)[+-]?[0-9]*,[0-9]+(e[+-]?[0-9]+)?")
COMMA_OF_TWO_MEANINGS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
POINT_OF_TWO_MEANINGS = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}")
DECIMAL_POINT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?")
CLAUSE = re.compile(
    r"[?=:,]|\b(is|the|by|on|that|to|asks|hides|show|shown|protects|comes|may|find|say|read|within|from|at|after|have"
    r"|hidden|refuted|sure)\b",
    re.I,
)
"""What makes a label a question or part of a sentence rather than a name."""
SPACES = re.compile(r"[\s\u00a0\u2009\u202f]+")


def parse_number(text: str, *, share: bool = False, whole: bool = False) -> float:
    """The number a person typed: ``0.05``, ``1e-6``, ``1/20``, ``1 in 20``, ``0,05``, ``1,000.5``; a share ``5 %`` too.

    A comma stands between thousands only where it can: ``1,234`` is 1234 and ``0,025`` is 0.025. Nothing else is
    guessed: ``1,23.4`` is refused, ``31 %`` where no share is asked for, ``1.000`` where a whole number is.

    Raises ValueError: ``must be a number; got '…'`` when it cannot be read as one; ``must be a finite number; …``;
    ``must be typed without %; …``; ``must be typed without the point, which …``; ``must have at most one /, in or out
    of; …``; ``must not divide by zero; …``; ``must not be so small that it is read as 0; …``.

    >>> parse_number("5 %", share=True), parse_number("1/20"), parse_number("1 in 20"), parse_number("0,05")
    (0.05, 0.05, 0.05, 0.05)
    >>> parse_number("0,025"), parse_number("1,234"), parse_number("1,234.5"), parse_number("1.234,5")
    (0.025, 1234.0, 1234.5, 1234.5)
    """
    raw = SPACES.sub(" ", text.strip().lower().replace("\u2212", "-"))
    if "%" in raw and not share:
        raise ValueError(f"must be typed without %; got {shown(text)!r}")
    if whole and POINT_OF_TWO_MEANINGS.fullmatch(raw):
        raise ValueError(f"must be typed without the point, which could stand between thousands; got {shown(text)!r}")
    parts = JOINTS.split(raw)
    if len(parts) > 2:
        raise ValueError(f"must have at most one /, in or out of; got {shown(text)!r}")
    values = [_single_number(part.strip(), text) for part in parts]
    if len(values) == 2:
        if values[1] == 0:
            raise ValueError(f"must not divide by zero; got {shown(text)!r}")
        values = [values[0] / values[1]]
    if not math.isfinite(values[0]):
        raise ValueError(f"must be a finite number; got {shown(text)!r}")
    if values[0] == 0 and re.search("[1-9]", parts[0].partition("e")[0]):
        raise ValueError(f"must not be so small that it is read as 0; got {shown(text)!r}")
    return values[0] + 0.0  # minus zero is zero


def written_number(text: str) -> float:
    """The number that a program wrote; ValueError for a comma, and for what Python alone takes for a number.

    >>> written_number("-1.5e-3"), written_number("inf")
    (-0.0015, inf)
    """
    if "_" in text or not text.isascii():
        raise ValueError(f"must be a number; got {shown(text)!r}")
    return float(text)


def _single_number(raw: str, typed: str) -> float:
    percent = raw.endswith("%")
    if percent:
        raw = raw[:-1].strip()
    if raw.lstrip("+-") in ("nan", "inf", "infinity"):
        raise ValueError(f"must be a finite number; got {shown(typed)!r}")
    if THOUSANDS_COMMA.fullmatch(raw):
        raw = raw.replace(",", "")
    elif THOUSANDS_SPACE.fullmatch(raw):
        raw = raw.replace(" ", "").replace(",", ".")
    elif THOUSANDS_POINT.fullmatch(raw):
        raw = raw.replace(".", "").replace(",", ".")
    elif DECIMAL_COMMA.fullmatch(raw):
        raw = raw.replace(",", ".")
    elif not DECIMAL_POINT.fullmatch(raw):
        raise ValueError(f"must be a number; got {shown(typed)!r}")
    value = float(raw)
    return value / 100 if percent else value


def comma_reading(text: str, value: float) -> str | None:
    """What is said under a box in which a comma was typed: the number that was read; nothing without a comma.

    >>> comma_reading("1,234", 1234.0), comma_reading("0,025", 0.025), comma_reading("1.5", 1.5)
    ('Read as 1234: the comma stands between thousands.', 'Read as 0.025.', None)
    """
    return thousands_reading(text) or (f"Read as {number_text(value)}." if "," in text else None)


def thousands_reading(text: str) -> str | None:
    """What is said of a number whose one comma was taken as between thousands: it may have been a decimal one.

    >>> thousands_reading("1,234"), thousands_reading("1,23")
    ('Read as 1234: the comma stands between thousands.', None)
    """
    if not COMMA_OF_TWO_MEANINGS.fullmatch(text.strip().replace("\u2212", "-")):
        return None
    return f"Read as {number_text(parse_number(text))}: the comma stands between thousands."


def listed_numbers(text: str) -> list[float]:
    """The numbers of a typed list, between semicolons, commas with a space after them, spaces, or bare commas.

    Where semicolons or spaces separate, a comma belongs to its number. Between bare commas a number such as ``025``
    is refused: the reader may have meant ``0,025``. None of them is a share, so a percent sign is refused.

    >>> listed_numbers("1, 2.5, 3"), listed_numbers("1,2"), listed_numbers("0,5; 0,25"), listed_numbers("0,5 2")
    ([1.0, 2.5, 3.0], [1.0, 2.0], [0.5, 0.25], [0.5, 2.0])
    """
    if "%" in text:
        raise ValueError(f"must be typed without %; got {shown(text)!r}")
    if ";" in text:
        pieces = text.split(";")
    elif re.search(r",\s|,$", text):
        pieces = re.split(r"[,\s]+", text)
    elif re.search(r"\S\s+\S", text):
        pieces = text.split()
    else:
        pieces = text.split(",")
        for piece in pieces[1:]:
            if re.match(r"\s*0[0-9]", piece):
                raise ValueError(f"must stand between spaces or semicolons; got {shown(text)!r}")
    return [parse_number(piece) for piece in pieces if piece.strip()]


def number_text(value: float) -> str:
    """The shortest text that reads back as exactly this number, without a trailing ``.0``.

    >>> number_text(3.0), number_text(0.25), number_text(1e-6), number_text(2**53 - 1)
    ('3', '0.25', '1e-06', '9007199254740991')
    """
    if isinstance(value, int):
        return repr(int(value))
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def between(low: float, high: float, *, open_low: bool = False, open_high: bool = False, percent: bool = False) -> str:
    """What a number with two ends must do, in words; of a share that is shown so, in percent.

    >>> between(1, 1e6), between(0, 1, open_high=True, percent=True)
    ('be from 1 to 1,000,000', 'be at least 0 % and less than 100 %')
    >>> between(0, 100, open_low=True)
    'be greater than 0 and at most 100'
    """

    def told(end: float) -> str:
        if percent:
            return f"{100 * end:g} %"
        return f"{end:,.0f}" if float(end).is_integer() and abs(end) < 1e15 else f"{end:g}"

    if not open_low and not open_high:
        return f"be from {told(low)} to {told(high)}"
    least, most = "greater than" if open_low else "at least", "less than" if open_high else "at most"
    return f"be {least} {told(low)} and {most} {told(high)}"


def without_sign(text: str) -> str:
    """What is added where a share is out of range and would not be as a percentage; nothing where it is one.

    >>> without_sign(" 30 "), without_sign("120 %")
    ("; a percentage needs its sign, as in '30 %'", '')
    """
    return "" if "%" in text else f"; a percentage needs its sign, as in {shown(text.strip() + ' %')!r}"


@dataclass(frozen=True)
class Field:
    """One choice of a page: its name in the link, its words, its kind, what it may be and what it is at first.

    name : query parameter and attribute of the page's inputs
    label : what stands on the control, and what a refusal calls it
    kind : {'number', 'count', 'choice', 'flag', 'text', 'custom'}; how the text of the link becomes a value
    default : value when the link is silent; a number or count whose default is None may be left empty
    low, high : smallest and largest value of a number or count
    open_low, open_high : whether the ends themselves are excluded
    options : codes a choice may take
    undecided : the one of them that says nothing has been chosen: it is taken, and neither offered nor named
    former_name, former_options : what links of version 0.1 call the choice and its options; they are still read
    formerly : what a link of 0.1 to 0.3 meant that says other choices of its page and not this one; links of today say
        it beside any other
    help : what the control explains when it is asked
    span, step, format : part of the range that a slider shows until a link asks for more, its step, and how it writes
        the value
    called : label and help where other choices decide them, from the values of the page
    which : tells fields of one label apart in a refusal, such as ``1`` of six positions
    private : whether it stays in the reader's own address: in no scenario file and in no link that is copied
    in_address : whether the page's address has it; what is not in it stays in the session, and no link asks for it
    in_old_links : whether links and files of 0.1 to 0.3 held what no address has now; they are still read
    of_case : whether it is a part of the case, the same on every page, and not a choice of the page's own
    read, write : codec of a custom field; `read` raises `ValueError` with a sentence part such as ``must …; got …``
    """

    name: str
    label: str
    kind: str
    default: Any
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    options: tuple[str, ...] = ()
    undecided: str | None = None
    former_name: str = ""
    former_options: Mapping[str, str] = dataclass_field(default_factory=dict)
    formerly: str = ""
    help: str = ""
    span: tuple[float, float] | None = None
    step: float | None = None
    format: str | None = None
    called: Callable[[Mapping[str, Any]], tuple[str, str]] | None = None
    which: str = ""
    private: bool = False
    in_address: bool = True
    in_old_links: bool = False
    of_case: bool = False
    read: Callable[[str], Any] | None = None
    write: Callable[[Any], str] | None = None

    def as_shown(self, values: Mapping[str, Any]) -> Field:
        """The same field with the label and help that its control has beside these values of the page."""
        if self.called is None:
            return self
        label, help = self.called(values)
        return replace(self, label=label, help=help, called=None)

    @property
    def named(self) -> str:
        """The label as a refusal says it: between quotation marks where it is a question or part of a sentence.

        >>> Field("epsilon", "Budget ε", "number", 1.0).named, Field("start", "Where do you start?", "text", "").named
        ('Budget ε', '“Where do you start?”')
        """
        name = f"“{self.label}”" if CLAUSE.search(self.label) else self.label
        return f"{name} ({self.which})" if self.which else name

    @property
    def share(self) -> bool:
        """Whether it is a number from 0 to 1, which may be typed in percent."""
        return self.low >= 0 and self.high <= 1

    @property
    def offered(self) -> tuple[str, ...]:
        """The options that somebody can choose."""
        return tuple(option for option in self.options if option != self.undecided)

    @property
    def rule(self) -> str:
        """What the value must do, in words: ``be from 0 to 1``."""
        if self.kind == "choice":
            more = len(self.offered) - MOST_OPTIONS_NAMED
            quote = "'" if any("," in option for option in self.offered) else ""
            named = ", ".join(f"{quote}{option}{quote}" for option in self.offered[:MOST_OPTIONS_NAMED])
            return f"be one of {named}" + (f" or {more} others" if more > 1 else "")
        if self.kind == "flag":
            return "be yes or no"
        whole = "be a whole number " if self.kind == "count" else ""
        if self.high == math.inf:
            bound = "greater than" if self.open_low else "at least"
            return f"{whole or 'be '}{'of ' if whole and not self.open_low else ''}{bound} {self.low:g}"
        if whole:
            return f"{whole}from {self.low:,.0f} to {self.high:,.0f}"
        return between(
            self.low,
            self.high,
            open_low=self.open_low,
            open_high=self.open_high,
            percent=self.share and self.format == "percent",
        )

    def _holds(self, value: float) -> bool:
        """Whether the number is in its range."""
        above = value > self.low if self.open_low else value >= self.low
        return above and (value < self.high if self.open_high else value <= self.high)

    def decode(self, text: str, *, longest: int = MAX_VALUE_LENGTH) -> Any:
        """The value a text stands for; `ValueError` reads ``<named> must <rule>; got '<text>'``.

        `longest` is how many characters what has a codec of its own may take: more in a file than in a link.
        """
        most = longest if self.read is not None else MAX_VALUE_LENGTH
        if len(text) > most:
            raise ValueError(f"{self.named} must be at most {most} characters; got {len(text)}")
        try:
            encodable(text)
        except ValueError as error:
            raise ValueError(f"{self.named} {error}") from None
        if self.read is not None:
            try:
                return self.read(text)
            except ValueError as error:
                raise ValueError(f"{self.named}: {error}") from None
            except (ArithmeticError, MemoryError, RecursionError):
                raise ValueError(f"{self.named} must be something that can be computed; got {shown(text)!r}") from None
        if self.kind == "text":
            return text
        if self.kind == "choice":
            text = self.former_options.get(text, text)
            if text not in self.options:
                raise ValueError(f"{self.named} must {self.rule}; got {shown(text)!r}")
            return text
        if self.kind == "flag":
            if text.lower() not in ("yes", "no", "true", "false", "1", "0"):
                raise ValueError(f"{self.named} must {self.rule}; got {shown(text)!r}")
            return text.lower() in ("yes", "true", "1")
        if self.default is None and not text.strip():
            return None
        try:
            value = parse_number(text, share=self.share, whole=self.kind == "count")
        except ValueError as error:
            raise ValueError(f"{self.named} {error}") from None
        if not self._holds(value) or (self.kind == "count" and value != math.floor(value)):
            as_percent = self.share and value > 1 and self._holds(value / 100)
            more = without_sign(text) if as_percent else ""
            raise ValueError(f"{self.named} must {self.rule}; got {shown(text)!r}{more}")
        return int(value) if self.kind == "count" else value

    def checked(self, value: Any) -> Any:
        """The value as a link gives it back; `ValueError` reads ``<named> must <rule>; got …`` where none can.

        >>> Field("releases", "Releases", "count", 1, low=1).checked(12)
        12
        >>> Field("releases", "Releases", "count", 1, low=1).checked("12")
        Traceback (most recent call last):
            ...
        ValueError: Releases must be a number and not text; got '12'
        """
        number = self.kind in ("number", "count")
        try:
            if number and (isinstance(value, str | bool) or (value is None and self.default is not None)):
                raise TypeError
            text = self.encode(value)
        except (TypeError, ValueError, AttributeError, OverflowError):
            rule = self.rule if self.write is None else "be a value that a link can hold"
            rule = "be a number and not text" if number and isinstance(value, str) else rule
            raise ValueError(f"{self.named} must {rule}; got {shown(str(value))!r}") from None
        return self.decode(text, longest=LONGEST_IN_FILE)

    @cached_property
    def default_text(self) -> str:
        """The default as a link spells it."""
        return self.encode(self.default)

    def encode(self, value: Any) -> str:
        """The text that `decode` reads back as this value."""
        if self.write is not None:
            return self.write(value)
        if self.kind == "flag":
            return "yes" if value else "no"
        if value is None:
            return ""
        return str(value) if self.kind in ("choice", "text") else number_text(value)


def of_session(field: Field) -> Field:
    """The choice as one that holds the reader's own counts: in the session alone, in no link, file, log or cache.

    >>> own = of_session(Field("count", "A count in your table", "count", 200))
    >>> write_query([own], {"count": 17}), read_query([own], {"count": "17"}).values
    ({}, {'count': 17})
    """
    return replace(field, private=True, in_address=False, in_old_links=True)


@dataclass(frozen=True)
class Refusal:
    """A value in a link that was not taken: which, why and what stands instead; and why alone, as a sentence."""

    name: str
    sentence: str
    why: str = ""


@dataclass(frozen=True)
class Reading:
    """What a link said: every field's value, and what was refused."""

    values: dict[str, Any]
    refusals: tuple[Refusal, ...]


def pairs_of(query: str) -> list[tuple[str, str]]:
    """The parameters of a link in their order, each as often as the link names it.

    >>> pairs_of("epsilon=1&epsilon=2&name=")
    [('epsilon', '1'), ('epsilon', '2'), ('name', '')]
    """
    return parse_qsl(query, keep_blank_values=True)


def read_pairs(fields: Iterable[Field], pairs: Iterable[tuple[str, str]], *, known: Iterable[str] = ()) -> Reading:
    """As `read_query`, of parameters that may be named more than once: the last one counts, and that is said.

    >>> count = Field("releases", "Number of releases", "count", 1, low=1)
    >>> read_pairs([count], [("releases", "3"), ("releases", "12")]).refusals[0].sentence
    "The link names 'releases' 2 times; the last value, '12', counts."
    """
    given = list(pairs)
    reading = read_query(fields, dict(given), known=known)
    return Reading(reading.values, named_twice(given) + reading.refusals)


def named_twice(pairs: Iterable[tuple[str, str]]) -> tuple[Refusal, ...]:
    """What is said of parameters that a link names more than once.

    >>> named_twice([("releases", "3"), ("releases", "12"), ("unit", "days")])[0].name
    'releases'
    """
    given = list(pairs)
    last = dict(given)
    return tuple(
        Refusal(name, f"The link names {shown(name)!r} {often} times; the last value, {shown(last[name])!r}, counts.")
        for name, often in Counter(name for name, _ in given).items()
        if often > 1
    )


def read_query(
    fields: Iterable[Field], query: Mapping[str, str], *, known: Iterable[str] = (), longest: int = MAX_VALUE_LENGTH
) -> Reading:
    """The values a query asks for; refused and unknown parameters are reported.

    fields : the page's choices
    query : parameters of the link
    known : parameters that belong to somebody else (the frame) and are passed over
    longest : characters that a value with a codec of its own may take

    >>> releases = Field("releases", "Number of releases", "count", 1, low=1, high=1000)
    >>> read_query([releases], {"releases": "12"}).values
    {'releases': 12}
    >>> read_query([releases], {"releases": "many"}).refusals[0].sentence
    "Number of releases must be a number; got 'many'. The link's value was replaced by 1."
    """
    table = {field.name: field for field in fields}
    values = {name: field.default for name, field in table.items()}
    former = {field.former_name: field.name for field in table.values() if field.former_name}
    refusals = []
    for name, text in query.items():
        if name in table or (name in former and former[name] not in query):
            field = table[name] if name in table else table[former[name]]
            try:
                values[field.name] = field.decode(text, longest=longest)
            except ValueError as error:
                default = field.default_text
                instead = f" The link's value was replaced by {default}." if default else ""
                refusals.append(Refusal(name, f"{error}.{instead}", as_sentence(str(error))))
        elif name not in set(known):
            refusals.append(
                Refusal(
                    name,
                    f"This page has no choice called {shown(name)!r}; the link's value was ignored.",
                    f"This page has no choice called {shown(name)!r}.",
                )
            )
    return Reading(values, tuple(refusals))


def write_query(fields: Iterable[Field], values: Mapping[str, Any]) -> dict[str, str]:
    """The parameters a link needs: the fields of an address whose value differs from the default, in their order.

    >>> write_query([Field("releases", "Releases", "count", 1, low=1)], {"releases": 12})
    {'releases': '12'}
    """
    query, silent = {}, set()
    for field in fields:
        value = values.get(field.name, field.default)
        if not field.in_address or (value is field.default and not field.formerly):
            continue
        query[field.name] = field.encode(value)
        if query[field.name] == field.default_text:
            silent.add(field.name)
            if not field.formerly:
                del query[field.name]
    return query if set(query) - silent else {}


def link(page: str, fields: Iterable[Field], values: Mapping[str, Any], **frame: str) -> str:
    """The address of a page in a state, relative to the app's root.

    >>> link("accuracy", [Field("epsilon", "Budget", "number", 1.0)], {"epsilon": 0.5}, voice="technical")
    'accuracy?epsilon=0.5&voice=technical'
    """
    query = write_query(fields, values) | frame
    return page + ("?" + urlencode(query) if query else "")


def under(root: str, address: str) -> str:
    """An address relative to the app's root, under the root's own where that is known.

    >>> under("http://localhost:8501/", "memo"), under("", "memo")
    ('http://localhost:8501/memo', 'memo')
    """
    return f"{root.rstrip('/')}/{address}" if root else address
