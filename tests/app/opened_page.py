"""A page as a fresh session sees it through a link, without a browser."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
BROKEN = "This page could not be drawn"


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


def sound(test: AppTest) -> None:
    """No traceback and no page that gave up."""
    assert not test.exception
    assert not [element.value for element in test.error if BROKEN in element.value]
