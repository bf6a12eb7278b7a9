"""A page's outline as `AppTest` renders it: every control with its words, every fold, and what is shown beside them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from streamlit.elements.widgets import button
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from riskline.case.fields import pairs_of
from tests.app.opened_page import address, open_page, page_shown, sound
from tests.approved.rooms import rooms_of_their_own
from tests.approved.states import STATES
from ui.link.page_table import PageEntry

OPENING = 60
"""Characters that tell which sentence, picture or table of the view stands at a place."""

OF_A_ROOM = ("room", "join")
"""Pages whose buttons are pressed in a meeting (`meeting.py`)."""

MOST_FRESH = 4
"""Lines that are told of what a press has changed."""

Files = dict[str, tuple[str, str, Any]]
"""Name, kind and contents of each file that is offered, by the name of its button."""

KEYED = re.compile(r"^\$\$ID-[0-9a-f]+-(.+)$")
"""The key of a fold that tells the app when it is opened."""

NAMES = {
    "selectbox": "list",
    "radio": "choice",
    "button_group": "choice",
    "toggle": "switch",
    "text_input": "box",
    "text_area": "large box",
    "number_input": "box",
    "download_button": "download",
}


def file_of_outline(stem: str) -> Path:
    """The approved outline of a page."""
    return Path(__file__).with_name(f"{stem}.outline.md")


def outline_in_words(entry: PageEntry) -> str:
    """The page as it opens, from top to bottom; what its folds hold; what other settings bring."""
    lines = [f"# {entry.title}", ""]
    known: set[str] = set()
    for state, found in _outlines(entry):
        fresh = [line for line in found if line.strip() not in known]
        known |= {line.strip() for line in found}
        lines += [f"## {state[0].upper()}{state[1:]}", "", *fresh, ""] if fresh else []
    return "\n".join(lines).rstrip() + "\n"


def _outlines(entry: PageEntry) -> Iterator[tuple[str, list[str]]]:
    """Each state of a page and its lines; the first with open folds too."""
    for place, (state, query) in enumerate(STATES[entry.stem].items()):
        with downloads() as files, rooms_of_their_own():
            test = open_page(entry.stem, **dict(pairs_of(query)))
            sound(test)
            yield state, lines_of(test, files)
            if not place:
                open_folds(test)
                sound(test)
                yield "with every fold open", lines_of(test, files)
                if entry.stem not in OF_A_ROOM:
                    yield "each button in turn", list(_presses(entry.stem, test, files))


def _presses(stem: str, test: AppTest, files: Files) -> Iterator[str]:
    """What each button of an opened page brings into the address, the page that it leads to, and what is new there."""
    pressed: set[tuple[str, ...]] = set()

    def place(button: Any) -> tuple[str, ...]:
        return button.proto.id, *(header.value for header in test.header)  # each step of a walk has its own

    while button := next((one for one in test.button if not one.disabled and place(one) not in pressed), None):
        pressed.add(place(button))
        before, known = address(test), {line.strip() for line in lines_of(test, files)}
        button.click().run()
        sound(test)
        told = [f"{name}={text}" for name, text in address(test).items() if before.get(name) != text]
        told += [f"no {name}" for name in before if name not in address(test)]
        yield f'button "{button.label}" brings {", ".join(told) or "nothing into the address"}'
        there = page_shown(test)
        if there != stem:
            yield f"  and leads to {there}"
            test = open_page(stem)
            open_folds(test)
        else:
            fresh = [line.strip() for line in lines_of(test, files) if line.strip() not in known]
            yield from (f"  {line}" for line in fresh[:MOST_FRESH])


def open_folds(test: AppTest) -> None:
    """Open every fold and popover whose contents are made only then, those inside others too."""
    opened: set[str] = set()
    while fresh := set(_keys(test.main)) - opened:
        opened |= fresh
        for key in fresh:
            test.session_state[key] = True
        test.run()


def _keys(block: Block) -> Iterator[str]:
    """The keys of such folds."""
    for child in block.children.values():
        if isinstance(child, Block):
            yield from KEYED.findall(getattr(child.proto, "id", ""))
            yield from _keys(child)


def lines_of(test: AppTest, files: Files) -> list[str]:
    """What a page shows from top to bottom, with the names of the files that it offers (`downloads`)."""
    return list(_children(test.main, 0, files))


def _children(block: Block, depth: int, files: Files) -> Iterator[str]:
    for child in block.children.values():
        if isinstance(child, Block):
            label = getattr(child, "label", "") or (getattr(child.proto, "popover", None) and child.proto.popover.label)
            if label:
                yield f"{'  ' * depth}[{label}]"
            if place := _place(child.proto):
                yield f"{'  ' * depth}({place})"
            yield from _children(child, depth + bool(label), files)
        elif words := _words(child):
            file = files.get(getattr(child.proto, "id", ""))
            yield "  " * depth + words + (f"; {file[0]} as {file[1]}" if file else "")


def _place(proto: Any) -> str:
    """How what a block holds is laid out: the key by which a style finds it, the share of a column, in a row, open."""
    kind = "" if proto is None else proto.DESCRIPTOR.name
    if kind == "Column":
        return f"column {proto.weight:.2g}, {_chosen(proto, 'vertical_alignment')}"
    if kind == "Expandable":
        return "open" if proto.default_expanded or proto.expanded else ""
    if kind != "Block":
        return ""
    told = re.findall(r"riskline[\w-]*$", proto.id)
    row = proto.flex_container
    if row.justify and _chosen(row, "direction") == "horizontal":  # a row of columns is told by its columns
        told += ["in a row", *(_chosen(row, name) for name in ("justify", "align"))]
    return ", ".join(told)


def _chosen(proto: Any, name: str) -> str:
    """The option that a field of a message has, by its name."""
    options = proto.DESCRIPTOR.fields_by_name[name].enum_type.values_by_number
    return str(options[getattr(proto, name)].name).lower()


@contextmanager
def downloads() -> Iterator[Files]:
    """Name, kind and contents of each file that is offered meanwhile, by the name of its button."""
    found: Files = {}
    taken = button.marshall_file

    def marshall(place: str, data: Any, proto: Any, mime: Any, name: Any = None, **more: Any) -> None:
        found[proto.id] = str(name), str(mime), data
        taken(place, data, proto, mime, name, **more)

    with patch.object(button, "marshall_file", marshall):
        yield found


def _words(element: Any) -> str:
    proto, kind = element.proto, element.type
    if kind == "html":
        return " ¶ ".join(filter(None, map(_opening, proto.body.split("</p>"))))
    if kind == "plotly_chart":
        figure = json.loads(proto.spec or "{}")
        return f"picture {_opening(getattr(proto, 'alt', '') or str(len(figure.get('data', ()))))}"
    if kind in ("markdown", "caption", "header", "success", "info", "warning", "error", "code"):
        paragraphs = re.sub(r"\\(?=\W)", "", element.value).split("\n\n")
        return f"{kind}: {' ¶ '.join(map(_opening, paragraphs))}"
    if kind == "bidi_component":
        return f"{proto.component_name}: {'; '.join(_given(json.loads(proto.json or 'null')))}"
    if kind == "dataframe":
        return "table to edit: " + " | ".join(map(str, element.value.columns))
    label = getattr(element, "label", "") or getattr(proto, "label", "")
    told = [f'{NAMES.get(kind, kind)} "{label}"']
    told += ["off"] if getattr(proto, "disabled", False) else []
    told += [f"in grey: {proto.placeholder}"] if getattr(proto, "placeholder", "") else []
    told += ["first"] if kind == "button" and proto.type == "primary" else []
    if kind in ("selectbox", "radio", "button_group"):
        options = [getattr(option, "content", option) for option in proto.options]
        told.append(" / ".join(map(str, options if len(options) <= 14 else [*options[:6], "…", *options[-2:]])))
    if kind == "slider":
        told.append(f"{proto.min:g} to {proto.max:g} by {proto.step:g} as {proto.format}")
    if kind in ("slider", "selectbox", "radio", "button_group", "toggle", "text_input", "text_area", "number_input"):
        told.append(f"at {element.value}")
    if getattr(proto, "max_chars", 0):
        told.append(f"at most {proto.max_chars:,} letters")
    if kind == "number_input":
        told.append(f"{proto.min:g} to {proto.max:g} by {proto.step:g}")
    if kind == "file_uploader":
        several = "files" if proto.multiple_files else "a file"
        told.append(f"{several} of {', '.join(proto.type) or 'any kind'}, at most {proto.max_upload_size_mb} MB")
    if kind == "page_link":
        told.append(f"to {proto.page}{'?' + proto.query_string if getattr(proto, 'query_string', '') else ''}")
    if getattr(proto, "help", ""):
        told.append(f"help: {proto.help}")
    return "; ".join(told)


def _given(data: Any) -> Iterator[str]:
    """What a component is given: short values, how many parts longer ones have, and how texts begin."""
    for name, value in data.items() if isinstance(data, dict) else ():
        if isinstance(value, dict | list) and len(_written(value)) > OPENING:
            yield f"{name} of {len(value)}, first {_opening(_written(next(iter(value))))}"
        elif value not in (None, "", [], {}):
            yield f"{name} {_opening(_written(value))}"


def _written(value: Any) -> str:
    """A value as a browser is given it, its numbers with the digits that every processor computes."""

    def rounded(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: rounded(one) for name, one in part.items()}
        if isinstance(part, list):
            return [rounded(one) for one in part]
        return float(f"{part:.6g}") if isinstance(part, float) else part

    return json.dumps(rounded(value), ensure_ascii=False)


def _opening(words: str) -> str:
    """How a part begins, without its markup; its numbers are approved with the view."""
    bare = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", words))).strip()
    return bare if len(bare) <= OPENING else f"{bare[:OPENING].rstrip()} …"


def files_of(stem: str, **query: str) -> dict[str, Any]:
    """What the page offers, by file name."""
    with downloads() as found:
        sound(open_page(stem, **query))
    return {name: data() if callable(data) else data for name, _, data in found.values()}
