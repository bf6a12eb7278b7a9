"""The wheel carries the app: installed into an empty environment, `riskline --port N` serves the pages."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


def test_the_wheel_carries_pages_assets_text_and_configuration(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for needed in (
        "riskline/_app/app.py",
        "riskline/_app/pages/choose.py",
        "riskline/_app/ui/line_editor/editor.js",
        "riskline/_app/ui/text/choose/plain.md",
        "riskline/_app/assets/style.css",
        "riskline/_app/.streamlit/config.toml",
    ):
        assert needed in names
    assert {name.split("/")[0] for name in names if "dist-info" not in name} == {"dpcore", "riskline"}


def test_the_console_command_serves_from_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "empty"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, timeout=120)
    python = environment / "bin" / "python"
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", str(python)]
    subprocess.run([*install, "-c", str(ROOT / "requirements.lock"), str(wheel)], check=True, timeout=280)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    server = subprocess.Popen(
        [str(environment / "bin" / "riskline"), "--port", str(port)],
        cwd=tmp_path,
        env=clean,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        status = 0
        while time.monotonic() < deadline and status != 200:
            assert server.poll() is None, "riskline ended by itself"
            try:
                status = urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).status
            except OSError:
                time.sleep(0.2)
        assert status == 200
    finally:
        server.terminate()
        server.wait(timeout=20)
