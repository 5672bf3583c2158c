"""The refit loop: decisions, the clock's question, a process of its own, a new champion, and no decision changed."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.features import refit as feature
from bot.features.refit import MANY_NEW, ask_for_refit, ask_nightly, count_new
from bot.learning.process import RefitFailedError, refit_apart
from bot.learning.refit import refit
from bot.learning.running import RunningModel
from bot.store.database import Database
from bot.store.models import champion_version, list_models, rollback
from tests.support.decided import LISTED, OTHER, add_issue, add_repositories
from tests.support.running import running_bot
from tests.support.small_corpus import WORDS, made_text, write_corpus
from tests.support.source import imports
from tests.support.subprocesses import surroundings
from tests.test_house_rules import ROOT


@pytest.fixture(autouse=True)
def bytecode(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep what is compiled, so that only the first of many processes pays for it."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", surroundings(tmp_path)["PYTHONPYCACHEPREFIX"])


@pytest.mark.parametrize(
    ("usable", "learned", "expected"),
    [({1, 2}, [], 2), ({1, 2, 3}, [{1, 2}], 1), ({1}, [{1, 2}, {5}], 1), ({1, 9}, [{1, 2}], 2), (set(), [], 0)],
)
def test_how_many_decisions_are_new(usable: set[int], learned: list[set[int]], expected: int) -> None:
    assert count_new(frozenset(usable), [frozenset(ids) for ids in learned]) == expected


async def decide(database: Database, first: int, last: int) -> None:
    async with database.sessions.begin() as session:
        if first == 1:
            add_repositories(session)
        for number in range(first, last + 1):
            category = list(WORDS)[number % len(WORDS)]
            repository_id = (LISTED, OTHER)[number % 2 if number % 4 < 2 else 1 - number % 2]
            await add_issue(session, number, repository_id, made_text(category, number), category)


async def test_decisions_become_a_champion_and_change_nothing_that_was_decided(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feature, "refit_apart", partial(refit_apart, corpus=write_corpus(tmp_path / "corpus")))
    async with running_bot(database, data_dir=tmp_path) as bot:
        services, running = bot.services, RunningModel(database, tmp_path)
        await decide(database, 1, MANY_NEW - 1)
        await ask_for_refit(services)
        await bot.work()
        assert await models(database) == [], "not enough is new"

        await decide(database, MANY_NEW, MANY_NEW)
        async with database.sessions.begin() as session:
            await add_issue(session, 100, LISTED, made_text("memory-leak", 100), None)
        before = [record.model_dump() for record in await bot.records()]
        await asyncio.gather(ask_for_refit(services), ask_nightly(services), ask_for_refit(services))
        await bot.work()
        ((version, state, figures),) = await models(database)
        assert state == "champion", figures
        assert figures["decisions"] == MANY_NEW
        assert [one["split"] for one in figures["comparisons"]] == ["repository", "time"]
        assert all(one["not_worse"] for one in figures["comparisons"])
        assert figures["shadow"] == {"issues": 1, "changes": 1}
        services.classifier = await running.look()
        assert services.classifier.version == version
        assert [record.model_dump() for record in await bot.records()] == before

        async with database.sessions.begin() as session:
            assert await rollback(session) == (version, None)
        assert (await refit(database, services.clock, tmp_path / "corpus")).result == "nothing new"
        async with database.sessions() as session:
            assert await champion_version(session) is None, "what was rolled back does not come back by itself"


async def models(database: Database) -> list[tuple[str, str, dict[str, Any]]]:
    async with database.sessions() as session:
        return [(one.version, one.state, dict(one.figures)) for one in await list_models(session)]


async def test_a_refit_that_hangs_is_ended_and_leaves_nothing_behind(database: Database, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "never.jsonl")
    with pytest.raises(RefitFailedError, match="took more than"):
        await refit_apart(database, corpus=tmp_path, longest_seconds=0.2)


def test_a_refit_ends_with_whoever_started_it(database_url: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "never.jsonl")
    with subprocess.Popen([sys.executable, "-m", "bot.learning"], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps({"url": database_url, "corpus": str(tmp_path)}).encode() + b"\n")
        process.stdin.close()
        assert process.wait(60) == 3


def test_a_worker_imports_nothing_that_only_a_refit_needs() -> None:
    """scikit-learn takes a second and a hundred megabytes: it is for the process of the refit alone."""
    heavy = {"classifier.training", "classifier.fitting", "bot.learning.fit", "bot.learning.contest"}
    inside = {"fit.py", "contest.py", "refit.py"}
    for path in (ROOT / "bot").rglob("*.py"):
        if path.name == "cli_model.py":  # the operator's own commands for training and measuring
            continue
        found = imports(path)
        if path.parent.name != "learning" or path.name not in inside:
            assert not found & heavy, path
        if (path.parent.name, path.name) != ("learning", "__main__.py"):
            assert "bot.learning.refit" not in found, path
