"""Views are computed by processes: the same as here, within bounds, and no slow one holds up a quick one."""

from __future__ import annotations

import pickle
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import plotly.io
import pytest

from dpcore.errors import Refused
from tests.approved.rooms import room, started, stored
from tests.unit import view_works
from ui.frame import view_process, view_workers
from ui.frame.view_workers import LONGEST, QUICK, TooLong, ViewWorkers, computed_by_worker, computed_for_all
from ui.link.page_table import PAGES
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.rooms.meeting import Phase
from ui.views.choose import ChooseInputs, choose_view
from ui.views.join import JoinInputs, Phone, join_view
from ui.views.room import RoomInputs
from ui.views.room.view import result_on_phones

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="views are computed in the server elsewhere")
MADE_HERE = {"rebuild"}
LOOKS = (Style(), Style(dark=True), Style(voice="technical"))


@pytest.fixture(scope="module")
def workers() -> Iterator[ViewWorkers]:
    made = ViewWorkers()
    made.begin()
    yield made
    made.close()


@pytest.fixture
def away(workers: ViewWorkers, monkeypatch: pytest.MonkeyPatch) -> ViewWorkers:
    monkeypatch.setattr(view_workers, "_WORKERS", workers)
    return workers


@pytest.mark.parametrize("entry", [entry for entry in PAGES if entry.stem not in MADE_HERE], ids=lambda e: e.stem)
def test_a_worker_finds_the_view_that_is_found_here(entry: Any, away: ViewWorkers) -> None:
    module = import_module(f"ui.views.{entry.stem}")
    name = "".join(word.capitalize() for word in entry.stem.split("_"))
    view_of, chosen = getattr(module, f"{entry.stem}_view"), getattr(module, f"{name}Inputs")()
    there, here = computed_by_worker(view_of, chosen, Style()), view_of(chosen, Style())
    assert getattr(there, "refusal", None) is None
    assert (there.answer, there.small_print) == (here.answer, here.small_print)
    drawn = 0
    for field in vars(here):
        pairs = [(getattr(there, field), getattr(here, field))]
        pairs = list(zip(*pairs[0], strict=True)) if isinstance(pairs[0][1], tuple) else pairs
        for sent, made in pairs:
            if isinstance(made, Picture):
                drawn += 1
                assert (sent.key, sent.reading, sent.alt, sent.table) == (made.key, made.reading, made.alt, made.table)
                assert plotly.io.to_json(sent.figure.to_dict(), validate=False) == plotly.io.to_json(
                    made.figure, validate=False
                )
    unpictured = (
        "home",
        "deployments",
        "play",
        "hierarchy",
        "exact_totals",
        "add_up",
        "memo",
        "public",
        "lessons",
        "room",
        "join",
    )
    assert drawn or entry.stem in unpictured


def test_a_refusal_comes_back_as_it_was_raised(away: ViewWorkers) -> None:
    with pytest.raises(Refused, match=r"prior must lie in \[0, 1\]; got 2") as found:
        computed_by_worker(view_works.refused, 2.0)
    assert found.value.name == "prior"


def test_a_slow_call_holds_up_no_quick_one(away: ViewWorkers) -> None:
    answered: list[str] = []
    slow = [
        threading.Thread(target=lambda: answered.append(computed_by_worker(view_works.busy, 3 * QUICK)))
        for _ in range(view_workers.QUICK_WORKERS + 1)
    ]
    for thread in slow:
        thread.start()
    time.sleep(4 * QUICK)  # by now each has used up its time in a quick worker, where they have a processor
    for value in range(20):
        assert computed_by_worker(view_works.doubled, value) == 2 * value
    quick_at = len(answered)
    for thread in slow:
        thread.join(90)
    assert answered == ["done"] * len(slow)
    assert quick_at < len(slow), "the quick calls waited for the slow ones"


def test_what_takes_long_computes_behind_everybody_else(away: ViewWorkers) -> None:
    usual = computed_by_worker(view_works.niceness_after, 0.0)
    assert computed_by_worker(view_works.niceness_after, 2 * QUICK) >= min(usual + 10, 19)


def test_a_call_without_an_end_is_ended(away: ViewWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_workers, "LONGEST", 3 * QUICK)
    with pytest.raises(TooLong):
        computed_by_worker(view_works.busy, 100.0)
    assert computed_by_worker(view_works.doubled, 2) == 4
    assert LONGEST > 3


def test_a_worker_without_a_server_ends_a_call_without_an_end() -> None:
    ours, theirs = socket.socketpair()
    begun = (
        "import socket, time; from ui.frame.view_process import work\n"
        "while time.process_time() < 1.5: pass\n"  # what the process has spent before is not the call's
        f"work(socket.socket(fileno={theirs.fileno()}))"
    )
    with subprocess.Popen([sys.executable, "-c", begun], pass_fds=[theirs.fileno()]) as alone:
        theirs.close()
        with ours, ours.makefile("rwb") as stream:
            for seconds in (0.1, 100.0):
                stream.write(pickle.dumps((0.2, view_works.busy, (seconds,))))
                stream.flush()
                if seconds < 1:
                    assert pickle.load(stream)[1] is None
            try:
                assert alone.wait(60) == -signal.SIGPROF
            finally:
                alone.kill()


def running(process: int) -> bool:
    """Whether there is such a process, and not only what is left of one that has ended."""
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_call_ends_with_its_reader(workers: ViewWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    new: Callable[[int], Any] = workers._new

    def noted(niceness: int) -> Any:
        worker = new(niceness)
        made.append(worker.process)
        return worker

    monkeypatch.setattr(workers, "_new", noted)
    gone = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(workers.compute, view_works.busy, (100.0,), lambda: not gone.is_set())
        deadline = time.monotonic() + 30
        while len(made) < 2 and time.monotonic() < deadline:  # the quick one's successor, and the slow one
            time.sleep(0.05)
        assert running(made[1])
        gone.set()
        assert asked.result(10) is None
    deadline = time.monotonic() + 10
    while running(made[1]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not running(made[1])


def test_a_worker_that_dies_is_replaced(away: ViewWorkers) -> None:
    for _ in range(3):
        with pytest.raises(MemoryError):
            computed_by_worker(view_works.ending)
    assert [computed_by_worker(view_works.doubled, value) for value in range(6)] == [0, 2, 4, 6, 8, 10]


def test_ctrl_c_at_the_keyboard_ends_the_server_and_not_the_process_that_makes_workers(workers: ViewWorkers) -> None:
    workers._first.send_signal(signal.SIGINT)  # as the keyboard sends it to every process
    with pytest.raises(subprocess.TimeoutExpired):
        workers._first.wait(0.5)


def test_a_fresh_worker_has_all_code_of_its_first_answer(away: ViewWorkers) -> None:
    for _ in range(view_workers.QUICK_WORKERS):
        with pytest.raises(MemoryError):
            computed_by_worker(view_works.ending)
    assert computed_by_worker(view_works.code_read_for, choose_view, ChooseInputs(), Style()) == []


def test_a_call_has_a_limit_of_memory(away: ViewWorkers) -> None:
    assert computed_by_worker(view_works.greedy, 100) == 100 * 2**20
    with pytest.raises(MemoryError):
        computed_by_worker(view_works.greedy, 700)


def test_a_worker_that_keeps_memory_is_replaced_and_one_that_gives_it_back_stays(away: ViewWorkers) -> None:
    def processes() -> set[int]:
        idle = [away._idle.get(timeout=30) for _ in range(view_workers.QUICK_WORKERS)]
        for worker in idle:
            away._idle.put(worker)
        return {worker.process for worker in idle if worker is not None}

    before = processes()
    assert computed_by_worker(view_works.greedy, 100) == 100 * 2**20
    assert processes() == before
    assert computed_by_worker(view_works.hoarding, 2 * view_workers.GROWN) == 2 * view_workers.GROWN
    assert len(processes() & before) == view_workers.QUICK_WORKERS - 1


def test_a_worker_keeps_nothing_of_one_reader_for_the_next(away: ViewWorkers) -> None:
    first, again = computed_by_worker(view_works.kept, "somebody")
    assert first == again
    assert computed_by_worker(view_works.kept, "somebody")[0] != first


def test_without_the_first_process_views_are_computed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_workers, "start_process", view_works.start_unread)
    made = ViewWorkers()
    made.begin()
    monkeypatch.setattr(view_workers, "_WORKERS", made)
    made._first.kill()
    made._first.wait()
    for _ in range(view_workers.QUICK_WORKERS):
        with pytest.raises(MemoryError):
            computed_by_worker(view_works.ending)
    assert computed_by_worker(view_works.doubled, 4) == 8
    made.close()


def test_workers_end_when_the_server_is_killed() -> None:
    program = (
        "from tests.unit import view_works\n"
        "from ui.frame import view_workers\n"
        "view_workers.start_process = view_works.start_unread\n"
        "made = view_workers.ViewWorkers(); made.begin()\n"
        "worker = made._idle.get()  # held: a worker ends when nobody has the other end of its socket\n"
        "import select, socket\n"
        "ours, theirs = socket.socketpair()\n"
        "socket.send_fds(made._control, [bytes([1])], [theirs.fileno()])\n"
        "select.select([made._control], [], [])  # an answer that nobody reads any more\n"
        "print(made._first.pid, worker.process, flush=True)\n"
        "import time; time.sleep(60)\n"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    assert server.stderr is not None
    processes = [int(number) for number in server.stdout.readline().split()]
    assert len(processes) == 2
    assert all(running(process) for process in processes)
    server.kill()
    server.wait()
    deadline = time.monotonic() + 20
    while any(running(process) for process in processes) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(running(process) for process in processes)
    assert "Traceback" not in server.stderr.read()


def test_what_a_page_opens_with_is_computed_once_for_everybody_and_a_choice_for_its_reader(away: ViewWorkers) -> None:
    view_workers._opening.cache_clear()
    opened = [computed_by_worker(view_works.viewed, view_works.ViewedInputs(), style) for style in LOOKS]
    assert opened == [computed_by_worker(view_works.viewed, view_works.ViewedInputs(), style) for style in LOOKS]
    assert len(set(opened)) == len(LOOKS)
    held = view_workers._opening.bytes_held()
    typed = view_works.ViewedInputs(text="my secret")
    assert computed_by_worker(view_works.viewed, typed, LOOKS[0]) != computed_by_worker(
        view_works.viewed, typed, LOOKS[0]
    )
    for more in ((3, 1), "http://forged.example/"):  # an uploaded table, an address as a browser tells it
        own = (view_works.ViewedInputs(), LOOKS[0], more)
        assert computed_by_worker(view_works.viewed, *own) != computed_by_worker(view_works.viewed, *own)
    assert view_workers._opening.bytes_held() == held


def test_readers_who_open_a_page_at_once_wait_for_one_computation(
    away: ViewWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    view_workers._opening.cache_clear()
    entered, compute, computed = threading.Barrier(6), away.compute, []

    def counted(*arguments: Any) -> Any:
        computed.append(arguments)
        return compute(*arguments)

    def ask() -> Any:
        entered.wait(30)
        return computed_by_worker(view_works.viewed_slowly, view_works.ViewedInputs())

    monkeypatch.setattr(away, "compute", counted)
    with ThreadPoolExecutor(6) as pool:
        found = {future.result(30) for future in [pool.submit(ask) for _ in range(6)]}
    assert (len(found), len(computed)) == (1, 1)
    assert view_workers._asked == {}


def test_phones_that_show_a_result_at_once_wait_for_one_computation_that_is_not_kept(
    away: ViewWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute, computed, kept = away.compute, [], view_workers._opening.bytes_held()
    running, answers = started("prediction", dict(RoomInputs().settings), Phase.SHOWN), stored("prediction")
    entered = threading.Barrier(6)

    def slowly(function: Any, *more: Any) -> Any:
        computed.append(function)
        time.sleep(0.5)
        return compute(function, *more)

    def ask() -> Any:
        entered.wait(30)
        return computed_for_all(result_on_phones, running, answers, (), Style())

    monkeypatch.setattr(away, "compute", slowly)
    with ThreadPoolExecutor(6) as pool:
        walls = [future.result(30) for future in [pool.submit(ask) for _ in range(6)]]
    assert computed == [result_on_phones]
    assert (view_workers._asked, view_workers._opening.bytes_held()) == ({}, kept)
    phone = Phone(room(running), participant=answers[0].participant, sent=answers[0].answer, wall=walls[0])
    view = computed_by_worker(join_view, JoinInputs(), Style(), phone)  # what has travelled once travels on
    assert plotly.io.to_json(view.result.picture.figure) == plotly.io.to_json(
        join_view(JoinInputs(), Style(), phone).result.picture.figure
    )
    computed_for_all(result_on_phones, running, answers, (), Style())
    assert computed[-1] is result_on_phones


def test_who_waits_for_an_opening_is_not_left_alone_when_its_reader_goes(
    away: ViewWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    view_workers._opening.cache_clear()
    first, leave = threading.Event(), threading.Event()

    def gone(*_: Any) -> None:
        first.set()
        leave.wait(30)
        raise KeyError("its reader has gone")

    def ask() -> Any:
        return computed_by_worker(view_works.viewed, view_works.ViewedInputs(), LOOKS[0])

    with ThreadPoolExecutor(2) as pool:
        with monkeypatch.context() as patched:
            patched.setattr(away, "compute", gone)
            leaving = pool.submit(ask)
            assert first.wait(30)
        waiting = pool.submit(ask)
        leave.set()
        with pytest.raises(KeyError):
            leaving.result(30)
        assert waiting.result(30)[0].startswith("ViewedInputs")


def test_something_else_is_done_before_workers_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    workers = SimpleNamespace(begin=lambda: done.append("workers"))
    monkeypatch.setattr(view_workers, "ViewWorkers", lambda: workers)
    monkeypatch.setattr(view_workers, "_WORKERS", None)
    view_workers.start(lambda: done.append("meanwhile"))
    assert done == (["meanwhile", "workers"] if sys.platform == "linux" else ["meanwhile"])


class Answering:
    """Workers that answer at once as they are told."""

    def __init__(self, found: Any) -> None:
        self.found, self.asked = found, list[Any]()

    def compute(self, *asked: Any) -> Any:
        self.asked.append(asked)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


class Left(BaseException):
    """A run of a page that ends here."""


def test_an_answer_of_workers_is_returned_raised_or_ends_the_page_and_only_a_fault_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(view_workers, "reader_present", lambda: "present")
    monkeypatch.setattr(view_workers, "stop_this_run", lambda: (_ for _ in ()).throw(Left))

    def asked(found: Any) -> Any:
        workers = Answering(found)
        monkeypatch.setattr(view_workers, "_WORKERS", workers)
        try:
            return computed_by_worker(view_works.doubled, 4)
        finally:
            assert workers.asked == [(view_works.doubled, (4,), "present")]

    assert asked((5, None, "")) == 5
    assert asked(view_workers.WorkersGone()) == 8, "computed here"
    with pytest.raises(Left):
        asked(None)
    for error in (ValueError("x"), TooLong(), MemoryError(), ZeroDivisionError()):
        with pytest.raises(type(error)):
            asked((None, error, "where"))
    assert not caplog.records
    with pytest.raises(KeyError):
        asked((None, KeyError("x"), "line 3"))
    assert [record.getMessage() for record in caplog.records] == ["view\nline 3"]


def test_what_a_page_opens_with_is_no_choice_but_its_look() -> None:
    begins = view_works.ViewedInputs()
    for chosen, opens in (
        ((begins,), True),
        ((begins, Style(dark=True), None), True),
        ((begins, Style(), ""), False),
        ((view_works.ViewedInputs(text="a"), Style()), False),
        ((0,), False),
        ((), False),
    ):
        assert view_workers._opens_a_page(*chosen) is opens


def test_a_reader_is_there_as_long_as_the_session_that_draws_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_workers, "get_script_run_ctx", lambda: None)
    assert view_workers.reader_present()()
    here = {"me"}
    instance = SimpleNamespace(is_active_session=here.__contains__)
    monkeypatch.setattr(view_workers, "get_script_run_ctx", lambda: SimpleNamespace(session_id="me"))
    for exists in (False, True):
        monkeypatch.setattr(
            view_workers, "runtime", SimpleNamespace(exists=partial(bool, exists), get_instance=lambda: instance)
        )
        present = view_workers.reader_present()
        assert present()
        here.clear()
        assert present() is not exists
        here.add("me")


def test_a_worker_is_used_up_after_so_many_calls_or_so_much_memory_or_when_it_has_ended() -> None:
    worker = object.__new__(view_workers._Worker)
    held = [0]
    worker.memory, worker.at_first = lambda: held[0], 100  # type: ignore[method-assign]
    for calls, memory, used_up in (
        (0, 100 + view_workers.GROWN, False),
        (0, 101 + view_workers.GROWN, True),
        (view_workers.CALLS - 1, 0, False),
        (view_workers.CALLS, 0, True),
    ):
        worker.calls, held[0] = calls, memory
        assert worker.used_up() is used_up

    def gone() -> int:
        raise FileNotFoundError

    worker.calls, worker.memory = 0, gone  # type: ignore[method-assign]
    assert worker.used_up()


def test_workers_that_have_nothing_to_do_end_with_the_process_they_come_from() -> None:
    workers, ended = object.__new__(ViewWorkers), []
    workers._control = SimpleNamespace(close=partial(ended.append, "control"))  # type: ignore[assignment]
    workers._first = SimpleNamespace(terminate=partial(ended.append, "first"))  # type: ignore[assignment]
    workers._idle = queue.SimpleQueue()
    for worker in (SimpleNamespace(end=partial(ended.append, 1)), None, SimpleNamespace(end=partial(ended.append, 2))):
        workers._idle.put(worker)  # type: ignore[arg-type]
    workers.close()
    assert ended == ["control", "first", 1, 2]


def test_a_process_of_ours_has_one_core_all_paths_and_writes_no_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []
    monkeypatch.setattr(view_workers.subprocess, "Popen", lambda words, **how: begun.append((words, how)))
    monkeypatch.setenv("OWN", "kept")
    view_workers.start_process("a.module", "7", stdin=3)
    ((words, how),) = begun
    assert words == [sys.executable, "-m", "a.module", "7"]
    assert (how["stdin"], how["cwd"], how["env"]["OWN"]) == (3, view_workers._ROOT, "kept")
    assert how["env"]["OPENBLAS_NUM_THREADS"] == how["env"]["OMP_NUM_THREADS"] == "1"
    assert how["env"]["PYTHONDONTWRITEBYTECODE"] == "1"
    paths = how["env"]["PYTHONPATH"].split(":")
    assert paths == [str(view_workers._ROOT), *(path for path in sys.path if path)]


def test_a_call_is_begun_again_where_there_is_more_time_unless_nobody_waits_any_more() -> None:
    made = object.__new__(ViewWorkers)
    asked: list[tuple[str, float]] = []
    held: dict[str, Any] = {}

    def quickly(job: bytes, present: Any) -> Any:
        asked.append(("quick", pickle.loads(job)[0]))
        return held["found"]

    def slowly(job: bytes, present: Any) -> Any:
        asked.append(("slow", pickle.loads(job)[0]))
        return "slowly"

    made._quickly, made._slowly = quickly, slowly  # type: ignore[method-assign]
    for found, there, answer, how in (
        ("at once", True, "at once", ["quick"]),
        (None, True, "slowly", ["quick", "slow"]),
        (None, False, None, ["quick"]),
    ):
        asked.clear()
        held["found"] = found
        assert made.compute(view_works.doubled, (1,), partial(bool, there)) == answer
        assert [way for way, _ in asked] == how
        assert all(seconds == (LONGEST if way == "slow" else QUICK + 5) for way, seconds in asked)


def test_a_worker_answers_with_what_a_call_returns_or_raises_whatever_that_is() -> None:
    def answer(function: Any, *arguments: Any) -> Any:
        return pickle.loads(view_process.answer(function, arguments))

    class Local(Exception):
        """An error that cannot be sent."""

    def raising(error: Exception) -> None:
        raise error

    assert answer(view_works.doubled, 4) == (8, None, "")
    value, error, where = answer(raising, KeyError("jabberwock"))
    assert (value, type(error)) == (None, KeyError)
    assert "in raising" in where
    assert "jabberwock" not in where
    assert type(answer(raising, Local())[1]) is RuntimeError
    value, error, _ = answer(lambda: Local)
    assert value is None
    assert isinstance(error, Exception)
