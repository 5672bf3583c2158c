"""What the logs show: one JSON object a line, and no secret wherever it hides."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from bot.logs import configure_logs

TOKEN = "ghs_" + "a1B2" * 9


@pytest.fixture(autouse=True)
def loggers() -> Iterator[None]:
    """Give the loggers back as they were."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.parametrize(
    "value",
    [
        TOKEN,
        [TOKEN],
        {"answer": {"token": TOKEN}},
        ValueError(TOKEN),
        f"postgresql://name:{TOKEN}@host/name",
        f"-----BEGIN RSA PRIVATE KEY-----\n{TOKEN}\n-----END RSA PRIVATE KEY-----",
    ],
    ids=["text", "list", "mapping", "error", "address", "key"],
)
def test_a_secret_is_masked_wherever_it_hides(capsys: pytest.CaptureFixture[str], value: object) -> None:
    configure_logs(json_lines=True)
    structlog.get_logger("rootcause").info("something", value=value)
    (line,) = capsys.readouterr().err.splitlines()
    assert TOKEN not in line
    assert "***" in line
    assert json.loads(line)["event"] == "something"


def test_a_traceback_and_a_library_are_masked_too(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(json_lines=True)
    try:
        int(TOKEN)
    except ValueError:
        structlog.get_logger("rootcause").exception("failed")
    logging.getLogger("library").warning("asked with %s", TOKEN)
    shown = capsys.readouterr().err
    assert TOKEN not in shown
    assert [json.loads(line)["level"] for line in shown.splitlines()] == ["error", "warning"]
