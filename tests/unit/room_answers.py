"""A process of phones: each of its people answers again and again, and every confirmation is told on a line.

`python -m tests.unit.room_answers CODE KEY…`, the address of the database in RISKLINE_ROOMS_URL. A line `KEY NUMBER`
says that the answer `n=NUMBER` of this key was confirmed; a refusal is told as `refused CODE`; then the same is sent.
With GOES_ON instead of a key each answer begins with the one before, and NUMBER says how long the one is that is kept.
"""

from __future__ import annotations

import sys
import time
from itertools import count

from ui.rooms.refusals import RoomRefused
from ui.rooms.store import store

GOES_ON = "goes-on"


def main(code: str, keys: list[str]) -> None:
    kept, goes_on = store(), GOES_ON in keys
    keys = [key for key in keys if key != GOES_ON]
    for number in count(1):
        for key in keys:
            while True:
                try:
                    confirmed = kept.answer(code, key, 1, "n=" + ("1" * number if goes_on else str(number)))
                except RoomRefused as refused:
                    print("refused", refused.code, flush=True)
                    time.sleep(0.05)
                else:
                    said = confirmed.answer.removeprefix("n=")
                    print(key, len(said) if goes_on else said, flush=True)
                    break


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
