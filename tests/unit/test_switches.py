"""Each switch of the frame changes its own part of how pages look."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock, PropertyMock, patch

import pytest
import streamlit as st

from ui.frame.run import style
from ui.pictures.style import Style


@pytest.mark.parametrize(
    ("state", "ground", "seen"),
    [
        ({}, None, Style(dark=False, large=False, voice="plain")),
        ({"frame.large": False, "frame.technical": False}, "light", Style(dark=False, large=False, voice="plain")),
        ({"frame.large": True}, "light", Style(dark=False, large=True, voice="plain")),
        ({"frame.technical": True}, "light", Style(dark=False, large=False, voice="technical")),
        ({}, "dark", Style(dark=True, large=False, voice="plain")),
    ],
    ids=["a first run", "none", "large type", "technical voice", "dark ground"],
)
def test_a_switch_changes_its_own_part_of_the_look(state: dict[str, Any], ground: str | None, seen: Style) -> None:
    theme = PropertyMock(return_value=Mock(type=ground))
    with patch.object(st, "session_state", state), patch.object(type(st.context), "theme", theme):
        assert style() == seen
