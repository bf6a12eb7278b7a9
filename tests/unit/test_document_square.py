"""The QR code of an address: it follows its frame, and is left out where no phone could use it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.each import each
from ui.documents.document import LONGEST_CODE, Square


def test_a_drawn_code_is_as_wide_as_its_frame() -> None:
    found = ElementTree.fromstring(Square("https://stats.example/memo").svg)
    assert "viewBox" in found.attrib
    assert not {"width", "height"} & set(found.attrib)


@each("address", ["", "memo?title=A", "http://localhost:8501/memo", "http://127.0.0.1/memo"])
def test_an_address_that_no_phone_finds_has_no_code(address: str) -> None:
    assert Square.scanned(address) is None


@pytest.mark.parametrize("letters", [LONGEST_CODE, LONGEST_CODE + 1])
def test_an_address_too_long_to_be_scanned_has_no_code(letters: int) -> None:
    address = "https://stats.example/".ljust(letters, "a")
    assert (Square.scanned(address) is not None) == (letters <= LONGEST_CODE)
