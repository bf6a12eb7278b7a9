"""What is handed around about a room: values without keys, which can be pickled."""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import combinations
from random import Random

from ui.rooms.refusals import RoomCode, RoomRefused

DRAWN_NAMES = 400
"""So many names are drawn from, one for each person; of more people in a room, numbers tell them apart."""
MOST_GROUPS = 6
NAME_LENGTH = 40
TEXT_LENGTH = 4_000
FEWEST = 3
"""Answers of which a result is shown, and of a group that is told apart: of fewer, it could tell whose they are."""


class Phase(StrEnum):
    """Where an activity stands."""

    OPEN = "open"  # answers arrive
    CLOSED = "closed"  # no more
    SHOWN = "shown"  # the result is on the wall
    HIDDEN = "hidden"  # it was, so whoever answered now could repeat it
    GONE = "gone"  # it was, and somebody who had answered has left: shown anew, it would tell what they answered

    def may_become(self, other: Phase) -> bool:
        """Whether an activity goes from here to there: once its result was shown, no more answers are taken.

        >>> Phase.CLOSED.may_become(Phase.OPEN), Phase.HIDDEN.may_become(Phase.OPEN)
        (True, False)
        """
        if Phase.GONE in (self, other):
            return False  # nobody's decision
        return other in SEEN if self in SEEN else other is not Phase.HIDDEN


SEEN = (Phase.SHOWN, Phase.HIDDEN)
"""Where people have seen the result, and it may be shown again."""


@dataclass(frozen=True)
class RoomVersions:
    """Two version numbers: of what the moderator sets (activity, phase, groups), and of people and answers."""

    state: int
    answers: int


@dataclass(frozen=True)
class StartedActivity:
    """An activity of a room: its number there, its kind, its settings as the query text of a link."""

    number: int
    kind: str
    settings: str
    phase: Phase
    tallied: bool = False  # of a participant it is kept that they answered, and not what


@dataclass(frozen=True)
class Room:
    """A room as everybody in it may see it, at one moment."""

    code: str
    groups: tuple[str, ...]
    activity: StartedActivity | None
    versions: RoomVersions
    people: int
    answered: int  # of the activity above
    ends: datetime
    door_closed: bool = False
    agreed: bool = False  # all who answered it agree that a result of fewer than three answers is shown
    shown: tuple[StartedActivity, ...] = ()  # earlier ones whose result everybody in the room may look at again
    names_typed: bool = False  # people may type a name of their own

    @property
    def withheld(self) -> bool:
        """Whether answers are closed, and so few that their result is not shown."""
        running = self.activity
        if running is None or running.phase in (Phase.OPEN, Phase.GONE) or self.agreed:
            return False
        return 0 < self.answered < FEWEST


@dataclass(frozen=True)
class Participant:
    """Somebody in a room: a number within it, and a nickname and a group where given.

    `pending` is a nickname that the moderator has not shown to others yet; with an answer it does not stand. `drawn` is
    which of the drawn names stands for somebody in the activity that runs, or in that of an answer: another one in
    each, known to nobody else. `own` is a number drawn for them there, from which an activity takes what only their
    phone has: a seed; or an arm, by whether it is even. `answered` (what runs) is told to the moderator.
    """

    number: int
    nickname: str
    group: str
    pending: bool = False
    drawn: int | None = None
    own: int = 0
    answered: bool = False


@dataclass(frozen=True)
class StoredAnswer:
    """An answer, as the query text of a link, and whose it is; nobody's where answers are only counted."""

    participant: Participant
    answer: str


@dataclass(frozen=True)
class Result:
    """The answers to an activity, and those that stand beside them."""

    activity: StartedActivity
    answers: tuple[StoredAnswer, ...]
    earlier: tuple[StoredAnswer, ...] = ()


NOBODY = Participant(0, "", "")


@dataclass(frozen=True)
class OnTheWall:
    """A room as its wall shows it at one moment: with answers, and earlier ones beside them, once they are shown.

    `lengths` are those of the answers that arrive, sorted, where an answer can only go on: how far people are. Of no
    other answer is the length told: of a number, say, it would tell something. `script` is what is prepared and still
    to come, told to the moderator alone.
    """

    room: Room
    answers: tuple[StoredAnswer, ...] = ()
    earlier: tuple[StoredAnswer, ...] = ()
    lengths: tuple[int, ...] = ()
    script: str = ""


@dataclass(frozen=True)
class OnAPhone(OnTheWall):
    """A room as one who has its code sees it: answers once they are shown, and to nobody who has not joined.

    `sent` is what this participant has answered, as the database holds it, and `agreed` whether they agree that it is
    shown among fewer than three.
    """

    participant: Participant | None = None
    sent: str | None = None
    agreed: bool = False


@dataclass(frozen=True)
class Confirmation:
    """What the database holds now: the answer just sent, or the one before where that stays and is not continued.

    Where answers are only counted it is empty: nobody's own is held.
    """

    answer: str
    kept_first: bool


@dataclass(frozen=True)
class OpenedRoom:
    """A new room's code, and the key that moderates it: told once, kept nowhere."""

    code: str
    moderator_key: str


BLOCK = 4
"""So many people who join one after the other are dealt to two halves of the same size."""
HALVES = tuple(combinations(range(BLOCK), BLOCK // 2))


def drawn(seed: int, *people: Participant) -> tuple[Participant, ...]:
    """The same people with what is drawn for them in an activity, a name and a number; with none where it has no seed.

    The seed is kept and told to nobody: no number tells a name, nor one activity's name the next one's. Of four who
    join one after the other (1 to 4, 5 to 8, …) two have an even number of their own and two an odd one, so that halves
    are alike large; which, tells the numbers of no others.
    """
    if not seed:
        return people
    names = Random(seed).sample(range(DRAWN_NAMES), DRAWN_NAMES)

    def of(one: Participant) -> Participant:
        turn, place = divmod(one.number, DRAWN_NAMES)
        block, seat = divmod(one.number - 1, BLOCK)
        odd = seat in HALVES[int.from_bytes(dealt(seed, f"block {block}")) % len(HALVES)]
        own = 2 * Random(f"{seed} {one.number}").randrange(1, 2**51) + odd
        return replace(one, drawn=turn * DRAWN_NAMES + names[place], own=own)

    return tuple(map(of, people))


def dealt(own: int, purpose: str) -> bytes:
    """32 bytes that the server deals to somebody for one purpose, from the number drawn for them: HMAC-SHA-256.

    The same after a reload, and on another replica; nobody who lacks the number can tell them from random bytes, and
    those of one purpose tell nothing of another's.
    """
    return hmac.digest(own.to_bytes(16, "big"), purpose.encode(), "sha256")


_FILLERS = (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180F, 0x2800, 0x3164, 0xFFA0)
BLANK = frozenset(map(chr, (*_FILLERS, *range(0x180B, 0x180E), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Letters and marks that draw nothing: joiners, fillers, selectors of variations, Braille's empty cell."""


def folded(name: str) -> str:
    r"""What nicknames that are the same have in common: neither case nor width of letters, nor what draws nothing.

    Letters of two alphabets that look alike stay two: a Cyrillic а is no a.

    >>> folded("A\u034fda\u2800") == folded("ＡＤＡ") == "ada"
    True
    >>> folded("\u0430da") == folded("ada")
    False
    """
    wide = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(letter for letter in wide if letter not in BLANK).split())


def letters_and_digits(question: str) -> str:
    """What is left of a question without what changes its look and not its words: marks, spaces, accents, capitals.

    >>> letters_and_digits("Have you copied homework, e.g. in 2024?!") == letters_and_digits(
    ...     "have YOU copied homework eg in 2024"
    ... )
    True
    """
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", question).casefold())
    return "".join(letter for letter in apart if letter.isalnum())


def name_of(text: str) -> str:
    """A nickname or the name of a group: control and format characters out, at most forty others."""
    kept = "".join(" " if letter.isspace() else letter for letter in text)
    name = " ".join("".join(letter for letter in kept if unicodedata.category(letter)[0] != "C").split())
    if len(name) > NAME_LENGTH:
        raise RoomRefused(RoomCode.BAD_TEXT)
    return name


def group_names(groups: Sequence[str]) -> list[str]:
    """The names of a room's groups: few, none empty and no two alike."""
    names = [name_of(group) for group in groups]
    if len(names) > MOST_GROUPS or "" in names or len(set(names)) < len(names):
        raise RoomRefused(RoomCode.BAD_TEXT)
    return names


def check_text(text: str) -> None:
    """Refuse what is no query text of a link: too long, or with characters that no database keeps."""
    if len(text) > TEXT_LENGTH or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text):
        raise RoomRefused(RoomCode.BAD_TEXT)
