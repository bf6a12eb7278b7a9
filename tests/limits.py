"""What settings of a page cost: processor time and memory of each, measured in a child process of its own.

Run as a module: reads one JSON object {"page": stem, "queries": [query, ...]} from standard input and writes one JSON
line for each part (the view and whatever a reader can open) of each query. A child is killed past its hard limits, so
that a link without an end is a finding and not a hang.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.peak_memory import peak_bytes
from ui.link.fields import Field, read_query
from ui.views.session_results import results_kept_in

SECONDS, MEGABYTES = 3.0, 300.0
HARD_SECONDS, HARD_MEGABYTES = 12, 2_000
TABLES = {
    "counts": ("0", "1", "1 0 0", "10000000 10000000 1", " ".join(["3"] * 24), " ".join(["300000"] * 200)),
    "table": (
        "0",
        "0 0 / 0 0",
        "1 0 / 0 100000",
        "/".join(["7 " * 10] * 10),
        "/".join(["90000 " * 10] * 20),
        "9 " * 200,
    ),
}


def corners(field: Field) -> list[str]:
    """Values at and next to the ends of a field, as a link would bring them."""
    if field.kind == "choice":
        return list(field.options)
    if field.kind == "flag":
        return ["yes", "no"]
    if field.kind == "custom":
        return list(TABLES[field.name])
    values = [field.low, field.high, field.low + 1e-3 * (field.high - field.low), 0.0, 1.0, 0.5 * field.high]
    closed = [value for value in values if field.low <= value <= field.high]
    open_ends = {field.low} if field.open_low else set()
    open_ends |= {field.high} if field.open_high else set()
    inside = [value for value in closed if value not in open_ends]
    if field.kind == "count":
        return sorted({str(int(value)) for value in inside})
    edges = [1e-15, 1e-6] if field.low <= 1e-15 and field.high >= 1e-6 else []
    return sorted({repr(float(value)) for value in (*inside, *edges)})


def settings(fields: tuple[Field, ...], size: int, seed: int) -> list[dict[str, str]]:
    """Queries that put one to five fields at a corner, seeded."""
    dice = random.Random(seed)
    found = []
    for _ in range(size):
        chosen = dice.sample(fields, k=min(len(fields), dice.choice((1, 2, 2, 3, 3, 5))))
        found.append({field.name: dice.choice(corners(field)) for field in chosen})
    return found


def parts(page: str) -> dict[str, Callable[[Any], Any]]:
    """The view of a page, and what its folds and long runs compute, by name; each from the page's inputs."""
    from ui.pictures.look import Look

    view = import_module(f"ui.views.{page}")
    found: dict[str, Callable[[Any], Any]] = {"view": lambda chosen: getattr(view, f"{page}_view")(chosen, Look())}
    if page == "infer":
        from ui.views.noisy_regression import regression_draws

        for name in ("prediction", "other_priors", "other_ways", "other_budgets"):
            found[name] = lambda chosen, name=name: getattr(view, name)(chosen, Look())
        found["regression"] = lambda chosen: view.infer_view(chosen, Look(), regression_draws(chosen))
    if page == "add_up":  # the first sweeps: the rest are more of the same, in pieces that any change stops
        found["learned"] = lambda chosen: view.learned(chosen, lambda done, wanted: done >= 70)
    return found


def _measured(call: Callable[[], Any]) -> dict[str, Any]:
    """Seconds, megabytes beyond those it begins with, and the end of a call made in a fork."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_CPU, (HARD_SECONDS, HARD_SECONDS))
        size, resident = (
            int(pages) * resource.getpagesize() for pages in Path("/proc/self/statm").read_text().split()[:2]
        )
        resource.setrlimit(resource.RLIMIT_AS, (size + HARD_MEGABYTES * 2**20, resource.RLIM_INFINITY))
        start = time.process_time()
        try:
            with results_kept_in({}):  # as in a session that has nothing yet
                told = call()
            end = "refused" if getattr(told, "refusal", None) else "answered"
        except ValueError:
            end = "refused"
        except BaseException:
            end = traceback.format_exc()[-600:]
        grown = peak_bytes() - resident
        result = {"seconds": time.process_time() - start, "megabytes": grown / 2**20, "end": end}
        os.write(writer, json.dumps(result).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return json.loads(told) if told else {"seconds": HARD_SECONDS, "megabytes": 0.0, "end": "killed at the hard limit"}


def main() -> None:
    """Measure what standard input asks for."""
    asked = json.load(sys.stdin)
    page = asked["page"]
    view = import_module(f"ui.views.{page}")
    inputs = getattr(view, "".join(word.capitalize() for word in page.split("_")) + "Inputs")
    todo = parts(page)
    for call in todo.values():
        with suppress(ValueError):
            call(inputs())  # imports and tables that every process makes once are not the link's
        if page == "infer":
            call(inputs(part="regression"))
    for query in asked["queries"]:
        reading = read_query(view.FIELDS, query)
        chosen = inputs(**reading.values)
        for name, call in todo.items():
            if (
                page == "infer"
                and name != "view"
                and chosen.part != ("regression" if name == "regression" else "moments")
            ):
                continue
            print(json.dumps({"part": name, "query": query} | _measured(partial(call, chosen))), flush=True)


def measured(page: str, queries: list[dict[str, str]]) -> list[dict[str, Any]]:
    """What each part of each query costs, from a fresh interpreter."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.limits"],
        input=json.dumps({"page": page, "queries": queries}),
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).resolve().parents[1],
        env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    if ran.returncode:
        raise RuntimeError(ran.stderr[-2000:])
    return [json.loads(line) for line in ran.stdout.splitlines()]


if __name__ == "__main__":
    main()
