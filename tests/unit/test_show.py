"""What the frame puts on a page: each element once, with its words, for whom it is, and not where nothing is to say."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from riskline.case.value import Case
from tests.approved.outline import downloads
from ui.frame import show
from ui.frame.case import CASE, MADE_HERE
from ui.link.page_table import PageLink, page_entry
from ui.pictures.table import Table
from ui.words.catalogue import label
from ui.words.markdown import escape_markdown
from ui.words.python_lines import CodeLines
from ui.words.refusals import BEYOND_NUMBERS


def run(page: Any, **state: Any) -> AppTest:
    test = AppTest.from_function(page, default_timeout=30)
    for name, value in state.items():
        test.session_state[name] = value
    return again(test)


def again(test: AppTest) -> AppTest:
    test.run()
    assert not test.exception, test.exception
    return test


def html(test: AppTest) -> list[str]:
    return [element.proto.body for element in test.get("html")]


def elements() -> None:
    from ui.frame import show

    show.page_question("explain", "Who <is>?")
    show.question("How **many**?", "Guess **now** & here")
    show.question("Why?", "")
    show.code("A<B", "host/<join>")
    show.square("<svg/>", 'Opens "it"')
    show.begin_at_top('a"b')
    show.told("**Sent**")
    show.answer("Yes", "")
    show.sentence("", "One", "", "**Two**")
    show.sentence("", "")
    show.prose("$x$ ![a](//b)")
    show.notice("")
    show.caption("")
    show.refused("")


def test_questions_codes_and_sentences_are_drawn_as_they_are_said_and_typed_words_letter_by_letter() -> None:
    test = run(elements)
    assert html(test) == [
        '<h1 class="riskline-page" data-page="explain">Who &lt;is&gt;?</h1>',
        '<h2 class="riskline-question">How **many**?</h2>'
        '<p class="riskline-small">Guess <strong>now</strong> &amp; here</p>',
        '<h2 class="riskline-question">Why?</h2>',
        '<p class="riskline-code"><span>host/&lt;join&gt;</span><strong>A&lt;B</strong></p>',
        '<img class="riskline-square" alt="Opens &quot;it&quot;" src="data:image/svg+xml;base64,PHN2Zy8+">',
        '<span data-riskline-moment="a&quot;b" hidden></span>',
        '<p class="riskline-sentence riskline-told"><strong>Sent</strong></p>',
        '<p class="riskline-answer">Yes</p>',
        '<p class="riskline-sentence">One</p><p class="riskline-sentence"><strong>Two</strong></p>',
    ]
    assert "![a](//b)" not in test.markdown[0].value
    assert not [*test.info, *test.caption, *test.error, *test.expander]


def sure() -> None:
    from ui.frame import show

    show.answer("Yes", "Exact")


@pytest.mark.parametrize("technical", [True, False])
def test_how_sure_an_answer_is_stands_open_for_those_who_know(technical: bool) -> None:
    (fold,) = run(sure, **{"frame.technical": technical}).expander
    assert (fold.label, fold.proto.expanded) == (label("frame", "sure"), technical)


def lasting() -> None:
    from types import SimpleNamespace

    import streamlit as st

    from ui.frame import show
    from ui.words.python_lines import CodeLines

    def view_of(asked: float, style: str) -> SimpleNamespace:
        refusal = None if asked < 5 else f"{asked} is too much"
        return SimpleNamespace(shown=f"{1 / asked:g} in {style}", refusal=refusal, python=CodeLines(f"{asked}", ()))

    asked, here = st.session_state["asked"], st.session_state.get("here", False)
    if st.session_state.get("always"):
        shown, told = show.view_of(view_of, asked, "red"), None
    else:
        finished = st.session_state.get("finished")
        shown, told = show.view_or_last_good("demo", view_of, asked, "red", finished=finished, here=here)
    st.session_state["found"] = shown.shown, told
    show.same_in_python("demo")


@pytest.mark.parametrize("here", [True, False])
def test_the_last_choices_with_an_answer_stay_shown_without_lines_and_a_page_without_any_shows_its_refusal(
    here: bool,
) -> None:
    asked_of: list[tuple[Any, ...]] = []

    def computed(function: Any, *arguments: Any) -> Any:
        asked_of.append(arguments)
        return function(*arguments)

    with patch.object(show, "computed_by_worker", computed):
        test = run(lasting, asked=5, here=here, **{"demo.python": True})
        steps = [(5, "0.2 in red", "5 is too much", [])]
        steps += [(2, "0.5 in red", None, ["2"]), (8, "0.5 in red", "8 is too much", [])]
        steps += [(0, "0.5 in red", BEYOND_NUMBERS, []), (4, "0.25 in red", None, ["4"])]
        for asked, shown, told, lines in steps:
            test.session_state["asked"] = asked
            again(test)
            assert test.session_state["found"] == (shown, told)
            assert [one.value for one in test.code] == lines
        for finished, shown in [(1, "1 in red"), (7, "1 in red"), (0, "1 in red"), (None, "1 in red")]:
            test.session_state["asked"], test.session_state["finished"] = 8, finished
            assert again(test).session_state["found"] == (shown, "8 is too much")  # what is finished, where it can be
    assert bool(asked_of) is not here
    left = run(
        lasting, asked=8, here=here, _python=CodeLines("of another page that failed", ()), **{"demo.python": True}
    )
    assert not left.code


def test_a_view_of_refused_choices_is_shown_and_has_no_lines() -> None:
    test = run(lasting, asked=8, always=True, **{"demo.python": True})
    assert test.session_state["found"] == ("0.125 in red", None)
    assert not test.code
    test.session_state["asked"] = 4
    (fold,) = again(test).expander
    assert (fold.label, [one.value for one in test.code]) == (label("frame", "same_in_python"), ["4"])
    del test.session_state["demo.python"]
    assert not again(test).code, "a fold that is shut holds nothing"


def test_a_way_says_its_words_the_case_and_the_switches_and_none_leads_to_rooms_that_are_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[Any] = []
    state: dict[str, Any] = {}
    monkeypatch.setattr(show.st, "session_state", state)
    monkeypatch.setattr(show.st, "page_link", lambda page, **look: found.append((page, *look.values())))
    monkeypatch.setattr(show.st, "switch_page", lambda page, **query: found.append((page, *query.values())))
    show.way(PageLink("explain", "To [it]", (("prior", "0.2"),)))
    show.way(PageLink("room", "Open a room"))
    state |= {"frame.technical": True, CASE: Case(unit="household")}
    technical = {"case": "own", "unit": "household", "voice": "technical"}
    show.way(PageLink("explain", "", (("prior", "0.2"),)))
    state["frame.large"] = True
    show.go_to("plan")
    monkeypatch.setenv("RISKLINE_ROOMS", "off")
    show.way(PageLink("room", "Open a room"))
    show.way(None)
    show.tries("a budget")
    assert state[show.TRIAL] == "a budget"
    assert found == [
        ("pages/explain.py", f"**{escape_markdown('To [it]')}**", {"prior": "0.2"}),
        ("pages/room.py", "**Open a room**", None),
        ("pages/explain.py", "****", {"prior": "0.2"} | technical),
        ("pages/plan.py", technical | {"type": "large"}),
    ]


TABLE = Table("The **Counts** of 3 <b> places by age and more", ("place", "count"), (("A <b>", 1), ("**B**", 2)))


def tables() -> None:
    import streamlit as st

    from ui.frame import show
    from ui.pictures.table import Table

    table = st.session_state["table"]
    st.session_state[show.TABLES] = []
    show.show_table(table, words=True)
    show.show_table(table, alone=True)
    show.show_table(table)
    show.show_table(table)
    show.show_table(Table("1", ("a",), ()))
    show.long_table(table, key="long")
    show.long_table(None, key="none")


def test_each_table_leaves_as_a_file_of_its_own_name_unless_it_stands_alone() -> None:
    with downloads() as files:
        test = run(tables, table=TABLE)
    drawn = [body for body in html(test) if "<table" in body]
    styles = [re.findall('table class="([^"]*)"', body)[0] for body in drawn]
    plain, words = "riskline-table", "riskline-table riskline-words"
    assert styles == [words, plain, plain, plain, plain, words]
    assert 'aria-label="The **Counts** of 3 &lt;b&gt; places by age and more"' in drawn[0]
    assert "<caption>The <strong>Counts</strong> of 3 &lt;b&gt; places by age and more</caption>" in drawn[0]
    assert '<th scope="row">A &lt;b&gt;</th><td>1</td>' in drawn[0]
    assert [(name, kind) for name, kind, _ in files.values()] == [
        (f"riskline-{name}.csv", "text/csv")
        for name in (
            *("table-the-counts-of-b-places", "table-the-counts-of-b-places-2", "table-the-counts-of-b-places-3"),
            *("table-table", "long"),
        )
    ]
    assert {data if isinstance(data, str) else data() for _, _, data in files.values()} == {
        TABLE.as_csv(),
        Table("1", ("a",), ()).as_csv(),
    }
    presses = [button.proto.type for button in test.get("download_button")]
    assert presses == ["tertiary"] * 4 + ["secondary"]


def folded() -> None:
    import streamlit as st

    from ui.frame import show

    show.computed("By $x$", key="demo", table=st.session_state["table"])
    with show._fold("Numbers", "numbers") as opened:
        if opened:
            raise OverflowError


def test_experts_find_the_table_in_their_fold_and_what_cannot_be_computed_is_said_in_the_one_that_is_open() -> None:
    test = run(folded, table=TABLE)
    computed, numbers = test.expander
    assert [body for element in computed.get("html") if "<table" in (body := element.proto.body)]
    assert (numbers.label, len(test.error)) == ("Numbers", 0)
    test.session_state["numbers"] = True
    again(test)
    assert [one.value for one in test.expander[1].error] == [escape_markdown(BEYOND_NUMBERS)]


def drawn() -> None:
    import streamlit as st

    from tests.approved.specimens import ICONS, PICTURES
    from ui.frame import show
    from ui.pictures.panels import icon_panels
    from ui.pictures.style import Style

    picture, panels = PICTURES["dots"](Style()), icon_panels("people", ICONS[:1], Style())
    way = st.session_state["way"]
    if way == "picture":
        show.picture(picture, on_point=lambda: None)
    elif way == "picture alone":
        show.picture(picture, alone=True)
    elif way == "reading":
        show.reading(picture)
    elif way == "files":
        show.files(picture)
        show.files(None)
    elif way == "icons told":
        show.icons(panels, reading="**Three** of ten", told=True)
    elif way == "icons alone":
        show.icons(panels, reading="**Three** of ten", alone=True)
        show.icons(None, reading="")
    else:
        show.picture_file(panels, "Take it", reading="**Three** of ten")
        show.picture_file(None, "Take it", reading="")


@pytest.mark.parametrize(
    ("way", "kinds"),
    [
        ("picture", {"plotly_chart": 1, "html": 1, "expander": 1}),
        ("picture alone", {"plotly_chart": 1, "html": 1}),
        ("reading", {"html": 1, "expander": 1}),
        ("files", {"expander": 1}),
        ("icons told", {"markdown": 1, "expander": 1}),
        ("icons alone", {"markdown": 1, "html": 1}),
        ("icons as a file", {"download_button": 1}),
    ],
)
def test_a_picture_is_read_and_leaves_as_files_where_it_is_to(way: str, kinds: dict[str, int]) -> None:
    with downloads() as files:
        test = run(drawn, way=way)
    asked = ("plotly_chart", "markdown", "html", "expander", "download_button")
    assert {kind: len(test.get(kind)) for kind in asked if test.get(kind)} == kinds
    if way.startswith("picture"):
        (chart,) = test.get("plotly_chart")
        assert bool(chart.proto.selection_mode) is (way == "picture")
        assert chart.proto.alt
    assert [file[:2] for file in files.values()] == [("riskline-people.png", "image/png")] * (way == "icons as a file")


def at(address: str) -> Any:
    return patch("streamlit.runtime.context.ContextProxy.url", address)


def code_told() -> None:
    from ui.frame import show

    show.tell_no_code()


def test_the_address_of_the_app_is_the_browsers_without_the_page_and_no_code_leads_to_this_computer() -> None:
    for url, root in (
        ("https://stats.example/risk/explain?x=1", "https://stats.example/risk/"),
        ("http://127.0.0.1:8501/", "http://127.0.0.1:8501/"),
        ("", ""),
        ("about:blank", ""),
    ):
        with at(url):
            assert show.root_address() == root
            told = [one.value for one in run(code_told).caption]
        assert len(told) == ("127.0.0.1" in url)


def stripped() -> None:
    import streamlit as st

    from ui.frame import show

    show.tries(st.session_state.get("trial"))
    show.show_strip("plain", "explain", lambda: st.write("asked"))


def test_the_strip_is_told_what_the_page_tries_and_whether_its_parties_are_those_it_begins_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[dict[str, Any]] = []

    def strip_of(case: Case, voice: str, **how: Any) -> Any:
        told.append(how | {"voice": voice, "case": case})
        raise KeyError

    monkeypatch.setattr(show, "strip_of", strip_of)
    case = Case(ratio=2.0).decided(value=0.5, currency="epsilon")
    state: dict[str, Any] = {CASE: case, "_choices": {"positions": {"name1": "A", "view": "x"}}, show.TRIAL: "tried"}
    monkeypatch.setattr(show.st, "session_state", state)
    for changed in ({}, {"_choices": {}}, {MADE_HERE: [case.decision]}):
        state |= changed
        with pytest.raises(KeyError):
            show.show_strip("technical", "positions", lambda: None)
    assert [one["as_begun"] for one in told] == [False, True, True]
    assert [one["claimed"] for one in told] == [True, True, False]
    assert (told[0]["trial"], told[0]["page"], told[0]["voice"], told[0]["case"]) == (
        *("tried", "positions", "technical", case),
    )
    assert told[0]["chosen"]["name1"] == "A"
    assert told[1]["chosen"] == {field.name: field.default for field in page_entry("positions").fields}


def test_the_strip_says_the_case_and_asks_for_it_only_when_it_is_opened() -> None:
    test = run(stripped, **{CASE: Case(title="<Absence>", ratio=2.0)})
    (body,) = html(test)
    assert 'data-state="undecided"' in body
    assert '<span class="riskline-strip-long">&lt;Absence&gt; · ' in body
    assert "trying" not in body
    assert not test.markdown
    test.session_state["case.change"] = True
    assert [one.value for one in again(test).markdown] == ["asked"]
