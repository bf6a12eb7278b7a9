"""The server around the pages: asks nobody outside, keeps few files of a reader, logs no word that a reader typed."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import net_util, runtime

from ui.words.failures import sentence_of, without_words

UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")
MEGABYTE = 2**20
LARGEST_FILE = 5 * MEGABYTE  # as server.maxUploadSize in .streamlit/config.toml
LARGEST_BODY = 6 * MEGABYTE  # a file of that size and what a form puts around it
MOST_FILES = 8
"""Files the server keeps for one reader; the oldest goes first. A page has read a file when the next one arrives."""
MOST_OF_ONE = 12 * MEGABYTE
MOST_OF_ALL = 128 * MEGABYTE
AT_ONCE = 4
LONGEST_UPLOAD = 60.0  # seconds
FULL = "The server holds as many files as it can at the moment. Please try again in a few minutes."
SLOW = "The file took too long to arrive."


def ask_nobody_outside() -> None:
    """Take away Streamlit's look-up of this machine's own addresses: it asks another host, to print and to compare.

    Without them the server still accepts pages of its own address, of localhost, and of `server.corsAllowedOrigins`.
    """

    def unknown() -> None:
        return None

    net_util.get_external_ip = unknown
    net_util.get_internal_ip = unknown


def keep_uploads_in_memory() -> None:
    """Let a file that is being uploaded lie in memory until it is whole, and not in a temporary file."""
    MultiPartParser.spool_max_size = LARGEST_BODY


def log_without_words() -> None:
    """Keep the messages of errors, which quote what was typed, out of every log of this process."""
    made = logging.getLogRecordFactory()

    def record(*arguments: Any, **named: Any) -> logging.LogRecord:
        found = made(*arguments, **named)
        if found.exc_info and found.exc_info[1] is not None:
            found.exc_text = without_words(found.exc_info[1])
        return found

    logging.setLogRecordFactory(record)


def sentence_for(error: Exception) -> bool:
    """Show a sentence for an error outside the frame's care, such as one in a callback; `True`: it was shown."""
    st.error(sentence_of(error))
    return True


class FewFiles:
    """The bound on files kept for readers: by number and size for one, by size for all, and four arriving at once."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.turns = asyncio.Semaphore(AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Make room for a file before it is read, or refuse it with a sentence."""
        found = UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if found is None:
            await self.app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"")
        coming = min(int(length), LARGEST_BODY) if length.isdigit() else LARGEST_BODY
        started = False

        async def sending(message: Any) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            async with asyncio.timeout(LONGEST_UPLOAD), self.turns:
                if not _room_for(found["session"], coming):
                    await PlainTextResponse(FULL, status_code=503)(scope, receive, send)
                    return
                await self.app(scope, receive, sending)
        except TimeoutError:
            if not started:
                await PlainTextResponse(SLOW, status_code=408)(scope, receive, send)


def _room_for(session: str, coming: int) -> bool:
    """Whether a file of this size may come, once the session's oldest files have made room for it."""
    manager: Any = runtime.get_instance().uploaded_file_mgr
    kept: dict[str, dict[str, Any]] = manager.file_storage
    own = list(kept[session].values()) if session in kept else []
    while own and (len(own) >= MOST_FILES or sum(len(file.data) for file in own) + coming > MOST_OF_ONE):
        manager.remove_file(session, own.pop(0).file_id)
    everyone = sum(len(file.data) for files in list(kept.values()) for file in list(files.values()))
    return everyone + coming <= MOST_OF_ALL


MIDDLEWARE: Sequence[Middleware] = (Middleware(FewFiles),)


def prepare() -> None:
    """Everything that holds for the whole process, before the first reader comes."""
    ask_nobody_outside()
    keep_uploads_in_memory()
    log_without_words()
