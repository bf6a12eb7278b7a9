"""A page as a fresh session sees it through a link, without a browser."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from ui.runs.run import Run, State
from ui.words.refusals import BROKEN

ROOT = Path(__file__).resolve().parents[2]


def open_page(stem: str, **query: str) -> AppTest:
    """The page as a fresh session sees it through this link."""
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in query.items():
        test.query_params[name] = value
    test.switch_page(f"pages/{stem}.py")
    return test.run()


def text_of(test: AppTest) -> str:
    """All HTML and Markdown on the page."""
    pieces = [element.value for element in test.markdown] + [element.proto.body for element in test.get("html")]
    return "\n".join(pieces)


def answer(test: AppTest) -> str:
    """The page's answer, the first line of its kind."""
    return next(part for part in text_of(test).split("\n") if '<p class="riskline-answer' in part)


def answer_in_words(test: AppTest) -> str:
    """The page's answer as it is read."""
    return html.unescape(re.sub("<[^>]*>", "", answer(test)))


def sound(test: AppTest) -> None:
    """No traceback and no page that gave up."""
    assert not test.exception
    assert not [element.value for element in test.error if BROKEN in element.value]


def strip(test: AppTest) -> str:
    """The line about the case."""
    (found,) = [
        re.search(r'riskline-strip-long">(.*?)</span>', element.proto.body)
        for element in test.get("html")
        if 'class="riskline-strip"' in element.proto.body
    ]
    assert found is not None
    return found[1]


def address(test: AppTest) -> dict[str, str]:
    """The parameters of the address."""
    return {name: value if isinstance(value, str) else value[0] for name, value in test.query_params.items()}


def page_shown(test: AppTest) -> str:
    """The page whose question stands at the top."""
    found = [re.search(r'data-page="?([a-z_]+)', element.proto.body) for element in test.get("html")]
    return next(one[1] for one in found if one)


def go(test: AppTest, stem: str) -> AppTest:
    """Another page by the menu: nothing but the session goes along."""
    test.query_params.clear()
    test.switch_page(f"pages/{stem}.py")
    return test.run()


def _nothing(*, progress: Callable[[int, int], None]) -> Iterator[Any]:
    return iter(())


def stopped_run() -> Run:
    """A run that its reader has stopped before it found anything."""
    run = Run(_nothing, ())
    assert run.wait(60)
    run.state = State.STOPPED
    return run


def bring(test, files: list[tuple[str, bytes]]) -> None:
    """Bring the files of a noisy folder."""
    (box,) = [box for box in test.file_uploader if "Files of the folder" in box.label]
    assert box.proto.max_upload_size_mb == 5
    assert box.proto.multiple_files
    box.set_value([(name, content, "text/csv") for name, content in files])
    sound(test.run())
