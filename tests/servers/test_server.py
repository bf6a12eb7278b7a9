"""The server from start to stop: asks nobody outside, writes no file, logs no typed word, keeps few files of a reader.

Every name looked up, every connection and every file opened for writing is seen by an audit hook that Python raises
itself, in the server's own process; it needs no network, no rights and no other program.
"""

from __future__ import annotations

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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, func, select
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest
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
LARGEST_CORE_WHEEL = 1_500_000  # bytes; docs/decisions/009
OWN = re.compile(r"('127\.0\.0\.1'|'localhost'|'::1'|b?'/[^']*'|None)")
SECRET = "jabberwock"


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
