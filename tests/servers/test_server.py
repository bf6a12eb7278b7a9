"""The server from start to stop: asks nobody outside, writes no file, logs no typed word, keeps few files of a reader.

Every name looked up, every connection and every file opened for writing is seen by an audit hook that Python raises
itself, in the server's own process; it needs no network, no rights and no other program.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tarfile
import time
import uuid
import zipfile
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
import uvicorn
from sqlalchemy import create_engine, func, select
from starlette.responses import PlainTextResponse
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette.starlette_server import _bind_socket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from riskline.command import ANSWERING
from riskline.commands.memo import NEEDS, WITHOUT_PICTURES
from riskline.dashboard import NOT_INSTALLED, STOPPED
from tests.command_line import told
from tests.release_plans import made_up_people, written, written_plan
from ui.frame import server
from ui.rooms.database import ROOMS
from ui.rooms.store import RoomStore
from ui.words.refusals import BEYOND_NUMBERS, BROKEN

ROOT = Path(__file__).resolve().parents[2]
WATCH = """
import os, sys
_log = os.open(os.environ["RISKLINE_WATCH"], os.O_WRONLY | os.O_APPEND)
def _watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        said = f"{event} {arguments[1]!r}"
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.bind"):
        said = f"{event} {arguments[1] if event == 'socket.bind' else arguments[0]!r}"
    elif event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        said = f"{event} {arguments[0]!r}"
    elif event == "subprocess.Popen":
        said = f"{event} {arguments[1]!r}"
    elif event in ("os.mkdir", "os.rename", "tempfile.mkstemp", "os.posix_spawn"):
        said = f"{event} {arguments[0]!r}"
    else:
        return
    os.write(_log, (said + "\\n").encode("utf-8", "replace"))
sys.addaudithook(_watch)
"""
CHECKOUT = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port"]
CORE_CARRIED = {
    "dpcore/__init__.py",
    "dpcore/py.typed",
    "dpcore/data/deployments.csv",
    "riskline/command.py",
    "riskline/_pages/ui/text/choose/en/plain.md",
}
APP_CARRIED = {
    "riskline_app/app.py",
    "riskline_app/pages/choose.py",
    "riskline_app/ui/components/editor.js",
    "riskline_app/ui/text/choose/en/plain.md",
    "riskline_app/assets/style.css",
    "riskline_app/.streamlit/config.toml",
}
SOURCES_CARRIED = {"pyproject.toml", "LICENSE", "CITATION.cff", "CHANGELOG.md", "tests/unit/test_calls.py", "app.py"}
LARGEST_CORE_WHEEL = 1_480_000  # bytes; docs/decisions/009
OWN = re.compile(r"('127\.0\.0\.1'|'localhost'|'::1'|b?'/[^']*'|None)")
SECRET = "jabberwock"
Told = TypeVar("Told")


@dataclass
class Server:
    """A running server, what its process did, and what it printed."""

    port: int
    process: subprocess.Popen[bytes]
    watched: Path
    log: Path

    def did(self, *events: str) -> list[str]:
        return [line for line in self.watched.read_text().splitlines() if line.split(" ")[0] in events]


@dataclass(frozen=True)
class Start:
    """How a server is started: the command up to its port, where, with which variables; where it listens, its name."""

    command: tuple[str, ...]
    root: Path = ROOT
    variables: tuple[tuple[str, str], ...] = ()
    listens_on: str = "127.0.0.1"
    called: str = "localhost"


def from_checkout(folder: Path) -> Start:
    """With pages of a reference beside it."""
    reference = folder / "reference"
    (reference / "concepts").mkdir(parents=True)
    (reference / "index.html").write_text("<h1>Reference</h1>")
    (reference / "concepts" / "line.html").write_text("<h1>The line</h1>")
    return Start(tuple(CHECKOUT), variables=(("RISKLINE_REFERENCE", str(reference)),))


def from_console(folder: Path) -> Start:
    """The command, for others too, as a shell starts it in the background: its interrupts are ignored until it ends."""
    called = "stats.example"
    return Start(
        (
            "sh",
            "-c",
            'trap "" INT; exec "$@"',
            "sh",
            sys.executable,
            "-m",
            "riskline.command",
            "app",
            "--share",
            called,
            "--port",
        ),
        listens_on="0.0.0.0",
        called=called,
    )


def carried(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if "dist-info" not in name}


def from_wheels(folder: Path) -> Start:
    """The command that the wheels bring into an empty environment: first the library alone, then the dashboard."""
    subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "wheels"), str(folder)], check=True, capture_output=True, timeout=120
    )
    (core,), (app,) = folder.glob("riskline-*.whl"), folder.glob("riskline_app-*.whl")
    assert carried(core) >= CORE_CARRIED
    assert {name.split("/")[0] for name in carried(core)} == {"dpcore", "riskline"}
    assert core.stat().st_size <= LARGEST_CORE_WHEEL
    (sources,) = folder.glob("riskline-*.tar.gz")  # from which the wheel was built
    with tarfile.open(sources) as archive:
        there = {name.partition("/")[2] for name in archive.getnames()}
    assert there >= SOURCES_CARRIED
    assert carried(app) >= APP_CARRIED
    assert {name.split("/")[0] for name in carried(app)} == {"riskline_app"}
    environment, elsewhere = folder / "empty", folder / "elsewhere"
    elsewhere.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, timeout=120)
    python, command = str(environment / "bin" / "python"), str(environment / "bin" / "riskline")
    uv, versions = [sys.executable, "-m", "uv", "pip"], folder / "versions.txt"  # of this run, whichever they are
    frozen = subprocess.run([*uv, "freeze", "--python", sys.executable], check=True, capture_output=True, text=True)
    versions.write_text("\n".join(line for line in frozen.stdout.splitlines() if "==" in line), encoding="utf-8")
    install = [*uv, "install", "--quiet", "--python", python, "-c", str(versions), "--find-links", str(folder)]
    subprocess.run([*install, str(core)], check=True, timeout=280)
    bring_bytecode(environment)
    core_alone(python, command, elsewhere)
    with_release(folder, core, [*uv, "install", "--quiet", "-c", str(versions)])
    subprocess.run([*install, f"riskline[app] @ {core.as_uri()}"], check=True, timeout=280)
    bring_bytecode(environment)
    (installed,) = environment.glob("lib/*/site-packages")
    ours = [str(installed / name) for name in ("dpcore", "riskline", "riskline_app")]  # or each process compiles them
    subprocess.run([python, "-m", "compileall", "-q", *ours], check=True, timeout=120)
    return Start((command, "app", "--port"), elsewhere)


def with_release(folder: Path, core: Path, install: list[str]) -> None:
    """Noisy tables of 437 counties are drawn, read back and added up where the extra and nothing else is installed."""
    environment, data = folder / "drawing", folder / "data"
    data.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, timeout=120)
    python = str(environment / "bin" / "python")
    subprocess.run([*install, "--python", python, f"riskline[release] @ {core.as_uri()}"], check=True, timeout=280)
    bring_bytecode(environment)
    people = made_up_people(2000)
    written(data / "data.csv", list(people), zip(*people.values(), strict=True))
    written_plan(data / "plan.json", {"levels": {"nation": 0.1, "state": 0.1, "county": 0.3}}, record="person")
    asked = [str(environment / "bin" / "riskline"), "release", "plan.json", "data.csv", "--out", "out"]
    drawn = subprocess.run(asked, cwd=data, capture_output=True, text=True, timeout=120)
    assert (drawn.returncode, drawn.stderr) == (0, "")
    lines = (
        "from pathlib import Path; from dpcore.adjustment import LeastSquares; "
        "from riskline.release.folder import read_folder; "
        "found = LeastSquares(read_folder(Path('out')).tables['Births'].noisy()).counts; "
        "print(found.shape, abs(found[6:].sum(0) - found[0]).max() < 1e-6)"
    )
    read = subprocess.run([python, "-c", lines], cwd=data, capture_output=True, text=True, timeout=120)
    assert (read.stdout, read.stderr) == ("(443, 2) True\n", "")


def bring_bytecode(environment: Path) -> None:
    """Bring what is compiled of packages here; Python takes it where uv has linked the same file."""
    here = Path(pytest.__file__).parents[1]
    there = environment / here.relative_to(sys.prefix)
    for package in there.iterdir():
        for compiled in (here / package.name).rglob("*.pyc"):
            place = there / compiled.relative_to(here)
            if place.parents[1].is_dir() and not place.exists():
                place.parent.mkdir(exist_ok=True)
                place.hardlink_to(compiled)


def core_alone(python: str, command: str, elsewhere: Path) -> None:
    """Library and commands answer with numpy and scipy beside them and nothing else; `app` says what it misses."""
    listed = [sys.executable, "-m", "uv", "pip", "list", "--quiet", "--format", "json", "--python", python]
    there = json.loads(subprocess.run(listed, check=True, capture_output=True, timeout=60).stdout)
    assert {package["name"] for package in there} == {"riskline", "numpy", "scipy"}
    lines = "import dpcore; print(dpcore.count_error(dpcore.Geometric(epsilon=1.29)).half_width)"
    answer = subprocess.run([python, "-c", lines], cwd=elsewhere, capture_output=True, text=True, timeout=120)
    assert (answer.stdout, answer.stderr) == ("2\n", "")
    budget = subprocess.run([command, "budget"], cwd=elsewhere, capture_output=True, text=True, timeout=120)
    assert (budget.returncode, budget.stderr, budget.stdout.splitlines()[-1]) == (0, "", "On its page: choose")
    lines = f"from riskline.command import run\nfor name in {ANSWERING}: run([name, '--json'])"
    found = subprocess.run([python, "-c", lines], cwd=elsewhere, capture_output=True, text=True, timeout=120)
    assert (found.stdout, found.stderr) == ("".join(told(name, "--json").out for name in ANSWERING), "")
    (elsewhere / "case.toml").write_text('riskline_case = 1\nline = "constant"\nratio = 2\n')
    memo = subprocess.run([command, "memo", "--case", "case.toml"], cwd=elsewhere, capture_output=True, timeout=120)
    assert (memo.returncode, memo.stderr.decode()) == (0, WITHOUT_PICTURES + "\n")
    assert "0.69" in memo.stdout.decode()
    for asked, status, complaint in ((["--label"], 0, ""), (["--annex", "w3c"], 0, ""), (["--registry"], 2, NEEDS)):
        filed = subprocess.run(
            [command, "memo", "--case", "case.toml", *asked], cwd=elsewhere, capture_output=True, timeout=120
        )
        assert (filed.returncode, complaint in filed.stderr.decode()) == (status, True)
        assert ("0.69" in filed.stdout.decode()) == (status == 0)
    written_plan(elsewhere / "plan.json")
    asked = [command, "release", "plan.json", "data.csv", "--out", "out"]
    refused = subprocess.run(asked, cwd=elsewhere, capture_output=True, text=True, timeout=60)
    needs = "OpenDP must be installed to draw a release: pip install 'riskline[release]'.\n"
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", needs)
    refused = subprocess.run([command, "app"], cwd=elsewhere, capture_output=True, text=True, timeout=60)
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", NOT_INSTALLED + "\n")


def from_container(folder: Path) -> Start:
    """The files, variables and command of the Containerfile; the port, its last word, is another."""
    lines = (ROOT / "Containerfile").read_text().splitlines()
    for line in lines:
        if line.startswith("COPY "):
            _, source, target = line.split()
            (folder / "riskline").mkdir(exist_ok=True)
            (folder / "riskline" / target / (source if target == "./" else "")).symlink_to(ROOT / source)
    (variables,) = (line.removeprefix("ENV ").split() for line in lines if line.startswith("ENV "))
    (command,) = (json.loads(line.removeprefix("CMD ")) for line in lines if line.startswith("CMD "))
    assert command[0] == "python"
    assert command[-2:] == ["--server.port", "8501"]
    pairs = tuple((name, value) for name, value in (each.split("=") for each in variables))
    return Start((sys.executable, *command[1:-1]), folder / "riskline", pairs, "0.0.0.0")


WAYS = {  # the checkout itself is `running`
    "the console command": from_console,
    "the wheels": from_wheels,
    "the container's command": from_container,
}


@contextmanager
def started(start: Start, folder: Path) -> Iterator[Server]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "sitecustomize.py").write_text(WATCH)
    watched, log = folder / "watched", folder / "log"
    watched.touch()
    environment = {key: text for key, text in os.environ.items() if not key.startswith("STREAMLIT_")}
    environment |= {
        "PYTHONPATH": f"{folder}:{start.root}",
        "RISKLINE_WATCH": str(watched),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(folder),
    } | dict(start.variables)
    with log.open("wb") as out:
        process = subprocess.Popen([*start.command, str(port)], cwd=start.root, env=environment, stdout=out, stderr=out)
        try:
            deadline = time.monotonic() + 200  # a new environment has no compiled code yet
            while True:
                try:
                    if ask(port, "GET", "/_stcore/health")[0] == 200:
                        break
                except OSError:
                    assert process.poll() is None, log.read_text()
                    assert time.monotonic() < deadline, "the server did not answer"
                    time.sleep(0.1)
            yield Server(port, process, watched, log)
        finally:
            process.terminate()
            process.wait(timeout=20)


def ask(
    port: int, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, bytes, http.client.HTTPMessage]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
    finally:
        connection.close()


class Reader:
    """One reader: a session that opens a page by its link, and uploads files to it."""

    def __init__(self, port: int, link: str = "choose?ratio=4") -> None:
        self.port = port
        origin: Any = f"http://127.0.0.1:{port}"
        self.connection: ClientConnection = connect(
            f"ws://127.0.0.1:{port}/_stcore/stream", origin=origin, proxy=None, max_size=2**24
        ).__enter__()
        page, _, query = link.partition("?")
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        message.rerun_script.context_info.url = f"http://127.0.0.1:{port}/{page}"
        self.connection.send(message.SerializeToString())
        self.said: list[str] = []
        self.session = ""
        while True:
            told = ForwardMsg.FromString(self.connection.recv(timeout=60, decode=False))  # type: ignore[call-arg]
            if told.WhichOneof("type") == "new_session":
                self.session = told.new_session.initialize.session_id
            elif told.WhichOneof("type") == "delta":
                self.said.append(str(told.delta))
            elif told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY and told.HasField("script_finished"):
                break
        cookie = ask(port, "GET", "/_stcore/health")[2]["Set-Cookie"]
        token = cookie.split(";")[0].split("=", 1)[1]
        self.headers = {"Cookie": f"_streamlit_xsrf={token}", "X-Xsrftoken": token}

    def upload(self, size: int, content: bytes = b"x") -> int:
        edge = uuid.uuid4().hex
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{SECRET}.json"\r\n\r\n'.encode()
        body = head + content * size + f"\r\n--{edge}--\r\n".encode()
        path = f"/_stcore/upload_file/{self.session}/{uuid.uuid4()}"
        headers = self.headers | {"Content-Type": f"multipart/form-data; boundary={edge}"}
        return ask(self.port, "PUT", path, body, headers)[0]

    def leave(self) -> None:
        self.connection.close()


@pytest.mark.parametrize("way", WAYS)
def test_no_packet_leaves_and_no_file_is_written_from_start_to_stop(way: str, tmp_path: Path) -> None:
    start = WAYS[way](tmp_path)
    with started(start, tmp_path) as running:
        visit(running, start)
        if way in ("the console command", "the wheels"):
            stopped_at_the_keyboard(running)
    look_back(running, start.called)


def stopped_at_the_keyboard(running: Server) -> None:
    """Ctrl-C twice, as an impatient hand presses it, ends the server and says nothing of its inside."""
    before = len(running.log.read_text())
    for _ in range(2):
        running.process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    assert running.process.wait(timeout=20) in (STOPPED, -signal.SIGINT)
    assert running.log.read_text()[before:].strip() == ""


def visit(running: Server, start: Start) -> None:
    """What readers and strangers do, words of theirs everywhere."""
    foreign: Any = f"http://{SECRET}.example"
    for address in (foreign, "http://10.1.2.3"):
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://127.0.0.1:{running.port}/_stcore/stream", origin=address, proxy=None).__enter__()
    ours: Any = f"http://{start.called}:{running.port}"
    connect(f"ws://127.0.0.1:{running.port}/_stcore/stream", origin=ours, proxy=None).__enter__().close()
    reader = Reader(running.port, f"memo?title={SECRET}&ratio={SECRET}")
    assert any(SECRET in said for said in reader.said)
    assert reader.upload(3 * server.MEGABYTE) == 204
    reader.leave()
    assert ask(running.port, "GET", f"/choose?ratio={SECRET}")[0] == 200
    for odd in ("static", "media", "component", "_stcore", "app/static", "..%2f"):
        ask(running.port, "GET", f"/{odd}/{SECRET}?{SECRET}")
    (bound,) = running.did("socket.bind")
    assert bound == f"socket.bind ('{start.listens_on}', {running.port})"


def look_back(running: Server, called: str = "localhost") -> None:
    """What a server did from its start to its stop: asked nobody, wrote nothing, said no word of a reader."""
    asked = running.did(
        "socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname"
    )
    assert [line for line in asked if not OWN.search(line)] == []
    written = running.did("open", "os.mkdir", "os.rename", "tempfile.mkstemp")
    assert [line for line in written if "/dev/null" not in line] == []
    begun = running.did("subprocess.Popen", "os.posix_spawn")
    assert [line for line in begun if "ui.frame.view_process" not in line] == []
    assert len(begun) == 1
    said = running.log.read_text()
    assert f"http://{called}:{running.port}" in said
    assert said.count(server.ELSEWHERE) == 2
    assert SECRET not in said
    assert "10.1.2.3" not in said
    assert "127.0.0.1:" not in said


def test_the_watch_sees_what_it_should(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WATCH)
    (tmp_path / "watched").touch()
    tried = (
        "import socket, tempfile; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(('8.8.8.8', 1));"
        "tempfile.TemporaryFile().close()\ntry: socket.getaddrinfo('outside.example', 80)\nexcept OSError: pass"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "RISKLINE_WATCH": str(tmp_path / "watched")}
    subprocess.run([sys.executable, "-c", tried], env=environment, check=False, timeout=60)
    seen = (tmp_path / "watched").read_text()
    assert "socket.connect ('8.8.8.8', 1)" in seen
    assert "open" in seen
    assert "socket.getaddrinfo 'outside.example'" in seen


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of the checkout; when it has stopped, it is held to the same whatever the tests here did with it."""
    folder = tmp_path_factory.mktemp("server")
    RoomStore(rooms_of(folder), clock=lambda: 0.0).open_room()
    start = from_checkout(folder)
    with started(start, folder) as server_of_ours:
        visit(server_of_ours, start)
        yield server_of_ours
    look_back(server_of_ours)


def test_the_foot_of_a_page_leads_to_the_reference_where_it_was_built(running: Server) -> None:
    reader = Reader(running.port, "how_we_know")
    reader.leave()
    assert any("[dpcore reference](reference/index.html)" in said for said in reader.said)
    headers = {"Accept": "text/html"}
    for place, words in (("index.html", b"<h1>Reference</h1>"), ("concepts/line.html", b"<h1>The line</h1>")):
        assert ask(running.port, "GET", f"/reference/{place}", headers=headers)[:2] == (200, words)
    assert ask(running.port, "GET", "/reference", headers=headers)[0] == 307, (
        "the app would answer for the folder itself"
    )
    for outside in ("..%2flog", "%2e%2e/log", "concepts/..%2f..%2flog", "nothing.html"):
        assert ask(running.port, "GET", f"/reference/{outside}", headers=headers)[0] in (400, 404), outside


def rooms_of(folder: Path) -> str:
    """Where a server with this home keeps its rooms."""
    return f"sqlite:///{folder / '.local' / 'state' / 'riskline' / 'rooms.sqlite3'}"


def test_a_room_that_expired_while_no_server_ran_is_deleted_by_the_next(running: Server) -> None:
    engine = create_engine(rooms_of(running.log.parent))
    deadline = time.monotonic() + 60
    with engine.connect() as connection:
        while connection.scalar(select(func.count()).select_from(ROOMS)):
            assert time.monotonic() < deadline, "the room is still there"
            time.sleep(0.1)
    engine.dispose()


def memory(process: subprocess.Popen[bytes]) -> float:
    """Resident megabytes."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    found = re.search(r"^VmRSS:\s+(\d+) kB", text, flags=re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024


def test_files_without_a_box_for_them_do_not_pile_up(running: Server) -> None:
    reader = Reader(running.port)
    assert reader.upload(4 * server.MEGABYTE) == 204
    before = memory(running.process)
    assert {reader.upload(4 * server.MEGABYTE) for _ in range(60)} == {204}
    assert memory(running.process) < before + 60  # 240 MB arrived, 12 MB are kept
    reader.leave()


def test_a_file_above_the_limit_is_refused(running: Server) -> None:
    reader = Reader(running.port)
    assert reader.upload(server.LARGEST_FILE + 1) == 413
    reader.leave()


def test_a_file_for_nobody_is_refused(running: Server) -> None:
    assert ask(running.port, "PUT", "/_stcore/upload_file/nobody/1", b"x")[0] == 403


def test_a_file_that_stops_coming_is_ended_with_a_sentence(running: Server) -> None:
    reader = Reader(running.port)
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)
    connection.putrequest("PUT", f"/_stcore/upload_file/{reader.session}/{uuid.uuid4()}")
    headers = reader.headers | {"Content-Type": "multipart/form-data; boundary=edge", "Content-Length": "1000"}
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(b"--edge\r\n")
    begun = time.monotonic()
    answer = connection.getresponse()
    assert (answer.status, answer.read().decode()) == (408, server.SLOW)
    assert time.monotonic() - begun < server.FIRST_PAUSE + 10
    assert reader.upload(server.MEGABYTE) == 204
    connection.close()
    reader.leave()


class Manager:
    """Files as Streamlit's own manager keeps them, with sizes only."""

    def __init__(self, sizes: dict[str, list[int]]) -> None:
        self.file_storage = {
            session: {
                str(number): SimpleNamespace(file_id=str(number), data=range(size)) for number, size in enumerate(some)
            }
            for session, some in sizes.items()
        }

    def remove_file(self, session: str, file_id: str) -> None:
        del self.file_storage[session][file_id]


@pytest.mark.parametrize(
    ("sizes", "room", "left"),
    [
        ({}, True, []),
        ({"me": [1] * 7}, True, [0, 1, 2, 3, 4, 5, 6]),
        ({"me": [1] * 8}, True, [1, 2, 3, 4, 5, 6, 7]),
        ({"me": [4 * server.MEGABYTE, 3 * server.MEGABYTE - 1, 1]}, True, [0, 1, 2]),
        ({"me": [4 * server.MEGABYTE, 3 * server.MEGABYTE, 1]}, True, [1, 2]),
        ({"me": [1], "you": [server.MOST_OF_ALL - 5 * server.MEGABYTE]}, False, [0]),
        ({"you": [server.MOST_OF_ALL - 5 * server.MEGABYTE]}, True, []),
    ],
)
def test_the_oldest_files_make_room_and_all_together_have_a_limit(
    sizes: dict[str, list[int]], room: bool, left: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = Manager(sizes)
    monkeypatch.setattr(server.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    assert server._make_room_for("me", 5 * server.MEGABYTE) is room
    assert list(manager.file_storage.get("me", {})) == [str(number) for number in left]


async def _answer(app: Any, *, path: str = "/_stcore/upload_file/me/1", headers: Any = ()) -> dict[str, Any]:
    told: dict[str, Any] = {"body": b""}

    async def send(message: Any) -> None:
        told["status"] = message.get("status", told.get("status"))
        told["body"] += message.get("body", b"")

    async def receive() -> Any:
        await asyncio.sleep(60)

    scope = {"type": "http", "method": "PUT", "path": path, "headers": list(headers)}
    await server.FewFiles(app)(scope, receive, send)
    return told


def _answered(answer: Coroutine[Any, Any, Told]) -> Told:
    """What came of it in a thread of its own: a browser test before this one leaves a loop running in ours."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, answer).result()


async def _slow(scope: Any, receive: Any, send: Any) -> None:
    await receive()


async def _quick(scope: Any, receive: Any, send: Any) -> None:
    await PlainTextResponse("taken")(scope, receive, send)


def test_a_full_server_and_a_slow_file_are_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "LONGEST_UPLOAD", 0.05)
    manager = Manager({"you": [server.MOST_OF_ALL - server.MEGABYTE]})
    monkeypatch.setattr(server.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    full = _answered(_answer(_quick))
    assert (full["status"], full["body"].decode()) == (503, server.FULL)
    small = _answered(_answer(_quick, headers=[(b"content-length", b"%d" % server.MEGABYTE)]))
    assert (small["status"], small["body"]) == (200, b"taken")
    monkeypatch.setattr(server, "FIRST_PAUSE", 5.0)
    slow = _answered(_answer(_slow, headers=[(b"content-length", b"1")]))
    assert (slow["status"], slow["body"].decode()) == (408, server.SLOW)
    other = _answered(_answer(_quick, path="/media/upload_file/me/1"))
    assert other["status"] == 200


def test_slow_readers_hold_up_nobody_else_and_themselves_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=Manager({})))
    monkeypatch.setattr(server, "FIRST_PAUSE", 0.3)
    monkeypatch.setattr(server, "SLOWEST", 1000)
    bound = server.FewFiles(_reading)

    async def put(session: str, pieces: int, pause: float, size: int = 10) -> tuple[int, float]:
        told: dict[str, Any] = {}
        sent = 0

        async def send(message: Any) -> None:
            told.setdefault("status", message.get("status"))

        async def receive() -> Any:
            nonlocal sent
            await asyncio.sleep(pause)
            sent += 1
            return {"type": "http.request", "body": b"x" * size, "more_body": sent < pieces}

        path = f"/_stcore/upload_file/{session}/1"
        begun = time.monotonic()
        await bound({"type": "http", "method": "PUT", "path": path, "headers": []}, receive, send)
        return told["status"], time.monotonic() - begun

    async def everybody() -> list[tuple[int, float]]:
        slow = [put(f"slow{number}", 1000, 0.02) for number in range(20)]
        return await asyncio.gather(put("steady", 10, 0.02, 1000), put("slow0", 1, 0.0), *slow)

    steady, after_slow, *slow = _answered(everybody())
    assert steady[0] == 200
    assert after_slow[0] == 200
    assert {status for status, _ in slow} == {408}
    assert max(seconds for _, seconds in slow) < 5.0
    assert not bound.arriving
    assert not bound.turns


async def _reading(scope: Any, receive: Any, send: Any) -> None:
    while (await receive())["more_body"]:
        pass
    await PlainTextResponse("taken")(scope, receive, send)


def test_files_that_arrive_count_as_if_they_were_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=Manager({})))
    assert server._make_room_for("me", server.MEGABYTE, server.MOST_OF_ALL - server.MEGABYTE)
    assert not server._make_room_for("me", server.MEGABYTE + 1, server.MOST_OF_ALL - server.MEGABYTE)


def test_a_log_has_the_kind_and_the_place_of_an_error_and_no_word_of_it() -> None:
    tried = (
        "import logging; from ui.frame import server; server.redact_logs()\n"
        f"word = '{SECRET}'\ntry: int(word)\nexcept ValueError: logging.getLogger('x').exception('page %s', 'choose')"
    )
    done = subprocess.run([sys.executable, "-c", tried], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "page choose" in done.stderr
    assert "ValueError" in done.stderr
    assert "line 3" in done.stderr
    assert SECRET not in done.stderr


def broken_page() -> None:
    from ui.frame import server

    for error in (ValueError("x"), ZeroDivisionError("x"), MemoryError()):
        assert server.sentence_for(error)


def test_an_error_in_a_callback_is_a_sentence() -> None:
    test = AppTest.from_function(broken_page, default_timeout=30).run()
    assert [told.value for told in test.error] == [BROKEN, BEYOND_NUMBERS, BEYOND_NUMBERS]
    tried = (
        "import ui.frame.server as server; server.prepare = lambda: None; import app\n"  # all of it starts above
        "assert app.app._on_script_error is server.sentence_for"
    )
    subprocess.run([sys.executable, "-c", tried], cwd=ROOT, check=True, capture_output=True, timeout=60)


async def _walled(path: str, host: str, kind: str = "http") -> tuple[int | str, dict[bytes, bytes], bytes]:
    """What a server with walls answers: status, or what becomes of a websocket; headers; body."""
    told: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await (PlainTextResponse("in")(scope, receive, send) if kind == "http" else send({"type": "websocket.accept"}))

    async def send(message: Any) -> None:
        told.append(message)

    scope = {"type": kind, "method": "GET", "path": path, "headers": [(b"host", host.encode())]}
    await server.Walls(app)(scope, None, send)  # type: ignore[arg-type]
    if kind == "websocket":
        return told[0]["type"], {}, b""
    return told[0]["status"], dict(told[0]["headers"]), told[1]["body"]


@pytest.mark.parametrize(
    ("host", "let_in"),
    [
        *((host, True) for host in ("localhost", "LOCALHOST:8501", "127.0.0.1:8501", "[::1]:80", "192.168.1.20:8501")),
        *((host, True) for host in ("stats.example", "Stats.example.:443", "other.example:80", "a.localhost")),
        *(
            (host, False)
            for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", "x@y")
        ),
    ],
)
def test_a_name_that_the_server_was_not_started_for_gets_neither_a_page_nor_a_socket(
    host: str, let_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"browser.serverAddress": "stats.example", "server.corsAllowedOrigins": ["https://other.example"]}
    monkeypatch.setattr(server.st, "get_option", options.get)
    status, _, body = _answered(_walled("/choose", host))
    assert (status, body == b"in") == ((200, True) if let_in else (421, False))
    opened, _, _ = _answered(_walled("/_stcore/stream", host, "websocket"))
    assert opened == ("websocket.accept" if let_in else "websocket.close")


async def _address_seen(peer: str, forwarded: str) -> str:
    """Whom the app takes a request for that comes from a peer and says whom it is forwarded for."""
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["client"][0])

    config = uvicorn.Config(app)
    config.load()
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    scope = {"type": "websocket", "client": (peer, 5), "headers": headers}
    await config.loaded_app(scope, None, None)
    return seen[0]


@pytest.mark.parametrize(
    ("named", "peer", "forwarded", "seen"),
    [
        ("", "127.0.0.1", "203.0.113.5", "127.0.0.1"),
        ("", "203.0.113.9", "203.0.113.5", "203.0.113.9"),
        ("127.0.0.1", "127.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.9", "203.0.113.5", "203.0.113.9"),  # a stranger
        ("127.0.0.1", "127.0.0.1", "192.0.2.1, 203.0.113.5", "203.0.113.5"),  # written by a reader, then by the proxy
        ("10.0.0.0/24, 2001:db8::1", "10.0.0.7", "203.0.113.5", "203.0.113.5"),
        ("10.0.0.0/24, 2001:db8::1", "2001:db8::1", "192.0.2.1, 203.0.113.5, 10.0.0.9", "203.0.113.5"),
        ("10.0.0.0/24", "127.0.0.1", "203.0.113.5", "127.0.0.1"),
    ],
)
def test_who_a_request_is_forwarded_for_is_believed_of_named_proxies_alone(
    named: str, peer: str, forwarded: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RISKLINE_PROXIES", named)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    monkeypatch.setattr(uvicorn.config, "ProxyHeadersMiddleware", uvicorn.config.ProxyHeadersMiddleware)
    steps = ("disable_address_lookup", "send_at_once", "spare_streamlit", "keep_uploads_in_memory")
    for step in (*steps, "redact_logs", "keep_swept"):
        monkeypatch.setattr(server, step, lambda: None)
    monkeypatch.setattr(server.view_workers, "start", lambda meanwhile: None)
    server.prepare()
    assert _answered(_address_seen(peer, forwarded)) == seen


def test_messages_do_not_wait_for_one_another_on_a_socket_as_streamlit_makes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asyncio.base_events, "_set_nodelay", asyncio.base_events._set_nodelay)  # type: ignore[attr-defined]

    async def at_once() -> bool:
        listening, seen = _bind_socket("127.0.0.1", 0, 1), asyncio.Queue[Any]()

        async def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            await seen.put(bool(found))
            writer.close()

        async with await asyncio.start_server(met, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return bool(await seen.get())

    assert not asyncio.run(at_once())  # else nothing is to be done here any more
    server.send_at_once()
    assert asyncio.run(at_once())


def test_what_streamlit_is_spared_is_what_it_would_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "get_options_for_section", config.get_options_for_section)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    sections = ("theme", *(f"theme.{each.value}" for each in config.CustomThemeCategories))
    found = [config.get_options_for_section(section) for section in sections]
    assert found[0]["chartCategoricalColors"] is not None
    server.spare_streamlit()
    for _ in range(2):
        assert [config.get_options_for_section(section) for section in sections] == found
    PagesManager(str(ROOT / "app.py"))  # as the first session makes it
    assert PagesManager.uses_pages_directory is False


@pytest.mark.parametrize("named", ["proxy.example", "10.0.0.1/24", "0.0.0.0/0", "::/0", "127.0.0.1 *"])
def test_a_proxy_that_is_no_address_or_everybody_stops_the_start(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RISKLINE_PROXIES", named)
    with pytest.raises(
        SystemExit,
        match=re.escape(
            f"RISKLINE_PROXIES must name the addresses of proxies, such as "
            f"127.0.0.1 or 10.0.0.0/24; got {named.split()[-1]!r}."
        ),
    ):
        server.named_proxies()


@pytest.mark.parametrize(
    "path", ["/", "/_stcore/metrics", "/choose/_stcore/metrics", "/_stcore/host-config", "/media/x"]
)
def test_every_answer_has_the_walls_that_nginx_would_give_it(path: str) -> None:
    status, headers, body = _answered(_walled(path, "localhost"))
    written = (ROOT / "docs" / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    told = dict(re.findall(r'add_header ([A-Za-z-]+) ("[^"]+"|[a-z-]+) always;', written))
    assert len(told) == 5
    hashes = re.search(r"'sha256-[A-Za-z0-9+/=]+'", headers[b"content-security-policy"].decode())
    assert hashes is not None
    for name, value in told.items():
        assert headers[name.lower().encode()].decode() == value.strip('"').replace("@SCRIPTS@", hashes[0])
    assert status == (404 if "metrics" in path else 200)
    assert path != "/_stcore/host-config" or json.loads(body)["allowedOrigins"] == []
