"""The process in which one run computes: its work comes by standard input, what it finds goes to standard output.

Messages are pickled tuples: ``("progress", done, total)``, ``("piece", value)``, and one that ends the run:
``("finished",)``, ``("refused", sentence)``, ``("memory",)``, ``("broken", lines of code)``.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from riskline.limits import limit_memory
from ui.words.refusals import BEYOND_NUMBERS, UNCOMPUTABLE, refusal_sentence, without_words

if sys.platform != "win32":
    import resource

NICENESS = 10
OFTEN = 0.1  # seconds between two reports of progress


def limit(processor_seconds: float, megabytes: float) -> None:
    """Hold this process to so much processor time and so much memory beyond what it has now."""
    if sys.platform == "win32":
        return
    seconds = max(1, round(processor_seconds + time.process_time()))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    limit_memory(megabytes)


def compute(work: Callable[..., Any], arguments: tuple[Any, ...], send: Callable[..., None]) -> None:
    """Do the work and send every piece of it; whatever ends it early is sent as well."""
    told = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told >= OFTEN or done == total:
            told = time.monotonic()
            send("progress", done, total)

    try:
        found = work(*arguments, progress=progress)
        for piece in found if isinstance(found, Iterator) else (found,):
            send("piece", piece)
    except ValueError as error:
        send("refused", refusal_sentence(error))
    except MemoryError:
        send("memory")
    except UNCOMPUTABLE:
        send("refused", BEYOND_NUMBERS)
    except Exception as error:
        send("broken", without_words(error))
    else:
        send("finished")


def _end_with_the_server(asking: BinaryIO) -> None:
    asking.read()  # ends when the process that asked has ended
    os._exit(1)


def main() -> None:
    """Compute what standard input brings."""
    if sys.platform != "win32":
        os.nice(NICENESS)  # before the work imports its code, which takes seconds: pages go first
    asking, telling = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps what libraries print out of the messages

    def send(*message: Any) -> None:
        pickle.dump(message, telling)
        telling.flush()

    try:
        work, arguments, processor_seconds, megabytes = pickle.load(asking)
    except EOFError:  # stopped before it began
        return
    threading.Thread(target=_end_with_the_server, args=(asking,), daemon=True).start()
    limit(processor_seconds, megabytes)
    compute(work, arguments, send)
    os._exit(0)


if __name__ == "__main__":
    main()
