"""A room as its moderator runs it: which presses there are at each step, what they make of it, and who is told what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.approved.rooms import room, shown_wall, started, stored
from ui.ask import room as ask
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.rooms.meeting import OnTheWall, OpenedRoom, Participant, Phase, Result, Room, RoomVersions
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import RoomStore
from ui.views.room import ACTIVITIES, FIELDS, RoomInputs
from ui.views.room.activity import text_of, values_of
from ui.views.room.choices import SCRIPT, Script
from ui.views.room.view import ENDED, Held
from ui.words.catalogue import label, say

SETTINGS = dict(RoomInputs().settings)
SCRIPT_OF = SCRIPT.decode


class Form:
    """The choices of the page, as its callbacks hold them; what is typed and cannot be used is "wrong"."""

    stem = "room"

    def __init__(self, **values: Any) -> None:
        self.fields = {field.name: field for field in FIELDS}
        self.values = {name: field.default for name, field in self.fields.items()} | values
        self.typed: dict[str, Any] = {}
        self.asked: list[Any] = []
        self.renewed: list[str] = []

    def made(self, name: str) -> Any:
        if self.typed.get(name) == "wrong":
            raise ValueError
        return self.typed.get(name, self.values[name])

    def renew(self, name: str) -> None:
        self.renewed.append(name)

    def number(self, name: str, **how: Any) -> None:
        self.asked.append((name, how))

    def lines(self, name: str, written: Callable[[Any], str], **how: Any) -> None:
        self.asked.append((name, written(self.values[name]), how))

    def flag(self, name: str) -> None:
        self.asked.append((name, "flag"))

    def choice(self, name: str, words: Any = None, **how: Any) -> Any:
        self.asked.append((name, tuple(words)))
        return self.values[name]

    def pick(self, name: str, words: Any) -> None:
        self.asked.append((name, dict(words)))


class Page:
    """What stands on the moderator's page, what was done in the store, and the session."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state: dict[str, Any] = {}
        self.form: Any = Form(code="ABC234", key="k" * 22)
        self.buttons: dict[str, Any] = {}
        self.said: list[Any] = []
        self.done: list[Any] = []
        self.put: list[Any] = []
        self.refuses: dict[str, RoomCode] = {}
        self.open = False
        monkeypatch.setattr(ask.st, "session_state", self.state)
        monkeypatch.setattr(ask.st, "context", SimpleNamespace(timezone="Europe/Paris", theme=None))
        monkeypatch.setattr(ask.st, "button", self.button)
        monkeypatch.setattr(ask, "_moderate", self.moderate)
        monkeypatch.setattr(ask, "put", lambda stem, **made: self.put.append((stem, made)))
        monkeypatch.setattr(ask.show, "root_address", lambda: "https://stats.example/")
        for name in ("sentence", "caption", "told", "refused", "notice", "question", "show_table", "picture"):
            monkeypatch.setattr(ask.show, name, lambda *words, name=name, **how: self.said.append((name, *words)))
        for name in ("way", "answer"):
            monkeypatch.setattr(ask.show, name, lambda *words, **how: None)
        monkeypatch.setattr(ask.show, "refused_below", lambda words, *, box: self.said.append(("below", box)))
        for name in ("container", "expander"):
            monkeypatch.setattr(ask.st, name, self.block)
        monkeypatch.setattr(ask.st, "columns", lambda sizes, **look: [self for _ in sizes])
        monkeypatch.setattr(ask.st, "text_input", lambda words, value="", **how: self.state.get(how["key"], value))

    def block(self, *given: Any, **how: Any) -> Page:
        return self

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *fault: Any) -> None:
        pass

    def button(self, words: str, *, key: str, **look: Any) -> None:
        self.buttons[key] = SimpleNamespace(words=words, **look)

    def press(self, key: str) -> None:
        button = self.buttons[key]
        button.on_click(*getattr(button, "args", ()), **getattr(button, "kwargs", {}))

    def moderate(self, form: Any, action: Callable[..., Any], *given: Any, **named: Any) -> None:
        name = action.__name__
        self.done.append((name, *given, named) if named else (name, *given))
        if name in self.refuses and Phase.CLOSED not in given:
            self.state[ask.TROUBLE] = self.refuses[name]

    def kinds(self) -> dict[str, str]:
        """The presses by their words, and whether they are the one to press."""
        return {key: getattr(one, "type", "secondary") for key, one in self.buttons.items()}


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    return Page(monkeypatch)


def run(kind: str, phase: Phase, answered: int = 7, **settings: Any) -> Room:
    return room(started(kind, SETTINGS | settings, phase), answered)


PHASES = [
    ("vote", Phase.OPEN, {"room.phase.shown": "primary", "room.phase.closed": "secondary"}),
    ("vote", Phase.CLOSED, {"room.phase.shown": "primary", "room.phase.open": "secondary"}),
    ("vote", Phase.SHOWN, {"room.phase.hidden": "secondary"}),
    ("vote", Phase.HIDDEN, {"room.phase.shown": "secondary"}),
    ("vote", Phase.GONE, {}),
]


@pytest.mark.parametrize(("kind", "phase", "presses"), PHASES)
def test_each_phase_leads_to_the_next_and_what_is_prepared_comes_when_it_is_done(
    kind: str, phase: Phase, presses: dict[str, str], page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    walls: list[Any] = []
    monkeypatch.setattr(ask, "offer_wall", walls.append)
    ask.ask_phase(page.form, run(kind, phase))
    assert page.kinds() == presses
    assert walls == [page.form]
    page.buttons.clear()
    page.form.values["script"] = SCRIPT_OF("12; Draw a line of risk\n5; Debate\n8; Vote")
    ask.ask_phase(page.form, run(kind, phase))
    done = phase in (Phase.SHOWN, Phase.HIDDEN, Phase.GONE)
    assert page.kinds() == ({"room.start_next": "primary"} if done else {}) | presses
    assert ("sentence" in {one[0] for one in page.said}) is done
    if phase is Phase.OPEN:
        page.press("room.phase.closed")
        assert page.done == [("set_phase", 1, Phase.CLOSED, {"settings": None})]


def test_a_step_that_opens_a_page_leads_there(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[Any] = []
    monkeypatch.setattr(ask.show, "way", ways.append)
    monkeypatch.setattr(ask, "offer_wall", lambda form: None)
    page.form.values["script"] = SCRIPT_OF("5; Debate\n12; Draw a line of risk")
    words = page.form.values["script"][0].words
    monkeypatch.setattr(ask.choices, "pages_of_steps", lambda: {words: "the page"})
    ask.ask_phase(page.form, room(None))
    assert ways == ["the page", None]


def test_files_are_drawn_for_paper_and_a_room_ends_when_somebody_is_sure(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask, "style", lambda: Style(dark=True, large=True, voice="technical"))
    monkeypatch.setattr(ask.choices, "shown_again", lambda results, look: (tuple(results), look))
    paper = Style(voice="technical")
    made = ask._report(lambda made: ("file", made), lambda *given: given, ["a result"])
    assert made == ("file", ((("a result",), paper), paper))
    files: list[Any] = []
    sure = [False]
    monkeypatch.setattr(ask.st, "checkbox", lambda words, *, key: sure[0])
    monkeypatch.setattr(ask.st, "download_button", lambda words, made, name, mime, **how: files.append((made, name)))
    for certain in (False, True):
        sure[0] = certain
        ask._offer_everything(page.form)
        assert page.buttons["room.end"].disabled is not certain
    assert [name for _, name in files[:5]] == [
        f"riskline-room.{kind}" for kind in ("csv", "json", "html", "docx", "pptx")
    ]
    monkeypatch.setattr(ask, "store", lambda: SimpleNamespace(results=lambda code, key: f"results of {code} {key}"))
    assert ask._written(str.upper, "abc", "k") == "RESULTS OF ABC K"


def test_before_anything_runs_and_where_too_few_answered_what_is_prepared_can_begin(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask, "offer_wall", lambda form: None)
    page.form.values["script"] = SCRIPT_OF("5; Debate\n12; Draw a line of risk")
    ask.ask_phase(page.form, room(None))
    assert page.kinds() == {"room.start_next": "primary"}
    assert len([one for one in page.said if one[0] == "sentence"]) == 2, "the debate before, and the line"
    page.buttons.clear()
    ask.ask_phase(page.form, run("vote", Phase.CLOSED, 2))
    assert page.kinds() == {
        "room.start_next": "primary",
        "room.phase.shown": "secondary",
        "room.phase.open": "secondary",
    }
    page.buttons.clear()
    page.form.values["script"] = SCRIPT_OF("5; Debate")
    ask.ask_phase(page.form, room(None))
    assert page.kinds() == {}


def test_counted_answers_take_none_again_and_what_is_told_late_is_asked_before_it_is_shown(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask, "offer_wall", lambda form: None)
    counted = run("coin_survey", Phase.CLOSED)
    assert counted.activity is not None
    ask.ask_phase(page.form, replace(counted, activity=replace(counted.activity, tallied=True)))
    assert set(page.buttons) == {"room.phase.shown"}
    own: dict[str, Any] = {"prediction_lesson": "own", "prediction_question": "How many?"}
    for phase, truth, presses, boxes in (
        (Phase.OPEN, None, {"room.phase.closed"}, 0),
        (Phase.OPEN, 30.0, {"room.phase.shown", "room.phase.closed"}, 0),
        (Phase.CLOSED, None, {"room.phase.shown", "room.phase.open"}, 1),
        (Phase.HIDDEN, None, {"room.phase.shown"}, 1),
    ):
        page.buttons.clear()
        asked: list[Any] = []
        monkeypatch.setattr(ask, "ask_late", asked.append)
        ask.ask_phase(page.form, run("prediction", phase, prediction_truth=truth, **own))
        assert (set(page.buttons), len(asked)) == (presses, boxes)


def late(typed: str | None, page: Page) -> Any:
    own = {"prediction_lesson": "own", "prediction_question": "How many?", "prediction_truth": 30.0}
    running = run("prediction", Phase.CLOSED, **own).activity
    assert running is not None
    if typed is not None:
        page.state["room.late.1.prediction_truth"] = typed
    return running


@pytest.mark.parametrize(
    ("typed", "truth", "said"),
    [
        (None, 30.0, []),
        ("12", 12.0, []),
        ("", None, []),
        ("1,031", 1031.0, [("caption", "Read as 1031: the comma stands between thousands.")]),
        ("many", ValueError, [("below", "room.late.1.prediction_truth")]),
    ],
)
def test_what_is_told_with_the_result_is_read_as_its_box_says(
    typed: str | None, truth: Any, said: list[Any], page: Page
) -> None:
    running = late(typed, page)
    ask.ask_late(running)
    assert page.said == said
    if truth is ValueError:
        ask._set_phase(page.form, running, Phase.SHOWN)
        assert page.done == []
        return
    settings = values_of(ACTIVITIES["prediction"].settings, ask.settings_with_late(running))
    assert settings["prediction_truth"] == truth
    ask._set_phase(page.form, running, Phase.SHOWN)
    assert page.done == [("set_phase", 1, Phase.SHOWN, {"settings": ask.settings_with_late(running)})]
    ask._set_phase(page.form, running, Phase.HIDDEN)
    assert page.done[-1] == ("set_phase", 1, Phase.HIDDEN, {"settings": None})


def test_where_too_few_answered_showing_closes_answers_first(page: Page) -> None:
    page.refuses = {"set_phase": RoomCode.TOO_FEW}
    for phase, steps in ((Phase.OPEN, [Phase.SHOWN, Phase.CLOSED]), (Phase.CLOSED, [Phase.SHOWN])):
        page.done.clear()
        page.state.clear()
        running = run("vote", phase, 2).activity
        assert running is not None
        ask._set_phase(page.form, running, Phase.SHOWN)
        assert [one[2] for one in page.done] == steps
        assert (ask.TROUBLE in page.state) is (phase is Phase.CLOSED), "the page says so once answers are closed"
    page.refuses = {"set_phase": RoomCode.UNAVAILABLE}
    page.done.clear()
    running = run("vote", Phase.OPEN).activity
    assert running is not None
    ask._set_phase(page.form, running, Phase.SHOWN)
    assert (len(page.done), page.state[ask.TROUBLE]) == (1, RoomCode.UNAVAILABLE)


def starting(page: Page, script: str, running: Any = None) -> list[Any]:
    page.form.typed["script"] = SCRIPT_OF(script)
    page.done.clear()
    ask._start_next(page.form, running)
    return page.done


def test_what_is_prepared_next_starts_with_its_settings_and_leaves_the_rest(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    activity = ACTIVITIES["line"]
    page.form.fields["line_group"] = replace(page.form.fields["line_group"], default=3)  # as the case has it
    ((name, kind, text, how),) = starting(page, "5; Debate\n5; Draw a line of risk; epsilon = 0.9\n8; Vote")
    assert (name, kind) == ("start", "line")
    begun = values_of(activity.settings, text)
    assert (begun["line_epsilon"], begun["line_group"]) == (0.9, 3)
    assert how["after"] == 0
    assert values_of([SCRIPT], how["script"])["script"] == SCRIPT_OF("8; Vote")
    running = run("vote", Phase.SHOWN).activity
    assert starting(page, "5; Draw a line of risk", running)[0][3]["after"] == 1
    assert starting(page, "5; Debate") == []
    page.form.typed["script"] = "wrong"
    page.done.clear()
    ask._start_next(page.form, None)
    assert page.done == []
    votes = {0: "none", 2: "second", 4: "fourth"}
    monkeypatch.setattr(ask, "earlier_votes", lambda form, options: votes)
    for line, before in (
        ("8; Vote; Keep it?; yes; no", 4),
        ("8; Vote; before = 2; Keep it?; yes; no", 2),
        ("8; Vote; before = 3; Keep it?; yes; no", 4),
    ):
        ((_, _, text, _),) = starting(page, line)
        settings = values_of(ACTIVITIES["vote"].settings, text)
        assert (settings["vote_before"], settings["vote_options"]) == (before, ("yes", "no"))


def test_a_vote_without_options_is_between_the_lines_that_were_shown_last(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask, "earlier_votes", lambda form, options: {0: "none"})
    results: list[Result] = []
    monkeypatch.setattr(RoomStore, "results", lambda *room: tuple(results))

    def moderate(form: Any, action: Callable[..., Any], *given: Any, **named: Any) -> None:
        if action.__name__ == "<lambda>":
            action("store", "code", "key")
        else:
            Page.moderate(page, form, action, *given, **named)

    monkeypatch.setattr(ask, "_moderate", moderate)
    assert starting(page, "8; Vote") == []
    assert page.state[ask.TROUBLE] == "no_lines"
    line = started("line", SETTINGS, Phase.SHOWN)
    answers = stored("line")
    results += [Result(line, answers[:3]), Result(replace(line, number=2), answers)]
    vote = started("vote", SETTINGS, Phase.SHOWN)
    results.append(Result(vote, stored("vote")))
    ((_, kind, text, _),) = starting(page, "8; Vote; And now?")
    settings = values_of(ACTIVITIES["vote"].settings, text)
    last = next(wall for _, wall in ask.choices.shown_again(results[1:2], Style()))
    assert (kind, settings["vote_options"]) == ("vote", last.vote_settings["vote_options"])
    assert settings["vote_question"] == "And now?"


def held(script: str, code: str = "ABC234") -> Held:
    seen = OnTheWall(replace(room(None), code=code), script=text_of([SCRIPT], {"script": SCRIPT_OF(script)}))
    return Held(**vars(seen))


def test_a_script_that_changed_elsewhere_begins_its_box_anew_and_one_that_is_typed_is_kept(page: Page) -> None:
    ask.take_script(page.form, held("5; Debate"))
    assert (page.form.values["script"], page.form.renewed) == (SCRIPT_OF("5; Debate"), ["script"])
    page.form.values["script"] = SCRIPT_OF("7; Debate")
    ask.take_script(page.form, held("5; Debate"))
    assert (page.form.values["script"], len(page.form.renewed)) == (SCRIPT_OF("7; Debate"), 1)
    ask._ask_prepared(page.form)
    kept = text_of([SCRIPT], {"script": SCRIPT_OF("7; Debate")})
    assert page.done == [("set_script", kept)]
    ask._ask_prepared(page.form)
    assert len(page.done) == 1
    ask.take_script(page.form, held("7; Debate"))
    assert len(page.form.renewed) == 1, "as it was typed here"
    ask.take_script(page.form, held("7; Debate", code="ZZZ999"))
    assert len(page.form.renewed) == 2, "that of another room"
    page.form.values |= {"script": SCRIPT_OF("9; Debate"), "code": "ABC234"}
    ask._ask_prepared(page.form)
    assert len(page.done) == 1


def test_a_lesson_that_is_chosen_fills_the_script_and_leaves_its_list(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    picked: dict[str, Any] = {}
    monkeypatch.setattr(ask, "pick_one", lambda words, options, **how: picked.update(how, options=options))
    ask._ask_prepared(page.form)
    assert picked["options"]["60"] == label("room", "meeting")
    page.state[ask.PREPARED] = "60"
    picked["on_change"]()
    assert page.put == [("room", {"script": ask.choices.lesson_script("60")})]
    assert page.state[ask.PREPARED] is None
    assert page.form.asked == [("script", "", {"commas_part_counts": False})]


def after(page: Page, phase: Phase, answered: int = 7, **chosen: Any) -> None:
    page.buttons.clear()
    page.form.asked.clear()
    page.form.values |= SETTINGS | chosen
    ask.ask_after(page.form, run("line", phase, answered))


def test_what_may_be_asked_of_a_result_is_put_on_the_wall_once_it_differs(page: Page) -> None:
    for phase, answered in ((Phase.OPEN, 7), (Phase.CLOSED, 7), (Phase.HIDDEN, 7)):
        after(page, phase, answered, line_epsilon=0.5)
        assert (page.form.asked, page.buttons) == ([], {})
    after(page, Phase.SHOWN)
    assert ([name for name, _ in page.form.asked], page.buttons) == (list(ACTIVITIES["line"].after), {})
    after(page, Phase.SHOWN, line_epsilon=0.5)
    page.press("room.on_the_wall")
    ((name, number, phase, how),) = page.done
    assert (name, number, phase) == ("set_phase", 1, Phase.SHOWN)
    assert values_of(ACTIVITIES["line"].settings, how["settings"])["line_epsilon"] == 0.5
    page.form.typed["line_epsilon"] = "wrong"
    page.press("room.on_the_wall")
    assert len(page.done) == 1
    after(page, Phase.SHOWN, 2, line_epsilon=0.5)
    assert page.buttons == {}, "too few answered"


@pytest.mark.parametrize("kind", list(ACTIVITIES))
def test_an_activity_is_asked_for_what_means_something_and_started_as_its_boxes_say(kind: str, page: Page) -> None:
    activity = ACTIVITIES[kind]
    page.form.values |= SETTINGS | {"activity": kind}
    ask.ask_next(page.form, room(None))
    asked = [name for name, *_ in page.form.asked]
    settings = [field for field in activity.settings if field.name not in (*activity.after, *activity.late)]
    assert asked == ["activity", *(field.name for field in settings if ask.means_something(field, page.form.values))]
    assert page.form.asked[0][1] == tuple(ACTIVITIES)
    start = page.buttons["room.start"]
    assert (start.words, start.type, start.width) == (label("room", "start"), "primary", "stretch")
    purpose = activity.purpose
    assert page.said == [
        ("caption", f"{purpose[0].upper()}{purpose[1:]}."),
        ("caption", activity.forecast(room(None).people, Style())),
    ]
    ask.ask_next(page.form, run("vote", Phase.OPEN))
    assert page.buttons["room.start"].type == "secondary"
    page.press("room.start")
    ((name, of_kind, _, how),) = page.done
    assert (name, of_kind) == ("start", kind)
    assert how == activity.kept(SETTINGS)
    for other in (*activity.after, *(field.name for field in settings)):
        page.form.typed = {other: "wrong"}
        page.press("room.start")
    assert len(page.done) == 1, "the box says why"


@pytest.mark.parametrize(
    ("name", "values", "means"),
    [
        *(("line_group", {"line_unit": unit}, unit == "household") for unit in ("person", "household")),
        *(
            ("attack_rho", {"attack_noise": noise}, noise == "discrete_gaussian")
            for noise in ("discrete_gaussian", "x")
        ),
        *(("prediction_truth", {"prediction_lesson": lesson}, lesson == "own") for lesson in ("own", "90_3")),
        ("understanding_order", {}, False),
        ("vote_options", {}, True),
    ],
)
def test_a_setting_means_something_beside_certain_values_of_another(
    name: str, values: dict[str, Any], means: bool
) -> None:
    (field,) = [one for each in ACTIVITIES.values() for one in each.settings if one.name == name]
    assert ask.means_something(field, values) is means


def test_earlier_votes_between_the_same_options_may_stand_beside(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    votes = [
        started("vote", SETTINGS | {"vote_question": f"Q{number}", "vote_options": options}, Phase.SHOWN)
        for number, options in enumerate((("a", "b"), ("c", "d"), ("a", "b")), 1)
    ]
    activities = [replace(vote, number=number) for number, vote in enumerate(votes, 1)]
    activities.append(replace(started("line", SETTINGS, Phase.SHOWN), number=4))
    monkeypatch.setattr(ask, "store", lambda: SimpleNamespace(activities=lambda code, key: activities))
    none = label("room", "no_earlier_vote")
    assert ask.earlier_votes(page.form, ("a", "b")) == {
        0: none,
        **{number: label("room", "earlier_vote", number=number, question=f"Q{number}") for number in (1, 3)},
    }

    def refusing() -> Any:
        raise RoomRefused(RoomCode.UNAVAILABLE)

    monkeypatch.setattr(ask, "store", refusing)
    assert ask.earlier_votes(page.form, ("a", "b")) == {0: none}


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("typed", [True, False])
def test_door_and_names_are_turned_and_people_listed_only_where_it_is_open(
    closed: bool, typed: bool, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[Any] = []
    monkeypatch.setattr(ask, "_list_people", listed.append)
    ask._ask_people(page.form, replace(room(None), door_closed=closed, names_typed=typed))
    assert page.buttons["room.door"].words == label("room", "door_open" if closed else "door_close")
    assert page.buttons["room.names"].words == label("room", "names_off" if typed else "names_on")
    for key in ("room.door", "room.names"):
        page.press(key)
    assert page.done == [("set_door", {"closed": not closed}), ("set_names", {"typed": not typed})]
    page.press("room.renew")
    assert [(stem, [*given]) for stem, given in page.put] == [("room", ["next_key"])]
    assert listed == []
    page.open = True
    ask._ask_people(page.form, room(None))
    assert listed == [page.form]


def test_everybody_is_listed_by_group_and_number_with_what_can_be_done_about_them(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = (
        Participant(1, "Zoe", "b"),
        Participant(2, "", "A", answered=True),
        Participant(3, "Ada", "A", pending=True),
    )
    monkeypatch.setattr(ask, "store", lambda: SimpleNamespace(people=lambda code, key: people))
    ask._list_people(page.form)
    assert page.said == [
        ("caption", say("room", "plain", "removing")),
        *(("caption", ask.row_of(people[place])) for place in (1, 2, 0)),
    ]
    assert set(page.buttons) == {
        *("room.remove.1", "room.take_name.1", "room.remove.2", "room.remove.3", "room.take_name.3"),
        "room.show_name.3",
    }
    for key in ("room.remove.2", "room.take_name.1", "room.show_name.3"):
        page.press(key)
    assert page.done == [("remove", 2), ("take_nickname", 1), ("show_name", 3, "Ada")]
    page.said.clear()
    monkeypatch.setattr(ask, "store", lambda: SimpleNamespace(people=lambda code, key: ()))
    ask._list_people(page.form)
    assert page.said == [("caption", "")]


@pytest.mark.parametrize(
    ("refused", "left", "told"),
    [(None, True, "ended"), ("still_held", True, "still_held"), ("unavailable", False, "unavailable")],
)
def test_a_room_is_left_once_it_is_gone(refused: str | None, left: bool, told: str, page: Page) -> None:
    page.refuses = {} if refused is None else {"end": RoomCode(refused)}
    ask._end(page.form)
    assert page.put == [("room", {"code": "", "key": ""})] * left
    assert page.state[ask.TROUBLE] == told


def test_what_is_told_is_a_notice_a_refusal_or_nothing(page: Page) -> None:
    for reason in ("ended", "left", "unknown", "", *ENDED):
        ask.tell(reason)
    assert [one[0] for one in page.said] == ["notice", "notice", "refused"]
    assert page.said[0] == ("notice", say("room", "plain", "ended"))
    assert page.said[1] == ("notice", say("join", "plain", "left"))


class Rooms:
    """The store as a page finds its room."""

    kept = "database"

    def __init__(self) -> None:
        self.moderator, self.wall = "k" * 22, "w" * 22
        self.opened: list[Any] = []
        self.gone = False

    def versions(self, code: str) -> RoomVersions | None:
        return None if self.gone else RoomVersions(1, 1)

    def is_moderator(self, code: str, key: str) -> bool:
        return key == self.moderator

    def on_the_wall(self, code: str, key: str) -> OnTheWall:
        if key not in (self.moderator, self.wall):
            raise RoomRefused(RoomCode.WRONG_KEY)
        return OnTheWall(room(None), script="s" if key == self.moderator else "")


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch) -> Rooms:
    made = Rooms()

    def tried(code: str, *, holds_key: Callable[[], bool]) -> None:
        if made.gone:
            raise RoomRefused(RoomCode.UNKNOWN)

    monkeypatch.setattr(ask, "store", lambda: made)
    monkeypatch.setattr(ask, "tried", tried)
    monkeypatch.setattr(ask, "opened_room", lambda groups: made.opened.append(groups) or OpenedRoom("NEW234", "n" * 22))
    return made


def test_a_room_is_found_by_either_key_and_else_it_is_told_why_not(page: Page, rooms: Rooms) -> None:
    def found(**values: str) -> Any:
        page.form.values |= {"code": "ABC234", "key": "", "wall": "", "next_key": ""} | values
        return ask.held_room(page.form)

    seen, trouble = found(key=rooms.moderator)
    assert (seen.projected, seen.script, seen.kept, seen.root, seen.zone, trouble) == (
        *(False, "s", "database", "https://stats.example/", "Europe/Paris", ""),
    )
    assert found(key=rooms.moderator, wall=rooms.wall)[0].projected is False
    page.state[ask.TROUBLE] = "too_few"
    seen, trouble = found(wall=rooms.wall)
    assert (seen.projected, seen.script, trouble) == (True, "", "too_few")
    assert found(wall=rooms.wall)[1] == "", "it is told once"
    for wrong in ({}, {"key": "x"}, {"key": "x", "wall": rooms.wall}, {"wall": "x"}):
        assert found(**wrong) == (None, "wrong_key")
    page.state[ask.TROUBLE] = "ended"
    assert found(code="") == (None, "ended")
    rooms.gone = True
    assert found(wall=rooms.wall) == (None, "ended_database")
    assert found(key=rooms.moderator) == found(key="x", wall=rooms.wall) == (None, "unknown")


def test_what_another_page_asks_for_begins_in_the_room_of_this_session_or_in_a_new_one(
    page: Page, rooms: Rooms
) -> None:
    first = ("vote", {"vote_options": ("a", "b")})
    script: Script = SCRIPT_OF("5; Debate")
    text = text_of([SCRIPT], {"script": script})

    def asks(first: Any, script: Script = (), **values: str) -> list[Any]:
        page.form.values |= values
        page.done.clear()
        page.put.clear()
        rooms.opened.clear()
        ask._ask_for(first, script)
        assert page.state["_touched"]
        ask.held_room(page.form)
        assert ask.STARTING not in page.state
        return [one[:2] for one in page.done]

    assert asks(first, key=rooms.moderator, code="ABC234") == [("start", "vote")]
    assert rooms.opened == []
    assert asks(None, script, key=rooms.moderator) == [("set_script", text)]
    assert asks(None) == []
    page.form.typed["groups"] = ("a",)
    assert asks(first, script, key="", code="") == [("set_script", text), ("start", "vote")]
    assert rooms.opened == [("a",)]
    assert ("room", {"code": "NEW234", "key": "n" * 22, "wall": "", "next_key": ""}) in page.put
    assert (page.form.values["code"], page.form.values["key"]) == ("NEW234", "n" * 22)
    rooms.gone = True
    asks(first, key="old", code="ABC234")
    assert rooms.opened == [("a",)], "where the one of this session has ended"


def test_a_room_is_opened_with_what_is_prepared_and_not_while_a_box_is_wrong(page: Page, rooms: Rooms) -> None:
    page.form.typed["script"] = SCRIPT_OF("5; Debate")
    ask._open(page.form)
    assert page.done == [("set_script", text_of([SCRIPT], {"script": SCRIPT_OF("5; Debate")}))]
    page.form.typed["script"] = ()
    ask._open(page.form)
    assert len(page.done) == 1
    for box in ("script", "groups"):
        page.form.typed = {box: "wrong"}
        ask._open(page.form)
    assert len(rooms.opened) == 2


def test_a_room_can_be_opened_where_none_is_asked_for_and_left_where_one_is_gone(page: Page) -> None:
    page.form.values["code"] = ""
    ask.ask_to_open(page.form, "")
    assert page.kinds() == {"room.open": "primary"}
    assert page.form.asked[0] == ("groups", {"pictured": False})
    for reason, leaves in (("unknown", True), ("wrong_key", True), *((ended, False) for ended in ENDED)):
        page.buttons.clear()
        page.form.values["code"] = "ABC234"
        ask.ask_to_open(page.form, reason)
        assert ("room.leave" in page.buttons) is leaves
        if leaves:
            assert page.buttons["room.leave"].kwargs == {"code": "", "key": "", "wall": "", "next_key": ""}


def test_the_way_to_the_wall_has_a_key_that_moderates_nothing_and_large_type(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    links: list[str] = []
    monkeypatch.setattr(ask.st, "link_button", lambda words, address: links.append(address))
    page.state["frame.technical"] = True
    ask.offer_wall(page.form)
    wall = ask.wall_key("k" * 22)
    assert links == [f"https://stats.example/room?code=ABC234&wall={wall}&voice=technical&type=large"]


def test_a_button_to_a_room_says_whether_one_is_opened_and_is_not_there_without_rooms(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    led: list[str] = []
    monkeypatch.setattr(ask.show, "go_to", led.append)
    script = SCRIPT_OF("5; Debate")
    ask.offer_room("Ask the room", "Open one", key="demo", first=("vote", {}), script=script)
    assert page.buttons["demo"].words == "Open one"
    page.state[ask.STORE] = {"room": {"key": "k"}}
    ask.offer_room("Ask the room", "Open one", key="demo", script=script)
    assert page.buttons["demo"].words == "Ask the room"
    assert [one[0] for one in page.said] == ["caption"], "fewer than three are told only of a whole lesson"
    assert led == []
    page.press("demo")
    ask.offer_room("", "", key="demo")
    assert led == ["room"]
    page.buttons.clear()
    monkeypatch.setattr(ask, "rooms_off", lambda: True)
    ask.offer_room("", "", key="demo")
    assert page.buttons == {}


def table(columns: int) -> Table:
    return Table(f"{columns} columns", tuple("abcdefgh"[:columns]), ())


def test_a_result_fits_a_projector_with_the_rest_below_and_is_read_whole_by_the_moderator(page: Page) -> None:
    view = shown_wall("vote", Style())
    assert view.wall is not None
    page.said.clear()
    narrow, wide = table(ask.MOST_BESIDE), table(ask.MOST_BESIDE + 1)
    short, long = "s" * ask.SHORT, "l" * (ask.SHORT + 1)
    wall = replace(view.wall, sentences=(long, short, "another"), tables=(wide, narrow), more=("more",), ways=())
    ask._show_projected_result(view, wall)
    order = [one[1] for one in page.said]
    picture = order.index(wall.picture)
    assert order[picture + 1 : picture + 3] == [long, "another"], "beside a narrow table stands one short sentence"
    assert order[picture + 3 :] == [view.joining, short, narrow, wide, "more", view.small_print]
    page.said.clear()
    ask._show_projected_result(view, replace(wall, tables=(wide,)))
    assert [one[1] for one in page.said][2:] == [view.joining, long, short, "another", wide, "more", view.small_print]
    page.said.clear()
    ask.show_wall(replace(view, wall=wall))
    assert [one[1] for one in page.said] == [view.question, wall.picture, long, short, "another", wide, narrow, "more"]
    page.said.clear()
    ask.show_wall(replace(view, wall=None))
    assert [one[1] for one in page.said] == [view.question]


@pytest.mark.parametrize("reached", [True, False])
@pytest.mark.parametrize("projected", [True, False])
def test_the_way_in_has_a_square_only_where_phones_can_open_it(
    reached: bool, projected: bool, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("square", "code"):
        monkeypatch.setattr(ask.show, name, lambda *words, name=name: page.said.append((name,)))
    monkeypatch.setattr(ask, "reach_words", lambda root, voice: () if reached else ("Cannot.", "Do this.", "Or this."))
    view = shown_wall("vote", Style())
    page.said.clear()
    ask.show_way_in(view, projected=projected)
    told = [one if one[0] == "sentence" else one[0] for one in page.said]
    below = [("sentence", "Do this."), ("sentence", "Or this.")]
    if reached:
        assert told == ["square", "code"]
    else:
        assert told == [("sentence", "Cannot."), "code", *([] if projected else below)]
    page.said.clear()
    ask.show_way_in(replace(view, door_closed="Nobody more."), projected=projected)
    assert page.said == [("sentence", "Nobody more.")]


def test_an_earlier_result_is_picked_by_its_question_until_something_else_happens(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    picked: list[Any] = []
    number: list[Any] = [None]
    monkeypatch.setattr(ask, "pick_one", lambda words, options, *, key: picked.append((options, key)) or number[0])
    rooms = SimpleNamespace(result=lambda code, key, number: (code, key, number))
    monkeypatch.setattr(ask, "store", lambda: rooms)
    vote = started("vote", SETTINGS | {"vote_question": "Keep it?"}, Phase.SHOWN)
    running = replace(started("line", SETTINGS, Phase.OPEN), number=2)
    there = replace(room(running), shown=(vote,))
    assert ask.choose_shown(room(running), "k") is None
    assert ask.choose_shown(replace(there, activity=None), "k") is None
    assert picked == []
    assert ask.choose_shown(there, "k") is None
    options, key = picked[0]
    assert options == {1: label("room", "earlier_vote", number=1, question="Keep it?")}
    assert key == "room.earlier.2.open"
    number[0] = 1
    assert ask.choose_shown(there, "k") == ("ABC234", "k", 1)
    rooms.result = lambda code, key, number: (_ for _ in ()).throw(RoomRefused(RoomCode.UNAVAILABLE))
    assert ask.choose_shown(there, "k") is None


def test_what_the_store_refuses_the_moderator_is_told_with_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {}
    monkeypatch.setattr(ask.st, "session_state", state)
    monkeypatch.setattr(ask, "store", lambda: "the store")
    done: list[Any] = []
    form: Any = Form(code="ABC234", key="k")
    ask._moderate(form, lambda *given, **named: done.append((given, named)), 1, closed=True)
    assert done == [(("the store", "ABC234", "k", 1), {"closed": True})]

    def refusing(*given: Any) -> None:
        raise RoomRefused(RoomCode.WRONG_KEY)

    ask._moderate(form, refusing)
    assert state == {ask.TROUBLE: "wrong_key"}
