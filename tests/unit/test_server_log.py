"""What a log tells of an error and of a page of another address: its kind and place, and nobody's words."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from ui.frame.server import ELSEWHERE, redact_logs

TYPED = "jabberwock"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    made, told = logging.getLogRecordFactory(), io.StringIO()
    logger, handler = logging.getLogger("redacted"), logging.StreamHandler(told)
    logger.addHandler(handler)
    redact_logs()
    yield told
    logging.setLogRecordFactory(made)
    logger.removeHandler(handler)


def test_an_error_is_told_by_its_kind_and_place(log: io.StringIO) -> None:
    try:
        raise KeyError(TYPED)
    except KeyError:
        logging.getLogger("redacted").exception("a page failed")
    assert "a page failed" in log.getvalue()
    assert "KeyError" in log.getvalue()
    assert f"in {test_an_error_is_told_by_its_kind_and_place.__name__}" in log.getvalue()
    assert f"KeyError: '{TYPED}'" not in log.getvalue()


def test_the_address_of_a_page_that_is_not_ours_is_left_out(log: io.StringIO) -> None:
    logging.getLogger("redacted").warning("disallowed Origin: %s", f"https://{TYPED}.example")
    assert log.getvalue() == f"{ELSEWHERE}\n"
