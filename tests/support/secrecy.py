"""A part of pytest that fails a test whose logs, errors or processes showed a secret that the run used.

Secrets make themselves known: settings hide what they hold (`bot.secrecy`), the local GitHub gives out its keys and
tokens, and processes get theirs through their environment. Searched is what handlers wrote, what tests caught, and what
processes wrote into pipes and files, on every worker of the run; the answers of the local GitHub are no logs.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any

import pytest
import structlog
from prometheus_client import generate_latest
from typer.testing import CliRunner

from bot import secrecy
from bot.sandbox.callers import Callers
from bot.sandbox.sandbox import Sandbox

SHORTEST = 8
"""Shorter values, of which some tests make use, are no secrets."""

_TOKEN = re.compile(r"gh[pousr]_[0-9A-Za-z]{16,}")
_JWT = re.compile(r"eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}")
_SECRET_SETTINGS = ("ROOTCAUSE_PRIVATE_KEY", "ROOTCAUSE_WEBHOOK_SECRET", "ROOTCAUSE_READ_TOKEN", "DATABASE_URL")


@dataclass
class Watch:
    """The secrets of a run so far, and what was written since the last look."""

    tokens: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    written: list[str] = field(default_factory=list)
    files: list[BufferedReader] = field(default_factory=list)
    after_the_end: list[str] = field(default_factory=list)

    def use(self, values: Iterable[str]) -> None:
        """Take note of secrets; of a key in PEM form two lines stand for all."""
        for value in values:
            if _TOKEN.fullmatch(value):
                self.tokens.add(value)
            elif "PRIVATE KEY-----" in value:
                lines = value.replace("\\n", "\n").split("\n")
                self.others.update(line for line in (*lines[2:3], lines[len(lines) // 2]) if len(line) > SHORTEST)
            elif len(value) >= SHORTEST and "\n" not in value:
                self.others.add(value)

    def see(self, *texts: str | bytes | None) -> None:
        """Take note of what was written."""
        for text in texts:
            if text:
                self.written.append(text if isinstance(text, str) else text.decode(errors="replace"))

    def found(self) -> list[str]:
        """Search what was written since the last look; return where secrets stand, themselves left out."""
        for file in self.files:
            self.see(file.read())
        if not self.written:
            return []
        text = "\n".join(self.written)
        self.written.clear()
        others = {one for one in self.others if one in text}
        tokens = self.tokens & set(_TOKEN.findall(text))
        return [_around(text, one) for one in sorted(tokens | others | set(_JWT.findall(text)))]


def _around(text: str, secret: str) -> str:
    place = text.index(secret)
    before, after = text[max(0, place - 80) : place], text[place + len(secret) :][:40]
    return f"...{before}<A SECRET OF {len(secret)} CHARACTERS>{after}..."


WATCH = Watch()


def secrets_of(environment: Mapping[str, str]) -> set[str]:
    """Return the secrets that a process gets through its environment, in files too."""
    found: set[str] = set()
    for name in _SECRET_SETTINGS:
        value, file = environment.get(name), environment.get(f"{name}_FILE")
        if value and (name != "DATABASE_URL" or (value := password(value))):
            found |= set(value.split(",")) if name.endswith("SECRET") else {value}
        if file and Path(file).is_file():
            found.add(Path(file).read_text())
    return found


def password(address: str) -> str | None:
    """Return the password in a database's address."""
    found = re.search(r"://[^:/@]*:(.*)@", address)
    return found[1] if found else None


def _wrap(owner: Any, name: str, after: Callable[..., None]) -> None:
    """Let a method tell what it was given and what it gave."""
    method = getattr(owner, name)

    def wrapped(*given: Any, **named: Any) -> Any:
        result = method(*given, **named)
        after(result, *given, **named)
        return result

    setattr(owner, name, wrapped)


def _process(_: None, process: subprocess.Popen[bytes], *given: Any, **named: Any) -> None:
    environment = named.get("env")
    WATCH.use(secrets_of(os.environ if environment is None else environment))
    for stream in (named.get("stdout"), named.get("stderr")):
        name = getattr(stream, "name", None)
        if isinstance(name, str) and Path(name).is_file():
            # Opened at once, since a test's folder may be gone before anybody looks.
            WATCH.files.append(Path(name).open("rb"))  # noqa: SIM115 - closed at the end of the run


def pytest_configure(config: pytest.Config) -> None:
    """Watch whatever makes secrets and whatever writes."""
    config.addinivalue_line("markers", "shows_secrets: writes secrets on purpose; that is not searched")
    _wrap(secrecy.Secrecy, "hide", lambda _, __, values: WATCH.use(set(values)))
    _wrap(Sandbox, "__init__", lambda _, sandbox, *__, **___: WATCH.use({sandbox.private_key, sandbox.courier.secret}))
    _wrap(Callers, "installation_token", lambda token, *_, **__: WATCH.use({token.value}))
    _wrap(Callers, "personal_token", lambda token, *_, **__: WATCH.use({token.value}))
    _wrap(logging.Handler, "format", lambda line, *_: WATCH.see(line))
    for level in ("msg", "debug", "info", "warning", "error", "critical", "exception"):
        _wrap(structlog.PrintLogger, level, lambda _, __, line: WATCH.see(line))
    _wrap(pytest.CaptureFixture, "readouterr", lambda caught, _: WATCH.see(*caught))
    _wrap(CliRunner, "invoke", lambda result, *_, **__: WATCH.see(result.output))
    _wrap(subprocess.Popen, "__init__", _process)
    _wrap(subprocess.Popen, "communicate", lambda caught, *_, **__: WATCH.see(*caught))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test, at the latest when it is torn down, that wrote a secret or let one be written."""
    report = yield
    if not report.passed:
        WATCH.written.clear()  # what pytest shows of a failure is no log
        return report
    # A report repeats what those of the phases before it said.
    WATCH.see(*(text for title, text in report.sections if title.endswith(report.when or "")))
    found = WATCH.found()
    if found and item.get_closest_marker("shows_secrets") is None:
        report.outcome = "failed"
        report.longrepr = "\n".join(("secrets were written:", *found))
        report.sections = []
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear from a worker of pytest-xdist what it found after its last test."""
    WATCH.after_the_end += getattr(node, "workeroutput", {}).get("secrets_written", [])


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run where a secret was written after the last test, as servers that end with the run may do."""
    WATCH.see(generate_latest())
    found = [*WATCH.after_the_end, *WATCH.found()]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["secrets_written"] = found
    elif found:
        print("secrets were written after the last test:", *found, sep="\n")  # noqa: T201
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    for file in WATCH.files:
        file.close()
