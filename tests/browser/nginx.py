"""Where nginx is; Debian puts it where only root's PATH looks."""

from __future__ import annotations

import shutil


def find_nginx() -> str | None:
    """Path of nginx, on the PATH or where Debian installs it."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
