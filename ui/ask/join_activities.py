"""How each activity is answered on a participant's device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ui.ask import join_attack, join_coin_survey, join_line, join_prediction, join_vote
from ui.frame.form import Form
from ui.views.join import Phone
from ui.views.room import Activity

Send = Callable[[str], None]
Ask = Callable[[Form, Activity, Mapping[str, Any], Phone, Send], None]
"""Draws the question; whatever sends calls the last argument, from a callback, with the answer as a link spells it."""

AFTERWARDS: dict[str, Ask] = {"attack": join_attack.ask, "coin_survey": join_coin_survey.ask}
"""What is drawn also when nothing is asked any more: what coins did, what bets were worth."""

ASKS: dict[str, Ask] = {
    "line": join_line.ask,
    "prediction": join_prediction.ask,
    "vote": join_vote.ask,
    **AFTERWARDS,
}
