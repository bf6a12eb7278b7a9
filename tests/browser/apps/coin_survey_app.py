"""A page with nothing but the survey with coins, for the tests of the survey itself. Not a page of the product."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import streamlit as st

from ui.components.coin_survey import coin_survey
from ui.pictures.style import Style
from ui.views.room.activity import values_of
from ui.views.room.coin_survey import CoinSurvey, coins_on_device


@st.cache_resource
def held() -> dict[str, str]:
    """The first answer of each participant, as a room holds them."""
    return {}


asked, survey = st.query_params, CoinSurvey()
st.set_page_config(page_title="Coins", page_icon="▫", layout="wide")
settings = values_of(survey.settings, asked.get("settings", ""))
style, me = Style(voice=asked.get("voice", "plain")), asked.get("me", "")
st.title(survey.asked(settings, style).question)
st.text(survey.asked(settings, style).help)


def keep(said: str) -> None:
    """The first answer stays; nothing arrives where the address says slow."""
    if "slow" not in asked:
        held().setdefault(me, said)


coin_survey(
    coins_on_device(settings, style),
    key=f"coins.{me}",
    whose=("room", "1", me),
    on_answer=keep,
    held=me in held(),
    taken="closed" not in asked,
    large="large" in asked,
)
st.text(f"holds {held().get(me)}")
