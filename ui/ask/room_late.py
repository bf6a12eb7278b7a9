"""What a moderator is asked for beside the press that shows a result, and settings that mean nothing without others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import streamlit as st

from riskline.case.choices import GROUPS
from riskline.case.fields import Field, comma_reading
from ui.frame import show
from ui.rooms.meeting import StartedActivity
from ui.views.room import ACTIVITIES, LATE, text_of, values_of
from ui.words.refusals import refusal_words

ONLY_WITH = {
    "line_group": ("line_unit", tuple(GROUPS)),
    "attack_place": ("attack_table", ("synthetic",)),
} | dict.fromkeys(("prediction_question", "prediction_unit", "prediction_truth"), ("prediction_lesson", ("own",)))
"""Settings that mean something only beside certain values of another one."""


def means_something(field: Field, values: Mapping[str, Any]) -> bool:
    """Whether a setting is one beside these values of the others."""
    asked, wanted = ONLY_WITH.get(field.name, ("", ()))
    return not asked or values[asked] in wanted


def ask_late(running: StartedActivity) -> None:
    """A box for each setting that is told with the result: it stands in no address, and nobody sees it before."""
    for key, field, held in _late(running):
        typed = st.text_input(field.label, field.encode(held), key=key, help=field.help)
        try:
            value = field.decode(typed or "")
            reading = comma_reading(typed, value) if typed and value is not None else None
            if reading:
                st.caption(reading)
        except ValueError as error:
            show.refused_below(refusal_words(error), box=key)


def settings_with_late(running: StartedActivity) -> str:
    """The settings of the activity with what was asked for late, for the database; `ValueError` as the box says it."""
    activity = ACTIVITIES[running.kind]
    late = {
        field.name: field.decode(st.session_state.get(key, field.encode(held))) for key, field, held in _late(running)
    }
    return text_of(activity.settings, values_of(activity.settings, running.settings) | late)


def _late(running: StartedActivity) -> Iterator[tuple[str, Field, Any]]:
    """The box of each such setting, and what the database holds of it."""
    activity = ACTIVITIES[running.kind]
    settings = values_of(activity.settings, running.settings)
    for field in activity.settings:
        if field.name in LATE.get(running.kind, ()) and means_something(field, settings):
            yield f"room.late.{running.number}.{field.name}", field, settings[field.name]
