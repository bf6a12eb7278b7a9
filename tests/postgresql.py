"""A PostgreSQL of the tests' own: Debian's, as a user of its own, on a loopback port, in a folder that goes with it.

It is set as `docs/deploy/compose.yaml` sets the one of a deployment, but does not wait for the disk.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

COMPOSE = Path(__file__).resolve().parents[1] / "docs" / "deploy" / "compose.yaml"
SMALL = ("listen_addresses=127.0.0.1", "shared_buffers=16MB", "max_connections=80", "fsync=off")


def find_postgresql() -> Path | None:
    """The folder of its programs: on the PATH, or where Debian installs each version."""
    named = shutil.which("initdb")
    if named:
        return Path(named).resolve().parent
    return max((path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")), default=None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def deployed_settings() -> list[str]:
    """The options that compose.yaml starts PostgreSQL with."""
    program, *options = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]["database"]["command"]
    assert program == "postgres"
    return [str(option) for option in options]


class PostgreSQL:
    """A server that can be stopped as a power cut would and started again; `url` is its one database."""

    def __init__(self) -> None:
        programs = find_postgresql()
        assert programs is not None
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="riskline-postgresql-"))
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            shutil.chown(self._folder, "postgres")
        self.password = secrets.token_urlsafe(12)
        self.port = free_port()
        self.url = f"postgresql://riskline:{self.password}@127.0.0.1:{self.port}/postgres"
        word = self._folder / "password"
        word.write_text(self.password)
        word.chmod(0o644)
        data = ("-D", str(self._folder / "data"))
        self._run(
            "initdb", *data, "--no-sync", "-U", "riskline", "--auth=scram-sha-256", f"--pwfile={word}", "-E", "UTF8"
        )
        self.start()

    def start(self) -> None:
        here = (*SMALL, f"port={self.port}", f"unix_socket_directories={self._folder}")
        options = " ".join([*deployed_settings(), *(f"-c{word}" for word in here)])
        place = ("-D", str(self._folder / "data"), "-l", str(self._folder / "log"))
        self._run("pg_ctl", "start", "-w", *place, "-o", options)

    def stop(self) -> None:
        """Stop it at once, whatever it is doing: nothing is written that was not written already."""
        self._run("pg_ctl", "stop", "-m", "immediate", "-D", str(self._folder / "data"))

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Nothing of it runs meanwhile, as in a container that is paused: it accepts connections and says nothing."""
        server = int((self._folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{server}/task/{server}/children")
        stopped = [server]
        try:
            os.kill(server, signal.SIGSTOP)
            for child in map(int, children.read_text().split()):
                os.kill(child, signal.SIGSTOP)
                stopped.append(child)
            yield
        finally:
            for process in stopped:
                os.kill(process, signal.SIGCONT)

    def remove(self) -> None:
        """Stop it and delete its folder."""
        self.stop()
        shutil.rmtree(self._folder)

    @property
    def log(self) -> str:
        """What the server wrote."""
        return (self._folder / "log").read_text(encoding="utf-8")

    def _run(self, program: str, *arguments: str) -> None:
        user = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()
        command = [*user, str(self._programs / program), *arguments]
        done = subprocess.run(  # not to a pipe, which the server would keep open
            command, cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120
        )
        assert done.returncode == 0, f"{program} failed with {done.returncode}"
