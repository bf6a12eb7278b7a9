"""From the wall of a room to the memo of this session: what was taken along before stays, of the same room."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from typing import Any

import streamlit as st

from riskline.case.fields import write_query
from ui.frame.form import held
from ui.link.page_link import PageLink
from ui.views.memo import FIELDS
from ui.views.shared.room_minutes import both, read_minutes, write_minutes

OFFERED = "_minutes_offered"
"""Which room each text of minutes was offered for in this session: those of another room are not mixed in."""


def to_memo(way: PageLink, code: str) -> PageLink:
    """The way of a wall; one to the memo brings what its writer chose and what it holds of this room."""
    if way.stem != "memo":
        return way
    return with_earlier(way, code, held("memo"), st.session_state.setdefault(OFFERED, {}))


def with_earlier(way: PageLink, code: str, memo: Mapping[str, Any], offered: MutableMapping[str, str]) -> PageLink:
    """The way to a memo that holds these choices already; `offered` is told which room the minutes are of."""
    minutes = read_minutes(dict(way.query)["room"])
    earlier = memo.get("room")
    if earlier is not None and offered.get(write_minutes(earlier)) == code:
        minutes = both(earlier, minutes)
    offered[write_minutes(minutes)] = code
    return replace(way, query=tuple(write_query(FIELDS, {**memo, "room": minutes}).items()))
