"""What every phone has asked of the database again and again; to build such a question takes longer than its answer."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, bindparam, func, select

from ui.rooms.database import ACTIVITIES, ANSWERS, PARTICIPANTS, ROOMS
from ui.rooms.meeting import FEWEST, Phase

_ROOM: BindParameter[Any] = bindparam("room")
_NUMBER: BindParameter[Any] = bindparam("number")
_OF_RUNNING = ANSWERS.c.room == _ROOM, ANSWERS.c.activity == _NUMBER
ROOM = select(ROOMS).where(ROOMS.c.code == bindparam("code"), ROOMS.c.ends > bindparam("now"))
ROOM_LOCKED = ROOM.with_for_update()
VERSIONS = select(ROOMS.c.state, ROOMS.c.answers, ROOMS.c.ends).where(ROOMS.c.code == bindparam("code"))
WHO = select(PARTICIPANTS).where(PARTICIPANTS.c.room == _ROOM, PARTICIPANTS.c.key_hash == bindparam("key"))
ACTIVITY = select(ACTIVITIES).where(ACTIVITIES.c.room == _ROOM, ACTIVITIES.c.activity == _NUMBER)
_OWN = *_OF_RUNNING, ANSWERS.c.participant == bindparam("participant")
OWN_ANSWER = select(ANSWERS.c.answer, ANSWERS.c.agreed).where(*_OWN)
COUNTS = select(
    select(func.count()).where(PARTICIPANTS.c.room == _ROOM).scalar_subquery().label("people"),
    select(func.count()).where(*_OF_RUNNING).scalar_subquery().label("answered"),
    select(func.count()).where(*_OF_RUNNING, ANSWERS.c.agreed).scalar_subquery().label("agreed"),
)
_TO_ACTIVITY = ANSWERS.c.room == ACTIVITIES.c.room, ANSWERS.c.activity == ACTIVITIES.c.activity
_ENOUGH = select(func.count()).where(*_TO_ACTIVITY).scalar_subquery() >= FEWEST
_SHOWN = ACTIVITIES.c.room == _ROOM, ACTIVITIES.c.activity < _NUMBER, ACTIVITIES.c.phase == Phase.SHOWN
SHOWN_BEFORE = select(ACTIVITIES).where(*_SHOWN, _ENOUGH).order_by(ACTIVITIES.c.activity)
