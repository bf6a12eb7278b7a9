"""The console command `riskline`: starts the dashboard from a checkout or an installed wheel."""

from __future__ import annotations

import sys
from pathlib import Path


def app_root() -> Path:
    """Folder that holds app.py: inside the wheel, or the checkout around this package."""
    here = Path(__file__).resolve().parent
    return here / "_app" if (here / "_app" / "app.py").is_file() else here.parent


def main(arguments: list[str] | None = None) -> int:
    """Start the dashboard; `--port N` and every other argument go to Streamlit.

    Returns
    -------
    int
        Exit status of the server.
    """
    from streamlit.web import cli

    given = list(sys.argv[1:] if arguments is None else arguments)
    translated = [
        "--server.port" + item[len("--port") :] if item == "--port" or item.startswith("--port=") else item
        for item in given
    ]
    sys.argv = ["streamlit", "run", str(app_root() / "app.py"), *translated]
    return int(cli.main(standalone_mode=False) or 0)


if __name__ == "__main__":
    sys.exit(main())
