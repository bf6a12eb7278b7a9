"""Tasks that the tests of `dpcore.studies` send to workers; some kill the process they run in."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np

from dpcore.profiles import DrawnLine
from dpcore.studies import SerialExecutor, run, tasks_for


def draw(generator: np.random.Generator, size: int) -> dict[str, Any]:
    if size < 1:
        raise ValueError(f"size must be positive; got {size}")
    values = generator.random(size)
    return {"values": values, "mean": values.mean()}


def slow(generator: np.random.Generator, seconds: float) -> float:
    time.sleep(seconds)
    return float(generator.random())


def die(generator: np.random.Generator) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(generator: np.random.Generator, flag: str, victim: bool) -> float:
    if victim and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(generator.random())


def unstorable(generator: np.random.Generator) -> object:
    return object()


def process_number() -> int:
    return os.getpid()


def refuse(generator: np.random.Generator) -> float:
    return DrawnLine([(0.6, 0.5)], along="membership").implied_epsilon().lower


def interrupt(generator: np.random.Generator) -> object:
    return run(tasks_for(draw, [{"size": 1}] * 3), SerialExecutor(), progress=lambda done, total: done > 0)
