"""The README keeps its promises: its code runs, its commands exist, its pictures are there."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_lines_run_and_print_what_they_say() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks
    for block in blocks:
        promised = [
            line.split("# ", 1)[1].strip() for line in block.splitlines() if line.startswith("print(") and "# " in line
        ]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block, "README.md", "exec"), {})
        assert promised
        assert out.getvalue().split("\n")[: len(promised)] == promised


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("run", "test"):
        assert f"make {target}" in README
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_every_picture_is_a_file_of_the_project() -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).is_file(), picture


def test_the_makefile_installs_the_uv_of_the_lock_file() -> None:
    makefile, lock = (ROOT / "Makefile").read_text(), (ROOT / "requirements-test.lock").read_text()
    (version,) = re.findall(r"^UV := (uv==\S+)$", makefile, flags=re.MULTILINE)
    assert f"\n{version} \\\n" in lock
    assert makefile.count("pip-version-check $(UV)\n") == 2
