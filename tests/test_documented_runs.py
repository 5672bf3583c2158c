"""Every `rootcause ...` that the documents give to type is run: here, or in the test that is named for it."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import sys
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg
import pytest
import typer
from sqlalchemy import make_url
from typer.testing import CliRunner

from bot.cli import app
from bot.store.database import Database, normalise_url
from bot.store.embedded import EmbeddedServer
from bot.store.embedded_programs import find_programs
from bot.store.migrate import upgrade
from classifier.loading import open_model
from tests.conftest import Databases
from tests.e2e.test_cli_deliveries import terminal
from tests.learning.test_model_commands import store, stored
from tests.support.closed_issues import leaking
from tests.support.documented import ROOT, blocks, in_blocks, in_the_text
from tests.support.small_corpus import good_model
from tests.test_documented_commands import resolved
from tests.test_documents import FACT
from tests.test_second_terminal import ours_after

_UNUSABLE: Any = typer.BadParameter.__base__
"""Whatever is wrong with the words of a command."""

SILENT, DEAD, KNOWN = "owner/name", "octo-org/frame", "pytorch/pytorch"
FAILED = """
    UPDATE delivery SET state = 'failed', guid = 'guid-1', error = 'GitHub did not answer: 502'
    WHERE unit LIKE 'issue:%' AND unit = (SELECT unit FROM delivery WHERE event = 'issues' ORDER BY sequence LIMIT 1)
"""
FAILED_JOBS = """
    INSERT INTO procrastinate_jobs (id, queue_name, task_name, args, status)
    SELECT one, 'live', 'recheck_issue', '{"repository_id": 1, "number": 12}', 'failed'
    FROM generate_series(4711, 4712) AS one
    ON CONFLICT DO NOTHING
"""

RUN: dict[str, tuple[int, str]] = {
    "--help": (0, "Exit codes of all commands"),
    "--version": (0, version("rootcause-bot")),
    "db upgrade": (0, "the database is up to date"),
    "doctor": (0, "permissions"),
    "config schema": (0, '"$schema"'),
    "config check FILE": (0, "rootcause.yml has no mistakes"),
    "classify": (0, '"category": "memory-leak"'),
    "classify --input issues.jsonl": (0, '"category": "memory-leak"'),
    "fix-languages": (0, '"languages": ["Python"]'),
    "enable owner/name": (0, "owner/name takes part from now on"),
    "backfill owner/name": (0, "1 issues seen, 1 recorded"),
    "labels setup owner/name": (0, "memory-leak: made"),
    "recheck owner/name#12": (0, "owner/name#12 waits for a worker"),
    "redeliver": (0, "0 missed, 0 asked for"),
    "show pytorch/pytorch#12": (0, "pytorch/pytorch#12  Memory leak"),
    "inspect octo-org/frame#12": (0, "GitHub did not answer: 502"),
    "inspect GUID": (0, "delivery guid-1: issues.closed, failed"),
    "inspect 4711": (0, "job 4711: recheck_issue, failed"),
    "retry": (2, "Name one delivery"),
    "retry --job 4711": (0, "waits again: job 4711"),
    "retry --job NUMBER": (0, "waits again: job 4712"),
    "retry --all": (0, "waits again: guid-1"),
    "replay FILE": (0, "202 stored"),
    "export --out package": (0, "3 records"),
    "report build --records FOLDER --period 2026-05 --out report": (0, "report/report.md"),
    "report build --records package --period 2026-11 --out report": (0, "report/report.md"),
    "model list": (0, "shipped, in use"),
    "model show VERSION": (0, "learned from   2 decisions"),
    "model shadow": (0, "undecided issues. Nothing was written."),
    "model shadow [VERSION]": (0, "undecided issues. Nothing was written."),
    "model promote VERSION": (0, "is used from now on"),
    "model rollback": (0, "is used from now on"),
    "study match": (2, "Matching needs at least"),
    "study match --table2": (0, "TensorFlow"),
    "study sample-size --population 10000 --margin 0.05": (0, "370"),
    "study sample": (2, "either --margin"),
    "study sample --margin 0.1 --out sample.csv": (0, "3"),
    "study code": (2, "Say who codes"),
    "study code --coder ann": (0, "[2 of 3]"),
    "study code export --coder bob --out bob.csv": (0, "3 issues written"),
    "study code import --coder bob bob.csv": (0, "of 3 issues are coded by bob"),
    "study disagreements": (0, "0 to resolve"),
    "study facts facts.jsonl --package facts": (0, "owner/name"),
    "report build --records facts --period 2026-05 --out report": (0, "report/report.md"),
    "forget person NAME": (0, "in 3 issues"),
    "forget repository NAME": (0, "in 1 issues"),
    "forget installation NAME": (0, "the App is still installed on 2"),
}
"""What is run here, in this order, with its exit code and a piece of what it says.

A name that ends with 2 stands for a command of which more has to be said, as it says itself.
"""

ELSEWHERE = {
    "serve": "tests/test_processes.py::test_serve_starts_without_an_app_says_what_is_missing_and_leaves_nothing_behind",
    "serve --pull": "tests/test_processes.py::test_serve_on_a_machine_that_github_cannot_reach_pulls_its_deliveries",
    "web": "tests/deploy/test_procfile.py::test_release_web_and_worker_run_as_the_procfile_says",
    "worker": "tests/deploy/test_procfile.py::test_release_web_and_worker_run_as_the_procfile_says",
    "demo": "tests/demo/test_demo_command.py::test_a_file_of_both_groups_is_played_once_then_served_and_can_be_acted_in",  # noqa: E501
    "dev": "tests/demo/test_dev.py::test_a_change_starts_the_app_again_and_it_gets_what_happened_meanwhile",
    "try pytorch/pytorch": "tests/trying/test_trying.py::test_a_page_is_written_apart_from_the_operators_data",
    "train": "tests/classifier/test_shipped_model.py::test_training_gives_the_shipped_model",
    "evaluate": "tests/classifier/test_evaluation.py::test_every_part_is_printed_real_text_first",
}
"""What serves until it is stopped, or takes long, and the test that runs it."""

TYPED = {
    "classify": '{"id": 1, "title": "Memory leak", "body": "The resident memory grows and is never released."}\n',
    "fix-languages": "src/a.py\n",
    "study code --coder ann": "memory-leak\nquit\n",
}
FILES = {"rootcause.yml": "paradigm: ml\n", "issues.jsonl": TYPED["classify"], "facts.jsonl": FACT + "\n"}


def given() -> list[str]:
    """Return what the documents give to type behind `rootcause`, `one|other` as two, each once.

    The bare name of a command that needs more than that is not among them, nor what the README's second terminal has.
    """
    second = ours_after("README.md", "export", "ROOTCAUSE_DATA_DIR=.rootcause/demo/samples")
    found: dict[str, None] = {}
    for one in (*in_blocks(), *in_the_text()):
        if one.words[0] != "rootcause" or one.words[1:] in second:
            continue
        group, _, rest = " ".join(one.words[1:]).partition(" ")
        several, _, last = rest.partition(" ")
        each = [" ".join(f"{group} {part} {last}".split()) for part in several.split("|")]
        found |= dict.fromkeys(words for words in each if is_whole(words.split()))
    return list(found)


def is_whole(words: list[str]) -> bool:
    """Tell whether a command has all that it needs."""
    command, rest = resolved(tuple(words))
    try:
        with command.make_context(command.name, rest):
            return True
    except typer.Exit:  # `--help` and the like, which say all they have to by then
        return True
    except _UNUSABLE:
        return False


def test_every_command_of_the_documents_is_run_here_or_in_the_test_that_is_named() -> None:
    lacking = sorted(set(given()) - RUN.keys() - ELSEWHERE.keys())
    assert not lacking, "put into RUN of tests/test_documented_runs.py:\n" + "\n".join(
        f'    "{one}": (0, "what it says"),' for one in lacking
    )
    assert sorted((RUN.keys() | ELSEWHERE.keys()) - set(given())) == [], "no document has these any more"
    for words, where in ELSEWHERE.items():
        file, _, name = where.partition("::")
        assert f"def {name}(" in (ROOT / file).read_text(), words


async def test_what_the_documents_give_to_type_does_what_they_say(
    database: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.upkeep.checking.PATIENCE", timedelta(0))
    async with terminal(database, database_url, tmp_path) as (bot, shell):
        shell.surroundings |= {
            "ROOTCAUSE_PUBLIC_URL": str(bot.web.make_url("")).rstrip("/"), "ROOTCAUSE_DATA_DIR": str(tmp_path / "data")
        }  # fmt: skip
        bot.prepare()
        for name in (SILENT, DEAD):
            owner, _, repository = name.partition("/")
            bot.sandbox.add_owner(owner)
            bot.sandbox.add_repository(owner, repository)
        bot.sandbox.add_repository("owner", "other")
        bot.sandbox.install("owner", "all")
        bot.sandbox.install("octo-org", [DEAD])
        await bot.settle()
        for name in (SILENT, DEAD, KNOWN):
            bot.sandbox.seed_issue(name, leaking(12, repository=name), emit=name != SILENT)
        (tmp_path / "closed.json").write_text(bot.sandbox.courier.pending()[-1].payload)
        await bot.settle()
        good = open_model(good_model()).version
        store(database_url, stored(good, 2, good_model()))
        with psycopg.connect(database.conninfo, autocommit=True) as connection:
            connection.execute("INSERT INTO procrastinate_workers DEFAULT VALUES")
        for file, text in FILES.items():
            (tmp_path / file).write_text(text)
        for words, (code, said) in RUN.items():
            if words.startswith("inspect"):
                fail(database.conninfo)
            result = await asyncio.to_thread(
                CliRunner().invoke, app, typed(words, good), env=shell.surroundings, input=TYPED.get(words)
            )
            assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exc_info)
            assert (result.exit_code, said in result.output) == (code, True), (words, result.output)


def typed(words: str, version: str) -> list[str]:
    """Return what is typed where the documents write these words."""
    meant = {"FOLDER": "package", "GUID": "guid-1", "NUMBER": "4712", "VERSION": version, "[VERSION]": version}
    group, _, rest = words.partition(" ")
    meant["FILE"] = "rootcause.yml" if group == "config" else "closed.json"
    meant["NAME"] = {"person": "reporter", "repository": SILENT, "installation": "owner"}.get(
        rest.partition(" ")[0], ""
    )
    return [meant.get(word, word) for word in words.split()]


def fail(database: str) -> None:
    """Let the delivery about one issue have failed, and two jobs."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(FAILED)
        connection.execute(FAILED_JOBS)


IN_CI = ("uv sync", "ruff check", "ruff format --check", "mypy", "pytest", "pytest -n 2 -m browser")
"""What `.ci/run` runs, as it stands or with more behind it."""

NOT_RUN = {
    "docker": "no engine is at hand; tests/test_dockerfile.py holds the file to its rules",
    "pytest -m unit": "a part of what CI runs; that its marker is there is seen in tests/test_documented_commands.py",
    "pytest -n 0": "likewise: that what it names is there",
    "ruff format": "changes files; CI runs it with --check",
    "python -m tests.benchmarks.": "minutes each, on a machine that does nothing else",
    "python3 -m pip install uv": "a block of the README, which .ci/run runs",
    "export": "what it sets is given to the commands after it",
    "unset": "ends what was exported before",
    "cp -a": "tests/store/test_backup.py copies a folder of its own",
}
"""The other commands of blocks, by how they begin, and why no test runs them."""

BACKUP = ("pg_dump", "createdb", "pg_restore", "PROGRAMS=$(python", "$PROGRAMS/pg_dump")


def test_the_commands_of_others_are_run_in_ci_or_below_or_it_is_said_why_not() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert [one for one in IN_CI if one not in script] == []
    others = [" ".join(one.words) for one in in_blocks() if one.words[0] not in {"rootcause", *BACKUP}]
    assert [one for one in others if one not in IN_CI and not one.startswith(tuple(NOT_RUN))] == []


def test_every_block_is_one_that_a_shell_reads() -> None:
    for document, text in blocks():
        read = subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True, check=False)
        assert read.returncode == 0, (document, text, read.stderr)


def test_the_guides_backup_is_made_and_restored_as_it_stands_there(
    database_url: str, database_server: EmbeddedServer, databases: Databases, memory_folder: Path
) -> None:
    url, programs = make_url(database_url).set(drivername="postgresql"), find_programs(None)
    host, restored = str(database_server.socket_folder), url.set(database="rootcause_restored")
    (memory_folder / ".rootcause/postgres").mkdir(parents=True)
    (memory_folder / ".rootcause/postgres/cluster").symlink_to(host)
    meant = {
        "postgresql://USER:PASSWORD@HOST/rootcause_restored": shlex.quote(restored.render_as_string()),
        "HOST": host,
        "USER": str(url.username),
    }
    environment = {
        "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "DATABASE_URL": url.render_as_string(),
    }
    made = 0
    try:
        for text in (text for document, text in blocks() if document == "operating.md" and "pg_" in text):
            lines = "".join(line for line in text.splitlines(keepends=True) if " rootcause " not in line)
            for word, meaning in meant.items():
                lines = lines.replace(word, meaning)
            subprocess.run(["bash", "-euo", "pipefail", "-c", lines], cwd=memory_folder, env=environment, check=True)
            made += 1
        upgrade(normalise_url(restored.render_as_string()))
    finally:
        databases.drop("rootcause_restored")
    assert made == 3
