"""How each activity is answered on a participant's device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ui.ask import join_prediction
from ui.frame.form import Form
from ui.views.join import Phone
from ui.views.room import Activity

Send = Callable[[str], None]
Ask = Callable[[Form, Activity, Mapping[str, Any], Phone, Send], None]
"""Draws the question; whatever sends calls the last argument, from a callback, with the answer as a link spells it."""

ASKS: dict[str, Ask] = {"prediction": join_prediction.ask}
