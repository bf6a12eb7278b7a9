"""Draws a page's view for links given on standard input, each in a process of its own, and tells what each one took.

Run as `python -m tests.corner_links plan`: one query string a line; out comes a line of JSON for each: seconds of
processor time, the largest memory in megabytes, the refusal, or the name of what it died of.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import traceback
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl

from tests.peak_memory import peak_bytes
from ui.pictures.look import Look

SECONDS = 12  # after so much processor time a link is ended


def drawn(stem: str, query: str) -> dict[str, Any]:
    """What one link took, here and now."""
    module = import_module(f"ui.views.{stem}")
    fields = {field.name: field for field in module.FIELDS}
    choices = {name: field.default for name, field in fields.items()}
    try:
        choices |= {name: fields[name].decode(text) for name, text in parse_qsl(query)}
    except ValueError as error:
        return {"refused": str(error), "seconds": 0.0}
    inputs = getattr(module, f"{stem.capitalize()}Inputs")(**choices)
    start = time.process_time()
    view = getattr(module, f"{stem}_view")(inputs, Look())
    return {"seconds": time.process_time() - start, "refused": view.refusal, "answer": view.answer}


def in_a_process(stem: str, query: str) -> dict[str, Any]:
    """The same in a child whose memory and time are its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        try:
            found = drawn(stem, query)
        except BaseException as error:
            found = {"died": f"{type(error).__name__}: {error}", "where": traceback.format_exc(limit=-3)}
        found["megabytes"] = peak_bytes() / 2**20
        os.write(writing, json.dumps(found).encode()[:60_000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read()
    _, status, used = os.wait4(child, 0)
    if not text:
        return {
            "died": f"signal {status}",
            "seconds": used.ru_utime + used.ru_stime,
            "megabytes": used.ru_maxrss / 1024,
        }
    return json.loads(text)


def main(stem: str) -> None:
    """One line of JSON for every line read."""
    drawn(stem, "")  # imports, text and the published examples are there for every reader
    for line in sys.stdin.read().splitlines():
        print(json.dumps({"link": line} | in_a_process(stem, line)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
