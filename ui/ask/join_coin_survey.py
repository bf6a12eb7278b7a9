"""The survey with coins on a participant's device: the component, before an answer and afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ui.components.coin_survey import coin_survey
from ui.frame.form import Form
from ui.frame.run import style
from ui.views.join import Phone
from ui.views.room import Activity, text_of, values_of
from ui.views.room.coin_survey import coins_on_device


def ask(form: Form, activity: Activity, settings: Mapping[str, Any], phone: Phone, send: Callable[[str], None]) -> None:
    """Yes or no, the coins, and what was sent; the coins stay to be looked at when answers are closed."""
    running = phone.room.activity
    assert running is not None

    def answered(said: str) -> None:
        send(text_of(activity.answers, {"coin_survey_said": said}))

    coin_survey(
        coins_on_device(settings, style()),
        key=f"join.coins.{phone.room.code}.{running.number}",
        whose=(phone.room.code, str(running.number), form.values["me"]),
        on_answer=answered,
        held=None if phone.sent is None else values_of(activity.answers, phone.sent)["coin_survey_said"],
        taken=phone.asked is not None,
        large=style().large,
    )
