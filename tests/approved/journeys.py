"""Journeys through the frame: what each step changes in the address, and what is new on the page or gone from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from streamlit.testing.v1 import AppTest

from riskline.case.fields import pairs_of
from tests.app.opened_page import address, go, open_page, page_shown
from tests.approved import outline
from tests.approved.brought import GOES
from tests.approved.rooms import rooms_of_their_own
from ui.views import accuracy

FILE = Path(__file__).with_name("journeys.outline.md")
WHOLE = 160
"""Characters of a sentence that are told."""
Step = tuple[str, Callable[[AppTest], Any]]


def journeys_in_words() -> str:
    """Each journey step by step: what no step before has shown, and which notices, notes and buttons are gone."""
    lines = ["# Journeys", ""]
    known: set[str] = set()
    with outline.downloads() as files, rooms_of_their_own(), patch.object(outline, "OPENING", WHOLE):
        for stem in ("choose", "explain", "accuracy", "plan", "publication", "memo"):  # approved with the pages
            known |= set(_shown(open_page(stem), files))
        for title, stem, query, steps in JOURNEYS:
            test = open_page(stem, **_asked(query))
            lines += [f"## {title}", "", f"### {stem}?{query}", "", *_told(test, [], {}, known, files), ""]
            for words, act in steps:
                before, was = _shown(test, files), address(test)
                act(test)
                lines += [f"### {words}", "", *_told(test, before, was, known, files), ""]
    return "\n".join(lines).rstrip() + "\n"


def _told(
    test: AppTest, before: list[str], was: dict[str, str], known: set[str], files: outline.Files
) -> Iterator[str]:
    """The page, what its address says otherwise, what is new or gone, and the scenario file that would be saved."""
    assert not test.exception
    now, after = address(test), _shown(test, files)
    said = [f"{name}={text}" for name, text in now.items() if was.get(name) != text]
    said += [f"no {name}" for name in was if name not in now]
    yield f"on {page_shown(test)}; address: {', '.join(said) or 'as before'}"
    yield from (line for line in after if line not in known)
    yield from (f"gone: {line}" for line in before if line not in after and GOES.match(line))
    for name, _, data in [file for file in files.values() if file[0] == "riskline-scenario.json"][-1:]:
        yield from (f"{name}: {line.strip()}" for line in data().splitlines() if "made_with" not in line)
    known |= set(after)
    files.clear()


def _shown(test: AppTest, files: outline.Files) -> list[str]:
    return [line.strip() for line in outline.lines_of(test, files)]


def _asked(query: str) -> dict[str, Any]:
    """The parameters of a link by name: all texts of each, as one may be named twice."""
    pairs = pairs_of(query)
    return {name: [text for other, text in pairs if other == name] for name, _ in pairs}


def sets(kind: str, key: str, value: Any) -> Step:
    """A control used: a box, a list, a slider or a switch."""
    return f"{key} is set to {str(value)[:40]!r}", lambda test: getattr(test, kind)(key=key).set_value(value).run()


def presses(words: str) -> Step:
    """A button pressed."""
    return f"{words} is pressed", lambda test: next(one for one in test.button if one.label == words).click().run()


def opens(key: str) -> Step:
    """A popover opened."""

    def act(test: AppTest) -> None:
        test.session_state[key] = True
        test.run()

    return f"{key} is opened", act


def goes(stem: str) -> Step:
    """A page chosen from the menu."""
    return f"{stem} is chosen from the menu", lambda test: go(test, stem)


def follows(stem: str, query: str) -> Step:
    """A link or the browser's Back: another address of this session."""

    def act(test: AppTest) -> None:
        test.query_params.clear()
        for name, texts in _asked(query).items():
            test.query_params[name] = texts
        test.switch_page(f"pages/{stem}.py")
        test.run()

    return f"the address becomes {stem}?{query}", act


def loads(document: Any) -> Step:
    """A scenario file brought."""

    def act(test: AppTest) -> None:
        (box,) = [one for one in test.file_uploader if "scenario" in one.label]
        content = document if isinstance(document, bytes) else json.dumps(document).encode()
        box.set_value(("mine.json", content, "application/json"))
        test.run()

    return f"a scenario file is loaded: {str(document)[:60]}", act


def fails(test: AppTest) -> None:
    """The page opened while its view fails."""

    def failing(*_: Any) -> Any:
        raise KeyError("jabberwock")

    with patch.object(accuracy, "accuracy_view", failing):
        go(test, "accuracy")


DECIDED = "case=own&ratio=2&unit=household&group=4&chosen=0.2~epsilon~The+board~3+May~2030~enough~0"
SCENARIO = {
    "riskline_scenario": 2,
    "made_with": "Riskline 9",
    "voice": "technical",
    "case": {"ratio": 4.0, "unit": "household", "group": 3, "later": 5},
    "pages": {"accuracy": {"half_width": "57", "level": "2"}, "nowhere": {}, "explain": {"prior": "0.2"}},
}
JOURNEYS: tuple[tuple[str, str, str, tuple[Step, ...]], ...] = (
    (
        "A link of which not all is taken",
        "choose",
        "ratio=0.5&ratio=2&cap=abc&x=1&voice=loud&type=large&secret=nobody",
        (
            sets("slider", "choose.ratio", 4.0),
            sets("toggle", "frame.technical", True),
            goes("explain"),
            follows("choose", "ratio=3"),
            follows("choose", ""),
        ),
    ),
    (
        "A case that a link has decided",
        "explain",
        DECIDED + "&prior=0.2",
        (
            opens("case.change"),
            sets("selectbox", "explain.secret", "value"),
            goes("choose"),
            sets("text_input", "case.by", "We"),
            presses("Decide on ε = 0.10"),
            goes("explain"),
            follows("explain", DECIDED),
            follows("accuracy", "case=own&ratio=2&missing=released%20office"),
        ),
    ),
    (
        "A scenario file saved and loaded",
        "accuracy",
        "case=own&ratio=3&half_width=20&start=accuracy",
        (
            opens("frame.scenario"),
            sets("toggle", "frame.large", True),
            loads(b"{}"),
            loads({"riskline_scenario": 3, "pages": {}}),
            loads({"riskline_scenario": 2, "pages": {"accuracy": 3}}),
            loads(SCENARIO),
            goes("explain"),
        ),
    ),
    (
        "What is typed and cannot be used",
        "accuracy",
        "",
        (
            sets("text_input", "accuracy.count", "abc"),
            sets("text_input", "accuracy.count", "1,5"),
            sets("text_input", "accuracy.count", ""),
            sets("text_area", "accuracy.places", "Ash; 12\nElm; x"),
            sets("text_area", "accuracy.places", "Ash; 1,200\nElm; 7"),
            goes("choose"),
            sets("text_input", "choose.cap.box", "150 %"),
            sets("text_input", "choose.cap.box", "12,5 %"),
            sets("text_input", "choose.ratio.box", "40"),
            sets("slider", "choose.ratio", 3.0),
            sets("text_input", "choose.releases", "1,200"),
            goes("accuracy"),
        ),
    ),
    (
        "From page to page with a trial and back",
        "plan",
        "rows=g~0.2~2~~Daily&case=own&ratio=2",
        (
            sets("text_input", "plan.rounds.box", "3"),
            follows("publication", "case=own&ratio=2&start=budget&epsilon=0.5"),
            follows("plan", "case=own&ratio=2"),
            follows("memo", "case=own&ratio=2&rounds=7&rows=g~0.2~2~~Daily"),
            goes("plan"),
        ),
    ),
    (
        "A page that fails",
        "explain",
        "case=own&ratio=2",
        (("accuracy is chosen from the menu and fails", fails), goes("explain"), goes("accuracy")),
    ),
)
