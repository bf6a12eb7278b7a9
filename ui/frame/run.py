"""The frame: page table into navigation, voice and type switches, scenario file, what Riskline cannot do."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

import dpcore
from riskline.case.fields import FRAME_NAMES, read_pairs
from ui.components.lean import component
from ui.frame import reference, show
from ui.frame.case import CURRENT, LOADED, STORE, arrive, forget_widgets, held_case, hold_case, touch
from ui.frame.form import PAGE_QUERY, REFUSALS
from ui.frame.turns import DRAWING
from ui.frame.upload import ask_file, empty_box, show_fault
from ui.link import scenario
from ui.link.case_links import WITHOUT_CASE
from ui.link.page_table import FRAME_FIELDS, PAGES, TOGETHER, PageEntry, page_entry
from ui.pictures.style import Style
from ui.rooms.store import rooms_off
from ui.views.shared.promise import page_question
from ui.views.shared.session_results import results_kept_in
from ui.words.catalogue import label, say
from ui.words.refusals import sentence_of, without_words

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "assets"
COPY = (
    f'<button type="button">{label("frame", "copy_link")}</button> <span role="status"></span>'
    f'<input readonly hidden aria-label="{label("frame", "copied_address")}">'
)
FRAMED = "_framed"
FRAME_REFUSALS = "_frame_refusals"
RESULTS = "_results"
AFTER_PAGE = "_after_page"
PENDING = "_pending_scenario"
SCENARIO_FILE = "scenario_file"
TO_SAVE = "_to_save"  # the case as the page left it: the file is only written on request, outside the session


def style() -> Style:
    """The switches of the frame as they stand: voice, large type, dark ground."""
    state = st.session_state
    return Style(
        dark=getattr(st.context.theme, "type", None) == "dark",
        large=bool(state.get("frame.large")),
        voice="technical" if state.get("frame.technical") else "plain",
    )


@cache
def _pages(rooms_hidden: bool) -> list[tuple[str, Any]]:
    """Each page with the title of its group: made once, because making one resolves and reads its path."""

    def page(entry: PageEntry) -> Any:
        hidden, path = entry.group == TOGETHER and rooms_hidden, ROOT / "pages" / f"{entry.stem}.py"
        seen: Literal["hidden", "visible"] = "hidden" if hidden else "visible"
        return st.Page(path, title=entry.title, default=entry.stem == "home", visibility=seen)

    return [(entry.group_title, page(entry)) for entry in PAGES]


def _navigation(position: Literal["top", "hidden"]) -> Any:
    groups: dict[str, list[Any]] = {}
    for title, page in _pages(rooms_off()):
        groups.setdefault(title, []).append(copy(page))  # a run marks the page that it may call
    return st.navigation(groups, position=position)


def _on_the_wall(page: Any) -> bool:
    """Whether this is what a projector shows of a room, its page by the key of the wall alone: nobody presses there."""
    return page.url_path == "room" and bool(st.query_params.get("wall")) and not st.query_params.get("key")


def require_frame() -> None:
    """Make a page that was opened by its own address on a fresh server run inside the frame."""
    if not st.session_state.get(FRAMED):
        _navigation("hidden")
        st.rerun()


def after_page(action: Callable[[], None]) -> None:
    """Let the page do something long once all of it, the footer and the address are there."""
    st.session_state[AFTER_PAGE].append(action)


def _seed() -> None:
    """Take the frame's switches from the link, once a session."""
    if "frame.technical" in st.session_state:
        return
    reading = read_pairs(FRAME_FIELDS, [(name, text) for name in FRAME_NAMES for text in st.query_params.get_all(name)])
    st.session_state["frame.technical"] = reading.values["voice"] == "technical"
    st.session_state["frame.large"] = reading.values["type"] == "large"
    st.session_state[FRAME_REFUSALS] = reading.refusals


@cache
def _own_keys() -> list[str]:
    """The names in an address that are one reader's key: whoever has it acts as that reader."""
    fields = [field for entry in PAGES for field in entry.fields if field.private and field.in_address]
    return sorted({field.name for field in fields} - {"code"})


def _switches() -> None:
    with st.container(key="riskline-frame", horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
        for name in ("technical", "large"):
            st.toggle(label("frame", name), key=f"frame.{name}", help=label("frame", f"{name}.help"), on_change=touch)
        help = label("frame", "scenario.help")
        opening = st.popover(label("frame", "scenario"), help=help, key="frame.scenario", on_change="rerun")
        if opening.open:
            with opening:
                button = component("riskline_copy_link", "copy_link.js", style="copy_link.css", html=COPY)
                button(key="riskline-copy-link", width="content", data={"left_out": _own_keys()})
                _scenario_file()


def scenario_of_session() -> Callable[[], str]:
    """What writes the scenario file of this session: each page's own choices, and the case as the page leaves it."""
    store, voice = st.session_state.setdefault(STORE, {}), style().voice
    kept = st.session_state.setdefault(TO_SAVE, {})
    kept["case"] = held_case()
    return lambda: scenario.write(store, kept["case"], voice=voice)


def _scenario_file() -> None:
    told = label("frame", "save_scenario")
    st.download_button(told, scenario_of_session(), "riskline-scenario.json", "application/json", on_click="ignore")
    ask_file(label("frame", "load_scenario"), SCENARIO_FILE, _take_scenario, most=scenario.MAX_BYTES, kind="json")
    show_fault(SCENARIO_FILE, "{fault}")


def _take_scenario(content: bytes) -> None:
    st.session_state[PENDING] = scenario.read(content)
    empty_box(SCENARIO_FILE)


def _apply_pending_scenario() -> None:
    loaded: scenario.Scenario | None = st.session_state.pop(PENDING, None)
    if loaded is None:
        return
    state = st.session_state
    hold_case(loaded.case)
    state[STORE] = scenario.with_private(loaded.pages, state.get(STORE, {}))
    state[REFUSALS] = dict(loaded.refusals)
    state[FRAME_REFUSALS] = loaded.unknown
    state["frame.technical"] = loaded.voice == "technical"
    forget_widgets("case", *(entry.stem for entry in PAGES))
    state[LOADED] = True
    touch()


def _write_address() -> None:
    if PAGE_QUERY not in st.session_state:  # the page failed: keep the address for a reload
        return
    query = st.session_state.pop(PAGE_QUERY) | show.switches_query()
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


@contextmanager
def _reporting(what: str) -> Iterator[None]:
    """Whatever fails in here becomes a sentence, and a line of the log that quotes no reader."""
    try:
        yield
    except Exception as error:
        logging.getLogger("riskline").error("%s\n%s", what, without_words(error))
        st.error(sentence_of(error))


def run(ask_case: Callable[[], None]) -> None:
    """Draw the page that the address names when it has its turn, and then do what it asked for after that."""
    with DRAWING.taken():
        page, results = _draw(ask_case)
    with _reporting(f"page {page.url_path}, after it"), results_kept_in(results):
        for action in st.session_state.pop(AFTER_PAGE):
            action()


def _draw(ask_case: Callable[[], None]) -> tuple[Any, Any]:
    """The frame around the page; what a reader sent is read inside `_reporting`. The page, and its results."""
    with _reporting("link of the frame"):
        _seed()
    with _reporting("scenario file"):
        _apply_pending_scenario()
    page = _navigation("top")
    switches, wall = style(), _on_the_wall(page)
    title = say("room", switches.voice, "wall_title") if wall else page.title
    st.set_page_config(page_title=f"{title} – Riskline", layout="wide")
    st.html(f"<style>{_style(switches.large, switches.dark, wall)}</style>")
    with _reporting("switches"):
        if not wall:
            _switches()
    heading = st.container(key="riskline-heading")
    with _reporting("refusals of the frame"):
        show.refusals(st.session_state.pop(FRAME_REFUSALS, ()))
    st.session_state[FRAMED] = True
    st.session_state[AFTER_PAGE] = []
    st.session_state[show.TABLES] = []
    results = st.session_state.setdefault(RESULTS, {})
    st.session_state[show.TITLE] = title
    stem = page.url_path or "home"
    arrive(stem, page_entry(stem).fields)
    if stem != WITHOUT_CASE:  # whose question depends on the room
        with _reporting("question of the page"), heading:
            show.page_question(stem, title if wall else page_question(stem, held_case()))
    strip = st.container(key="riskline-strip", horizontal=True, vertical_alignment="center", gap="small")
    st.session_state[show.TRIAL] = None
    try:
        with _reporting(f"page {page.url_path}"), results_kept_in(results):
            page.run()
            show.same_in_python(stem)
    finally:
        st.session_state[FRAMED] = False
        st.session_state[CURRENT] = stem
    with _reporting("the case"), strip:  # last, when the page has said what it tries
        if not wall and stem != WITHOUT_CASE:
            show.show_strip(style().voice, stem, ask_case)
        st.session_state.get(TO_SAVE, {})["case"] = held_case()
    if not wall:
        _footer(switches.voice, stored=page_entry(stem).group == TOGETHER)
    with _reporting("address"):
        _write_address()
    return page, results


@lru_cache(maxsize=8)
def _style(large: bool, dark: bool, wall: bool) -> str:
    chosen = (("style_large.css", large), ("style_dark.css", dark), ("style_wall.css", wall))
    names = ["style.css", *(name for name, wanted in chosen if wanted)]
    return "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in names)


def _footer(voice: str, *, stored: bool) -> None:
    """What Riskline cannot do and what becomes of what is typed; a page whose answers are stored says that itself."""
    with st.expander(label("frame", "limits")):
        st.markdown(say("frame", voice, "cannot"))
    kept = "" if stored else f"{say('frame', voice, 'small_print')} "
    st.caption(f"{kept}{label('frame', 'version', version=dpcore.__version__)}.{reference.link()}")
