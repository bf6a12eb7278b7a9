"""Whether phones can reach the address at which a room's page was opened, and how they could."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from ui.words.catalogue import say

EXAMPLE = "192.168.1.20"
START = f"riskline app{{port}} --share {EXAMPLE}"
START_CHECKOUT = f'make run ARGS="{{port}}--server.address 0.0.0.0 --browser.serverAddress {EXAMPLE}"'
"""How Riskline lets others in who call this computer so (`riskline/dashboard.py`, `.streamlit/config.toml`)."""
USUAL_PORT = 8501


def of_this_computer_alone(root: str) -> bool:
    """Whether an address leads every device to itself, so that what one computer serves no other one finds by it.

    Examples
    --------
    >>> of_this_computer_alone("http://localhost:8501/"), of_this_computer_alone("http://127.3.2.1/")
    (True, True)
    >>> of_this_computer_alone("http://[::1]:8501/"), of_this_computer_alone("http://192.168.1.20:8501/")
    (True, False)
    """
    host = (urlsplit(root).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        found = ip_address(host)
    except ValueError:
        return False  # a name, or no address at all
    return found.is_loopback or found.is_unspecified


def reach_words(root: str, voice: str) -> tuple[str, ...]:
    """That phones cannot open this address, and how Riskline is started so that they can; nothing where they can.

    Examples
    --------
    >>> reach_words("https://stats.example/", "plain")
    ()
    """
    if not of_this_computer_alone(root):
        return ()
    here = urlsplit(root)
    port = here.port or USUAL_PORT  # without one something stands in front of Riskline, at this computer alone
    usual = port == USUAL_PORT
    how = say(
        "room",
        voice,
        "reachable",
        example=EXAMPLE,
        start=START.format(port="" if usual else f" --port {port}"),
        checkout=START_CHECKOUT.format(port="" if usual else f"--server.port {port} "),
        open=f"http://{EXAMPLE}:{port}/room",
    )
    return say("room", voice, "unreachable", address=here.netloc), how
