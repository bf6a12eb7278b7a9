"""On demand: axe on every page and activity of a room, in both themes at seven sizes; a page with its folds closed.

python -m pytest -n 2 --study tests/browser/test_every_size.py
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.answered_room import ASKED, answered
from tests.browser.conftest import OpenPage, violations
from tests.browser.trees import drawn
from ui.link.page_table import PAGES
from ui.rooms.codes import wall_key
from ui.rooms.meeting import Phase
from ui.rooms.store import store

SIZES = ((320, 256), (360, 740), (640, 360), (768, 1024), (1280, 720), (1440, 900), (1920, 1080))
"""The first and third are a window of 1280 × 1024 at 400 % and one of 1280 × 720 at 200 %."""

pytestmark = [pytest.mark.study, pytest.mark.timeout(900)]


def found_at_every_size(page: Page) -> list[tuple[str, int, list[Any]]]:
    """What axe finds in each theme at each size."""
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            drawn(page)
            found += [(theme, width, finding) for finding in violations(page)]
    return found


@pytest.mark.parametrize("address", [entry.address for entry in PAGES], ids=[entry.stem for entry in PAGES])
def test_a_page_has_no_finding_in_either_theme_at_any_size(address: str, open_page: OpenPage, app: str) -> None:
    assert found_at_every_size(open_page(f"{app}/{address}")) == []


@pytest.mark.parametrize("kind", ASKED)
def test_an_activity_has_no_finding_on_phone_wall_and_desk_in_either_theme_at_any_size(
    kind: str, open_page: OpenPage, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, key, last = answered(kind, monkeypatch)
    ways = {"join": f"me={last}", "room": f"key={key}", "room?": f"wall={wall_key(key)}"}
    pages = [open_page(f"{app}/{stem.strip('?')}?code={code}&{way}") for stem, way in ways.items()]
    asked = [found_at_every_size(page) for page in pages]
    store().set_phase(code, key, 1, Phase.SHOWN)
    for page in pages:
        expect(page.get_by_role("figure").first).to_be_visible()
    assert asked + [found_at_every_size(page) for page in pages] == [[]] * 6
