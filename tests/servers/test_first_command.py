"""What the README tells to type first works for somebody who has the repository and nothing else of ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def installed(folder: Path, *sources: str) -> Path:
    """What `pip install` makes of folders of the repository, without the libraries they ask an index for."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(folder), *sources], cwd=ROOT, check=True, timeout=250)
    return folder


def test_the_first_commands_install_and_answer(tmp_path: Path) -> None:
    install, ask = (line.partition("  #")[0].split() for line in BLOCKS[0].splitlines())
    said = BLOCKS[0].splitlines()[1].rpartition("ε = ")[2]
    assert install == ["pip", "install", "."]
    folder = installed(tmp_path / "installed", *install[2:])
    command = [sys.executable, str(folder / "bin" / ask[0]), *ask[1:]]
    alone = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert f"ε = {said}" in done.stdout.replace("*", "")


def test_the_dashboard_is_built_from_the_repository_too(tmp_path: Path) -> None:
    (both,) = (line for block in BLOCKS for line in block.splitlines() if "./packaging/app" in line)
    assert both.partition("  #")[0].split() == ["pip", "install", ".", "./packaging/app"]
    folder = installed(tmp_path / "installed", "./packaging/app")
    assert (folder / "riskline_app" / "app.py").is_file()
    assert (folder / "riskline_app" / "pages" / "choose.py").is_file()
