"""`riskline class`: a room that phones reach, opened in one command, which says when the first is there or why none."""

from __future__ import annotations

import argparse
import asyncio
import http.client
import ipaddress
import platform
import signal
import socket
import ssl
import statistics
import struct
import subprocess
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from riskline.dashboard import LAST_PORT, NOT_INSTALLED, STOPPED, app_root

FIRST_PORT, PORTS = 8501, 20
PATIENCE, STARTED = 60.0, 120.0
"""Seconds without a phone until likely causes are told, and until the server must answer."""
PHONES = 24
VPN = ("tun", "tap", "utun", "wg", "ppp", "ipsec", "tailscale", "zt", "nordlynx", "proton")
INSIDE = ("lo", "docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "cni", "podman", "lxc", "awdl", "llw")
"""How interfaces begin that lead to a VPN, and those that lead to nobody outside this computer."""
OF_VPN = ipaddress.ip_network("100.64.0.0/10")
ASKS_ADDRESS = {"Linux": 0x8915, "Darwin": 0xC0206921}
QUESTION = "A rehearsal: which number?"

PAGE = "docs/before-class.md"
NO_ADDRESS = f"This computer has no address that phones can reach: join a Wi-Fi, or turn on a hotspot ({PAGE})."
NOT_OURS = "--address must be a name, or an address of this computer: {ours}; got {asked!r}."
NO_PORT = "There is no free port from {first} to {last} at {host}."
TAKEN = "The port {port} is not free at {host}: something else uses it."
PAIR = "--certificate and --key belong together."
NO_CERTIFICATE = "The certificate {certificate!r} with the key {key!r} was not taken: {fault}."
TO_ITSELF = "{host} leads every phone to itself: for phones, leave out --address."
NOT_STARTED = "Riskline did not start."
ENDED = "Riskline has ended by itself."
INVITATION = """
Phones in the same network scan this QR code and press Join:

{drawn}
  {address}

or open {short} and type {code}."""
OPENED = "Your own page was opened in the browser. It moderates the room: show its projector view, not the page itself."
NOT_OPENED = "Your own page, which moderates the room. Keep this address to yourself:\n  {address}"
OTHERS = "If no phone can open it, try another address of this computer: --address {others}."
WAITING = "Waiting for the first phone. Ctrl-C stops Riskline."
FIRST = "Your first phone is here."
NOBODY = "No phone has come for {seconds:.0f} seconds. Likely causes:"
STOPPED_WITH = """\
Stopped. The room lasts 24 hours: riskline app --share {name} --port {port} serves its links again.
What it stored is deleted then or, if Riskline is down, when it next starts."""
STOPPED_EMPTY = "Stopped. Nobody had joined, so the room was deleted."
STOPPED_ENDED = "Stopped. The room has ended."
REHEARSED = """\
{joined} of {phones} phones joined: half within {joined_half:.2f} s, all within {joined_most:.2f} s.
{confirmed} of {phones} answers sent at once were confirmed: half within {half:.2f} s, all within {most:.2f} s.
The room counts {stored}.
All phones were this computer: its speed was measured, not the network's. Try one real phone too."""

SAME_NETWORK = "The phone is in another network: it must be in the Wi-Fi of this computer, mobile data off."
FIREWALL = "A firewall on this computer lets nobody in."
APART = "The network keeps devices apart, as guest and school networks often do: use a hotspot of your own."
THROUGH_VPN = "A VPN leads past the phones{which}: disconnect it."
STEPS = {
    FIREWALL: {
        "Windows": "Settings > Privacy & security > Windows Security > Firewall & network protection > "
        "Allow an app through firewall: tick Python for private networks. "
        "Settings > Network & internet > Wi-Fi > properties: Private network",
        "Darwin": "System Settings > Network > Firewall > Options: allow incoming connections for Python",
        "Linux": "sudo ufw allow {port}/tcp, or sudo firewall-cmd --add-port={port}/tcp",
    },
    APART: {
        "Windows": "Settings > Network & internet > Mobile hotspot",
        "Darwin": "System Settings > General > Sharing > Internet Sharing; without a cable, use a phone's hotspot",
        "Linux": "nmcli device wifi hotspot",
    },
    THROUGH_VPN: {
        "Windows": "Settings > Network & internet > VPN: Disconnect",
        "Darwin": "System Settings > VPN: turn it off",
        "Linux": "nmcli connection show --active, then nmcli connection down NAME",
    },
}
"""Why phones do not come, and the step against it on each system."""


class Address(NamedTuple):
    """An address of this computer, and the interface that has it, where the system tells."""

    address: str
    interface: str = ""

    @property
    def of_vpn(self) -> bool:
        """Whether it is one of a VPN."""
        return self.interface.startswith(VPN) or ipaddress.ip_address(self.address) in OF_VPN

    @property
    def reachable(self) -> bool:
        """Whether phones may reach it: no loop, nobody's inside, and not made up for want of a network."""
        found = ipaddress.ip_address(self.address)
        inside = self.interface.startswith(INSIDE)
        return not (inside or self.of_vpn or found.is_loopback or found.is_link_local or found.is_unspecified)


def own_addresses() -> list[Address]:
    """This computer's addresses, as its system tells them; nobody else is asked."""
    asks = ASKS_ADDRESS.get(platform.system())
    if asks is None:
        with suppress(OSError):
            return [Address(found) for found in socket.gethostbyname_ex(socket.gethostname())[2]]
        return []
    import fcntl

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # an interface without an address
                told = fcntl.ioctl(asking.fileno(), asks, struct.pack("256s", name[:15].encode()))
                found.append(Address(socket.inet_ntoa(told[20:24]), name))
    return found


def way_out() -> str:
    """The address by which this computer would send to others: no packet leaves for it."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("198.51.100.1", 9))
        return str(asking.getsockname()[0])
    return ""


def in_order(found: Sequence[Address], out: str) -> list[str]:
    """The addresses that phones may reach, the likeliest first: the way out, then those of private networks.

    >>> wifi, cable = Address("192.168.1.20", "wlan0"), Address("130.60.1.2", "eth0")
    >>> in_order([Address("127.0.0.1", "lo"), cable, wifi, Address("10.8.0.2", "tun0")], "10.8.0.2")
    ['192.168.1.20', '130.60.1.2']
    >>> in_order([wifi, cable], "130.60.1.2")
    ['130.60.1.2', '192.168.1.20']
    """
    usable = [each.address for each in found if each.reachable]
    return sorted(usable, key=lambda each: (each != out, not ipaddress.ip_address(each).is_private))


def causes(found: Sequence[Address], system: str, port: int) -> list[str]:
    """Why no phone may have come, the likeliest first, each with the step on this system.

    >>> for told in causes([Address("10.8.0.2", "tun0")], "Linux", 8501)[:1]:
    ...     print(told)
    A VPN leads past the phones (tun0): disconnect it.
      nmcli connection show --active, then nmcli connection down NAME
    """
    tunnels = " ({})".format(", ".join(each.interface or each.address for each in found if each.of_vpn))
    seen = any(each.of_vpn for each in found)
    order = (THROUGH_VPN, FIREWALL, APART) if seen else (FIREWALL, APART, THROUGH_VPN)
    told = []
    for cause in order:
        step = STEPS[cause].get(system, STEPS[cause]["Linux"]).format(port=port)
        told.append(f"{cause.format(which=tunnels if seen else '')}\n  {step}")
    return [*told[:1], SAME_NETWORK, *told[1:]] if seen else [SAME_NETWORK, *told]


@dataclass(frozen=True)
class Asked:
    """What was asked for: where phones come in, the browser's part, a certificate, a rehearsal."""

    host: str
    name: str
    port: int
    others: tuple[str, ...]
    certificate: str | None = None
    key: str | None = None
    browser: bool = True
    rehearsal: bool = False

    @property
    def root(self) -> str:
        """The address that phones type, up to the page."""
        return f"http{'s' if self.certificate else ''}://{self.name}:{self.port}/"

    @property
    def secure(self) -> ssl.SSLContext | None:
        """What this process itself speaks to its own server with, whoever signed its certificate."""
        if self.certificate is None:
            return None
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context


def asked_for(given: Sequence[str], found: Sequence[Address], out: str) -> Asked:
    """What the options say, with the address and the port that they leave open.

    Raises ValueError: a sentence.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for name in ("--address", "--port", "--certificate", "--key"):
        parser.add_argument(name)
    for name in ("--rehearsal", "--no-browser"):
        parser.add_argument(name, action="store_true")
    try:
        told, unknown = parser.parse_known_args(given)
    except argparse.ArgumentError as error:
        from riskline.choices import option_fault

        raise ValueError(option_fault(error)) from None
    if unknown:
        raise ValueError(f"riskline class has no option {unknown[0][:40]!r}; riskline class --help lists its own.")
    usable, ours = in_order(found, out), [each.address for each in found]
    host, name = told.address, told.address
    if host is None or not _is_numeric(host):
        if not usable:
            raise ValueError(NO_ADDRESS)
        host, name = usable[0], told.address or usable[0]
    elif host not in ours:
        raise ValueError(NOT_OURS.format(ours=", ".join(usable or ours), asked=host[:40]))
    if (told.certificate is None) != (told.key is None):
        raise ValueError(PAIR)
    if told.certificate is not None:
        _check_certificate(told.certificate, told.key)
    others = tuple(each for each in usable if each != host)
    port = _port(host, told.port)
    return Asked(host, name, port, others, told.certificate, told.key, not told.no_browser, told.rehearsal)


def _is_numeric(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _check_certificate(certificate: str, key: str) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: "")
    except (OSError, ValueError) as error:
        fault = getattr(error, "reason", None) or getattr(error, "strerror", None) or "it has a passphrase"
        told = NO_CERTIFICATE.format(certificate=certificate[:60], key=key[:60], fault=str(fault).lower())
        raise ValueError(told) from None


def _port(host: str, typed: str | None) -> int:
    """The port that was typed, if it is free; else the first free one."""
    if typed is not None and not (typed.isascii() and typed.isdigit() and 0 < int(typed) <= LAST_PORT):
        raise ValueError(f"The port must be a whole number from 1 to {LAST_PORT:,}; got {typed[:40]!r}.")
    ports = range(FIRST_PORT, FIRST_PORT + PORTS) if typed is None else [int(typed)]
    for port in ports:
        with suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(platform.system() != "Windows"))
            probe.bind((host, port))
            return port
    if typed is None:
        raise ValueError(NO_PORT.format(first=ports[0], last=ports[-1], host=host))
    raise ValueError(TAKEN.format(port=ports[0], host=host))


def qr_code(address: str, *, coloured: bool) -> str:
    """A QR code in half blocks; coloured where that tells a terminal which ones are dark."""
    import segno

    drawn = StringIO()
    segno.make(address, error="m", micro=False).terminal(out=drawn, border=2, compact=True)
    lines = drawn.getvalue().splitlines()
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" if coloured else line for line in lines) + "\n"


def wait_for_phone(
    people: Callable[[], int], running: Callable[[], bool], told: Callable[[str], object], why: Sequence[str]
) -> bool:
    """Wait until somebody is in the room, and tell so, or after a while why not; whether Riskline still ran then."""
    began, explained = time.monotonic(), False
    while running():
        if people():
            told(FIRST)
            return True
        waited = time.monotonic() - began
        if waited >= PATIENCE and not explained:
            explained = True
            told("\n".join([NOBODY.format(seconds=waited), *(f"- {cause}" for cause in why)]))
        time.sleep(1.0)
    return False


@contextmanager
def served(asked: Asked, root: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The app at the address, once it answers; ended afterwards."""
    options = {
        "server.address": asked.host,
        "server.port": asked.port,
        "browser.serverAddress": asked.name,
        **({"server.sslCertFile": asked.certificate, "server.sslKeyFile": asked.key} if asked.certificate else {}),
    }
    command = [sys.executable, "-m", "streamlit", "run", str(root / "app.py")]
    command += [word for name, value in options.items() for word in (f"--{name}", str(value))]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + STARTED
        while not _answers(asked):
            if process.poll() is not None or time.monotonic() > deadline:
                raise ValueError(NOT_STARTED)
            time.sleep(0.2)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(asked: Asked) -> bool:
    if asked.secure:
        asking: http.client.HTTPConnection = http.client.HTTPSConnection(
            asked.host, asked.port, timeout=2, context=asked.secure
        )
    else:
        asking = http.client.HTTPConnection(asked.host, asked.port, timeout=2)
    try:
        asking.request("GET", "/_stcore/health")
        return asking.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asking.close()


def start(given: Sequence[str]) -> int:
    """Open a room for a class and wait for its phones, or rehearse with simulated ones.

    Exit status: 130 where it was stopped at the keyboard; 0 after a rehearsal in which all was confirmed, 1 where it
    was not or the server ended; 2 with a sentence where an option is refused or the dashboard is not installed.
    """
    root = app_root()
    if root is None or find_spec("streamlit") is None:
        print(NOT_INSTALLED, file=sys.stderr)
        return 2
    found = own_addresses()
    try:
        asked = asked_for(given, found, way_out())
    except ValueError as refused:
        print(refused, file=sys.stderr)
        return 2
    sys.path.insert(0, str(root))
    from ui.rooms.refusals import RoomRefused
    from ui.views.room.view import refusal_of_room

    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)  # the server ends with this process
    try:
        with served(asked, root) as process:
            if asked.rehearsal:
                return _rehearsal(asked)
            return _lesson(asked, process, causes(found, platform.system(), asked.port))
    except KeyboardInterrupt:
        return STOPPED
    except RoomRefused as refused:
        print(refusal_of_room(refused.code.value, "plain"), file=sys.stderr)
    except ValueError as refused:
        print(refused, file=sys.stderr)
    return 1


def _tell(words: str) -> None:
    print(words, flush=True)


def _lesson(asked: Asked, process: subprocess.Popen[bytes], why: Sequence[str]) -> int:
    """Open the room, show its address, and wait: for the first phone, then until somebody stops Riskline."""
    from ui.rooms.refusals import RoomCode, RoomRefused
    from ui.rooms.store import store

    rooms = store()
    room = rooms.open_room()

    def people() -> int:
        with suppress(RoomRefused):  # the database is asked again
            return rooms.room(room.code).people
        return 0

    try:
        address = f"{asked.root}join?code={room.code}"
        own = f"{asked.root}room?code={room.code}&key={room.moderator_key}"
        spoken = f"{room.code[:3]} {room.code[3:]}"
        drawn = qr_code(address, coloured=sys.stdout.isatty())
        _tell(INVITATION.format(drawn=drawn, address=address, short=f"{asked.root}join", code=spoken))
        if ipaddress.ip_address(asked.host).is_loopback:
            _tell(TO_ITSELF.format(host=asked.host))
        elif asked.others:
            _tell(OTHERS.format(others=", ".join(asked.others)))
        _tell(OPENED if asked.browser and webbrowser.open(own) else NOT_OPENED.format(address=own))
        _tell(WAITING)
        if wait_for_phone(people, lambda: process.poll() is None, _tell, why):
            process.wait()
        print(ENDED, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        told = STOPPED_WITH.format(name=asked.name, port=asked.port)
        try:
            if not rooms.room(room.code).versions.answers:  # it moves whenever somebody joins
                rooms.end(room.code, room.moderator_key)
                told = STOPPED_EMPTY
        except RoomRefused as refused:  # nothing is deleted where nobody can tell who had joined
            told = STOPPED_ENDED if refused.code in (RoomCode.UNKNOWN, RoomCode.STILL_HELD) else told
        _tell(told)
        raise


def _rehearsal(asked: Asked) -> int:
    """Have simulated phones join and answer, tell what was measured, and delete their room."""
    from riskline.phones import rehearsed
    from ui.rooms.store import store
    from ui.views.room import ACTIVITIES
    from ui.views.room.activity import text_of

    rooms = store()
    room, prediction = rooms.open_room(), ACTIVITIES["prediction"]
    settings = text_of(prediction.settings, {"prediction_question": QUESTION})

    def ask() -> None:
        rooms.start(room.code, room.moderator_key, prediction.kind, settings)

    try:
        reached = f"{asked.host}:{asked.port}"
        met = asyncio.run(rehearsed(reached, room.code, ask, phones=PHONES, secure=asked.secure))
        stored = rooms.room(room.code).answered
    finally:
        rooms.end(room.code, room.moderator_key)
    joined, confirmed = met.joined or [0.0], met.confirmed or [0.0]
    _tell(
        REHEARSED.format(
            phones=PHONES,
            joined=len(met.joined),
            joined_half=statistics.median(joined),
            joined_most=max(joined),
            confirmed=len(met.confirmed),
            half=statistics.median(confirmed),
            most=max(confirmed),
            stored=f"{stored} answer{'s' if stored != 1 else ''}",
        )
    )
    for error in sorted(set(met.errors)):
        print(error, file=sys.stderr)
    return int(met.errors != [] or not len(met.joined) == len(met.confirmed) == stored == PHONES)
