"""The processes that compute views: one that has read all code, and those it forks, each with a socket to the server.

The first one gets the end of a socket to the server by its number. For each message with another socket it forks a
worker for that and answers with the worker's process id. A worker takes pickled calls and answers with what they
return or raise. All end when the server's ends of their sockets are closed, so none outlives the server.
"""

from __future__ import annotations

import gc
import os
import pickle
import pkgutil
import signal
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

import ui.views
from riskline.limits import limit_memory
from ui.link.page_table import PAGES
from ui.pictures.style import Style
from ui.views.shared.session_results import results_kept_in
from ui.words.refusals import without_words

PROCESS_ID = struct.Struct("i")


def answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """What a call returns, or what it raises with the lines of code that led there, as bytes."""
    try:
        with results_kept_in({}):
            return pickle.dumps((function(*arguments), None, ""), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        where = without_words(error)
        with suppress(Exception):
            return pickle.dumps((None, error, where))
        return pickle.dumps((None, RuntimeError(), where))


def work(link: socket.socket) -> None:
    """Answer calls until the server closes the socket."""
    limit_memory()
    with link, link.makefile("rwb") as stream:
        while True:
            try:
                seconds, function, arguments = pickle.load(stream)
            except EOFError:
                return
            # ends this process, counted from now: a limit on it counts ticks, which run ahead of its clock
            signal.setitimer(signal.ITIMER_PROF, seconds + 1)
            stream.write(answer(function, arguments))
            stream.flush()


def _warm() -> None:
    """Read all code of views and compute the pages once, so that what they keep and need is there in all forks."""
    for name in ("scipy.stats", *(found.name for found in pkgutil.walk_packages(ui.views.__path__, "ui.views."))):
        import_module(name)
    for entry in PAGES:
        view = import_module(f"ui.views.{entry.stem}")
        inputs = getattr(view, "".join(word.capitalize() for word in entry.stem.split("_")) + "Inputs", None)
        if inputs is not None:
            with suppress(Exception):
                pickle.dumps(getattr(view, f"{entry.stem}_view")(inputs(), Style()))


def main(number: int) -> None:
    """Fork a worker for every socket that arrives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends this process by closing its socket
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _warm()
    gc.collect()
    gc.freeze()
    with suppress(ConnectionError), socket.socket(fileno=number) as control:  # the server may exit in mid-request
        while True:
            niceness, links, _, _ = socket.recv_fds(control, 1, 1)
            if not niceness:
                return
            child = os.fork()
            if child == 0:
                control.close()
                os.nice(niceness[0])
                try:
                    work(socket.socket(fileno=links[0]))
                finally:
                    os._exit(0)
            os.close(links[0])
            control.sendall(PROCESS_ID.pack(child))


if __name__ == "__main__":
    main(int(sys.argv[1]))
