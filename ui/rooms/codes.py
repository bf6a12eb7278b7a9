"""Codes that are read aloud, keys that are not, and how often a wrong code may be tried."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hmac import compare_digest

from ui.rooms.refusals import RoomCode, RoomRefused

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without those that are taken for one another
CODE_LENGTH = 6
KEY_BYTES = 16
_KEY = re.compile(r"[A-Za-z0-9_-]{22}")  # 16 bytes in base 64

WRONG_TRIES = 10
WRONG_TRIES_OF_ADDRESS = 600  # everybody of the largest room may mistype twice within the same minute
TRIES_WITHIN = 60.0  # seconds
ROOMS_OF_SESSION, ROOMS_OF_ADDRESS = 5, 30
ROOMS_WITHIN = 3600.0  # seconds


def new_code() -> str:
    """A room's code: one of 31 to the power of 6, some 900 million."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str:
    """The code that somebody typed: small letters, spaces and hyphens are fine.

    >>> read_code(" abc-23d ")
    'ABC23D'
    >>> read_code("ABC10D")
    Traceback (most recent call last):
    ValueError: must be six letters and digits without 0, O, 1, I and L; got 'ABC10D'
    """
    folded = unicodedata.normalize("NFKC", text)
    code = "".join(letter for letter in folded if unicodedata.category(letter) not in ("Zs", "Pd", "Cf", "Cc")).upper()
    if len(code) != CODE_LENGTH or not set(code) <= set(CODE_LETTERS):
        raise ValueError(f"must be six letters and digits without 0, O, 1, I and L; got {text[:40]!r}")
    return code


def new_key() -> str:
    """128 random bits as they stand in a link."""
    return secrets.token_urlsafe(KEY_BYTES)


def wall_key(moderator_key: str) -> str:
    """The key of a room's wall: made from the moderator's, so that nobody keeps two, and telling nothing of it."""
    label = b"riskline: the wall of a room"
    made = hmac.digest(moderator_key.encode("utf-8", "backslashreplace"), label, "sha256")[:KEY_BYTES]
    return urlsafe_b64encode(made).rstrip(b"=").decode()


def read_key(text: str) -> str:
    """A key as it stands in a link. What was given instead is not repeated: it could be a key cut short."""
    if not _KEY.fullmatch(text):
        raise ValueError("must be the 22 letters and digits of a key")
    return text


def hashed(key: str) -> bytes:
    """What is kept of a key: its SHA-256. A key is random throughout, so that nothing slower is needed."""
    return hashlib.sha256(key.encode("utf-8", "backslashreplace")).digest()


def same(key: str, kept: bytes) -> bool:
    """Whether this is the key that was kept as a hash; how long that takes does not tell how much of it is right."""
    return compare_digest(hashed(key), kept)


@dataclass
class Tries:
    """Wrong codes within the last minute, or rooms opened within an hour: of one session, or of one address."""

    wrong: tuple[float, ...] = ()
    most: int = WRONG_TRIES
    within: float = TRIES_WITHIN
    refusal: RoomCode = RoomCode.TOO_MANY_TRIES

    def check(self, now: float) -> None:
        """Refuse a further one after so many within that time."""
        self.wrong = tuple(moment for moment in self.wrong if now - moment < self.within)
        if len(self.wrong) >= self.most:
            raise RoomRefused(self.refusal)

    def add_wrong(self, now: float) -> None:
        """Count one: a code that no room has, or a room."""
        self.wrong = (*self.wrong[-(self.most - 1) :], now)
