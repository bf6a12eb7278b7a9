"""The README keeps its promises: its code runs, its commands exist, its pictures are there."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
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


def test_the_makefile_installs_the_uv_of_the_lock_file_by_its_hashes() -> None:
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    place = lines.index("$(VENV)/.uv: requirements-test.lock")
    take, _, into = lines[place + 2].strip().partition(" > ")
    taken = subprocess.run(["sh", "-c", take], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    locked = re.search(r"^uv==.*?(?=^[a-z])", (ROOT / "requirements-test.lock").read_text(), re.MULTILINE | re.DOTALL)
    assert locked is not None
    assert locked[0].startswith(taken.partition("# via")[0])
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", taken)) == locked[0].count("--hash") > 10
    assert re.findall(r"^[^\s#]\S*", taken, re.MULTILINE) == [taken.split()[0]]  # nothing else
    assert lines[place + 3].endswith(f"pip install --quiet --disable-pip-version-check --require-hashes -r {into}")
    installs = [line for line in lines if "pip install" in line]
    assert all("--require-hashes" in line for line in installs)
