"""How the tutorials are run: without settings of whoever builds, and patiently where a machine is busy."""

from __future__ import annotations

import os
import tempfile
from functools import partial
from pathlib import Path

from jupyter_cache.executors import utils
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[3]
SETTINGS = "c.IPKernelApp.log_level = 'ERROR'\nc.HistoryManager.enabled = False\n"
FOLDER = tempfile.TemporaryDirectory()
PATIENCE = 120
"""Seconds: Jupyter waits four for the pictures of a cell, and then goes on without them and without a word."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Give each notebook's process this checkout and settings of its own; a picture that never comes is an error."""
    profile = Path(FOLDER.name, "profile_default")
    profile.mkdir(exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(SETTINGS)
    os.environ |= {"IPYTHONDIR": FOLDER.name, "PYTHONPATH": str(ROOT)}
    os.environ.pop("MPLBACKEND", None)  # the notebook's own, which hands pictures on
    utils.executenb = partial(
        utils.executenb, startup_timeout=PATIENCE, iopub_timeout=PATIENCE, raise_on_iopub_timeout=True
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
