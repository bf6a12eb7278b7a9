"""No script stands inside a page, so that a content policy can refuse all that do: nginx's does (docs/deploy)."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

INSIDE = re.compile(r"<script(?![^>]*\bsrc=)([^>]*)>(.*?)</script>", re.DOTALL)
FOLDER = Path("_static", "inside")


def without_settings(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Leave out what the theme tells each page of a list of versions and of a search while typing: it has neither."""
    context["script_files"] = [script for script in context.get("script_files", []) if script.filename]


def as_files(app: Sphinx, failure: Exception | None) -> None:
    """Lay every script that a page holds into a file of its own, named for what it says, and lead the page there."""
    built = Path(app.outdir)
    (built / FOLDER).mkdir(parents=True, exist_ok=True)
    for page in built.rglob("*.html"):
        root = "../" * (len(page.relative_to(built).parts) - 1)

        def led(found: re.Match[str], root: str = root) -> str:
            attributes, script = found.groups()
            name = hashlib.sha256(script.encode()).hexdigest()[:16] + ".js"
            (built / FOLDER / name).write_text(script, encoding="utf-8")
            return f'<script{attributes} src="{root}{(FOLDER / name).as_posix()}"></script>'

        text = page.read_text(encoding="utf-8")
        if (changed := INSIDE.sub(led, text)) != text:
            page.write_text(changed, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """After the theme, which has the usual priority, has said what a page loads; and once all are written."""
    app.connect("html-page-context", without_settings, priority=900)
    app.connect("build-finished", as_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
