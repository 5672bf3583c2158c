"""Structured logs on standard error: one line an event, with secrets masked whatever they hide in."""

from __future__ import annotations

import logging
import sys
from typing import Any, TextIO

import structlog

from bot.secrecy import SECRECY


def _mask(_: Any, __: str, line: Any) -> str:
    """Take secrets and private names out of a finished log line, so that none escapes in a list or a traceback."""
    return SECRECY.mask(line)


class _Handler(logging.StreamHandler[TextIO]):
    """Writes lines; of one that its own caller spelled wrongly it tells the place, and not what it would have said."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is the library's
        """Say where the line comes from."""
        self.stream.write(f"a log line could not be written: {record.pathname}:{record.lineno}\n")


def configure_logs(*, json_lines: bool) -> None:
    """Send the logs of this program and of its libraries to standard error."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    renderer: Any = structlog.processors.JSONRenderer() if json_lines else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )
    handler = _Handler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer, _mask],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    for noisy in ("procrastinate", "apscheduler", "aiohttp.access", "alembic", "psycopg.pool"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
