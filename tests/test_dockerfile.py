"""The rules of the image, read off its file: no engine is needed to break one of them."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from bot.cli import app

ROOT = Path(__file__).parents[1]
INSTRUCTIONS = [
    tuple(line.split(maxsplit=1))
    for line in re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8")).splitlines()
    if line and not line.startswith("#")
]
LAST_STAGE = INSTRUCTIONS[max(at for at, (name, _) in enumerate(INSTRUCTIONS) if name == "FROM") :]


def arguments_of(name: str, instructions: list[tuple[str, ...]] = INSTRUCTIONS) -> list[str]:
    return [rest for own, rest in instructions if own == name]


def test_every_stage_stands_on_the_python_that_is_tested() -> None:
    assert {image.split()[0] for image in arguments_of("FROM")} == {"python:3.11-slim"}


def test_what_is_copied_exists_and_is_let_through() -> None:
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in ignore
    for sources in (rest.split()[:-1] for rest in arguments_of("COPY") if not rest.startswith("--from")):
        for source in sources:
            assert (ROOT / source).exists(), source
            assert f"!{source}" in ignore, source


def test_it_runs_without_rights() -> None:
    assert arguments_of("USER", LAST_STAGE) == ["10001"]
    assert "--uid 10001" in arguments_of("RUN", LAST_STAGE)[0]


def test_it_installs_the_pinned_export_and_nothing_beside_it() -> None:
    installs = [run for run in arguments_of("RUN") if "pip install" in run]
    assert [("--requirement requirements.txt" in run, "--no-deps" in run) for run in installs] == [
        (True, False),
        (False, True),
    ]
    assert all("--no-cache-dir" in run for run in installs)
    assert not any("pip" in run for run in arguments_of("RUN", LAST_STAGE))


def test_no_secret_is_baked_in() -> None:
    told = " ".join(arguments_of("ENV") + arguments_of("ARG"))
    assert not re.search(r"SECRET|TOKEN|PRIVATE_KEY|PASSWORD|DATABASE_URL", told)
    assert not arguments_of("ADD")


@pytest.mark.parametrize("name", ["ENTRYPOINT", "CMD"])
def test_signals_reach_the_program_itself(name: str) -> None:
    (said,) = arguments_of(name, LAST_STAGE)
    assert isinstance(json.loads(said), list)
    assert arguments_of("STOPSIGNAL") == ["SIGTERM"]


def test_it_starts_a_command_that_exists() -> None:
    (entry,), (command,) = arguments_of("ENTRYPOINT"), arguments_of("CMD")
    assert json.loads(entry) == ["rootcause"]
    assert json.loads(command)[0] in get_command(app).commands  # type: ignore[attr-defined]  # a group has commands


def test_its_health_is_asked_where_health_is_told() -> None:
    (check,) = arguments_of("HEALTHCHECK")
    assert "/healthz" in check
    assert "PORT" in check
    (environment,) = arguments_of("ENV")
    (port,) = arguments_of("EXPOSE")
    assert f"PORT={port}" in environment


@pytest.mark.parametrize(
    ("first_process", "listens"),
    [
        ("/app/bin/python /app/bin/rootcause serve", True),
        ("/app/bin/python /app/bin/rootcause serve --pull", True),
        ("/app/bin/python /app/bin/rootcause web", True),
        ("/sbin/docker-init -- rootcause web", True),
        ("/app/bin/python /app/bin/rootcause worker", False),
        ("/sbin/docker-init -- rootcause worker", False),
        ("/app/bin/python /app/bin/rootcause db upgrade", False),
        ("/app/bin/python /app/bin/rootcause backfill acme/web", False),
    ],
)
def test_its_health_is_asked_of_those_who_listen_alone(
    first_process: str, listens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (check,) = arguments_of("HEALTHCHECK")
    program, option, code = json.loads(check.partition("CMD ")[2])
    assert (program, option) == ("python", "-c")
    files = {"/proc/1/cmdline": "".join(f"{word}\0" for word in first_process.split())}
    asked: list[str] = []
    monkeypatch.setenv("PORT", "8099")
    monkeypatch.setattr("urllib.request.urlopen", asked.append)
    names: dict[str, Any] = {"open": lambda path: io.StringIO(files[path])}
    exec(code, names)  # noqa: S102 - the line of the file itself
    assert asked == (["http://127.0.0.1:8099/healthz"] if listens else [])
