"""The command `riskline class`: which address it picks, what it refuses, and what it tells while no phone comes."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import segno

from riskline import classroom
from riskline.classroom import (
    STOPPED_EMPTY,
    STOPPED_ENDED,
    STOPPED_WITH,
    Address,
    Asked,
    asked_for,
    causes,
    in_order,
    own_addresses,
    qr_code,
    wait_for_phone,
)
from riskline.completion import OF_OTHERS
from riskline.dashboard import NOT_INSTALLED
from tests.command_line import told
from ui.rooms.codes import new_key
from ui.rooms.database import Database
from ui.rooms.meeting import Room
from ui.rooms.refusals import RoomCode, RoomRefused
from ui.rooms.store import RoomStore, store

ROOT = Path(__file__).resolve().parents[2]
LOOP, WIFI, CABLE = Address("127.0.0.1", "lo"), Address("192.168.1.20", "wlan0"), Address("10.20.0.5", "enp3s0")
DOCKER, TUNNEL = Address("172.17.0.1", "docker0"), Address("10.8.0.2", "utun4")


@pytest.mark.parametrize(
    ("found", "out", "ordered"),
    [
        ([LOOP, WIFI], "192.168.1.20", ["192.168.1.20"]),
        ([LOOP, WIFI, CABLE, DOCKER], "10.20.0.5", ["10.20.0.5", "192.168.1.20"]),
        ([LOOP, WIFI, TUNNEL], "10.8.0.2", ["192.168.1.20"]),  # a VPN takes all that goes out
        ([LOOP, DOCKER, TUNNEL], "10.8.0.2", []),
        ([LOOP, Address("169.254.7.7", "eth0")], "", []),  # nobody gave it an address
        ([Address("10.42.0.1", "wlp2s0"), LOOP], "", ["10.42.0.1"]),  # a hotspot of its own: no way out
        ([LOOP, Address("192.168.2.1", "bridge100")], "", ["192.168.2.1"]),  # that of a Mac
        ([Address("8.8.4.4", "eth0"), WIFI], "", ["192.168.1.20", "8.8.4.4"]),
        ([Address("100.101.3.4"), Address("192.168.137.1")], "", ["192.168.137.1"]),  # Windows names no interface
    ],
)
def test_the_address_is_one_that_phones_reach(found: list[Address], out: str, ordered: list[str]) -> None:
    assert in_order(found, out) == ordered


@pytest.mark.skipif(sys.platform != "linux", reason="reads the interfaces of Linux")
def test_this_computer_tells_its_addresses() -> None:
    found = own_addresses()
    assert LOOP in found
    assert classroom.way_out() in {"", *(each.address for each in found)}


def test_where_interfaces_cannot_be_asked_the_name_of_the_computer_tells_its_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(classroom.platform, "system", lambda: "Plan 9")
    monkeypatch.setattr(classroom.socket, "gethostbyname_ex", lambda name: (name, ["alias"], ["10.0.0.7", "10.0.0.8"]))
    assert own_addresses() == [Address("10.0.0.7"), Address("10.0.0.8")]

    def unknown(name: str) -> None:
        raise OSError

    monkeypatch.setattr(classroom.socket, "gethostbyname_ex", unknown)
    assert own_addresses() == []


def test_the_likeliest_address_is_taken_and_the_others_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "_port", lambda host, typed: 8501)
    asked = asked_for([], [LOOP, WIFI, CABLE], CABLE.address)
    assert (asked.host, asked.others, asked.root) == (CABLE.address, (WIFI.address,), "http://10.20.0.5:8501/")
    asked = asked_for(["--address", WIFI.address, "--no-browser"], [LOOP, WIFI, CABLE], CABLE.address)
    assert (asked.host, asked.others, asked.browser) == (WIFI.address, (CABLE.address,), False)
    asked = asked_for(["--address=stats.example"], [LOOP, WIFI], "")
    assert (asked.host, asked.root) == (WIFI.address, "http://stats.example:8501/")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--address", "192.168.1.99"], "--address must be a name, or an address of this computer: 192.168.1.20; got "),
        (["--address"], "The option --address must be followed by a value; one that begins with - "),
        (["--prot", "1"], "riskline class has no option '--prot'; riskline class --help lists its own."),
        (["--port", "0"], "The port must be a whole number from 1 to 65,535; got '0'."),
        (["--certificate", "a.pem"], "--certificate and --key belong together."),
        (["--key", "a.key"], "--certificate and --key belong together."),
        (
            ["--certificate", "none.pem", "--key", "none.key"],
            "The certificate 'none.pem' with the key 'none.key' was not taken: no such file or directory.",
        ),
    ],
)
def test_what_is_refused_is_told(given: list[str], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        asked_for(given, [LOOP, WIFI], WIFI.address)


def test_a_computer_without_an_address_for_phones_is_told_so_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "own_addresses", lambda: [LOOP, TUNNEL])
    found = told("class")
    assert (found.out, found.code) == ("", 2)
    assert found.complaint == f"{classroom.NO_ADDRESS}\n"


def test_without_the_dashboard_the_class_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "app_root", lambda: None)
    found = told("class")
    assert (found.out, found.complaint, found.code) == ("", f"{NOT_INSTALLED}\n", 2)


def test_a_port_in_use_is_passed_over_or_if_typed_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind((LOOP.address, 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(classroom, "FIRST_PORT", port)
        given = ["--address", LOOP.address]
        assert port < asked_for(given, [LOOP], "").port < port + classroom.PORTS
        with pytest.raises(ValueError, match=f"The port {port} is not free at 127.0.0.1"):
            asked_for([*given, "--port", f"{port}"], [LOOP], "")
        monkeypatch.setattr(classroom, "PORTS", 1)
        with pytest.raises(ValueError, match=f"There is no free port from {port} to {port} at 127.0.0.1."):
            asked_for(given, [LOOP], "")


@pytest.mark.parametrize("system", ["Windows", "Darwin", "Linux"])
def test_each_cause_has_its_step_on_this_system_and_a_vpn_that_is_on_comes_first(system: str) -> None:
    without, beside = causes([WIFI], system, 8600), causes([WIFI, TUNNEL], system, 8600)
    assert without[0] == classroom.SAME_NETWORK
    assert beside[0].startswith("A VPN leads past the phones (utun4): disconnect it.\n")
    for cause, steps in classroom.STEPS.items():
        for said in (without, beside):
            (found,) = (each for each in said if each.startswith(cause.partition("{")[0]))
            assert found.endswith(f"\n  {steps[system].format(port=8600)}")
    assert len(without) == len(beside) == 4


def test_the_docs_name_the_same_steps() -> None:
    page = (ROOT / "docs" / "before-class.md").read_text(encoding="utf-8").replace("`", "")
    for steps in classroom.STEPS.values():
        assert all(step.format(port=8501) in page for step in steps.values())


def told_while_waiting(arrive: float, monkeypatch: pytest.MonkeyPatch, *, ends: float = 1e9) -> tuple[bool, list[str]]:
    """Whether Riskline still ran, and what was told by when somebody arrived or it ended, in seconds of the clock."""
    now, said = [0.0], []
    monkeypatch.setattr(classroom.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(classroom.time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    ran = wait_for_phone(
        lambda: int(now[0] >= arrive), lambda: now[0] < ends, said.append, ["One.\n  a step", "Another."]
    )
    return ran, said


def test_the_first_phone_is_told_and_causes_once_only_where_none_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_while_waiting(5, monkeypatch) == (True, ["Your first phone is here."])
    why = "No phone has come for 60 seconds. Likely causes:\n- One.\n  a step\n- Another."
    assert told_while_waiting(300, monkeypatch) == (True, [why, "Your first phone is here."])
    assert told_while_waiting(300, monkeypatch, ends=90) == (False, [why])


def nobody_comes(code: str, key: str) -> None:
    """Before it is stopped nothing happens."""


def one_joins(code: str, key: str) -> None:
    store().join(code, new_key())


def one_comes_and_leaves(code: str, key: str) -> None:
    store().join(code, phone := new_key())
    store().leave(code, phone)


def end_by_the_moderator(code: str, key: str) -> None:
    store().end(code, key)


@pytest.mark.parametrize(
    ("before", "busy", "told", "kept"),
    [
        (nobody_comes, False, STOPPED_EMPTY, False),
        (nobody_comes, True, STOPPED_ENDED, False),  # its words are in the log of the file until others have read on
        (one_joins, False, STOPPED_WITH, True),
        (one_joins, True, STOPPED_WITH, True),
        (one_comes_and_leaves, False, STOPPED_WITH, True),
        (end_by_the_moderator, False, STOPPED_ENDED, False),
    ],
)
@pytest.mark.usefixtures("patient_rooms")
def test_stopped_the_command_deletes_only_a_room_that_nobody_ever_joined(
    before: Callable[[str, str], None],
    busy: bool,
    told: str,
    kept: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RISKLINE_ROOMS_URL", f"sqlite:///{tmp_path / 'rooms.sqlite3'}")
    asks, ask = [busy and before is one_joins, False], RoomStore.room

    def room(self: RoomStore, code: str) -> Room:
        if asks.pop(0):
            raise RoomRefused(RoomCode.UNAVAILABLE)
        return ask(self, code)

    def stopped(*given: object) -> bool:
        said = capsys.readouterr().out
        code, key = (re.findall(rf"{name}=([\w-]+)", said)[-1] for name in ("code", "key"))
        codes.append(code)
        before(code, key)
        raise KeyboardInterrupt

    codes: list[str] = []
    monkeypatch.setattr(classroom, "wait_for_phone", stopped)
    monkeypatch.setattr(RoomStore, "room", room)
    monkeypatch.setattr(Database, "forget_deleted", lambda self: before is not nobody_comes or not busy)
    running = SimpleNamespace(poll=lambda: None)
    asked = Asked("192.168.1.20", "192.168.1.20", 8501, (), browser=False)
    with pytest.raises(KeyboardInterrupt):
        classroom._lesson(asked, running, [])  # type: ignore[arg-type]
    assert capsys.readouterr().out == told.format(name="192.168.1.20", port=8501) + "\n"
    assert (store().versions(*codes) is not None) is kept


@pytest.mark.parametrize("coloured", [False, True])
def test_the_qr_code_is_that_of_the_address(coloured: bool) -> None:
    address = "http://192.168.1.20:8501/join?code=ABC234"
    lines = qr_code(address, coloured=coloured).splitlines()
    assert coloured == all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in lines)
    halves = {" ": (1, 1), "▀": (0, 1), "▄": (1, 0), "█": (0, 0)}
    rows: list[tuple[int, ...]] = []
    for line in lines:
        drawn = [halves[sign] for sign in re.sub(r"\x1b\[[0-9;]*m", "", line)]
        rows += [tuple(above for above, _ in drawn), tuple(below for _, below in drawn)]
    made = [tuple(row) for row in segno.make(address, error="m", micro=False).matrix_iter(border=2)]
    assert rows[: len(made)] == made


def test_the_help_and_the_shell_know_every_option() -> None:
    text = told("class", "--help").out
    assert set(re.findall(r"--[a-z-]+", text)) == {*OF_OTHERS["class"]} - {"--help"}
