"""Where views are computed: in processes beside the server, so that no link holds up another reader's page.

A view gets a short stretch of processor time in one of the quick workers. What needs longer is begun again in one of
few slow workers, which the system lets compute only when nobody else wants the processor, and which ends afterwards
with all memory it took.
"""

from __future__ import annotations

import logging
import os
import pickle
import queue
import select
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import is_dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from streamlit import runtime
from streamlit import stop as stop_this_run
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpcore._cache import MEGABYTE, cached_by_size
from riskline.limits import LONGEST, TooLong
from ui.frame.turns import DRAWING
from ui.frame.view_process import PROCESS_ID
from ui.pictures.style import Style
from ui.words.refusals import UNCOMPUTABLE

QUICK = 0.3
"""Seconds of processor time in a quick worker."""
QUICK_WORKERS, SLOW_WORKERS = max(2, os.cpu_count() or 1), max(1, (os.cpu_count() or 1) // 2)
CALLS = 300
"""Calls after which a quick worker is replaced by a fresh one."""
GROWN = 24 * MEGABYTE
"""Memory a quick worker may have kept when it has answered, beyond what it began with; then it is replaced too."""
NICENESS = 15
TICK = 0.1

Result = TypeVar("Result")
_ROOT = Path(__file__).resolve().parents[2]


def start_process(module: str, *arguments: str, **streams: Any) -> subprocess.Popen[bytes]:
    """Another Python that runs a module of ours, its arithmetic on one core."""
    paths = os.pathsep.join([str(_ROOT), *(path for path in sys.path if path)])
    one_core = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    env = os.environ | one_core | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen([sys.executable, "-m", module, *arguments], cwd=_ROOT, env=env, **streams)


class WorkersGone(Exception):
    """The process that workers come from has ended."""


class _Worker:
    """One process, and the socket to it."""

    def __init__(self, link: socket.socket, process: int) -> None:
        self.link, self.process, self.calls = link, process, 0
        self.stream = link.makefile("rwb")
        self.waiting = select.poll()
        self.waiting.register(link, select.POLLIN)
        self.at_first = self.memory()

    def processor(self) -> float:
        """Seconds of processor time it has used."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes it holds that belong to no file, those it shares with the process it comes from among them."""
        _, resident, of_files, *_ = map(int, Path(f"/proc/{self.process}/statm").read_text().split())
        return (resident - of_files) * os.sysconf("SC_PAGE_SIZE")

    def used_up(self) -> bool:
        """Whether a fresh one should take its place: after many answers, or when it has kept much of them."""
        try:
            return self.calls >= CALLS or self.memory() > self.at_first + GROWN
        except OSError:  # the process has ended
            return True

    def answer(self, job: bytes, most: float, present: Callable[[], bool]) -> Any:
        """What it answers; `None` when it has used its time, or nobody waits for it any more."""
        self.calls += 1
        begun = self.processor()
        self.stream.write(job)
        self.stream.flush()
        while not self.waiting.poll(1000 * TICK):
            if self.processor() - begun > most or not present():
                return None
        return pickle.load(self.stream)

    def end(self) -> None:
        """End it whatever it does."""
        with suppress(ProcessLookupError):
            os.kill(self.process, 9)
        with suppress(OSError):
            self.stream.close()
        self.link.close()


class ViewWorkers:
    """The quick and the slow workers of this server, and the process they are forked from."""

    def __init__(self) -> None:
        self._forking = threading.Lock()
        self._slow = threading.BoundedSemaphore(SLOW_WORKERS)
        self._idle: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
        self._control, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            streams = {"pass_fds": [number], "stdin": subprocess.DEVNULL}
            self._first = start_process("ui.frame.view_process", str(number), **streams)

    def begin(self) -> None:
        """Have the quick workers, when the process they come from has read all code."""
        for _ in range(QUICK_WORKERS):
            self._idle.put(self._new(0))

    def _new(self, niceness: int) -> _Worker:
        ours, theirs = socket.socketpair()
        with theirs, self._forking:
            socket.send_fds(self._control, [bytes([niceness])], [theirs.fileno()])
            (process,) = PROCESS_ID.unpack(self._control.recv(PROCESS_ID.size, socket.MSG_WAITALL))
        return _Worker(ours, process)

    def compute(self, function: Callable[..., Result], arguments: tuple[Any, ...], present: Callable[[], bool]) -> Any:
        """What the call returns, or raises; `None` when nobody waits for it any more."""
        found = self._quickly(pickle.dumps((QUICK + 5, function, arguments)), present)
        if found is None and present():
            found = self._slowly(pickle.dumps((LONGEST, function, arguments)), present)
        return found

    def _quickly(self, job: bytes, present: Callable[[], bool]) -> Any:
        worker, found = self._idle.get(), None
        if worker is None:
            self._idle.put(None)
            raise WorkersGone
        try:
            found = worker.answer(job, QUICK, present)
        except (OSError, EOFError, pickle.UnpicklingError):
            found = (None, MemoryError(), "a worker ended")
            worker.calls = CALLS
        finally:
            self._idle.put(self._renewed(worker) if found is None or worker.used_up() else worker)
        return found

    def _renewed(self, worker: _Worker) -> _Worker | None:
        worker.end()
        try:
            return self._new(0)
        except (OSError, struct.error):  # the process they come from has ended
            return None

    def _slowly(self, job: bytes, present: Callable[[], bool]) -> Any:
        with self._slow:
            worker = self._new(NICENESS)
            try:
                found = worker.answer(job, LONGEST, present)
            except (OSError, EOFError, pickle.UnpicklingError):
                found = None
            finally:
                worker.end()
        return (None, TooLong(), "a slow worker") if found is None and present() else found

    def close(self) -> None:
        """End the process that workers come from, and so all of them that have nothing to do."""
        self._control.close()
        self._first.terminate()
        while not self._idle.empty():
            if (worker := self._idle.get()) is not None:
                worker.end()


_WORKERS: ViewWorkers | None = None


def start(meanwhile: Callable[[], None]) -> None:
    """Have workers from now on, and do something else while the process they come from reads all code.

    Where processes cannot be forked, views stay in the server.
    """
    global _WORKERS
    workers = ViewWorkers() if sys.platform == "linux" else None
    meanwhile()
    if workers is not None:
        workers.begin()
        _WORKERS = workers


def reader_present() -> Callable[[], bool]:
    """What tells whether the session that draws this page still has a browser."""
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return lambda: True
    return partial(runtime.get_instance().is_active_session, context.session_id)


def _opens_a_page(chosen: Any = None, *others: Any) -> bool:
    """Whether these are the choices that a page opens with: nothing is a reader's but how it looks."""
    kind: Callable[[], Any] = type(chosen)
    preset = is_dataclass(chosen) and chosen == kind()
    return preset and all(other is None or isinstance(other, Style) for other in others)


def computed_by_worker(function: Callable[..., Result], *arguments: Any) -> Result:
    """What a view function returns, or raises: computed by a worker, or here where there is none.

    What pages open with is computed once and the same for everybody.
    """
    if _WORKERS is None or not _opens_a_page(*arguments):
        return _computed(function, *arguments)
    return _asked_at_once(_opening, function, *arguments)


def computed_for_all(function: Callable[..., Result], *arguments: Any) -> Result:
    """What a view function returns, computed for the first of several readers who ask for it at once, and not kept."""
    return _asked_at_once(_computed, function, *arguments)


def _computed(function: Callable[..., Result], *arguments: Any) -> Result:
    if _WORKERS is None:
        return function(*arguments)
    try:
        with DRAWING.lent():
            found = _WORKERS.compute(function, arguments, reader_present())
    except WorkersGone:
        return function(*arguments)
    if found is None:
        stop_this_run()
    value, error, where = found
    if error is not None:
        if not isinstance(error, (ValueError, *UNCOMPUTABLE)):
            logging.getLogger("riskline").error("view\n%s", where)
        raise error
    return value  # type: ignore[no-any-return]


_opening = cached_by_size(8 * MEGABYTE)(_computed)
_asked: dict[Any, Future[Any]] = {}
_asking = threading.Lock()


def _asked_at_once(compute: Callable[..., Any], function: Callable[..., Result], *arguments: Any) -> Result:
    """What is computed by the first reader of several who ask for it at once."""
    key = (function, *arguments)
    while True:
        with _asking:
            first = _asked.get(key)
            if first is None:
                own = _asked[key] = Future()
        if first is None:
            try:
                own.set_result(compute(function, *arguments))
                return own.result()  # type: ignore[no-any-return]
            except BaseException as error:  # a reader who leaves ends only their own page; the next one asks again
                own.set_exception(error)
                raise
            finally:
                with _asking:
                    del _asked[key]
        with DRAWING.lent():
            failed = first.exception()
        if failed is None:
            return first.result()  # type: ignore[no-any-return]
