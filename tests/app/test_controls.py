"""Every control changes the choice whose words stand on it, and only that one.

The widgets are found by the words of their field. `AppTest` does not write the address back, so the query is written
from the session's choices, as the frame does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from riskline.case.choices import FILING
from riskline.case.fields import Field, pairs_of, read_pairs
from riskline.case.line import LINES
from tests.app.opened_page import open_page, sound
from tests.approved.states import MORE, STATES, TRIED
from ui.frame import show
from ui.frame.case import STORE
from ui.link.page_table import PAGES, PageEntry, page_entry
from ui.views.lessons import lessons_view

IN_THE_STRIP = {"hidden", "one", "areas", "release", "moves", "tables"}
"""Parts of the case that a page says and does not ask: the strip asks them, of tables their sheet."""
WITHOUT_WIDGET = {
    # the others need a room in the database: tests/app/test_rooms.py
    "room": {field.name for field in page_entry("room").fields} - {"groups"},
    "join": {field.name for field in page_entry("join").fields} - {"code"},
    "home": {"points", "step"},  # the walk's buttons
    # the line editor's; buttons; asked on *What it costs*
    "choose": {"points", "view", "log", "interview", "noise"},
    "positions": {
        *(f"points{number}" for number in range(1, 7)),
        *("view", "log"),
        *("guarantee", "route", "delta", "failure", "releases"),  # asked on *Choose a budget*
    },
    # from the wall of a room; what is filed, in a fold that is shut: tests/app/test_memo.py
    "memo": {"room", *(field.name for field in FILING)},
    "deployments": {"read_as"},  # beside a record: tests/app/test_uploads.py
    "plan": {"rows"},  # the ledger's own editor
    "publication": {
        "points",  # a line that was drawn elsewhere
        "geography",  # a file of areas, and the names of its levels: tests/app/test_publication.py
        *("clipped", "amounts"),  # in a fold that is shut
    },
    # the line and whose secret: the strip's and those of *Choose a budget*
    "methods": {field.name for field in page_entry("methods").fields if field.of_case} - {"prior"},
    # of a reader's folder, and a list of several: tests/app/test_publish.py
    "publish": {"table", "time", "other_table", "more_areas"},
    "infer": {"table", "time"},  # of a reader's folder: tests/app/test_infer.py
    "audit": {"secret", "unit", "group", "relation"},  # the strip's
    # how many releases have the budget each: asked on *Choose a budget*
    **{page: {"releases", "published"} for page in ("explain", "exact_totals")},
    "accuracy": {"releases", "published", "many"},
    "play": {"bets", "told"},  # buttons
    "block": {"draws"},  # a button
    "rebuild": {"person"},  # choices of a table that mean nothing for a whole block
}
FOLLOWING = {
    "table": {"place", "person", "bets", "told"},  # mean nothing in another table
    "county": {"place", "person", "bets", "told"},
    "place": {"person", "bets", "told"},
    "rho": {"bets", "told"},  # another game
    "prior": {"bets", "told"},
    "seed": {"bets", "told"},
    **{name: {"bets", "told"} for name in ("noise", "base", "largest_noise", "variance")},
    "unit": {"group"},
    "source": {"place"},
}
"""Choices that begin again with another one."""
OF_THE_CASE = {"epsilon", "rho", "delta", "guarantee"}
"""A budget that a page only tries begins with that of the case, which every part of the case may change."""


def query_of(test: AppTest, entry: PageEntry) -> dict[str, str]:
    """What the page holds, as a link or a file would spell it; what is of no link among it."""
    held = test.session_state[STORE][entry.stem]
    return {field.name: field.encode(held[field.name]) for field in entry.fields}


def widgets(test: AppTest) -> Iterator[Any]:
    for kind in ("selectbox", "radio", "button_group", "toggle", "slider", "text_input", "text_area"):
        yield from test.get(kind)


def move(widget: Any, field: Field) -> bool:
    """Set the widget to another value; False where it has only one."""
    if widget.type in ("selectbox", "radio", "button_group"):
        options = [getattr(option, "content", option) for option in widget.proto.options]
        if len(options) < 2:
            return False
        chosen = widget.value[0] if isinstance(widget.value, list) else widget.value
        place = next(at for at, option in enumerate(options) if widget.format_func(chosen) != option)
        if widget.type == "button_group":
            widget.set_value(field.options[place])
        else:
            widget.select_index(place) if widget.type == "selectbox" else widget.set_value(options[place])
    elif widget.type == "toggle":
        widget.set_value(not widget.value)
    elif widget.type == "slider":
        step = widget.proto.step
        widget.set_value(widget.value + step if widget.value + step <= widget.proto.max else widget.value - step)
    else:
        widget.set_value(another_text(field, widget.value))
    return True


def another_text(field: Field, text: str) -> str:
    """Another text that the field takes."""
    if field.kind == "text":
        return f"{text} more"
    for candidate in (
        "2",
        "3",
        "0.6",
        "0.02",
        "40",
        "1000",
        "5 7",
        "1e-5",
        "ABC234",
        "0:4, 12:6",
        "i;j;p\n0;0;1\n1;1;1",
    ):
        try:
            if field.encode(field.decode(candidate)) != field.encode(field.decode(text)):
                return candidate
        except ValueError:
            continue
    raise AssertionError(f"no other value of {field.name} is known here")


@pytest.fixture
def first_views(monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    """A page goes on to show the views it opened with, where only its controls are looked at: views take most time."""
    compute, first = show.computed_by_worker, dict[Any, Any]()

    def computed(view: Any, *asked: Any) -> Any:
        if view is lessons_view:  # its questions are the page's controls
            return compute(view, *asked)
        if view not in first:
            first[view] = compute(view, *asked)
        return first[view]

    monkeypatch.setattr(show, "computed_by_worker", computed)
    return first


@pytest.mark.usefixtures("runs_here")
@pytest.mark.parametrize("entry", [entry for entry in PAGES if entry.fields], ids=lambda entry: entry.stem)
def test_a_control_changes_the_choice_whose_words_it_carries(entry: PageEntry, first_views: dict[Any, Any]) -> None:
    without = IN_THE_STRIP | WITHOUT_WIDGET.get(entry.stem, set())
    waiting = {field.name: field for field in entry.fields if field.name not in without and field.which in TRIED}
    for query in (*STATES[entry.stem].values(), *MORE.get(entry.stem, ())):
        edited = str(read_pairs(entry.fields, pairs_of(query)).values.get("edited"))
        if all(field.which not in ("", edited) for field in waiting.values()):
            continue  # of another one of several parties
        # a reader's case has a line of its own; what is carried has its usual order from the second run on
        drawn = {"line": LINES[0]} if any(field.name == "line" for field in entry.fields) else {}
        first_views.clear()
        test = open_page(entry.stem, **{**drawn, **dict(pairs_of(query))}).run()
        tried: set[str] = set()
        while True:
            values = test.session_state[STORE][entry.stem]
            shown = {widget.label: widget for widget in widgets(test)}
            here = [
                field
                for field in waiting.values()
                if field.name not in tried
                and field.as_shown(values).label in shown
                and field.which in ("", str(values.get("edited")))
            ]
            if not here:
                break
            field = here[0]
            tried.add(field.name)
            before = query_of(test, entry)
            if not move(shown[field.as_shown(values).label], field):
                continue
            sound(test.run())
            after = query_of(test, entry)
            changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
            assert field.name in changed, (entry.stem, field.label, changed)
            following = FOLLOWING.get(field.name, set()) | (OF_THE_CASE if field.of_case else set())
            assert changed <= {field.name} | following, (entry.stem, field.label, changed)
            asked = [widget.label for widget in widgets(test)]
            assert query_of(test.run(), entry) == after, f"{field.label}: drawn once more, another choice begins anew"
            assert [widget.label for widget in widgets(test)] == asked, (
                f"{field.label}: asked for only when drawn again"
            )
            del waiting[field.name]
        if not waiting:
            return
    assert not waiting, f"no approved setting shows the controls of {sorted(waiting)}"


SLIDERS = {
    ("accuracy", "rho"): {"noise": "gaussian"},
    ("accuracy", "half_width"): {"start": "accuracy"},
    ("choose", "increase"): {"line": "increase"},
    ("explain", "rho"): {"explain_guarantee": "zero_concentrated"},
    ("explain", "relatives"): {"assumption": "relatives"},
    ("infer", "power"): {"prior": "power"},
    ("plan", "difference"): {"promise": "difference"},
    ("positions", "increase1"): {"line1": "increase"},
    ("public_information", "shift"): {"side": "helps"},
    ("publication", "increase"): {"line": "increase"},
}
"""Settings that show a slider which a page does not begin with."""
WITHOUT_SLIDER = {
    *(("methods", name) for name in ("ratio", "cap", "increase")),  # the strip's
    *((stem, "epsilon") for stem in ("plan", "deployments")),  # typed in a box
}


def beyond(field: Field) -> float:
    """A value that the field takes and its slider does not reach unless it stretches."""
    (least, most), low, high = field.span, field.low, field.high
    found = min(high, 4 * most) if high > most else (low + least) / 2
    return int(found) if field.kind == "count" else min(found, 0.995) if field.open_high else found


@pytest.mark.usefixtures("runs_here")
@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.stem)
def test_a_slider_that_was_stretched_keeps_what_it_is_moved_to(entry: PageEntry) -> None:
    """Streamlit takes a slider with other ends for another one, and begins it at its lowest value."""
    for field in entry.fields:
        if not field.span or field.which not in ("", "1"):
            continue
        shown_by = SLIDERS.get((entry.stem, field.name), {})
        test = open_page(entry.stem, **shown_by, **{field.name: field.encode(beyond(field))})
        found = [one for one in test.slider if one.label == field.as_shown(test.session_state[STORE][entry.stem]).label]
        if (entry.stem, field.name) in WITHOUT_SLIDER:
            assert not found
            continue
        ends = found[0].proto.min, found[0].proto.max
        kind = type(found[0].value)
        middle = kind(round(sum(field.span) / 2 / (field.step or 1)) * (field.step or 1))
        found[0].set_value(middle).run()
        test.toggle(key="frame.large").set_value(True).run()
        sound(test)
        (slider,) = [one for one in test.slider if one.key == found[0].key]
        assert slider.value == pytest.approx(middle)
        assert field.decode(query_of(test, entry)[field.name]) == pytest.approx(middle)
        assert (slider.proto.min, slider.proto.max) == ends, "a slider does not shrink under a finger"


def test_a_slider_whose_ends_other_choices_decide_keeps_its_value_when_they_move() -> None:
    test = open_page("infer", prior="conjugate", lower="0", upper="100", guess="40")
    test.slider(key="infer.guess").set_value(60.0).run()
    test.text_input(key="infer.upper").set_value("90").run()  # asked below it
    slider = test.slider(key="infer.guess")
    assert (slider.value, slider.proto.min, slider.proto.max) == (60, 0, 90)
    test.text_input(key="infer.upper").set_value("50").run()
    sound(test)
    assert test.session_state[STORE]["infer"]["guess"] == test.slider(key="infer.guess").value == 60


@pytest.mark.usefixtures("runs_here")
@pytest.mark.parametrize(("stem", "name"), [("explain", "epsilon"), ("choose", "ratio")])
def test_what_a_browser_still_holds_beside_a_slider_does_not_move_it_back(stem: str, name: str) -> None:
    """While a key is held, a browser sends what the box held a few moves ago."""
    test = open_page(stem, **{name: "3"})
    before = test.text_input(key=f"{stem}.{name}.box").set_value("3")
    test.slider(key=f"{stem}.{name}").set_value(3.5).run()
    (box,) = [one for one in test.text_input if one.label == before.label]
    assert box.value == "3.5"
    test.slider(key=f"{stem}.{name}").set_value(4.0)
    sent = test._tree.get_widget_states()
    sent.widgets.append(before._widget_state)
    test._run(sent)
    sound(test)
    (box,) = [one for one in test.text_input if one.label == before.label]
    assert (test.slider(key=f"{stem}.{name}").value, box.value) == (4, "4")
    assert query_of(test, page_entry(stem))[name] == "4"
    box.set_value("5").run()
    assert (test.slider(key=f"{stem}.{name}").value, test.text_input(key=box.key).value) == (5, "5")


def test_a_list_of_rows_without_a_row_names_none() -> None:
    test = open_page("plan")
    assert test.selectbox(key="_plan_row").value == 0
    test.button(key="plan.action.Delete").click().run()
    row = test.selectbox(key="_plan_row")
    assert row.value is None
    assert row.proto.set_value


CALLED_OTHERWISE = {
    "explain.unit": ("explain", ["explain.preset.4", "explain.log_accused", "explain.preset.3"]),
    "_plan_row": ("plan", ["plan.preset.4"]),
}
"""Lists, and the presses that call what is chosen in them otherwise."""


@pytest.mark.usefixtures("runs_here")
@pytest.mark.parametrize("key", CALLED_OTHERWISE)
def test_what_is_chosen_in_a_list_is_written_anew_where_it_is_called_otherwise(key: str) -> None:
    stem, presses = CALLED_OTHERWISE[key]
    test = open_page(stem)
    said = []
    for press in (None, *presses):
        if press in [one.key for one in test.button]:
            test.button(key=press).click().run()
        elif press:
            test.toggle(key=press).set_value(True).run()
        (chosen,) = [one for one in test.selectbox if one.key == key]
        said.append((chosen.value, chosen.options[chosen.index], chosen.proto.set_value))
    assert said[-1][0] == said[-2][0]
    assert said[-1][1] != said[-2][1]
    assert said[-1][2]
