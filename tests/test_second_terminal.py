"""The README's commands for a second terminal, and the guide's for what failed, run as they stand there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import SQLModel, select
from typer.testing import CliRunner

from bot.cli import app
from bot.deliveries import issue_unit
from bot.demo.play import SIMULATED
from bot.store.database import normalise_url, open_database
from bot.store.tables import Decision, Delivery, Person
from tests.support.documented import in_blocks
from tests.support.factories import NOW, a_proposal, a_record, a_repository

BLOCKS = in_blocks()


def ours_after(document: str, *words: str) -> list[tuple[str, ...]]:
    """Return our commands that follow this command of a document, up to the next that is not ours."""
    shown = [one.words for one in BLOCKS if one.document == document]
    found = []
    for one in shown[shown.index(words) + 1 :]:
        if one[0] != "rootcause":
            break
        found.append(one[1:])
    return found


async def fill(url: str, rows: Sequence[SQLModel]) -> None:
    async with open_database(normalise_url(url)) as database, database.sessions.begin() as session:
        for row in rows:
            session.add(row)
            await session.flush()


async def states(url: str) -> list[str]:
    async with open_database(normalise_url(url)) as database, database.sessions() as session:
        return list((await session.execute(select(Delivery.state))).scalars())


@pytest.fixture
def run(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[str]], str]:
    """Runs a command in a folder of its own and returns what it says."""
    monkeypatch.chdir(tmp_path)

    def invoke(words: Sequence[str]) -> str:
        result = CliRunner().invoke(app, list(words), env={"DATABASE_URL": database_url})
        assert result.exit_code == 0, (words, result.output, result.exception)
        return result.output

    return invoke


def test_the_second_terminal_of_the_readme(run: Callable[[Sequence[str]], str], database_url: str) -> None:
    commands = ours_after("README.md", "export", "ROOTCAUSE_DATA_DIR=.rootcause/demo/samples")
    show, preview, export, build = commands
    repository, number = show[1].split("#")
    assert [one[0] for one in commands] == ["show", "report", "export", "report"]
    decided: dict[str, Any] = {"category": "memory-leak", "category_source": "decision", "eligible_system": True}
    now = datetime.now(UTC)
    said: dict[str, Any] = {"person_id": 900, "category": "memory-leak", "via": "tick", "decided_at": NOW}
    rows: list[SQLModel] = [
        a_repository(
            1,
            repository,
            paradigm="ml",
            domain="Machine Learning",
            in_comparison=True,
            private=False,
            notes=[SIMULATED],
        ),
        Person(id=900, login="ann", kind="human", updated_at=NOW),
    ]
    for place in range(3):
        rows += [
            a_record(int(number) + place, closed_at=now, open_days=3.0, selection="random", **decided),
            a_proposal(int(number) + place),
            Decision(issue_id=int(number) + place, repository_id=1, source=f"tick:{place}", **said),
        ]
    asyncio.run(fill(database_url, rows))
    assert run(show).startswith(f"{show[1]}  Memory grows with every batch")
    covered = "1 of 1 ML and 0 of 0 traditional repositories closed issues in the 12 months up to the end of "
    covered += f"{now:%Y-%m}"
    shown = run(preview)
    assert covered in shown
    assert SIMULATED in shown
    assert "3 records" in run(export)
    counts = json.loads(Path(export[-1], "package.json").read_text())["counts"]
    assert (counts["records.jsonl"], counts["decisions.jsonl"]) == (3, 3)
    assert SIMULATED in Path(export[-1], "README.md").read_text()
    run(build)
    built = Path(build[-1], "report.md").read_text()
    assert covered in built
    assert SIMULATED in built


def test_what_failed_is_looked_at_and_run_again_as_the_guide_says(
    run: Callable[[Sequence[str]], str], database_url: str
) -> None:
    shown = [one.words[1:] for one in BLOCKS if one.document == "operating.md"]
    inspect, retry = (one for one in shown if one[:1] in {("inspect",), ("retry",)})
    repository, number = inspect[1].split("#")
    failed = Delivery(
        guid="guid-1", event="issues", action="closed", unit=issue_unit(1, int(number)), payload="{}", state="failed",
        attempts=12, error="GitHub did not answer: 502", received_at=NOW, not_before=NOW,
    )  # fmt: skip
    asyncio.run(fill(database_url, [a_repository(1, repository), failed]))
    told = run(inspect)
    assert "guid-1: issues.closed, failed" in told
    assert "GitHub did not answer: 502" in told
    assert "waits again: guid-1, issues.closed" in run(retry)
    assert asyncio.run(states(database_url)) == ["waiting"]
