"""A run on a page: one for its choices, its bar with Stop, why it ended with Go on, and what stays of it."""

from __future__ import annotations

from threading import BoundedSemaphore
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ui.frame.case import TOUCHED
from ui.runs import follow
from ui.runs.run import TOO_MUCH, Run, State
from ui.words.catalogue import label
from ui.words.refusals import BROKEN


class Fake:
    """A run as a page sees it, which goes on until somebody ends it."""

    def __init__(self, work: Any, arguments: Any, *, found: Any = (), present: Any = None) -> None:
        self.work, self.arguments, self.present, self.pieces = work, arguments, present, list(found)
        self.state, self.followed, self.end_is_shown = State.RUNNING, 0, False

    @property
    def going(self) -> bool:
        return self.state in (State.RUNNING, State.WAITING)

    def follow(self) -> None:
        self.followed += 1

    def leave(self) -> None:
        if self.going:
            self.state = State.LEFT


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {}
    monkeypatch.setattr(follow.st, "session_state", state)
    monkeypatch.setattr(follow, "Run", Fake)
    monkeypatch.setattr(follow, "reader_present", lambda: "present")
    return state


def ask(key: str, name: str = "page") -> Any:
    return follow.asked(name, key, print, lambda found: (key, tuple(found)))


def test_the_same_choices_are_the_same_run_and_others_end_it_until_they_come_back(session: dict[str, Any]) -> None:
    run = ask("a")
    assert (run.work, run.arguments, run.present, run.followed) == (print, ("a", ()), "present", 1)
    assert not run.end_is_shown
    assert ask("a") is run
    assert (run.state, run.followed) == (State.RUNNING, 2)
    beside = ask("a", "another page")
    run.pieces.append(7)
    other = ask("b")
    assert (run.state, other.state, beside.state) == (State.LEFT, State.RUNNING, State.RUNNING)
    taken_up = ask("a")
    assert taken_up is not run
    assert (taken_up.pieces, taken_up.arguments) == ([7], ("a", (7,))), "it goes on where it stood"
    for ended in (State.FINISHED, State.STOPPED, State.FAILED):
        taken_up.state = ended
        assert ask("a") is taken_up
        assert taken_up.end_is_shown


def test_a_session_keeps_the_latest_few_runs_of_a_page(session: dict[str, Any]) -> None:
    runs = {}
    for key in "abcd":
        runs[key] = ask(key)
        runs[key].state = State.FINISHED
    assert ask("a") is runs["a"]
    ask("e")
    assert list(session[follow.RUNS]["page"]) == ["c", "d", "a", "e"]
    session[follow.SHOWN] = {"page": 1, "other": 2}
    last = ask("f")
    follow.forget("page")
    assert last.state is State.LEFT
    assert (session[follow.RUNS], session[follow.SHOWN]) == ({}, {"other": 2})
    follow.forget("never asked")


def test_what_was_found_last_stays_until_there_is_something_for_these_choices(session: dict[str, Any]) -> None:
    run = ask("a")
    assert follow.latest("page", run, "a") == ("a", (), False)
    assert follow.latest("page", None, "a") == ("a", (), False)
    run.pieces.append(1)
    found = follow.latest("page", run, "a")
    assert found == ("a", [1], False)
    run.pieces.append(2)
    assert found[1] == [1], "as it was when it was drawn"
    other = ask("b")
    assert follow.latest("page", other, "b") == ("a", [1], True)
    assert follow.latest("page", None, "b") == ("a", [1], True)
    other.pieces.append(3)
    assert follow.latest("page", other, "b") == ("b", [3], False)


def page() -> None:
    import streamlit as st

    from ui.runs import follow

    follow.follow(st.session_state["run"], st.empty(), key="demo", words="Drawing", act="the draw")


def shown(**run: Any) -> tuple[AppTest, list[str]]:
    """The page of a run, and what was pressed on it."""
    pressed: list[str] = []
    usual = {"state": State.RUNNING, "end_is_shown": False, "going": True, "may_resume": False, "failure": None}
    acts = {name: lambda name=name: pressed.append(name) for name in ("stop", "resume")}
    test = AppTest.from_function(page, default_timeout=30)
    test.session_state["run"] = SimpleNamespace(**(usual | acts | {"share": 0.25} | run))
    test.session_state["_after_page"] = []
    test.run()
    assert not test.exception
    return test, pressed


def test_a_run_that_goes_on_has_a_bar_and_stop_and_is_followed_after_the_page() -> None:
    for ended_since in (False, True):
        test, pressed = shown(going=not ended_since)
        (bar,) = test.get("progress")
        assert (bar.proto.value, bar.proto.text) == (25, "Drawing")
        (stop,) = test.button
        assert stop.label == label("frame", "stop", act="the draw")
        assert len(test.session_state["_after_page"]) == 1
        stop.click().run()
        assert pressed == ["stop"]
        assert test.session_state[TOUCHED]


@pytest.mark.parametrize(
    ("state", "failure", "resumed"),
    [(State.STOPPED, None, True), (State.EXHAUSTED, "Too long.", True), (State.FAILED, "Refused.", False)],
)
def test_a_run_that_has_ended_says_why_and_goes_on_where_it_may(
    state: State, failure: str | None, resumed: bool
) -> None:
    test, pressed = shown(state=state, failure=failure, going=False, end_is_shown=True, may_resume=resumed)
    assert [one.value for one in test.error] == ([failure] if failure else [])
    assert [one.label for one in test.button] == [label("frame", "go_on", act="the draw")] * resumed
    assert test.session_state["_after_page"] == []
    if resumed:
        test.button[0].click().run()
        assert pressed == ["resume"]


def test_a_run_that_has_finished_is_shown_no_more() -> None:
    test, _ = shown(state=State.FINISHED, going=False, end_is_shown=True)
    assert not [*test.button, *test.error, *test.get("progress")]
    test, _ = shown(state=State.FINISHED, going=False, end_is_shown=False)
    assert test.get("progress"), "it finished while the page was drawn, which is drawn once more"


@pytest.mark.parametrize("draws", [True, False])
def test_a_run_is_followed_to_its_end_piece_by_piece_and_the_page_drawn_again(
    draws: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    pieces = [0]
    steps = iter([(0, 0, State.WAITING, 0), (0, 0, State.RUNNING, 0), (1_000, 4_000, State.RUNNING, 1)])
    run = SimpleNamespace(going=True, pieces=pieces, share=0.0, done=0, total=0, state=State.WAITING)

    def follow_on() -> None:
        run.done, run.total, run.state, more = next(steps)
        run.share = run.done / run.total if run.total else 0.0
        pieces.extend([1] * more)
        if run.done:
            run.going = False

    def slept(seconds: float) -> None:
        assert seconds == follow.TICK
        told.append("waits")
        if not run.going:
            pieces.append(2)  # it arrives with the end

    run.follow = follow_on
    monkeypatch.setattr(follow.time, "sleep", slept)
    monkeypatch.setattr(follow.st, "rerun", lambda: told.append("again"))
    bar = SimpleNamespace(progress=lambda share, words: told.append((share, words)))
    follow._until_its_end(run, bar, "Drawing", (lambda: told.append(len(pieces))) if draws else None)  # type: ignore[arg-type]
    progress = label("frame", "progress", words="Drawing", done="1,000", total="4,000")
    expected = [(0.0, label("frame", "waiting", words="Drawing")), "waits", (0.0, "Drawing"), "waits"]
    expected += [(0.25, progress), *([2] if draws else []), "waits", *([3] if draws else []), "again"]
    assert told == expected


def test_a_run_that_has_its_turn_says_so_and_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[State] = []
    monkeypatch.setattr("ui.runs.run._TURNS", BoundedSemaphore(1))
    monkeypatch.setattr(Run, "_compute", lambda run, job: seen.append(run.state))
    for _ in range(2):
        assert Run(print, ()).wait(5)
    assert seen == [State.RUNNING] * 2


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run whose process is not started."""
    monkeypatch.setattr(Run, "_wait_and_compute", lambda run, job: None)
    run = Run(print, (), found=[1])
    assert run.wait(5)
    return run


def test_each_message_of_a_run_is_what_it_says(idle: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[Any] = [("progress", 3, 4), ("piece", "a"), ("progress", 9, 4), ("finished",), ("piece", "late")]
    monkeypatch.setattr("ui.runs.run.pickle.load", lambda telling: messages.pop(0))
    assert idle.share == 0
    idle._receive(None)  # type: ignore[arg-type]
    assert (idle.pieces, idle.share, idle.state) == ([1, "a"], 1.0, State.FINISHED)
    assert len(messages) == 1, "nothing is read behind the end"
    idle.stop()
    idle.leave()
    assert idle.state is State.FINISHED, "the first end counts"


@pytest.mark.parametrize(
    ("message", "failure", "logged"),
    [
        (("refused", "Not so."), "Not so.", []),
        (("memory",), TOO_MUCH, []),
        (("broken", "line 3"), BROKEN, ["run\nline 3"]),
    ],
)
def test_why_a_run_failed_is_a_sentence_and_a_fault_is_logged(
    message: Any,
    failure: str,
    logged: list[str],
    idle: Run,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("ui.runs.run.pickle.load", lambda telling: message)
    idle._receive(None)  # type: ignore[arg-type]
    assert (idle.state, idle.failure) == (State.FAILED, failure)
    assert [record.getMessage() for record in caplog.records] == logged


def test_who_waits_decides_how_long_a_run_goes_on(idle: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("ui.runs.run.time.monotonic", lambda: now[0])
    idle.follow()
    for later, present, unwanted in ((110.0, True, False), (110.1, True, True), (100.0, False, True)):
        idle.state, now[0] = State.RUNNING, later
        idle._present = lambda present=present: present  # type: ignore[misc]
        assert idle._unwanted() is unwanted
        assert idle.state is (State.LEFT if unwanted else State.RUNNING)
    for state, resumes in ((State.STOPPED, True), (State.EXHAUSTED, True), (State.FAILED, False), (State.LEFT, False)):
        idle.state, idle.failure = state, "why"
        assert idle.may_resume is resumes
        idle.resume()
        assert (idle.state, idle.failure) == ((State.LEFT, None) if resumes else (state, "why"))
