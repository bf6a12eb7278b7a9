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
    NOT_JOINED = "not_joined"  # only participants of the room answer
    WRONG_KEY = "wrong_key"  # only the moderator may do this
    TOO_MANY_TRIES = "too_many_tries"  # of codes, within a minute
    UNAVAILABLE = "unavailable"  # the database does not answer
    STILL_HELD = "still_held"  # what is deleted stands in the log of its file until others have read on
    NO_FOLDER = "no_folder"
    OFF = "off"
    BAD_TEXT = "bad_text"  # too long, or not to be kept
    NAME_TAKEN = "name_taken"  # by somebody else in the room
    NAMES_OFF = "names_off"  # the moderator lets nobody type one
    NAMES_STAY = "names_stay"  # the result is about to be shown, or is
    GROUPS_STAY = "groups_stay"  # for the same reason, told to the moderator


class RoomRefused(Exception):
    """A refusal: its code is for callers; its text holds no key and nothing that was typed."""

    def __init__(self, code: RoomCode) -> None:
        super().__init__(code)
        self.code = code
