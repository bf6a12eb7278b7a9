"""Why a room does not do what it is asked; the pages have the sentences."""

from __future__ import annotations

from enum import StrEnum


class RoomCode(StrEnum):
    """The reasons: a closed set that pages decide by."""

    UNKNOWN = "unknown"  # no such room, ended and expired alike
    ROOM_FULL = "room_full"
    DOOR_CLOSED = "door_closed"  # the moderator lets nobody more join
    TOO_MANY_ROOMS = "too_many_rooms"
    OPENED_MANY = "opened_many"  # rooms from one session or address within an hour
    TOO_MANY_ACTIVITIES = "too_many_activities"
    NOT_OPEN = "not_open"  # the activity is closed, or another one runs
    TOO_FEW = "too_few"  # answers for a result that tells nobody's
    ASKED_BEFORE = "asked_before"  # a question that a room asks once
    NOT_JOINED = "not_joined"
    WRONG_KEY = "wrong_key"
    TOO_MANY_TRIES = "too_many_tries"
    UNAVAILABLE = "unavailable"  # the database does not answer
    STILL_HELD = "still_held"  # what is deleted stands in the log of its file until others have read on
    NO_FOLDER = "no_folder"
    OFF = "off"
    BAD_TEXT = "bad_text"
    NAME_TAKEN = "name_taken"  # by somebody else in the room
    NAMES_STAY = "names_stay"  # the result is about to be shown, or is
    GROUPS_STAY = "groups_stay"  # for the same reason, told to the moderator


_MEANINGS = {
    RoomCode.UNKNOWN: "there is no such room, or it has ended",
    RoomCode.ROOM_FULL: "the room is full",
    RoomCode.DOOR_CLOSED: "nobody more may join the room",
    RoomCode.TOO_MANY_ROOMS: "no further room can be opened now",
    RoomCode.OPENED_MANY: "as many rooms as may be were opened from here within an hour",
    RoomCode.TOO_MANY_ACTIVITIES: "no further activity can be started in this room",
    RoomCode.NOT_OPEN: "this activity takes no answers now",
    RoomCode.TOO_FEW: "a result of fewer than three answers is not shown unless all who answered agree",
    RoomCode.ASKED_BEFORE: "the room has answered this question, which is asked once",
    RoomCode.NOT_JOINED: "only participants of the room answer",
    RoomCode.WRONG_KEY: "only the room's moderator may do this",
    RoomCode.TOO_MANY_TRIES: "too many wrong codes within a minute",
    RoomCode.UNAVAILABLE: "the rooms' database does not answer",
    RoomCode.STILL_HELD: "what was deleted stands in the log of the rooms' file for some time yet",
    RoomCode.NO_FOLDER: "there is no folder in which rooms can be kept",
    RoomCode.OFF: "rooms are switched off here",
    RoomCode.BAD_TEXT: "a text is too long or cannot be kept",
    RoomCode.NAME_TAKEN: "somebody in the room has this nickname already",
    RoomCode.NAMES_STAY: "nicknames and groups stay while no answers are taken",
    RoomCode.GROUPS_STAY: "the groups of the room stay while no answers are taken",
}


class RoomRefused(Exception):
    """A refusal: its code is for callers; its text holds no key and nothing that was typed."""

    def __init__(self, code: RoomCode) -> None:
        super().__init__(_MEANINGS[code])
        self.code = code

    def __reduce__(self) -> tuple[type[RoomRefused], tuple[RoomCode]]:
        return RoomRefused, (self.code,)
