"""One dialect of docstrings: a type behind a parameter's name and its meaning below; examples where people begin."""

from __future__ import annotations

import inspect
import re

from tests.architecture.public_names import EVERY, PUBLIC
from tests.each import each

ONE = (
    r"(?:float|int|str|bool|bytes|object|None|array_like|array|callable|mapping|tuple|type|guarantee|mechanism|"
    r"additive noise|\{.+?\}|\"any\"|(?:numpy\.random\.)?[A-Z]\w+)"
)
SHAPE = r"(?:,? (?:of )?shape \(.*?\))?"
MANY = rf"(?:(?:sequence|list|tuple|pair|iterable|array|array_like) of )*{ONE}(?:, (?:{ONE}))*{SHAPE}"
TYPE = re.compile(rf"{MANY}(?: or {MANY})*(?:, (?:optional|default .+))?")
"""Types as words: a class, a choice in braces, lists of them, joined by *or*; a shape may follow."""


def slots(text: str) -> list[tuple[str, str]]:
    """Names and slots of the parameters that a docstring describes."""
    block = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n\S[^\n]*\n-+\n|\Z)", text, re.DOTALL | re.MULTILINE)
    lines = block.group(1).split("\n") if block else []
    heads = [line for line in lines if line and not line.startswith(" ")]
    return [(head.partition(" : ")[0], head.partition(" : ")[2]) for head in heads]


def told() -> list[tuple[str, str]]:
    """Docstrings of the public functions and classes, and of the public methods of these classes."""
    found = []
    for name, value in PUBLIC:
        found.append((name, inspect.getdoc(value) or ""))
        for key, member in vars(value).items() if inspect.isclass(value) else ():
            if not key.startswith("_") and inspect.getdoc(member) and not isinstance(member, (int, float, str, tuple)):
                found.append((f"{name}.{key}", inspect.getdoc(member) or ""))
    return found


TOLD = [(name, text) for name, text in told() if slots(text)]


@each("name, text", TOLD)
def test_the_slot_of_a_parameter_holds_a_type(name: str, text: str) -> None:
    odd = [(parameter, slot) for parameter, slot in slots(text) if slot and not TYPE.fullmatch(slot)]
    odd += [
        (slot, words)
        for slot, words in re.findall(r" : (\S.*)\n    (\S.*)$", text, re.MULTILINE)
        if TYPE.fullmatch(words)
    ]
    assert not odd, name


CLASSES = [(name, value) for name, value in EVERY if inspect.isclass(value)]
"""All of them, also those that a function answers with: a reader learns from an example what to ask of it."""


@each("name, value", CLASSES)
def test_a_class_shows_an_example_of_its_own(name: str, value: type) -> None:
    told = inspect.cleandoc(value.__doc__ or "")
    assert re.search(r"Examples\n-+\n(?:.*\n)*?>>> (?:.*\n)*?(?!>>>|\.\.\.)\S", told), name


def test_the_rule_finds_what_it_should() -> None:
    assert len(TOLD) > 300
    for words in (
        "float",
        "array_like, optional",
        "sequence of float or None",
        '{"a", "b"}, optional',
        "Promise or None",
    ):
        assert TYPE.fullmatch(words)
    for words in ("belief before the release, in [0, 1]", "as in `posterior_upper`", "one kind of noise"):
        assert not TYPE.fullmatch(words)
