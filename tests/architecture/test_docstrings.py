"""One dialect of docstrings: a type behind a parameter's name, then its meaning; examples; not too much of it all."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

from tests.architecture.public_names import EVERY, PUBLIC
from tests.each import each

CORE = sorted((Path(__file__).resolve().parents[2] / "dpcore").rglob("*.py"))

ONE = (
    r"(?:float|int|str|bool|bytes|object|None|array_like|array|callable|mapping|tuple|type|guarantee|mechanism|"
    r"additive noise|\{.+?\}|\"any\"|(?:numpy\.random\.)?[A-Z]\w+)"
)
SHAPE = r"(?:,? (?:of )?shape \(.*?\))?"
MANY = rf"(?:(?:sequence|list|tuple|pair|iterable|array|array_like) of )*{ONE}(?:, (?:{ONE}))*{SHAPE}"
TYPE = re.compile(rf"{MANY}(?: or {MANY})*(?:, (?:optional|default .+))?")
"""Types as words: a class, a choice in braces, lists of them, joined by *or*; a shape may follow."""


def slots(text: str, section: str = "Parameters") -> list[tuple[str, str]]:
    """Names and types of the parameters that a docstring describes."""
    block = re.search(rf"^{section}\n-+\n(.*?)(?=\n\n\S[^\n]*\n-+\n|\Z)", text, re.DOTALL | re.MULTILINE)
    lines = block.group(1).split("\n") if block else []
    heads = [line for line in lines if line and not line.startswith(" ")]
    return [(head.partition(" : ")[0], head.partition(" : ")[2].partition("; ")[0]) for head in heads]


def described() -> list[tuple[str, object, str]]:
    """The public functions and classes, and the public methods of these classes, each with its docstring."""
    found: list[tuple[str, object, str]] = []
    for name, value in PUBLIC:
        found.append((name, value, inspect.getdoc(value) or ""))
        for key, member in vars(value).items() if inspect.isclass(value) else ():
            if not key.startswith("_") and hasattr(type(member), "__get__") and inspect.getdoc(member):
                called = getattr(member, "fget", None) or getattr(member, "__func__", member)
                found.append((f"{name}.{key}", called, inspect.getdoc(member) or ""))
    return found


DESCRIBED = described()
TOLD = [(name, text) for name, _, text in DESCRIBED if slots(text)]


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


def test_every_parameter_that_a_docstring_describes_exists() -> None:
    missing = []
    for name, value, text in DESCRIBED:
        taken = set(inspect.signature(value).parameters) if callable(value) else set()
        held = {key for base in getattr(value, "__mro__", ()) for key in (*vars(base), *inspect.get_annotations(base))}
        for section, known in (("Parameters", taken), ("Attributes", held)):
            names = [one.lstrip("*") for names, _ in slots(text, section) for one in names.split(", ")]
            missing += [f"{name}: {one}" for one in names if one not in known]
    assert missing == []


def docstrings(tree: ast.Module) -> list[ast.Constant]:
    """The strings that describe a module, a class, a function or a constant."""
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    return [value for value in statements if isinstance(value, ast.Constant) and isinstance(value.value, str)]


def test_at_most_a_third_of_the_library_is_docstring() -> None:
    texts = [path.read_text(encoding="utf-8") for path in CORE]
    words = [one for text in texts for one in docstrings(ast.parse(text))]
    lines = sum((one.end_lineno or one.lineno) - one.lineno + 1 for one in words)
    assert len(words) > 1500
    assert lines <= 0.33 * sum(text.count("\n") for text in texts)


def test_a_docstring_names_a_refusal_only_where_it_adds_something() -> None:
    """Wrong arguments are on the page of refusals; sources stand in one form."""
    raised = {name: {kind for kind, _ in slots(text, "Raises")} for name, _, text in DESCRIBED}
    kinds = {kind for kinds in raised.values() for kind in kinds}
    assert kinds == {"ImproperPosteriorError", "InfeasibleProfile", "Refused", "TableError"}
    assert sum(map(bool, raised.values())) < 30
    assert [name for name, _, text in DESCRIBED if re.search(r"^References\n-+$", text, re.MULTILINE)] == []
