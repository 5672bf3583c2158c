"""`rootcause labels setup`: what it makes, that it makes nothing twice, and where it refuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.clock import SystemClock
from bot.features.label_setup import LONGEST_DESCRIPTION, labels_to_make
from bot.sandbox.sandbox import Sandbox
from classifier import CATEGORIES
from tests.support.promised import kept_promise
from tests.support.running import _KEY as KEY

REPOSITORY = "acme/frame"


@dataclass
class Place:
    """A sandbox, and the surroundings in which the command finds it."""

    sandbox: Sandbox
    surroundings: Mapping[str, str]

    async def run(self, *words: str) -> Result:
        return await asyncio.to_thread(
            CliRunner().invoke, app, ["labels", "setup", *words], env=self.surroundings, catch_exceptions=False
        )

    def names(self) -> list[str]:
        repository = self.sandbox.repository(REPOSITORY)
        return [label.name for label in self.sandbox.world.labels_of[repository.id].values()]


@pytest.fixture
async def place(database_url: str, tmp_path: Path) -> AsyncIterator[Place]:
    sandbox = Sandbox(SystemClock(), private_key=KEY)
    sandbox.add_owner("acme")
    sandbox.add_user("ann")
    sandbox.add_repository("acme", "frame")
    key = tmp_path / "key.pem"
    key.write_text(KEY)
    async with sandbox.running() as address:
        yield Place(
            sandbox,
            {
                "ROOTCAUSE_APP_ID": str(sandbox.app.id),
                "ROOTCAUSE_PRIVATE_KEY_FILE": str(key),
                "ROOTCAUSE_GITHUB_API_URL": address,
                "ROOTCAUSE_WRITE_INTERVAL_SECONDS": "0",
                "DATABASE_URL": database_url,
            },
        )


async def test_it_makes_what_is_missing_once_and_only_where_the_app_is_installed(place: Place) -> None:
    refused = await place.run(REPOSITORY)
    assert refused.exit_code == 2
    assert "The App is not installed on 'acme/frame'" in refused.stderr
    assert place.sandbox.writes == []

    place.sandbox.install("acme", ["frame"])
    place.sandbox.put_file(REPOSITORY, ".github/rootcause.yml", "labels: {prefix: 'cause: x'}\npropose: 1\n")
    broken = await place.run(REPOSITORY)
    assert broken.exit_code == 2
    assert "has a mistake in line 2" in broken.stderr
    assert place.names() == []

    place.sandbox.put_file(REPOSITORY, ".github/rootcause.yml", None)
    place.sandbox.put_file(REPOSITORY, ".github/rootcause.yaml", "labels: {prefix: 'cause:'}\n")
    place.sandbox.open_issue(REPOSITORY, "ann", "Theirs", labels=("bug", "Cause:Data-Race"), emit=False)
    made = await place.run(REPOSITORY)
    assert made.exit_code == 0, made.output
    assert made.stdout.count(": made\n") == 14
    assert "cause:data-race: there already\n" in made.stdout
    assert len(place.names()) == 16
    assert "cause:none" not in place.names()
    writes = len(place.sandbox.writes)
    again = kept_promise(["labels", "setup"], (await place.run(REPOSITORY, "--json")).stdout)
    assert again["repository"] == REPOSITORY
    assert [one["outcome"] for one in again["labels"]] == ["there already"] * 15
    assert len(place.sandbox.writes) == writes

    place.sandbox.archive(REPOSITORY)
    place.sandbox.put_file(REPOSITORY, ".github/rootcause.yaml", None)
    archived = await place.run(REPOSITORY)
    assert (archived.exit_code, archived.stderr) == (2, "acme/frame takes no labels: archived.\n")


def test_a_name_that_is_none_and_an_app_that_is_none() -> None:
    runner = CliRunner()
    assert "'frame' is no repository" in runner.invoke(app, ["labels", "setup", "frame"]).stderr
    nothing = {"ROOTCAUSE_APP_ID": None, "ROOTCAUSE_PRIVATE_KEY": None, "ROOTCAUSE_PRIVATE_KEY_FILE": None}
    result = runner.invoke(app, ["labels", "setup", REPOSITORY], env=nothing)
    assert result.exit_code == 2
    assert "ROOTCAUSE_APP_ID" in result.stderr


def test_each_category_has_a_label_that_github_takes() -> None:
    labels = labels_to_make(1, REPOSITORY, "root-cause/")
    assert [one.category for one in labels] == [key for key in CATEGORIES if key != "none"]
    assert all(len(one.name) <= 50 and len(one.description) <= LONGEST_DESCRIPTION for one in labels)
