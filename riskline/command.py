"""The console command `riskline`: starts the dashboard, from a checkout or as it is installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

NOT_INSTALLED = (
    "The dashboard is not installed here, only the library dpcore; this adds it: pip install 'riskline[app]'"
)


def app_root() -> Path | None:
    """Folder that holds app.py: the checkout around this package, or the installed dashboard; None without either."""
    checkout = Path(__file__).resolve().parents[1]
    if (checkout / "app.py").is_file() and (checkout / "pyproject.toml").is_file():
        return checkout
    dashboard = find_spec("riskline_app")
    return Path(dashboard.origin).parent if dashboard and dashboard.origin else None


def main(arguments: list[str] | None = None) -> int:
    """Start the dashboard; `--port N` and every other argument go to Streamlit.

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

    given = list(sys.argv[1:] if arguments is None else arguments)
    translated = [
        "--server.port" + item[len("--port") :] if item == "--port" or item.startswith("--port=") else item
        for item in given
    ]
    sys.argv = ["streamlit", "run", str(root / "app.py"), *translated]
    return int(cli.main(standalone_mode=False) or 0)


if __name__ == "__main__":
    sys.exit(main())
