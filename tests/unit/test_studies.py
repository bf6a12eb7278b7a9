"""Studies: one digest on every engine, nothing lost when a worker or the driver is killed."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from dpcore.studies import ProcessExecutor, SerialExecutor, StudyInterrupted, Task, open_executor, run, tasks_for
from tests.unit import study_tasks

ROOT = Path(__file__).resolve().parents[2]
needs_dask = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="Dask is not installed")

TASKS = tasks_for(study_tasks.draw, [{"size": size} for size in (1, 2, 3, 4, 5, 6)])


def test_a_result_depends_on_the_seed_and_the_number_only() -> None:
    study = run(TASKS, root=5)
    assert run(TASKS[::-1], root=5).digest == study.digest
    assert run(TASKS, root=6).digest != study.digest
    expected = np.random.default_rng(np.random.SeedSequence(5, spawn_key=(2,))).random(3).tolist()
    assert study.results[2]["values"] == expected


def test_worker_processes_give_the_serial_digest() -> None:
    with open_executor("processes", workers=2) as executor:
        assert run(TASKS, executor, root=5, batch=2).digest == run(TASKS, root=5).digest


@needs_dask
def test_dask_gives_the_serial_digest_also_when_a_worker_is_killed(tmp_path: Path) -> None:
    flag = str(tmp_path / "killed")
    tasks = tasks_for(study_tasks.die_once, [{"flag": flag, "victim": number == 2} for number in range(6)])
    with open_executor("dask", workers=2) as executor:
        assert run(TASKS, executor, root=5).digest == run(TASKS, root=5).digest
        study = run(tasks, executor, root=9)
    assert Path(flag).exists()
    assert study.digest == run(tasks, root=9).digest


def test_a_killed_worker_process_loses_nothing(tmp_path: Path) -> None:
    flag = str(tmp_path / "killed")
    tasks = tasks_for(study_tasks.die_once, [{"flag": flag, "victim": number == 2} for number in range(12)])
    with open_executor("processes", workers=2) as executor:
        study = run(tasks, executor, tmp_path / "store.jsonl", root=9)
    assert Path(flag).exists()
    assert len(study.results) == 12
    assert study.digest == run(tasks, root=9).digest
    assert run(tasks, store=tmp_path / "store.jsonl", root=9).resumed == 12


def test_a_task_that_always_kills_its_worker_ends_the_study_and_keeps_the_rest(tmp_path: Path) -> None:
    tasks = [*tasks_for(study_tasks.draw, [{"size": 1}] * 3), Task(3, study_tasks.die, {})]
    with open_executor("processes", workers=1) as executor, pytest.raises(StudyInterrupted, match="workers") as stop:
        run(tasks, executor, tmp_path / "store", attempts=2)
    assert stop.value.missing == (3,)
    assert len((tmp_path / "store").read_text().splitlines()) == 3


def test_a_killed_driver_resumes_from_its_store_with_the_same_digest(tmp_path: Path) -> None:
    store = tmp_path / "store.jsonl"
    driver = textwrap.dedent(
        f"""
        from dpcore.studies import open_executor, run, tasks_for
        from tests.unit import study_tasks
        if __name__ == "__main__":
            with open_executor("processes", workers=2) as executor:
                run(tasks_for(study_tasks.slow, [{{"seconds": 0.03}}] * 40), executor, {str(store)!r}, root=3)
        """
    )
    script = tmp_path / "driver.py"
    script.write_text(driver)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, str(script)], env=environment)
    for _ in range(600):
        if store.exists() and store.read_bytes().count(b"\n") >= 4:
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with store.open("ab") as file:
        file.write(b'{"task":39,"of":"torn')
    tasks = tasks_for(study_tasks.slow, [{"seconds": 0.03}] * 40)
    before = store.read_bytes().count(b"\n")
    assert 4 <= before < 40
    study = run(tasks, store=store, root=3)
    assert study.resumed == before
    assert study.digest == run(tasks_for(study_tasks.slow, [{"seconds": 0}] * 40), root=3).digest
    assert all(json.loads(line) for line in store.read_text().splitlines())


def test_workers_of_a_killed_driver_do_not_stay(tmp_path: Path) -> None:
    script = tmp_path / "driver.py"
    script.write_text(
        textwrap.dedent(
            """
            import os, signal
            from dpcore.studies import open_executor
            from tests.unit import study_tasks
            if __name__ == "__main__":
                executor = open_executor("processes", workers=1)
                print(executor.submit(study_tasks.process_number).result(), flush=True)
                os.kill(os.getpid(), signal.SIGKILL)
            """
        )
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False)
    worker = int(done.stdout)
    for _ in range(200):
        try:
            state = Path(f"/proc/{worker}/stat").read_text().split()[2]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    raise AssertionError(f"worker {worker} outlived its driver")


def test_progress_is_told_from_what_the_store_holds_to_the_end(tmp_path: Path) -> None:
    run(TASKS[:2], store=tmp_path / "store")
    told: list[tuple[int, int]] = []
    study = run(TASKS, store=tmp_path / "store", progress=lambda done, total: told.append((done, total)), batch=3)
    assert told == [(2, 6), (5, 6), (6, 6)]
    assert study.resumed == 2


def test_a_stopped_study_keeps_what_it_has(tmp_path: Path) -> None:
    with pytest.raises(StudyInterrupted, match="stopped; 5 tasks are missing: 1, 2, 3, 4, 5"):
        run(TASKS, store=tmp_path / "store", progress=lambda done, total: done > 0)
    assert run(TASKS, store=tmp_path / "store").resumed == 1


def test_an_error_in_a_task_reaches_the_caller() -> None:
    with pytest.raises(ValueError, match="size must be positive"):
        run(tasks_for(study_tasks.draw, [{"size": 0}]))


def test_a_result_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="numbers, text, lists or dictionaries"):
        run(tasks_for(study_tasks.unstorable, [{}]))


def test_a_store_of_another_study_is_refused(tmp_path: Path) -> None:
    run(TASKS, store=tmp_path / "store", root=1)
    with pytest.raises(ValueError, match="store must belong to this study; task 0"):
        run(TASKS, store=tmp_path / "store", root=2)
    (tmp_path / "other").write_text("hello\n")
    with pytest.raises(ValueError, match="store must hold one result per line; line 1"):
        run(TASKS, store=tmp_path / "other")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tasks": [TASKS[0], TASKS[0]]}, "tasks must have different numbers; got 2"),
        ({"tasks": [Task(-1, study_tasks.draw)]}, "task number must be a whole number of at least 0; got -1"),
        ({"tasks": [3]}, r"tasks must be tasks such as Task\(0, function\); got 3"),
        ({"tasks": TASKS, "root": -1}, "root must be a whole number"),
        ({"tasks": TASKS, "batch": 0}, "batch must be a whole number of at least 1; got 0"),
        ({"tasks": TASKS, "attempts": 0}, "attempts must be a whole number of at least 1; got 0"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(**arguments)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="engine must be one of 'serial', 'processes', 'dask'; got 'ray'"):
        open_executor("ray")
    with pytest.raises(ValueError, match="workers must be a whole number of at least 1; got 0"):
        open_executor("processes", workers=0)
    with pytest.raises(ValueError, match="workers must be a whole number of at least 1; got 0"):
        ProcessExecutor(0)


def test_a_whole_float_numbers_a_task_as_the_integer_does() -> None:
    given = {"size": 2}
    assert run([Task(3.0, study_tasks.draw, given)]).digest == run([Task(3, study_tasks.draw, given)]).digest  # type: ignore[arg-type]


def test_a_missing_dask_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(ValueError, match="engine must be installed: 'dask' needs the extra"):
        open_executor("dask", workers=1)


def test_studies_import_no_engine() -> None:
    code = "import sys, dpcore.studies; print([name for name in ('dask', 'distributed') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_serial_engine_is_a_context_manager() -> None:
    with open_executor() as executor:
        assert isinstance(executor, SerialExecutor)
        assert executor.submit(len, "abc").result() == 3
