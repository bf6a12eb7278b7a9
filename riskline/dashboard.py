"""The dashboard as the command `riskline app` starts it, from a checkout or as it is installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

NOT_INSTALLED = (
    "The dashboard is not installed here, only the library dpcore; this adds it: pip install 'riskline[app]'"
)
EVERYBODY = "0.0.0.0"


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
    """What Streamlit is told: `--port` is the server's, `--share` lets it listen to other machines too.

    Examples
    --------
    >>> streamlit_arguments(["--port", "8600", "--share"])
    ['--server.port', '8600', '--server.address', '0.0.0.0']
    >>> streamlit_arguments(["--port=8600", "--server.headless=false"])
    ['--server.port=8600', '--server.headless=false']
    """
    told: list[str] = []
    for item in given:
        if item == "--port" or item.startswith("--port="):
            told.append("--server.port" + item[len("--port") :])
        elif item == "--share":
            told += ["--server.address", EVERYBODY]
        else:
            told.append(item)
    return told


def start(given: list[str]) -> int:
    """Start the dashboard; every argument but `--port` and `--share` goes to Streamlit as it is.

    Returns
    -------
    int
        Exit status of the server; 2 with a sentence where the dashboard is not installed.
    """
    root = app_root()
    if root is None or find_spec("streamlit") is None:
        print(NOT_INSTALLED, file=sys.stderr)
        return 2
    from streamlit.web import cli

    sys.argv = ["streamlit", "run", str(root / "app.py"), *streamlit_arguments(given)]
    return int(cli.main(standalone_mode=False) or 0)
