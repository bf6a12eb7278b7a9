"""Long studies: many seeded tasks on one engine or another, with the same answer on all, resumable after a loss.

A task is a top-level function of a random generator and keyword parameters. Its generator depends on the study's root
seed and the task's number only, so the result does not depend on the engine, the order or the number of workers.
Results are written to the store as they arrive; a study that was interrupted reads the store and computes what is
missing.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait as wait_for_handles
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, Self

import numpy as np

from dpcore import _checks
from dpcore.errors import Code, Refused


class StudyInterrupted(RuntimeError):
    """A study stopped before its end; results that arrived are in its store. `missing` holds the numbers of the
    rest.

    It runs computations: no promise about a secret belongs to it.

    Examples
    --------
    >>> str(StudyInterrupted("stopped", [2, 3]))
    'stopped; 2 tasks are missing: 2, 3'
    """

    def __init__(self, reason: str, missing: Sequence[int]) -> None:
        self.missing = tuple(missing)
        super().__init__(reason, self.missing)

    def __str__(self) -> str:
        shown = ", ".join(str(number) for number in self.missing[:10]) + (", ..." if len(self.missing) > 10 else "")
        return f"{self.args[0]}; {len(self.missing)} tasks are missing: {shown}"


@dataclass(frozen=True)
class Task:
    """One piece of a study.

    It runs computations: no promise about a secret belongs to it.

    Parameters
    ----------
    number : int; at least 0; the task's identity in the store and the key of its random stream
    function : callable; a function that a worker can import, called as ``function(generator, **parameters)``; it
        returns numbers, text, lists and dictionaries (anything JSON can hold, numpy scalars and arrays included)
    parameters : mapping; keyword arguments, of the same kinds

    Examples
    --------
    >>> def doubled(generator, value):
    ...     return 2 * value
    >>> run([Task(3, doubled, {"value": 4})]).results
    {3: 8}
    """

    number: int
    function: Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Study:
    """The results of a study: `results[number]` for every task, and `digest`, the same on every engine.

    It runs computations: no promise about a secret belongs to it.

    Examples
    --------
    >>> def doubled(generator, value):
    ...     return 2 * value
    >>> study = run(tasks_for(doubled, [{"value": 4}, {"value": 5}]))
    >>> study.results, study.resumed
    ({0: 8, 1: 10}, 0)
    """

    results: Mapping[int, Any]
    digest: str
    resumed: int
    """Tasks whose result was already in the store."""


class Executor(Protocol):
    """What `run` needs of an engine: `submit`, as in `concurrent.futures`.

    It runs computations: no promise about a secret belongs to it.

    Examples
    --------
    >>> def in_this_process(executor: Executor) -> int:
    ...     return executor.submit(max, 3, 4).result()
    >>> in_this_process(SerialExecutor())
    4
    """

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """A future of ``function(*args)``."""


class SerialExecutor:
    """An engine that computes each task at once, in this process.

    It runs computations: no promise about a secret belongs to it.

    Examples
    --------
    >>> SerialExecutor().submit(max, 3, 4).result()
    4
    """

    workers = 1

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """A future that is already done."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Nothing to close."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _exit_with_parent() -> None:
    """Start a thread in a worker that ends the worker when the driver dies, so that no orphan computes on."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait_for_handles([sentinel])
        os._exit(1)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


class ProcessExecutor:
    """Worker processes of this machine. A killed worker breaks the pool; `restart` opens a new one.

    It runs computations: no promise about a secret belongs to it.

    Examples
    --------
    >>> with ProcessExecutor(2) as executor:  # a worker starts with its first task
    ...     executor.workers
    2
    """

    def __init__(self, workers: int) -> None:
        self.workers = _checks.count("workers", workers, 1)
        self._pool = self._open()

    def _open(self) -> ProcessPoolExecutor:
        method = "spawn" if sys.platform == "win32" else "forkserver"
        return ProcessPoolExecutor(
            self.workers, mp_context=multiprocessing.get_context(method), initializer=_exit_with_parent
        )

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """A future computed by a worker."""
        return self._pool.submit(function, *args)

    def restart(self) -> None:
        """Replace the pool after a worker was lost."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._open()

    def close(self) -> None:
        """End the workers."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class DaskExecutor:
    """Workers of a Dask cluster, of this machine or at an address. The scheduler restarts and retries lost tasks.

    It runs computations: no promise about a secret belongs to it.

    Examples
    --------
    >>> [hasattr(DaskExecutor, name) for name in ("submit", "close")]  # opened by `open_executor`, in seconds
    [True, True]
    """

    def __init__(self, workers: int, address: str | None) -> None:
        import dask
        from dask.distributed import Client, LocalCluster

        self.workers = workers
        # The nanny's default trims the heap after every free, which halves the speed of numpy temporaries.
        environment = {"MALLOC_TRIM_THRESHOLD_": 2**28, "MALLOC_MMAP_THRESHOLD_": 2**25}
        with dask.config.set(
            {f"distributed.nanny.pre-spawn-environ.{key}": value for key, value in environment.items()}
        ):
            self.cluster = (
                LocalCluster(
                    n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
                )
                if address is None
                else None
            )
        self.client = Client(address if self.cluster is None else self.cluster)
        self._executor = self.client.get_executor(retries=3, pure=False)

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """A future computed by the cluster."""
        future: Future[Any] = self._executor.submit(function, *args)
        return future

    def close(self) -> None:
        """Leave the cluster, and end it when it is ours."""
        self._executor.shutdown(wait=False)
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open_executor(
    engine: Literal["serial", "processes", "dask"] = "serial", *, workers: int | None = None, address: str | None = None
) -> SerialExecutor | ProcessExecutor | DaskExecutor:
    """The engine of a name, to be used as a context manager.

    It runs computations: no promise about a secret belongs to it.
    Source: ours, execution engines

    Parameters
    ----------
    engine : {'serial', 'processes', 'dask'}; this process, worker processes of this machine, or a Dask cluster (needs
        the extra ``cluster``)
    workers : int, optional; at least 1; the number of processors when left out
    address : str, optional; address of a Dask scheduler that is already running; without it a cluster on this machine
        is opened

    Examples
    --------
    >>> with open_executor("serial") as executor:
    ...     executor.submit(abs, -2).result()
    2
    """
    _checks.choice("engine", engine, ["serial", "processes", "dask"])
    chosen = os.cpu_count() or 1 if workers is None else _checks.count("workers", workers, 1)
    if engine == "serial":
        return SerialExecutor()
    if engine == "processes":
        return ProcessExecutor(chosen)
    try:
        return DaskExecutor(chosen, address)
    except ImportError as error:
        raise Refused(
            "engine",
            "be installed: 'dask' needs the extra riskline[cluster]",
            engine,
            Code.NOT_INSTALLED,
            got="",
        ) from error


def _plain(value: Any) -> Any:
    """Numpy values as JSON values."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"a task's parameters and result must be numbers, text, lists or dictionaries; got {type(value)}")


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=_plain, separators=(",", ":"))


def _fingerprint(task: Task, root: int) -> str:
    """What makes a stored result the result of this task: root seed, function, parameters."""
    function = f"{task.function.__module__}.{task.function.__qualname__}"
    text = _canonical([root, task.number, function, dict(task.parameters)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _compute(root: int, tasks: Sequence[Task]) -> list[tuple[int, str]]:
    """Results of a few tasks as canonical JSON: what a worker runs."""
    return [
        (
            task.number,
            _canonical(
                task.function(
                    np.random.default_rng(np.random.SeedSequence(root, spawn_key=(task.number,))), **task.parameters
                )
            ),
        )
        for task in tasks
    ]


def _read_store(store: Path, fingerprints: Mapping[int, str]) -> dict[int, str]:
    """Results in a store that belong to these tasks. A last line that was cut off is dropped from the file."""
    if not store.exists():
        return {}
    content = store.read_bytes()
    complete = content[: content.rfind(b"\n") + 1]
    if len(complete) < len(content):
        with store.open("r+b") as file:
            file.truncate(len(complete))
    found: dict[int, str] = {}
    for number, line in enumerate(complete.decode().splitlines(), 1):
        try:
            entry = json.loads(line)
            task, fingerprint = int(entry["task"]), str(entry["of"])
            result = _canonical(entry["result"])
        except (ValueError, KeyError, TypeError):
            raise Refused(
                "store",
                f"hold one result per line; line {number} of {store} does not",
                number,
                Code.WRONG_FORM,
                got="",
            ) from None
        if task in fingerprints and fingerprints[task] != fingerprint:
            raise Refused(
                "store",
                f"belong to this study; task {task} in {store} has another seed or parameters",
                task,
                Code.INCONSISTENT,
                got="",
            )
        if task in fingerprints:
            found[task] = result
    return found


def tasks_for(function: Callable[..., Any], parameters: Iterable[Mapping[str, Any]]) -> list[Task]:
    """The tasks of a study in the order of their parameters, numbered from 0.

    It runs computations: no promise about a secret belongs to it.
    Source: ours, execution engines

    Examples
    --------
    >>> [task.number for task in tasks_for(max, [{}, {}])]
    [0, 1]
    """
    return [Task(number, function, dict(one)) for number, one in enumerate(parameters)]


def run(
    tasks: Iterable[Task],
    executor: Executor | None = None,
    store: str | os.PathLike[str] | None = None,
    *,
    root: int = 0,
    batch: int = 1,
    attempts: int = 3,
    progress: Callable[[int, int], bool | None] | None = None,
) -> Study:
    """The results of every task, the same whichever engine computes them.

    It runs computations: no promise about a secret belongs to it. Results by task number, as JSON holds them, and their
    SHA-256 digest.
    Source: ours, execution engines

    Parameters
    ----------
    tasks : iterable of Task; numbers must differ
    executor : Executor, optional; anything with `submit(function, *args)` that returns a future of
        `concurrent.futures`; this process when left out. See `open_executor`. When a lost worker breaks it and it has a
        method `restart`, it is restarted and the lost tasks are submitted again.
    store : str or os.PathLike, optional; file of one JSON line per finished task. It is read first: tasks it holds are
        not computed again. A torn last line, left by a driver that was killed, is dropped.
    root : int; seed of the study, at least 0. Task `n` draws from ``SeedSequence(root, spawn_key=(n,))``.
    batch : int; tasks per submission, at least 1. Batches of 50 ms and more keep an engine's overhead small.
    attempts : int; restarts in a row without any new result before the study is given up, at least 1
    progress : callable, optional; called as ``progress(done, total)`` at the start and after each batch; returning True
        stops the study

    Raises
    ------
    StudyInterrupted
        When stopped, or when workers die `attempts` times in a row. What was finished is in the store.

    Examples
    --------
    >>> def one_draw(generator, low):
    ...     return int(generator.integers(low, 10))
    >>> first = run(tasks_for(one_draw, [{"low": 0}, {"low": 5}]), root=7)
    >>> first.results == run(tasks_for(one_draw, [{"low": 0}, {"low": 5}]), root=7).results
    True
    """
    listed = list(tasks)
    for place, task in enumerate(listed):
        _checks.kind_of("tasks", task, Task, "tasks such as Task(0, function)")
        listed[place] = replace(task, number=_checks.count("task number", task.number))
    if len({task.number for task in listed}) < len(listed):
        raise Refused(
            "tasks", "have different numbers", len(listed), Code.REPEATED, got=f"{len(listed)} tasks with repeats"
        )
    root = _checks.count("root", root)
    batch = _checks.count("batch", batch, 1)
    attempts = _checks.count("attempts", attempts, 1)
    engine = SerialExecutor() if executor is None else executor
    fingerprints = {task.number: _fingerprint(task, root) for task in listed}
    path = None if store is None else Path(store)
    done = {} if path is None else _read_store(path, fingerprints)
    resumed = len(done)
    missing = [task for task in listed if task.number not in done]
    waiting = [missing[start : start + batch] for start in range(0, len(missing), batch)][::-1]
    at_once = 1 if isinstance(engine, SerialExecutor) else 4 * getattr(engine, "workers", 2)
    running: dict[Future[Any], list[Task]] = {}
    losses = 0

    def left() -> list[int]:
        return [task.number for task in listed if task.number not in done]

    stopped = progress is not None and bool(progress(len(done), len(listed)))
    if stopped and waiting:
        raise StudyInterrupted("the study was stopped", left())
    file = None if path is None else path.open("ab")
    try:
        while waiting or running:
            broken = False
            while waiting and len(running) < at_once and not broken:
                tasks_now = waiting.pop()
                try:
                    running[engine.submit(_compute, root, tasks_now)] = tasks_now
                except BrokenExecutor:
                    waiting.append(tasks_now)
                    broken = True
            finished = set(running) if broken else wait(running, return_when=FIRST_COMPLETED).done
            for future in finished:
                tasks_now = running.pop(future)
                try:
                    results = future.result()
                except BrokenExecutor:
                    waiting.append(tasks_now)
                    broken = True
                    continue
                losses = 0
                for number, result in results:
                    done[number] = result
                    if file is not None:
                        line = f'{{"task":{number},"of":"{fingerprints[number]}","result":{result}}}\n'
                        file.write(line.encode())
                if file is not None:
                    file.flush()
                if progress is not None and progress(len(done), len(listed)):
                    stopped = True
            if broken:
                waiting.extend(running.values())
                running.clear()
                losses += 1
                if losses >= attempts or not hasattr(engine, "restart"):
                    raise StudyInterrupted("the workers of the study died", left())
                engine.restart()
            if stopped and (waiting or running):
                raise StudyInterrupted("the study was stopped", left())
    finally:
        for future in running:
            future.cancel()
        if file is not None:
            file.close()
    text = "\n".join(f"{number}:{done[number]}" for number in sorted(done))
    return Study(
        results={number: json.loads(done[number]) for number in sorted(done)},
        digest=hashlib.sha256(text.encode()).hexdigest(),
        resumed=resumed,
    )
