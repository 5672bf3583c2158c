"""A life of the App in a sandbox in which it asks GitHub everything it ever asks, and does everything it ever does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.features.monthly_report import publish
from bot.github.actions import Action, CreateIssue, PinIssue, React, UnpinIssue, UpdateIssue
from bot.store.database import Database
from tests.octokit.asking import ask
from tests.octokit.recording import Recording, queries_of_the_app
from tests.support.running import Running, running_bot

REPOSITORY = "pytorch/pytorch"
LONG = 130
"""More than a page of GitHub's: comments of an issue, files of a pull request."""


def files(count: int) -> list[dict[str, Any]]:
    return [{"path": f"src/{n}.py", "status": "modified", "additions": 2, "deletions": 1} for n in range(count)]


def issue(number: int, comments: int = 1, fix: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a closed issue in the sandbox's schema."""
    closed = datetime.now(UTC) - timedelta(hours=1)
    created = closed - timedelta(days=12)
    said = {"author": "other", "created_at": (created + timedelta(days=1)).isoformat(), "body": "Killed here too."}
    return {
        "repository": REPOSITORY,
        "number": number,
        "title": "Memory leak in the data loader: memory grows until it is killed",
        "body": "It leaks 40 MB an epoch and never releases it.",
        "author": "reporter",
        "labels": ["bug"],
        "created_at": created.isoformat(),
        "closed_at": closed.isoformat(),
        "comments": [said] * comments,
        "fix": fix and {"sha": f"{number:040x}", "merged_at": closed.isoformat(), **fix},
    }


async def live(database: Database, heard: Recording) -> None:
    """Run the whole bot: closings of every kind, commands, ticks, reports, moves, and an installation's end."""
    async with running_bot(database) as bot:
        sandbox = bot.sandbox
        sandbox.add_owner("pytorch")
        sandbox.add_repository("pytorch", "pytorch")
        sandbox.add_repository("pytorch", "other")
        sandbox.grant(REPOSITORY, "triager", "triage")
        sandbox.grant(REPOSITORY, "writer", "write")
        sandbox.install("pytorch", [REPOSITORY])
        await _close_issues(bot)
        await _talk(bot)
        await _report(bot)
        await _write(bot)
        unasked = set(queries_of_the_app().values()) - set(heard.texts_sent())
        await ask(bot.services.client(sandbox.installation("pytorch").id), sandbox, sorted(unasked))
        await _move(bot)


async def _close_issues(bot: Running) -> None:
    sandbox = bot.sandbox
    by_pull = {"kind": "pull_request", "number": 901, "files": files(LONG)}
    by_commit = {"kind": "commit", "number": None, "files": files(310)}
    linked = {"kind": "pull_request", "number": 903, "files": files(LONG)}
    sandbox.seed_issue(REPOSITORY, issue(1, LONG, by_pull), emit=True)
    sandbox.seed_issue(REPOSITORY, issue(2, 1, by_commit), emit=True)
    sandbox.seed_issue(REPOSITORY, issue(3, 1, linked), close=False)
    sandbox.close(REPOSITORY, 3, "writer")
    sandbox.seed_issue(REPOSITORY, issue(4), emit=True)
    await bot.settle()
    assert [record.number for record in await bot.records()] == [1, 2, 3, 4]


async def _talk(bot: Running) -> None:
    sandbox = bot.sandbox
    sandbox.comment(REPOSITORY, 1, "triager", "/rootcause confirm")
    for text in ("/rootcause help", "/rootcause memory-leek"):
        sandbox.comment(REPOSITORY, 2, "triager", text)
    sandbox.comment(REPOSITORY, 2, "other", "/rootcause confirm")
    await bot.settle()
    inbox = next(one for one in sandbox.issues(REPOSITORY) if "rootcause:inbox" in (one.body or ""))
    ticked = (inbox.body or "").replace("- [ ]", "- [x]")
    assert ticked != inbox.body
    sandbox.edit_issue(REPOSITORY, inbox.number, "writer", body=ticked, emit=False)
    sandbox.reopen(REPOSITORY, 1, "triager")
    await bot.settle()
    assert len(await bot.decisions()) > 1


async def _report(bot: Running) -> None:
    repository_id = bot.sandbox.repository(REPOSITORY).id
    for period in ("2026-01", "2026-02"):
        assert await publish(bot.services, repository_id, period) is not None


async def _write(bot: Running) -> None:
    """Perform what the writer can and no feature asks for yet."""
    sandbox = bot.sandbox
    place = (sandbox.repository(REPOSITORY).id, REPOSITORY)
    writer = await bot.services.writer(sandbox.installation("pytorch").id, place[0], observe=False)
    made = await writer.perform(CreateIssue(*place, "Mine", "<!-- m -->", "<!-- m -->", ("bug",), ("writer",)))
    assert made.number is not None
    actions: list[Action] = [
        React(*place, made.number, None, "eyes"),
        PinIssue(*place, made.number),
        UnpinIssue(*place, made.number),
        UpdateIssue(*place, made.number, title="Mine still", state="closed"),
        UpdateIssue(*place, made.number, state="open"),
    ]
    for action in actions:
        assert (await writer.perform(action)).status == "done"


async def _move(bot: Running) -> None:
    """Meet what moved, what is gone and what was never covered, and end."""
    sandbox = bot.sandbox
    sandbox.rename_repository(REPOSITORY, "renamed")
    client = bot.services.client(sandbox.installation("pytorch").id)
    assert (await client.get(f"/repos/{REPOSITORY}"))["full_name"] == "pytorch/renamed"
    sandbox.comment("pytorch/renamed", 4, "triager", "/rootcause confirm")
    await bot.settle()
    sandbox.select_repositories("pytorch", add=("pytorch/other",), remove=("pytorch/renamed",))
    sandbox.uninstall("pytorch")
    await bot.settle()
