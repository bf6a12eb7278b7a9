"""A room in which an activity has been answered, the same each time but for its code."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from tests.browser.conftest import ROOMS_FOLDER
from ui.rooms.codes import new_key
from ui.rooms.store import store
from ui.views.room import ACTIVITIES
from ui.views.room.activity import text_of, values_of

PEOPLE = 24
GROUPS = ("agency", "advocates", "clerks")
OPTIONS = [
    f"At most {after} in 100 (ε = {epsilon})" for after, epsilon in ((22, 0.81), (34, 1.39), (37, 1.55), (52, 2.15))
]
ASKED = {
    "line": ("", [f"line_points=0.1~{share}" for share in ("0.2", "0.25", "0.3", "0.35", "0.4", "0.5")]),
    "prediction": ("prediction_lesson=45_1", ["number=1", "number=8", "number=50"]),
    "coin_survey": ("coin_survey_statement=I+copied+a+sheet.", ["coin_survey_said=yes", "coin_survey_said=no"]),
    "attack": ("attack_seed=3", ["attack_bets=" + "1n2f3c1n2f3c1n2f3c1n", "attack_bets=" + "3c" * 10]),
    "proof": ("", ["proof_guesses=" + guesses for guesses in ("ioioi", "iiooi", "oo")]),
    "understanding": ("", ["understanding_said=010", "understanding_said=101"]),
    "vote": (urlencode({"vote_options": "; ".join(OPTIONS)}), [urlencode({"vote_choice": one}) for one in OPTIONS]),
}


def answered(kind: str, patch: pytest.MonkeyPatch) -> tuple[str, str, str]:
    """A room whose people, of three groups, have answered one activity, all but the last of them.

    Its code, its moderator's key and the key of the last. What people are dealt is the same each time.
    """
    patch.setenv("RISKLINE_ROOMS_FOLDER", ROOMS_FOLDER.name)
    patch.setattr("ui.rooms.store.secrets.randbits", lambda bits: 1)
    rooms = store()
    opened = rooms.open_room(list(GROUPS))
    code, key = opened.code, opened.moderator_key
    activity, (typed, answers) = ACTIVITIES[kind], ASKED[kind]
    settings = values_of(activity.settings, typed)
    people = [new_key() for _ in range(PEOPLE + 1)]
    for place, one in enumerate(people):
        rooms.join(code, one, "", GROUPS[place % len(GROUPS)])
    rooms.start(code, key, kind, text_of(activity.settings, settings), **activity.kept(settings))
    *others, last = people
    for place, one in enumerate(others):
        rooms.answer(code, one, 1, answers[place % len(answers)])
    return code, key, last
