"""The rooms' store as a page asks it, and the watch that has the page drawn anew when the room has changed."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from ipaddress import ip_address, ip_network
from typing import Any

import streamlit as st

from ui.rooms.codes import ROOMS_OF_ADDRESS, ROOMS_OF_SESSION, ROOMS_WITHIN, WRONG_TRIES_OF_ADDRESS, Tries
from ui.rooms.meeting import OpenedRoom, RoomVersions
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import store

WALL, PHONE = 2.0, 4.0
"""Seconds between two looks at a room's version numbers."""
TRIES, LAST_WRONG, FOUND, OPENED = "_room_tries", "_room_wrong", "_room_found", "_rooms_opened"

MOST_ADDRESSES = 10_000
_SALT = secrets.token_bytes(16)
_of_addresses: dict[tuple[str, bytes], Tries] = {}


def of_address(what: str, **bounds: Any) -> Tries:
    """What readers of one address did lately. Its name is kept nowhere: of it there is a hash, until this process ends.

    Readers of one outside address, behind a proxy that was not named (`RISKLINE_PROXIES`), or at this computer are one.
    """
    address = blake2b(line_of(str(st.context.ip_address)).encode(), key=_SALT, digest_size=16).digest()
    while len(_of_addresses) >= MOST_ADDRESSES:
        del _of_addresses[next(iter(_of_addresses))]
    return _of_addresses.setdefault((what, address), Tries(**bounds))


def line_of(address: str) -> str:
    """The address, or of the many that one line has in IPv6 what they share.

    >>> line_of("203.0.113.5"), line_of("2001:db8::5") == line_of("2001:db8::6:7"), line_of("None")
    ('203.0.113.5', True, 'None')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4 or found.ipv4_mapped:
        return str(getattr(found, "ipv4_mapped", None) or found)
    return str(ip_network((found, 64), strict=False))


@contextmanager
def refusals_told(trouble: str) -> Iterator[None]:
    """What the store refuses in here is told by the next page that looks under this key of the session."""
    try:
        yield
    except RoomRefused as refused:
        st.session_state[trouble] = refused.code.value


def opened_room(groups: tuple[str, ...]) -> OpenedRoom:
    """A new room, unless this session or this address has opened many within an hour."""
    bounds: dict[str, Any] = {"within": ROOMS_WITHIN, "refusal": RoomCode.OPENED_MANY}
    own = st.session_state.setdefault(OPENED, Tries(most=ROOMS_OF_SESSION, **bounds))
    both, now = (own, of_address("rooms", most=ROOMS_OF_ADDRESS, **bounds)), time.monotonic()
    for opened in both:
        opened.check(now)
    room = store().open_room(groups)
    for opened in both:
        opened.add_wrong(now)
    return room


def tried(code: str, *, holds_key: Callable[[], bool]) -> RoomVersions:
    """Where a room stands; a code that no room has counts as a try of this session, of which a minute holds ten.

    Where an address has tried too many, a right code is refused there like a wrong one, else it would be told apart;
    but whoever has found the room already, or holds a key of it, goes on, and so does everybody elsewhere.
    """
    tries, of_all = st.session_state.setdefault(TRIES, Tries()), of_address("codes", most=WRONG_TRIES_OF_ADDRESS)
    now = time.monotonic()
    tries.check(now)
    try:
        of_all.check(now)
    except RoomRefused:
        if st.session_state.get(FOUND) != code and not _holds(holds_key):
            raise
    versions = store().versions(code)
    if versions is None:
        if st.session_state.get(LAST_WRONG) != code:  # drawing the page again is no further try
            tries.add_wrong(now)
            of_all.add_wrong(now)
        st.session_state[LAST_WRONG] = code
        raise RoomRefused(RoomCode.UNKNOWN)
    st.session_state[FOUND] = code
    return versions


def _holds(key: Callable[[], bool]) -> bool:
    """Whether somebody has a key of the room; why not is nobody's business who only tries codes."""
    with suppress(RoomRefused):
        return key()
    return False


def watch(
    code: str, seen: RoomVersions | None, *, every: float, whole: bool, also: Callable[[], bool] | None = None
) -> None:
    """Look at the room's version numbers now and then, and draw the page anew when they moved.

    `seen` is what the page was drawn from, None when the room could not be reached; `whole` says whether people and
    answers count too; `also` is done at each look, and true when it changed what the page shows.
    """
    drawn: list[bool] = []  # the first look is the page's own

    def check() -> None:
        if not drawn:
            drawn.append(True)
            return
        changed = also is not None and also()
        try:
            changed = changed or _moved(seen, store().versions(code), whole)
        except RoomRefused:
            changed = changed or seen is not None
        if changed:
            st.rerun(scope="app")

    st.fragment(check, run_every=every)()


def _moved(seen: RoomVersions | None, now: RoomVersions | None, whole: bool) -> bool:
    """Whether what a page was drawn from is no longer so."""
    if seen is None or now is None:
        return seen is not now
    return seen != now if whole else seen.state != now.state
