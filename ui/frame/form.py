"""Every widget and its place in the link. The only module that turns what a reader does into values."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from decimal import Decimal
from functools import partial
from typing import Any

import streamlit as st

from riskline.case import fields as links
from riskline.case.fields import SHOWN_VALUE_LENGTH, Field, Refusal
from riskline.case.value import Case
from ui.frame import case as of_session
from ui.frame import show
from ui.frame.case import choose_in_case, forget_widgets, held_case, hold_case, touch
from ui.link.case_links import address, of_case, parts_of
from ui.link.page_table import page_entry
from ui.words.catalogue import label, option_words
from ui.words.refusals import refusal_words

Written = Callable[[Any], str]
"""How a value stands in its box."""
Question = str | Callable[[], object]
"""A choice by its name, or what asks otherwise."""
PICKED = "_picked"  # what each list last had chosen, and in which words
PAGE_QUERY = "_page_query"
REFUSALS = "_refusals"
DRAWN = "_drawn"  # the value of the case that a control last showed
RENEWED = "_renewed"  # how often a control began anew
BEGINS = "_begins"  # what each choice of a page began with; unchanged ones follow the case
BESIDE = "_beside"  # the value that the box beside a slider last showed
BOX = ".box"
SPAN = ".span"  # of a slider: the ends it would have, and those it was drawn with
BOX_WIDTH = 76  # pixels: room for 0.0001 and for 12.5 %
STYLES: dict[str, Callable[..., Any]] = {
    "radio": st.radio,
    "segmented": partial(st.segmented_control, required=True),
    "select": st.selectbox,
}
"""The controls of a choice."""


def as_typed(field: Field, value: Any) -> str:
    """A number as a person types it: in percent where its slider says percent.

    >>> as_typed(Field("prior", "", "number", 0.07, low=0, high=1, format="percent"), 0.07)
    '7 %'
    """
    return f"{(100 * Decimal(repr(value))).normalize():f} %" if _as_written(field) == "percent" else field.encode(value)


def _as_written(field: Field) -> str | None:
    """How a slider writes its number: a share in percent, unless its field says otherwise."""
    return field.format or ("percent" if field.share and field.kind == "number" else None)


class Choices(dict[str, Any]):
    """What a page holds: choices of its own, and the parts of the case that it asks, which are the session's."""

    def __init__(self, fields: Iterable[Field], own: Mapping[str, Any]) -> None:
        fields = tuple(fields)
        self.of_case = {field.name: field for field in fields if field.of_case}
        super().__init__({field.name: own.get(field.name, field.default) for field in fields if not field.of_case})
        self.follow()

    def follow(self) -> None:
        """Take the parts of the case as they stand; where nobody has decided, what this page begins with."""
        super().update(of_case(held_case(), self.of_case.values()))

    def __setitem__(self, name: str, value: Any) -> None:
        """Make a choice; one that is part of the case is made for every page."""
        if name in self.of_case and value != self[name]:
            choose_in_case(**{name: value})
            self.follow()
        super().__setitem__(name, value)


def held(stem: str) -> Mapping[str, Any]:
    """What this session holds of a page's choices; nothing where the page was not opened yet."""
    choices: dict[str, Any] = st.session_state.get(of_session.STORE, {}).get(stem, {})
    return choices


def changed(stem: str) -> dict[str, Any]:
    """What somebody chose of a page's own: what it began with is left out."""
    begins = st.session_state.get(BEGINS, {}).get(stem, {})
    return {name: value for name, value in held(stem).items() if name not in begins or value != begins[name]}


def put(stem: str, **values: Any) -> None:
    """Set choices of a page from a callback: the next run computes and draws with them."""
    store = st.session_state.setdefault(of_session.STORE, {}).setdefault(stem, {})
    shared = store.of_case if isinstance(store, Choices) else {f.name for f in page_entry(stem).fields if f.of_case}
    choose_in_case(**{name: value for name, value in values.items() if name in shared})
    for name, value in values.items():
        if name not in shared:
            store[name] = value
        # even if unchanged: a browser that has not drawn the last run yet sends the widget's old value again
        st.session_state.pop(f"{stem}.{name}", None)
    touch()


def choice_button(
    words: str, stem: str, name: str, choices: Mapping[str, Any], *, make: Callable[..., None] = put, **look: Any
) -> None:
    """A button that makes these choices of a page."""
    st.button(words, key=f"{stem}.{name}", on_click=make, args=(stem,), kwargs=dict(choices), **look)


def pick_one(words: str, options: Mapping[Any, str], *, key: str, chosen: Any = None, **more: Any) -> Any:
    """One of several by their words, outside the link; None until one is picked, if none is `chosen`."""
    at = list(options).index(chosen) if chosen in options else None
    show_new_words(key, options.get)
    return st.selectbox(words, list(options), index=at, format_func=options.__getitem__, key=key, **more)


def put_example(stem: str, **values: Any) -> None:
    """Set all choices of a page from a callback: the case becomes that of an example, whatever it was before."""
    fields = page_entry(stem).fields
    hold_case(Case(**{field.name: values[field.name] for field in fields if field.of_case and field.name in values}))
    own = [field for field in fields if not field.of_case and not field.private]
    put(stem, **{field.name: values.get(field.name, field.default) for field in own})


def show_new_words(key: str, named: Callable[[Any], str | None]) -> None:
    """Have a browser write the choice of a list anew where it is called otherwise now.

    A list keeps the words in which it was chosen, also where another option or another voice has changed them.
    """
    shown, state = st.session_state.setdefault(PICKED, {}), st.session_state
    picked = (state.get(key), named(state.get(key)))
    before = shown.get(key, picked)
    if key in state and before[0] == picked[0] and before[1] != picked[1]:
        state[key] = picked[0]
    shown[key] = picked


class Form:
    """The choices of one page: seeded from the link, drawn as widgets, written back into the link."""

    def __init__(self, stem: str, fields: tuple[Field, ...], *, of_page: bool = True) -> None:
        self.stem = stem
        self.fields = {field.name: field for field in fields}
        self.addressed = tuple(field for field in fields if field.in_address and not field.of_case)
        self.refused: dict[str, str] = {}
        state = st.session_state
        store, arrival = state.setdefault(of_session.STORE, {}), state[of_session.ARRIVAL]
        self.from_link = arrival.own_otherwise or (stem not in store and not arrival.touched)
        own = store.get(stem, {})
        if self.from_link and of_page:
            asked = {name for name, _ in arrival.own}
            old = [field for field in fields if field.in_old_links and field.name in asked]
            reading = links.read_pairs((*self.addressed, *old), arrival.own)
            apart = [field.name for field in fields if not field.in_address]
            own = {name: own[name] for name in apart if name in own} | reading.values
            state.setdefault(REFUSALS, {})[stem] = reading.refusals
            forget_widgets(stem)
        elif arrival.touched and not arrival.loaded:
            state.setdefault(REFUSALS, {})[stem] = ()
        begins = state.setdefault(BEGINS, {}).setdefault(stem, {})
        for name, field in self.fields.items():
            if not field.of_case and name in begins and begins[name] != field.default and own.get(name) == begins[name]:
                own = {**own, name: field.default}
                state.pop(f"{stem}.{name}", None)
            begins[name] = field.default
        self.values: dict[str, Any] = Choices(fields, own)
        store[stem] = self.values

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """What the link asked for and did not get."""
        found: tuple[Refusal, ...] = st.session_state.get(REFUSALS, {}).get(self.stem, ())
        return (*st.session_state.get(of_session.CASE_REFUSALS, ()), *found)

    def made(self, name: str) -> Any:
        """A choice as its control holds it now, before it is drawn again; `ValueError` where that cannot be used."""
        held = st.session_state.get(self._box(name), self.values[name])
        return self.fields[name].decode(held) if isinstance(held, str) else held

    def renew(self, name: str) -> None:
        """Have a control begin anew with the choice's value, under a key of its own.

        A page that watches a room sends what its boxes hold every few seconds: what it sent before it was drawn again
        would else come after, and be taken for what somebody typed.
        """
        renew(f"{self.stem}.{name}")

    def _box(self, name: str) -> str:
        return as_renewed(f"{self.stem}.{name}")

    def _key(self, name: str, initial: Any) -> str:
        key = self._box(name)
        if self.fields[name].of_case:  # another control may have changed it
            drawn, now = st.session_state.setdefault(DRAWN, {}), self.values[name]
            if drawn.get(key, now) != now:
                st.session_state.pop(key, None)
            drawn[key] = now
        if key not in st.session_state:
            st.session_state[key] = initial
            st.session_state.pop(f"{key}{SPAN}", None)
        return key

    def _changed(self, name: str) -> Callable[[], None]:
        """What a control does when it is used: mark the run, and make a choice of the case before anything is drawn."""
        field = self.fields[name]
        return partial(_choose, f"{self.stem}.{name}", field) if field.of_case else touch

    def _control(self, name: str, initial: Any, options: Collection[Any] | None = None) -> dict[str, Any]:
        """What every control is given: its words, its key, what it does; and one of its options as its value."""
        field, key = self.shown(name), self._key(name, initial)
        if options is not None and st.session_state[key] not in options:
            st.session_state[key] = initial
        return {"label": field.label, "key": key, "help": field.help or None, "on_change": self._changed(name)}

    def shown(self, name: str) -> Field:
        """The field with the words that its control has beside the present choices."""
        return self.fields[name].as_shown(self.values)

    def number(self, name: str, *, pictured: bool = True) -> Any:
        """A number or count as a person types it; what cannot be used stays in the box with a sentence under it.

        `pictured` is whether something on the page shows the value, and so still the last one that could be used.
        """
        field = self.fields[name]
        written = partial(as_typed, field) if field.format == "percent" else field.encode
        return self._typed(name, st.text_input, written, pictured=pictured)

    def lines(self, name: str, written: Written, *, commas_part_counts: bool = True, sample: str | None = None) -> Any:
        """Something typed or pasted as several lines; `written` puts the value into the box as a person types it.

        `sample` stands in an empty box.
        """
        return self._typed(name, partial(st.text_area, placeholder=sample), written, say_comma=commas_part_counts)

    def _typed(self, name: str, draw: Callable[..., Any], written: Written, **said: Any) -> Any:
        """A box whose text the field reads; what cannot be used stays in it with a sentence under it."""
        text = draw(**self._control(name, written(self.values[name])))
        with suppress(ValueError):
            self.values[name] = self.shown(name).decode(text or "")
        self._say_typed(name, text or "", written, **said)
        return self.values[name]

    def _say_typed(
        self, name: str, text: str, written: Written, *, box: str = "", say_comma: bool = True, pictured: bool = True
    ) -> None:
        """Under a box: what a comma in it was taken for, or why it cannot be used and what is still shown."""
        if text == written(self.values[name]):
            return
        try:
            self.shown(name).decode(text)
            reading = self._comma_reading(name, text, written) if say_comma and text else None
            if reading:
                show.caption(reading)
        except ValueError as error:
            self.refused[name] = refusal_words(error)
            kept = written(self.values[name]).replace("\n", " / ") if pictured else ""
            kept = kept if len(kept) <= SHOWN_VALUE_LENGTH else label("frame", "last_read")
            show.refused_below(refusal_words(error), kept or None, box=box or f"{self.stem}.{name}")

    def _comma_reading(self, name: str, text: str, written: Written) -> str | None:
        """What a comma was taken for: a decimal comma, one between thousands, or one between two counts."""
        if isinstance(self.values[name], int | float):
            return links.comma_reading(text, self.values[name])
        if re.search(r"[0-9],[0-9]{3}(?![0-9])", text):
            rows = written(self.values[name]).replace("\n", " / ")
            return label("frame", "commas", rows=links.shown(rows))
        return None

    def slider(self, name: str, *, low: float | None = None, high: float | None = None) -> Any:
        """A slider over the field's range or shorter span, and beside it a box for any other value that it may have.

        `low` and `high` are the span where other choices decide it. The slider stretches to hold what is typed.
        """
        field = self.shown(name)
        kind = int if field.kind == "count" else float
        least, most = field.span or (field.low, field.high)
        control = self._control(name, kind(self.values[name]))
        key = control["key"]
        bottom, top = self._span(key, kind(least if low is None else low), kind(most if high is None else high))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"riskline-typed-{key}"):
            control |= {"step": None if field.step is None else kind(field.step), "format": _as_written(field)}
            self.values[name] = st.slider(**control, min_value=bottom, max_value=top)
            box = self._box_beside(key, self.values[name])
            said = label("frame", "box", name=field.label)
            look: dict[str, Any] = {"key": box, "label_visibility": "collapsed", "width": BOX_WIDTH}
            take = partial(_take_typed, self.stem, field, box)
            text = st.text_input(said, as_typed(field, self.values[name]), on_change=take, **look)
        self._say_typed(name, text or "", partial(as_typed, field), box=box)
        return self.values[name]

    @staticmethod
    def _box_beside(key: str, value: Any) -> str:
        """The key of the box beside a slider: another one each time that the slider is moved by anything but the box.

        While a slider is moved quickly, a browser sends what the box beside it held a few moves ago: under the same key
        it would be taken for what somebody typed, and move the slider back.
        """
        box, beside = f"{key}{BOX}", st.session_state.setdefault(BESIDE, {})
        if box in beside and (beside[box] != value or as_renewed(box) not in st.session_state):
            renew(box)
        beside[box] = value
        return as_renewed(box)

    @staticmethod
    def _span(key: str, low: Any, high: Any) -> tuple[Any, Any]:
        """The ends of a slider that holds its value; once stretched it stays so, or it would shrink under a finger.

        To Streamlit a slider with other ends is another one, which begins at its lowest value unless it is told one.
        """
        state = st.session_state
        value, drawn = state[key], state.get(f"{key}{SPAN}")
        ends = min(low, value), max(high, value)
        if drawn is not None and drawn[0] == (low, high):
            ends = min(ends[0], drawn[1][0]), max(ends[1], drawn[1][1])
        if drawn is not None and drawn[1] != ends:
            state[key] = value
        state[f"{key}{SPAN}"] = (low, high), ends
        return ends

    def choice(self, name: str, words: Mapping[str, str] | None = None, *, style: str = "radio") -> str:
        """One of the options, in the catalogue's words or others, as radio buttons, segments or a select box."""
        field = self.shown(name)
        words = option_words(self.stem, name) or option_words("case", name) if words is None else words
        options = [code for code in field.options if code in words]
        value = self.values[name] if self.values[name] in options else options[0]
        control = self._control(name, value, options)
        if style == "select":
            show_new_words(control["key"], words.get)
        chosen = STYLES[style](options=options, format_func=lambda code: words[code], **control)
        if not (field.of_case and chosen == value != self.values[name]):  # the case's value is not among these words
            self.values[name] = chosen or value
        return str(self.values[name])

    def pick(self, name: str, words: Mapping[int, str]) -> int:
        """One of a list that depends on other choices; its number goes into the link, the default is the first."""
        field = self.shown(name)
        value = self.values[name]
        if value not in words:
            if value != field.default:
                show.caption(label("frame", "no_number", name=field.named, value=value))
            value = next(iter(words))
        options = list(words)
        control = self._control(name, value, options)
        show_new_words(control["key"], words.get)
        chosen = st.selectbox(options=options, format_func=lambda number: words[number], **control)
        first = chosen == options[0] and self.values[name] == field.default
        self.values[name] = field.default if first else chosen
        return int(chosen)

    def pick_several(self, name: str, words: Mapping[int, str]) -> tuple[int, ...]:
        """Any of a list that depends on other choices; their numbers go into the link, the default is none."""
        control = self._control(name, list(self.values[name]))
        key = control["key"]
        st.session_state[key] = [number for number in st.session_state[key] if number in words]
        chosen = st.multiselect(options=[*words], format_func=lambda number: words[number], placeholder="", **control)
        self.values[name] = tuple(sorted(chosen))
        return tuple(chosen)

    def ask(self, *asked: Question) -> None:
        """Choices below each other, each by its kind: a select box, a toggle, free text, or a box for a number."""
        draw: dict[str, Any] = {"choice": partial(self.choice, style="select"), "flag": self.flag, "text": self.text}
        for one in asked:
            one() if callable(one) else draw.get(self.fields[one].kind, self.number)(one)

    def beside(self, *columns: Question | tuple[Question, ...], **look: Any) -> None:
        """What is asked in columns of one width, one or several questions in each."""
        for column, asked in zip(st.columns(len(columns), **look), columns, strict=True):
            with column:
                self.ask(*(asked if isinstance(asked, tuple) else (asked,)))

    def flag(self, name: str) -> bool:
        """A yes-or-no choice."""
        self.values[name] = st.toggle(**self._control(name, bool(self.values[name])))
        return bool(self.values[name])

    def draw_again(self) -> None:
        """A button that draws the example anew, from the next seed."""
        following = {"seed": (self.values["seed"] + 1) % 1_000_000}
        choice_button(label("frame", "again"), self.stem, "again", following)

    def text(self, name: str, lines: int = 1) -> str:
        """Free text, kept as typed."""
        draw: Callable[..., Any] = st.text_input if lines == 1 else st.text_area
        most = links.MAX_VALUE_LENGTH  # what a link and a scenario file can hold
        text = draw(**self._control(name, self.values[name]), max_chars=most)
        self.values[name] = text or ""
        return str(self.values[name])

    def _said_already(self, query: dict[str, str]) -> dict[str, str]:
        """The address as a link brought it where it says these choices, until a control is used.

        To write it anew would be one more place in the browser's history, and Back would have to be pressed twice.
        """
        arrival = st.session_state[of_session.ARRIVAL]
        asked = arrival.asked
        if arrival.touched or not asked or dict(asked) == query:
            return query
        parts = parts_of(self.stem, self.fields.values(), asked)
        reading = links.read_pairs(self.addressed, parts.own)
        refused = (*reading.refusals, *parts.case.refusals)
        case = held_case() if parts.case.case is None else parts.case.case
        same = not refused and address(case, self.stem, self.addressed, reading.values) == query
        return dict(asked) if same else query

    def close(self) -> dict[str, Any]:
        """The page's values; the frame writes the ones that differ from their default into the address."""
        query = self._said_already(address(held_case(), self.stem, self.addressed, self.values))
        st.session_state[PAGE_QUERY] = query
        st.session_state[of_session.WRITTEN][self.stem] = query
        return dict(self.values)


def _choose(key: str, field: Field) -> None:
    """Make the choice of the case that a control holds, unless it cannot be used: its box then says why."""
    value = st.session_state.get(key)
    with suppress(ValueError):
        if value is not None:
            made = field.decode(value) if isinstance(value, str) and field.kind not in ("text", "choice") else value
            choose_in_case(**{field.name: made})
            st.session_state.setdefault(DRAWN, {})[key] = held_case()[field.name]
    touch()


def _take_typed(stem: str, field: Field, box: str) -> None:
    """Move a slider to what is typed in the box beside it, unless that cannot be used: a sentence then says why."""
    key = f"{stem}.{field.name}"
    if box != as_renewed(f"{key}{BOX}"):  # the slider was moved since
        return
    with suppress(ValueError):
        value = field.decode(st.session_state[box])
        st.session_state[of_session.STORE][stem][field.name] = value
        st.session_state[key] = value
        st.session_state[BESIDE][f"{key}{BOX}"] = value
    touch()


def as_renewed(key: str) -> str:
    """The key of a control that has this one at first."""
    times = st.session_state.get(RENEWED, {}).get(key, 0)
    return f"{key}.{times}" if times else key


def renew(key: str) -> None:
    """Have the control that had this key at first begin anew."""
    renewed = st.session_state.setdefault(RENEWED, {})
    st.session_state.pop(as_renewed(key), None)
    renewed[key] = renewed.get(key, 0) + 1
