"""The dashboard as the command `riskline app` starts it, from a checkout or as it is installed."""

from __future__ import annotations

import argparse
import difflib
import logging
import os
import signal
import socket
import sys
from importlib.util import find_spec
from pathlib import Path

NOT_INSTALLED = (
    "Only the library dpcore is installed here, not the dashboard; this adds it: pip install 'riskline[app]'"
)
EVERYBODY = "0.0.0.0"
LAST_PORT = 65_535
STOPPED = 130
"""The exit code of what was stopped at the keyboard, as shells have it."""


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

    Raises ValueError: a sentence: the port is none.

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

    Exit status of the server; 130 where it was stopped at the keyboard; 2 with a sentence where an option is refused or
    the dashboard is not installed.
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
    from click import Abort, ClickException, NoSuchOption
    from streamlit.web import cli

    sys.argv = ["streamlit", "run", str(root / "app.py"), *told]
    log = logging.getLogger("uvicorn.error")
    log.addFilter(_is_not_about_stopping)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start background jobs with it ignored
    try:
        return int(cli.main(standalone_mode=False) or 0)
    except (Abort, KeyboardInterrupt):
        signal.signal(signal.SIGINT, leave)
        return STOPPED
    except NoSuchOption as refused:
        print(_no_such_option(refused.option_name), file=sys.stderr)
    except ClickException as refused:
        print(f"riskline app: {refused.format_message()}", file=sys.stderr)
    finally:
        log.removeFilter(_is_not_about_stopping)
    return 2


def _no_such_option(name: str) -> str:
    near = difflib.get_close_matches(name, ("--port", "--share", *_server_options()), 1)
    meant = (
        f"did you mean {near[0]}?"
        if near
        else "riskline app --help lists its own; streamlit run --help lists the rest."
    )
    return f"riskline app has no option {name[:40]!r}; {meant}"


def _server_options() -> list[str]:
    """The options of Streamlit's own server."""
    from streamlit.web import cli

    return [name for option in cli.main_run.params for name in option.opts]


def _is_not_about_stopping(record: logging.LogRecord) -> bool:
    """Whether a record of the server tells something else than the tasks that a second Ctrl-C has cut off."""
    return not record.getMessage().rstrip().endswith("CancelledError")


def leave(*_: object) -> None:
    """End at once: whoever stops what is stopping already waits for nothing."""
    os._exit(STOPPED)
