"""Scripts and styles as they travel to the browser."""

from __future__ import annotations

from pathlib import Path


def lean(*names: str) -> str:
    """The scripts or styles of this folder, one after the other, without indentation and comment lines.

    They travel on every run.
    """
    whole = "\n".join((Path(__file__).parent / name).read_text(encoding="utf-8") for name in names)
    lines = (line.strip() for line in whole.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/**")))
