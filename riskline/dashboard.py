"""The dashboard as the command `riskline app` starts it, from a checkout or as it is installed."""

from __future__ import annotations

import argparse
import socket
import sys
from importlib.util import find_spec
from pathlib import Path

NOT_INSTALLED = (
    "The dashboard is not installed here, only the library dpcore; this adds it: pip install 'riskline[app]'"
)
EVERYBODY = "0.0.0.0"
LAST_PORT = 65_535


def checkout() -> Path | None:
    """The checkout around this package, if it stands in one."""
    root = Path(__file__).resolve().parents[1]
    return root if (root / "app.py").is_file() and (root / "pyproject.toml").is_file() else None


def app_root() -> Path | None:
    """Folder that holds app.py: the checkout around this package, or the installed dashboard; None without either."""
    if found := checkout():
        return found
    dashboard = find_spec("riskline_app")
    return Path(dashboard.origin).parent if dashboard and dashboard.origin else None


def streamlit_arguments(given: list[str]) -> list[str]:
    """What Streamlit is told: `--port` is the server's, `--share` lets other machines in; all else stays as it is.

    Another machine's browser is let in when it calls this one by the name that `--share` gives, or by its own name:
    no look-up tells which other names it has.

    Raises
    ------
    ValueError
        A sentence: the port is none.

    Examples
    --------
    >>> streamlit_arguments(["--port", "8600", "--share", "stats.example"])
    ['--server.port', '8600', '--server.address', '0.0.0.0', '--browser.serverAddress', 'stats.example']
    >>> streamlit_arguments(["--port=8600", "--server.headless=false"])
    ['--server.port', '8600', '--server.headless=false']
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--port")
    parser.add_argument("--share", nargs="?", const="")
    try:
        asked, others = parser.parse_known_args(given)
    except argparse.ArgumentError:
        raise ValueError("The option --port must be followed by a number.") from None
    told: list[str] = []
    if asked.port is not None:
        if not (asked.port.isascii() and asked.port.isdigit() and 0 < int(asked.port) <= LAST_PORT):
            raise ValueError(f"The port must be a whole number from 1 to {LAST_PORT:,}; got {asked.port[:40]!r}.")
        told += ["--server.port", asked.port]
    if asked.share is not None:
        told += ["--server.address", EVERYBODY, "--browser.serverAddress", asked.share or socket.gethostname()]
    return told + others


def start(given: list[str]) -> int:
    """Start the dashboard.

    Returns
    -------
    int
        Exit status of the server; 2 with a sentence where an option is refused or the dashboard is not installed.
    """
    try:
        told = streamlit_arguments(given)
    except ValueError as refused:
        print(refused, file=sys.stderr)
        return 2
    root = app_root()
    if root is None or find_spec("streamlit") is None:
        print(NOT_INSTALLED, file=sys.stderr)
        return 2
    from streamlit.web import cli

    sys.argv = ["streamlit", "run", str(root / "app.py"), *told]
    return int(cli.main(standalone_mode=False) or 0)
