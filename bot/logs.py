"""Structured logs on standard error: one line an event, with secrets masked whatever they hide in."""

from __future__ import annotations

import logging
import re
import sys
from typing import Any

import structlog

_SECRETS = re.compile(
    r"gh[pousr]_[A-Za-z0-9_]{8,}|github_pat_\w+|eyJ[\w-]+\.[\w-]+\.[\w-]+"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----"
    r"|(?<=://)[^/@\s]+:[^/@\s]+(?=@)"
)


def _mask(_: Any, __: str, line: Any) -> str:
    """Replace tokens, keys and passwords in a finished log line, so that none escapes in a list or a traceback."""
    return _SECRETS.sub("***", line)


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
    handler = logging.StreamHandler(sys.stderr)
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
