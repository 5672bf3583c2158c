"""The HTTP server that the application runs in: nothing is unpacked, and what is no HTTP is no error of ours."""

from __future__ import annotations

import logging

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestPayloadError

from bot.web.connections import Patience, Runner

_SHUTDOWN_SECONDS = 5.0
_log = logging.getLogger("aiohttp.server")


def create_runner(app: web.Application, patience: Patience | None = None) -> web.AppRunner:
    """Return what runs the application; its clean-up waits up to 5 s for the answers under way.

    Bodies stay packed as they came: they are unpacked by nobody before a signature held.
    """
    _log.addFilter(_blame_the_sender)
    return Runner(
        app,
        patience or Patience(),
        access_log=None,
        shutdown_timeout=_SHUTDOWN_SECONDS,
        auto_decompress=False,
        logger=_log,
    )


def _blame_the_sender(record: logging.LogRecord) -> bool:
    """Turn the traceback of a malformed request into one quiet line; keep every other record as it is."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError | RequestPayloadError):
        record.levelno, record.levelname = logging.INFO, "INFO"
        record.msg, record.args = "a request was no HTTP: %s", (type(error).__name__,)
        record.exc_info = None
    return True
