"""Refusals as values: what was refused, by which rule, which value, and a code that programs decide by.

Every refusal of dpcore is a `Refused`. Its text is for readers, ``<name> must <rule>; got <value>``; whoever has to act
on a refusal reads its `code`, which is one of `Code`, and never the text. A refusal reaches another process with all
its fields, so that a study in worker processes can tell what one of its tasks was refused for.
"""

from __future__ import annotations

import pickle
import re
from enum import StrEnum
from typing import Any


class Code(StrEnum):
    """Kinds of refusal: a closed set; no promise about a secret belongs to it.

    Examples
    --------
    >>> Code("out_of_range") is Code.OUT_OF_RANGE
    True
    """

    NOT_A_NUMBER = "not_a_number"
    """Text, a boolean or another object where a number is asked for."""
    NOT_FINITE = "not_finite"
    """NaN, or an infinity where none is allowed."""
    NOT_WHOLE = "not_whole"
    """A fraction where a whole number is asked for."""
    OUT_OF_RANGE = "out_of_range"
    """A number outside the interval its rule names."""
    WRONG_ORDER = "wrong_order"
    """Numbers that must rise or follow one another and do not; a lower end above its upper end."""
    WRONG_SHAPE = "wrong_shape"
    """An array or list of another length or number of dimensions."""
    WRONG_TYPE = "wrong_type"
    """An object of another kind than the one asked for."""
    WRONG_FORM = "wrong_form"
    """Text, a file or a formula that cannot be read as what it should be."""
    EMPTY = "empty"
    """Nothing where something is needed; no mass, nobody."""
    REPEATED = "repeated"
    """The same thing twice where each may come once."""
    UNKNOWN_CHOICE = "unknown_choice"
    """None of the options, or a name that is not listed."""
    INCONSISTENT = "inconsistent"
    """Inputs that are allowed alone and not together."""
    INFEASIBLE = "infeasible"
    """A wish that no release, budget or table can meet."""
    IMPROPER = "improper"
    """A posterior that does not integrate to one."""
    UNSUPPORTED = "unsupported"
    """A question that this object, promise or law does not answer."""
    TOO_NARROW = "too_narrow"
    """A bound asked to speak for more releases, readers or views than it holds for."""
    TOO_LARGE = "too_large"
    """More memory, time, entries or digits than a computation here may take."""
    NOT_INSTALLED = "not_installed"
    """An optional part of the installation that is missing."""


_CHOICE = re.compile(r"<[A-Z]\w*\.[A-Z]\w*: ('[^']*')>")
"""A member of an enumeration as Python writes it, alone or inside another value, and what a caller types for it."""


def shown_value(value: Any) -> str:
    """How a value reads in a refusal: as it is typed, without the wrappers of numpy's numbers and of choices.

    No promise about a secret belongs to it.

    Examples
    --------
    >>> shown_value("bounded")
    "'bounded'"
    >>> shown_value([Code.EMPTY, Code.REPEATED])
    "['empty', 'repeated']"
    """
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = value.item()
    try:
        return _CHOICE.sub(r"\1", repr(value))
    except ValueError:  # Python refuses to print integers of more than a few thousand digits
        return f"a whole number of {value.bit_length()} bits" if isinstance(value, int) else f"a {type(value).__name__}"


class Refused(ValueError):
    """An input that was refused: its name, the rule it breaks, the value, and the kind of refusal.

    No promise about a secret belongs to it.

    Parameters
    ----------
    name : str; the input as the caller knows it: a parameter, or parameters that do not go together
    rule : str; what the input must do or be, as it follows *must*: ``lie in [0, 1]``
    value : object; the offending value. In another process it is there as it was, or as its text where it cannot be
        sent.
    code : Code; the kind of refusal
    got : str, optional; how the value reads in the text where `repr` does not say it well; empty where the text ends
        with its rule
    at : str, optional; where the value stands when it is one of many; the text begins with it
    text : str, optional; the text after that place where it does not follow the pattern

    Examples
    --------
    >>> refusal = Refused("prior", "lie in [0, 1]", 1.2, Code.OUT_OF_RANGE)
    >>> str(refusal)
    'prior must lie in [0, 1]; got 1.2'
    >>> refusal.code, refusal.value
    (<Code.OUT_OF_RANGE: 'out_of_range'>, 1.2)
    """

    def __init__(
        self,
        name: str,
        rule: str,
        value: Any,
        code: Code,
        *,
        got: str | None = None,
        at: str = "",
        text: str | None = None,
    ) -> None:
        if text is None:
            shown = shown_value(value) if got is None else got
            text = f"{name} must {rule}; got {shown}" if shown else f"{name} must {rule}"
        super().__init__(f"{at}: {text}" if at else text)
        self.name = name
        self.rule = rule
        self.value = value
        self.code = Code(code)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = dict(self.__dict__)
        try:
            pickle.loads(pickle.dumps(self.value))
        except Exception:  # a foreign object may raise anything; the refusal must still get through
            fields["value"] = shown_value(self.value)
        return _rebuilt, (type(self), self.args, fields)


def _rebuilt(kind: type[Refused], texts: tuple[str, ...], fields: dict[str, Any]) -> Refused:
    """A refusal with the fields it had, whatever its class asks for when it is made."""
    refusal = kind.__new__(kind, *texts)
    refusal.__dict__.update(fields)
    return refusal
