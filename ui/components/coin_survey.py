"""A yes or a no through coins that fall in the participant's browser; only what they make of it comes here.

What the browser is given depends on no answer, only on whether the room holds one, and what it sends is one of two
words and a count. Nothing else of this component is kept on the server's side.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from ui.components.lean import component

_SESSION = "_coin_survey_session"
_PLACES = "riskline-coins-"


def coin_survey(
    device: Mapping[str, Any],
    *,
    key: str,
    whose: tuple[str, ...],
    on_answer: Callable[[str], None],
    held: bool = False,
    taken: bool = True,
    large: bool = False,
) -> None:
    """Mount the survey where this call stands on the page.

    `device` is what `coins_on_device` of the activity makes. `whose` is room, activity and participant:
    the tab keeps what its coins did under a name made of them. `on_answer` is called as often as the browser has reason
    to think that an answer did not arrive; `held` says whether the room holds one, and `taken` whether answers are
    taken now: coins that fell stay where they can be seen.
    """
    session = st.session_state.setdefault(_SESSION, secrets.token_urlsafe(6))

    def changed() -> None:
        said = sent_answer((st.session_state.get(key) or {}).get("sent"))
        if said is not None:
            on_answer(said)

    state = {"place": place_of(whose), "session": session, "held": held, "open": taken, "large": large}
    _component()(key=key, data={**device, **state}, on_sent_change=changed)


def forget_coins() -> None:
    """Have this tab forget how coins fell in it: nobody is in a room here, or the room is gone."""
    component("riskline_coins_forgotten", "forget.js", html="<span></span>")(key="riskline-coins-forgotten")


def place_of(whose: tuple[str, ...]) -> str:
    """The name under which a tab keeps its coins; the participant's key cannot be read from it.

    >>> place_of(("7KQ4MW", "2", "secret")) == place_of(("7KQ4MW", "3", "secret"))
    False
    """
    return f"{_PLACES}{hashlib.sha256('/'.join(whose).encode()).hexdigest()[:24]}"


def sent_answer(sent: Any) -> str | None:
    """What a browser sent, where it is an answer and how often it was sent; anything else counts as nothing.

    >>> sent_answer({"said": "yes", "times": 1}), sent_answer({"said": "yes", "truth": "no"}), sent_answer("yes")
    ('yes', None, None)
    """
    whole = isinstance(sent, dict) and set(sent) == {"said", "times"} and type(sent["times"]) is int
    return sent["said"] if whole and sent["said"] in ("yes", "no") else None


_component = partial(component, "riskline_coin_survey", "element.js", "coins.js", style="coins.css")
