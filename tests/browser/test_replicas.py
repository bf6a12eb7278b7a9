"""Two replicas behind nginx as docs/deploy.md describes them: sessions stick, downloads arrive, a replica may die.

The replicas run from a folder that holds only what the Containerfile copies, with the command it ends with. Their rooms
are in one PostgreSQL, whose address they read from a file.
"""

from __future__ import annotations

import http.client
import http.server
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest
import streamlit
from playwright.sync_api import Browser, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.browser.conftest import ROOT, OpenPage, settled
from tests.browser.nginx import find_nginx
from tests.postgresql import PostgreSQL
from tests.stored_answers import stored_answers
from ui.rooms.store import RoomStore

CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Deployment:
    """The address readers use, the servers behind it by address, and nginx's log."""

    address: str
    replicas: dict[str, subprocess.Popen[bytes]]
    log: Path
    start: Callable[[str], subprocess.Popen[bytes]]

    def revive(self) -> None:
        """Start again what an earlier try of a test has killed."""
        for address, process in self.replicas.items():
            if process.poll() is not None:
                self.replicas[address] = self.start(address)
                wait_until_healthy(address, self.replicas[address])

    def lines(self) -> list[list[str]]:
        """What was logged, once half a second has brought nothing new: nginx logs after it has answered."""
        text, since = "", time.monotonic()
        while time.monotonic() < since + 0.5:
            time.sleep(0.05)
            now = self.log.read_text()
            text, since = now, since if now == text else time.monotonic()
        return [line.split() for line in text.splitlines()]

    def served_by(self, since: int) -> set[str]:
        """The replicas that answered the requests logged after this many lines."""
        return {line[4].rstrip(",") for line in self.lines()[since:]} - {"-"}


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def wait_until_healthy(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 180
    while True:
        try:
            urllib.request.urlopen(f"http://{address}/_stcore/health", timeout=2)
            return
        except OSError:
            assert process.poll() is None, f"the server of {address} ended by itself"
            assert time.monotonic() < deadline, f"{address} did not answer within three minutes"
            time.sleep(0.1)


def copy_what_the_container_holds(folder: Path) -> None:
    for source, target in re.findall(r"^COPY (\S+) (\S+)$", CONTAINERFILE, flags=re.MULTILINE):
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / target)  # and what is compiled of it: it keeps its time
        else:
            shutil.copy(ROOT / source, folder / target)


def container_command(address: str) -> list[str]:
    command = json.loads(re.findall(r"^CMD (\[.*\])$", CONTAINERFILE, flags=re.MULTILINE)[-1])
    host, port = address.split(":")
    changed = {"python": sys.executable, "0.0.0.0": host, "8501": port}
    return [changed.get(word, word) for word in command]


@pytest.fixture(scope="module")
def deployment(postgresql: PostgreSQL) -> Iterator[Deployment]:
    nginx = find_nginx()
    assert nginx is not None, "no nginx: install Debian's, or leave this file out with --ignore"
    processes: list[subprocess.Popen[bytes]] = []
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # nginx started as root works as another user
        copy_what_the_container_holds(folder)
        environment = {
            key: text for key, text in os.environ.items() if not key.startswith(("STREAMLIT_", "PYTHONPATH"))
        }
        environment["STREAMLIT_SERVER_COOKIE_SECRET"] = secrets.token_hex(32)
        environment["RISKLINE_PROXIES"] = "127.0.0.1"
        environment["RISKLINE_ROOMS_URL_FILE"] = str(folder / "rooms_url")
        (folder / "rooms_url").write_text(f"{postgresql.url}\n")
        listen, first, second = (free_address() for _ in range(3))

        def start(address: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(container_command(address), cwd=folder, env=environment, **quiet)
            processes.append(process)
            return process

        try:
            replicas = {address: start(address) for address in (first, second)}
            write = [sys.executable, str(ROOT / "scripts" / "write_nginx_conf"), "--listen", listen, first, second]
            (folder / "nginx.conf").write_bytes(subprocess.run(write, check=True, capture_output=True).stdout)
            run = [nginx, "-p", str(folder), "-e", "error.log", "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
            processes.append(subprocess.Popen(run, **quiet))
            for address in (first, second, listen):
                wait_until_healthy(address, replicas.get(address, processes[-1]))
            yield Deployment(f"http://{listen}", replicas, folder / "access.log", start)
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(timeout=20)


def ask(
    address: str, *, cookie: str = "", method: str = "GET", body: bytes | None = None
) -> tuple[int, dict[str, str]]:
    """Status and headers of an answer."""
    request = urllib.request.Request(address, data=body, method=method, headers={"Cookie": cookie} if cookie else {})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, {name.lower(): text for name, text in answer.headers.items()}
    except urllib.error.HTTPError as error:
        return error.code, {name.lower(): text for name, text in error.headers.items()}


def test_a_cookie_names_one_replica_and_both_are_used(deployment: Deployment) -> None:
    for number in 3 * list(range(17)):  # an odd number, so that round robin cannot pass for stickiness
        ask(f"{deployment.address}/file-{number}", cookie=f"riskline_replica={number:032x}")
    served: dict[str, set[str]] = {}
    for _, _, path, _, replica, *_ in deployment.lines():
        if path.startswith("/file-"):
            served.setdefault(path, set()).add(replica)
    assert len(served) == 17
    assert all(len(replicas) == 1 for replicas in served.values())
    assert set.union(*served.values()) == set(deployment.replicas)


def test_a_first_visit_gets_the_cookie_once_and_the_headers_always(deployment: Deployment) -> None:
    _, first = ask(deployment.address + "/")
    assert re.fullmatch(r"riskline_replica=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Lax", first["set-cookie"])
    _, second = ask(deployment.address + "/", cookie=first["set-cookie"].split(";")[0])
    assert "set-cookie" not in second
    for headers in (first, second, ask(deployment.address + "/_stcore/metrics")[1]):
        assert "default-src 'self'; script-src 'self' blob: 'sha256-" in headers["content-security-policy"]
        assert "unsafe-eval" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["server"] == "nginx"


def test_a_replica_is_told_the_reader_s_address_and_not_what_the_reader_wrote_there(tmp_path: Path) -> None:
    nginx, told = find_nginx(), []
    assert nginx is not None

    class Replica(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.append([(name, text) for name, text in self.headers.items() if name.startswith("X-Forwarded")])
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    replica, listen = http.server.HTTPServer(("127.0.0.1", 0), Replica), free_address()
    Thread(target=replica.serve_forever, daemon=True).start()
    behind = f"127.0.0.1:{replica.server_port}"
    write = [sys.executable, str(ROOT / "scripts" / "write_nginx_conf"), "--listen", listen, behind]
    (tmp_path / "nginx.conf").write_bytes(subprocess.run(write, check=True, capture_output=True).stdout)
    run = [nginx, "-p", str(tmp_path), "-e", "error.log", "-c", str(tmp_path / "nginx.conf"), "-g", "daemon off;"]
    process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_healthy(listen, process)
        spoofed = {"X-Forwarded-For": "203.0.113.5", "X-Forwarded-Proto": "https"}
        urllib.request.urlopen(urllib.request.Request(f"http://{listen}/choose", headers=spoofed), timeout=10)
    finally:
        process.terminate()
        process.wait(timeout=20)
        replica.shutdown()
        replica.server_close()
    assert told[-1] == [("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Proto", "http")]


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/%6detrics", "/choose/_stcore/metrics"])
def test_the_count_of_sessions_is_not_public(deployment: Deployment, path: str) -> None:
    assert ask(deployment.address + path)[0] == 404


def test_a_body_above_the_limit_is_refused(deployment: Deployment) -> None:
    assert ask(f"{deployment.address}/_stcore/upload_file/a/b", method="PUT", body=bytes(6 * 2**20 + 1))[0] == 413
    assert ask(f"{deployment.address}/choose", method="POST", body=bytes(65 * 1024))[0] == 413


def test_a_session_that_uploads_again_and_again_is_told_to_wait(deployment: Deployment) -> None:
    address = f"{deployment.address}/_stcore/upload_file/{secrets.token_hex(8)}"
    answers = [ask(f"{address}/{number}", method="PUT", body=b"x")[0] for number in range(12)]
    assert answers[:9] == [403] * 9  # the app itself refuses: the request has no token of ours
    assert answers[9:] == [429] * 3
    assert ask(f"{deployment.address}/_stcore/upload_file/other/1", method="PUT", body=b"x")[0] == 403


def test_no_session_is_logged_and_nothing_is_written_to_a_disk(deployment: Deployment) -> None:
    folder = deployment.log.parent
    for name in ("client_body", "proxy"):  # a file blocks nginx's folder for temporary files
        shutil.rmtree(folder / name)
        (folder / name).touch()
    token = secrets.token_hex(8)
    path = f"{deployment.address}/_stcore/upload_file/{token}"
    assert ask(f"{path}/{token}", method="PUT", body=bytes(5 * 2**20))[0] == 403
    script = largest_script()
    assert read_slowly(deployment.address, f"/static/{script.relative_to(script.parents[1])}") > script.stat().st_size
    lines = deployment.lines()
    assert [word for line in lines for word in line if token in word] == []
    assert "/_stcore/upload_file" in {line[2] for line in lines}


def largest_script() -> Path:
    """The largest file of the page's own scripts: more than nginx holds of an answer at a time."""
    folder = Path(streamlit.__file__).parent / "static" / "static" / "js"
    return max(folder.glob("*.js"), key=lambda file: file.stat().st_size)


def read_slowly(address: str, path: str) -> int:
    """Bytes of the answer to a reader who takes only a little at first."""
    host, port = address.removeprefix("http://").split(":")
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.connect((host, int(port)))
        reader.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        time.sleep(1.5)
        taken = 0
        while piece := reader.recv(2**16):
            taken += len(piece)
        return taken


def test_a_page_of_another_site_cannot_open_a_session(deployment: Deployment) -> None:
    address = deployment.address.replace("http", "ws") + "/_stcore/stream"
    with pytest.raises(InvalidStatus, match="403"):
        connect(address, origin="http://elsewhere.example", proxy=None).close()  # type: ignore[arg-type]
    connect(address, origin=deployment.address, proxy=None).close()  # type: ignore[arg-type]


def test_no_question_after_a_path_is_logged(deployment: Deployment) -> None:
    ask(deployment.address + "/choose?ratio=7.25")
    words = [word for line in deployment.lines() for word in line]
    assert "/choose" in words
    assert not [word for word in words if "7.25" in word]


def test_a_session_sticks_and_its_download_and_upload_arrive(
    deployment: Deployment, open_page: OpenPage, tmp_path: Path
) -> None:
    before = len(deployment.lines())
    page = open_page(f"{deployment.address}/choose?line=constant&ratio=2")
    answer = page.locator(".riskline-answer")
    said = answer.inner_text()
    page.get_by_role("button", name="Scenario").click()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save as a file").click()
    saved = tmp_path / "scenario.json"
    caught.value.save_as(saved)
    assert json.loads(saved.read_text())["case"] == {"line": "constant", "ratio": 2.0}
    saved.write_text(saved.read_text().replace('"ratio": 2.0', '"ratio": 4.0'))
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(saved)
    expect(answer).not_to_have_text(said)
    expect(page).to_have_url(re.compile("ratio=4"))
    assert len(deployment.served_by(before)) == 1


def test_the_content_policy_lets_pages_draw(deployment: Deployment, open_page: OpenPage) -> None:
    page = open_page(f"{deployment.address}/choose")  # open_page fails on what the browser reports as refused
    expect(
        page.get_by_label(re.compile(r"^Control point 1 of")).or_(page.get_by_role("button", name="Undo")).first
    ).to_be_visible()
    for stem in ("block", "explain", "hierarchy"):
        page.goto(f"{deployment.address}/{stem}")
        settled(page)
        expect(page.locator(".riskline-answer")).to_be_visible()


def test_a_replica_may_die_and_the_link_keeps_the_state(
    deployment: Deployment, browser: Browser, postgresql: PostgreSQL
) -> None:
    deployment.revive()
    rooms = RoomStore(postgresql.url)
    room = rooms.open_room()
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    phone = context.new_page()  # with the cookie of the page below: at the same replica
    phone.goto(f"{deployment.address}/join?code={room.code}")
    settled(phone)
    phone.get_by_role("button", name="Join", exact=True).click()
    expect(phone).to_have_url(re.compile("me="))
    asking = rooms.start(room.code, room.moderator_key, "prediction", "prediction_question=How+many&prediction_truth=")
    phone.get_by_label("Your guess").fill("12")
    phone.get_by_role("button", name="Send").click()
    expect(phone.locator(".riskline-told").first).to_contain_text("Sent.")
    page = context.new_page()
    before = len(deployment.lines())
    page.goto(f"{deployment.address}/explain?epsilon=2&prior=0.1")
    settled(page)
    answer = page.locator(".riskline-answer")
    first = answer.inner_text()
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    expect(answer).not_to_have_text(first)
    expect(page).to_have_url(re.compile(r"epsilon=2\.05"))
    settled(page)
    said, address = answer.inner_text(), page.url
    (serving,) = deployment.served_by(before)

    finished: list[int] = []

    def watch(frame: str | bytes) -> None:
        message = ForwardMsg.FromString(frame if isinstance(frame, bytes) else frame.encode())
        if message.WhichOneof("type") == "script_finished":
            finished.append(message.script_finished)

    page.on("websocket", lambda opened: opened.on("framereceived", watch))
    with page.expect_websocket(timeout=60_000):  # the page finds the other replica by itself
        deployment.replicas[serving].send_signal(signal.SIGKILL)
        deployment.replicas[serving].wait(timeout=10)
    page.wait_for_selector('[data-testid="stApp"][data-test-connection-state="CONNECTED"]', timeout=60_000)
    slider.focus()
    slider.press("ArrowRight")  # a session new to this replica starts from the link and takes this change back
    deadline = time.monotonic() + 60
    while ForwardMsg.FINISHED_SUCCESSFULLY not in finished:
        assert time.monotonic() < deadline, "the other replica did not draw the page within a minute"
        page.wait_for_timeout(50)
    settled(page)
    expect(answer).to_have_text(said)
    assert page.url == address
    slider.focus()
    slider.press("ArrowRight")
    expect(answer).not_to_have_text(said)
    expect(page).to_have_url(re.compile(r"epsilon=2\.1\b.*prior=0\.1|prior=0\.1.*epsilon=2\.1\b"))
    before = len(deployment.lines())
    page.goto(address)
    settled(page)
    expect(answer).to_have_text(said)
    assert deployment.served_by(before) - {serving} == set(deployment.replicas) - {serving}

    assert [given.answer for given in stored_answers(rooms, room.code, asking)] == ["number=12"]
    phone.reload()
    settled(phone)
    expect(phone.locator(".riskline-told").first).to_contain_text("Sent.")  # the room has the answer, and whose it is
    phone.get_by_label("Your guess").fill("31")
    phone.get_by_role("button", name="Send").click()
    deadline = time.monotonic() + 60
    while [given.answer for given in stored_answers(rooms, room.code, asking)] != ["number=31"]:
        assert time.monotonic() < deadline, "the second guess did not arrive within a minute"
        phone.wait_for_timeout(100)
    rooms.end(room.code, room.moderator_key)
    rooms.close()
    logged = deployment.log.read_text() + (deployment.log.parent / "error.log").read_text() + postgresql.log
    for secret in (room.code, room.moderator_key, phone.url.rpartition("me=")[2]):
        assert secret not in logged
    context.close()


def test_too_many_requests_at_once_are_told_to_wait(deployment: Deployment) -> None:
    flood = http.client.HTTPConnection(deployment.address.removeprefix("http://"), timeout=10)
    allowed = 0
    while allowed < 5000:
        flood.request("GET", "/robots.txt")
        answer = flood.getresponse()
        answer.read()
        if answer.status == 429:
            break
        allowed += 1
    flood.close()
    assert 1200 <= allowed < 5000


def test_the_error_log_names_no_reader_whatever_was_refused(deployment: Deployment) -> None:
    test_a_body_above_the_limit_is_refused(deployment)
    ask(deployment.address + "/choose?ratio=7.25")
    said = (deployment.log.parent / "error.log").read_text()
    assert "limiting requests" not in said
    assert "client:" not in said
    assert "7.25" not in said
