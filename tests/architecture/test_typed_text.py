"""No call of Streamlit takes typed text as Markdown or HTML: every argument it would read so is ours, or is escaped.

Every call is walked by its syntax tree. An argument is ours where it comes from the catalogue of words with numbers or
literals filled in; anything else goes through a function that escapes it (`ESCAPED`), or is in `OURS`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "ui").rglob("*.py")])
MARKDOWN = {
    *("button", "caption", "checkbox", "download_button", "error", "expander", "file_uploader", "header", "info"),
    "form_submit_button",
    *("link_button", "markdown", "multiselect", "number_input", "page_link", "pills", "popover", "radio"),
    *("segmented_control", "selectbox", "slider", "spinner", "text_area", "text_input", "toggle", "warning"),
}
"""Calls that read some of what they are given as Markdown; `html` reads it as HTML."""
NEITHER = {
    *(
        "App",
        "Page",
        "code",
        "columns",
        "container",
        "data_editor",
        "empty",
        "form",
        "fragment",
        "get_option",
        "navigation",
    ),
    *("plotly_chart", "rerun", "set_page_config", "switch_page"),
}
WORDED = {"pills": ("options", "format_func"), "radio": ("format_func",), "segmented_control": ("format_func",)}
"""Whose options are Markdown, too: not those of a list to choose from."""
HANDED_ON = {
    # called by the label and the help of a field
    "form.py": {"st.text_input", "st.text_area", "st.radio", "st.segmented_control", "st.selectbox"},
    "join.py": {"st.button"},  # called by what was escaped
}
"""Calls that are handed on as values, by file."""
HANDING_ON = {"choice_button": "button", "offer_to_forget": "button", "pick_one": "selectbox"}
"""Functions of ours that hand their first words to a call of Streamlit: theirs are read like those of Streamlit."""
CATALOGUE = {"label", "say", "word", "words", "passage", "option_words", "sentence_of"}
ESCAPED = {"escape_markdown", "without_addresses", "with_bold", "bold_html", "escape", "Typed"}
OURS: dict[str, set[str]] = {
    # words of the catalogue, with numbers in them, handed on by a view or a function of ours
    "pages/home.py": {"view.allowed_small_print"},
    "pages/how_we_know.py": {"title", "vars(note)", "view.glossary", "view.limits"},
    "pages/lessons.py": {"as_page", "as_word", "line"},
    "pages/memo.py": {"words"},
    "pages/plan.py": {"title"},
    "pages/public.py": {"words"},
    "ui/ask/case.py": {"place + 1", "len(STEPS)", "said"},
    "ui/ask/lessons.py": {"question.guesses"},
    "ui/ask/line.py": {"option"},
    "ui/ask/plan.py": {"words"},
    "ui/ask/publication.py": {"advice.take", "typed", "layout"},
    "ui/ask/room.py": {"words", "new"},
    "ui/ask/sheet.py": {"words"},
    "ui/frame/form.py": {"words"},  # of functions whose calls are read like those of Streamlit
    "ui/frame/upload.py": {"help", "label", "told", "words"},
    "ui/runs/follow.py": {"act"},
    # numbers, a file of styles, a link of ours
    "ui/ask/play.py": {"row", "view.round"},
    "ui/ask/public_information.py": {"counts"},
    "ui/ask/rebuild.py": {"form.values['seed']"},
    "ui/frame/run.py": {
        "_style(switches.large, switches.dark, wall)",
        "reference.link()",
        "dpcore.__version__",
        "kept",
    },
    # pieces in which everything was escaped before
    "ui/frame/show.py": {
        *("coded", "title", "stem", "subject", "article", "kind.upper()", "budget", "long", "strip.state.value"),
        *(
            "shown.html",
            "_cell(cell)",
            "head",
            "body",
            "cells",
            "style",
            "still",
            "grey",
            "below",
            "words",
            "paragraphs",
        ),
    },
}
"""What else is ours, by file."""


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def streamlit(call: ast.Call) -> str:
    """Which call of Streamlit this is, on the page or on a part of it; nothing where it is none."""
    if (called := ast.unparse(call.func)) in HANDING_ON:
        return HANDING_ON[called]
    if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Name):
        return ""
    owner, name = call.func.value.id, call.func.attr
    if owner == "st":
        return name
    return name if name in MARKDOWN and owner not in ("form", "show", "self", "re", "ask") else ""


def read_by(call: ast.Call, name: str) -> Iterator[ast.expr]:
    """The arguments that are read as Markdown or HTML."""
    if call.args and name != "page_link":
        yield call.args[0]
    named = {"label", "body", "help", "caption", "captions", *WORDED.get(name, ())}
    if "options" in named and "format_func" not in {keyword.arg for keyword in call.keywords}:
        yield from call.args[1:2]
    yield from (keyword.value for keyword in call.keywords if keyword.arg in named - {"options"})


def given(control: ast.Dict) -> list[ast.expr]:
    """The words in what a control is given: in a dictionary with its label and its key."""
    named = {key.value: value for key, value in zip(control.keys, control.values, strict=True) if is_text(key)}
    return [named[name] for name in ("label", "help") if name in named] if {"label", "key"} <= named.keys() else []


def is_text(part: ast.expr | None) -> TypeGuard[ast.Constant]:
    return isinstance(part, ast.Constant) and isinstance(part.value, str)


def is_ours(part: ast.expr, known: dict[str, list[ast.expr]], ours: set[str], depth: int = 0) -> bool:
    """Whether nothing typed can stand in this expression, as far as the file tells; `known` are its own names."""
    source = ast.unparse(part)
    if source in ours or depth > 6:
        return source in ours

    def each(*parts: ast.expr) -> bool:
        return all(is_ours(one, known, ours, depth + 1) for one in parts)

    match part:
        case ast.Constant():
            return True
        case ast.JoinedStr():
            return each(*part.values)
        case ast.FormattedValue():
            return part.format_spec is not None or each(part.value)
        case ast.IfExp():
            return each(part.body, part.orelse)
        case ast.BoolOp():
            return each(*part.values)
        case ast.BinOp():
            return each(part.left, part.right)
        case ast.List() | ast.Tuple():
            return each(*part.elts)
        case ast.GeneratorExp() | ast.ListComp():
            return each(part.elt)
        case ast.Lambda():
            return each(part.body)
        case ast.Name():
            return part.id in ESCAPED or (part.id in known and each(*known[part.id]))
        case ast.Call(func=ast.Attribute(attr="join")):
            return each(*part.args)
        case ast.Call(func=ast.Name(id="partial")):
            return each(ast.Call(part.args[0], part.args[1:], []))
        case ast.Call():
            called = ast.unparse(part.func).rpartition(".")[2]
            filled = [keyword.value for keyword in part.keywords]
            return called in ESCAPED or (called in CATALOGUE and each(*filled))
    return source in (*ESCAPED, "field.label", "field.help", "NICKNAME.label", "NICKNAME.help")


def own_names(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """Every name that is given a value by itself outside of further functions, with each value that it is given."""
    found: dict[str, list[ast.expr]] = {}
    waiting = list(ast.iter_child_nodes(tree))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return found


def unescaped(tree: ast.AST, ours: set[str], known: dict[str, list[ast.expr]] | None = None) -> list[str]:
    """The calls of Streamlit that something typed could reach."""
    known = (known or {}) | own_names(tree)
    found: list[str] = []
    waiting = list(ast.iter_child_nodes(tree))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            found += unescaped(node, ours, known)
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Dict):
            found += [
                f"line {part.lineno}: a control of {ast.unparse(part)}"
                for part in given(node)
                if not is_ours(part, known, ours)
            ]
        name = streamlit(node) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and name in MARKDOWN | {"html"}:
            found += [
                f"line {part.lineno}: st.{name} of {ast.unparse(part)}"
                for part in read_by(node, name)
                if not is_ours(part, known, ours)
            ]
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_call_of_streamlit_takes_what_was_typed_as_markdown(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert unescaped(tree, OURS.get(str(file.relative_to(ROOT)), set())) == []
    assert {streamlit(call) for call in calls(tree)} <= MARKDOWN | NEITHER | {"", "html"}
    called = {id(call.func) for call in calls(tree)}
    handed = {f"st.{name}" for name in MARKDOWN | {"html"}}
    others = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and id(node) not in called]
    assert not handed & {ast.unparse(node) for node in others} - HANDED_ON.get(file.name, set())


@pytest.mark.parametrize(
    "line",
    [
        "st.pills(label('join', 'group'), phone.room.groups, key=PILLS)",
        "st.pills(label('join', 'group'), phone.room.groups, format_func=str.upper)",
        "st.button(option)",
        "choice_button(option, 'play', 'next', {})",
        "pick_one(option, {}, key='play.next')",
        "control = {'label': option, 'key': 'play.next'}",
        "control = {'label': field.label, 'key': 'play.next', 'help': option or None}",
        "place.button(f'{row.name}')",
        "st.caption(label('room', 'question', question=held['question']))",
        "st.text_input(label('a', 'b'), help=held.notes)",
        "st.html(f'<p>{sentence}</p>')",
        "st.error(str(error) + typed_text)",
        "st.markdown(' '.join(names))",
    ],
)
def test_what_was_typed_is_found(line: str) -> None:
    assert unescaped(ast.parse(line), {"field.label"})
