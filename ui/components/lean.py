"""A script or a style as it travels to the browser."""

from __future__ import annotations

from pathlib import Path


def lean(name: str) -> str:
    """The script or style `name` of this folder without indentation and comment lines: it travels on every run."""
    lines = (line.strip() for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/**")))
