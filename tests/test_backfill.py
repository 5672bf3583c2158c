"""Backfills: page by page, resumable, within the budget, in pages as large as GitHub answers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import select

from bot.backfill.command import coverage, figures
from bot.github.errors import GraphQLError, NotFound
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.store.database import Database
from bot.store.tables import Backfill, Proposal, ReadBudget
from tests.support.backfilling import Backfilling, backfilling
from tests.support.clock import START, VirtualClock
from tests.support.promised import kept_promise

FRAME = "acme/frame"


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def fill(sandbox: Sandbox, issues: int, comments: int = 1) -> None:
    """Make a repository with so many closed issues, one an hour, every third of them fixed by a pull request."""
    sandbox.add_owner("acme")
    sandbox.add_repository("acme", "frame", archived=True)
    for login in ("ann", "bob"):
        sandbox.add_user(login)
    for place in range(issues):
        number = sandbox.open_issue(FRAME, "ann", "Crash at start", "It crashes at the start.", at=at(place)).number
        for part in range(comments):
            sandbox.comment(FRAME, number, "bob", f"Me too, {part}", at=at(place + 0.1))
        closer = None
        if place % 3 == 0:
            closer = sandbox.add_pull_request(
                FRAME, "Fix it", "bob", closes=[number], merged_at=at(place + 0.5), merged_by="bob",
                files=[{"path": "a.py", "status": "modified", "additions": 2, "deletions": 1}],
            )  # fmt: skip
        sandbox.close(FRAME, number, "bob", closer=closer, at=at(place + 0.5))


@pytest.fixture
async def world(database: Database) -> AsyncIterator[Backfilling]:
    clock = VirtualClock(at(1000))
    sandbox = Sandbox(clock, secret="s", limits=Limits())
    fill(sandbox, 50)
    async with backfilling(sandbox, database, clock) as found:
        yield found


async def test_a_history_is_read_to_its_end_in_few_requests(world: Backfilling) -> None:
    row = await world.run(FRAME)
    assert (row.state, row.seen, row.recorded, row.with_fix, row.unknown) == ("done", 50, 50, 17, 0)
    assert kept_promise(["backfill"], json.dumps(figures(FRAME, row)) + "\n")["with_fix"] == 17
    assert [name for name, _ in world.client.asked] == ["IssuesPage"] * 3
    records = await world.records()
    assert [record.issue_comments for record in records] == [1] * 50
    assert all(record.backfilled and record.selection is None for record in records)
    assert sum(record.changed_lines == 3 for record in records) == 17
    async with world.database.sessions() as session:
        assert len(list((await session.execute(select(Proposal))).scalars())) == 50


async def test_nothing_is_written_to_github(world: Backfilling) -> None:
    await world.run(FRAME)
    assert world.sandbox.writes == []


async def test_a_kill_between_pages_repeats_no_page_and_changes_nothing(world: Backfilling) -> None:
    original = world.client.graphql

    class KilledError(Exception):
        """The process ends here."""

    for page in (1, 2, 3):

        async def die(query: str, variables: Any = None, *, attempts: int = 3, left: int = page) -> dict[str, Any]:
            if len(world.pages) >= left:
                raise KilledError
            return await original(query, variables, attempts=attempts)

        world.client.graphql = die  # type: ignore[method-assign]  # the process's end, at a chosen request
        if page < 3:
            with pytest.raises(KilledError):
                await world.run(FRAME)
    row = await world.run(FRAME)
    assert (row.seen, row.recorded, row.page) == (50, 50, 3)
    assert len(world.pages) == len(set(world.pages)) == 3
    async with world.database.sessions() as session:
        assert len(list((await session.execute(select(Backfill))).scalars())) == 1


async def test_a_history_that_was_read_is_read_again_when_asked_again(world: Backfilling) -> None:
    first = await world.run(FRAME)
    second = await world.run(FRAME)
    assert first.id != second.id
    assert len(await world.records()) == 50


async def test_a_page_that_github_breaks_off_is_asked_for_in_halves(database: Database) -> None:
    clock = VirtualClock(at(1000))
    sandbox = Sandbox(clock, secret="s", limits=Limits(rows_a_query=150))
    fill(sandbox, 50, comments=12)
    async with backfilling(sandbox, database, clock) as world:
        row = await world.run(FRAME)
        sizes = [variables["first"] for name, variables in world.client.asked if name == "IssuesPage"]
    assert (row.seen, row.recorded) == (50, 50)
    assert sizes[0] == 5
    assert max(sizes) <= 10


@pytest.mark.parametrize("rows", [9, 20])
async def test_an_issue_too_large_for_any_query_stops_in_words_at_the_smallest_page(
    database: Database, rows: int
) -> None:
    clock = VirtualClock(at(1000))
    sandbox = Sandbox(clock, secret="s", limits=Limits(rows_a_query=rows))
    fill(sandbox, 3, comments=60)
    async with backfilling(sandbox, database, clock) as world:
        with pytest.raises(Exception, match=r"Resource limits|respond to your request") as stopped:
            await world.run(FRAME)
    assert type(stopped.value).__name__ in {"TooExpensive", "Transient"}


async def test_no_more_than_its_share_is_used_and_the_rest_of_the_hour_waited_out(database: Database) -> None:
    clock = VirtualClock(at(1000))
    sandbox = Sandbox(clock, secret="s", limits=Limits(primary=40))
    fill(sandbox, 120)
    async with backfilling(sandbox, database, clock, backfill_share=0.5) as world:
        row = await world.run(FRAME)
        assert (row.state, row.recorded) == ("done", 120)
        async with database.sessions() as session:
            (budget,) = (await session.execute(select(ReadBudget))).scalars()
    assert budget.allowance == 40
    assert budget.spent <= 20
    assert clock.now() > at(1000) + timedelta(minutes=59)
    assert sandbox.violations == []


async def test_only_what_was_closed_in_the_time_asked_for_is_recorded(world: Backfilling) -> None:
    row = await world.run(FRAME, since=at(10), until=at(20))
    assert [record.closed_at for record in await world.records()] == [at(place + 0.5) for place in range(10, 20)]
    assert row.recorded == 10
    assert len(world.pages) == 1


async def test_a_limit_records_so_many_of_the_oldest(world: Backfilling) -> None:
    row = await world.run(FRAME, limit=23)
    assert row.recorded == len(await world.records()) == 23


async def test_a_sample_is_drawn_by_its_seed_over_all_closed_issues(world: Backfilling) -> None:
    row = await world.run(FRAME, sample=12, seed=7)
    drawn = [record.number for record in await world.records()]
    assert (row.state, row.recorded, row.total) == ("done", 12, 12)
    assert [name for name, _ in world.client.asked] == ["IssueNumbers", "IssueEvidenceTogether"]
    larger = await world.run(FRAME, sample=20, seed=7)
    assert set(drawn) < set(larger.draw["numbers"])
    other = await world.run(FRAME, sample=12, seed=8)
    assert other.draw["numbers"] != drawn


async def test_a_sample_larger_than_the_history_is_all_of_it(world: Backfilling) -> None:
    assert (await world.run(FRAME, sample=500)).recorded == 50


async def test_an_issue_closed_meanwhile_moves_no_page(world: Backfilling) -> None:
    """GitHub's cursors name an issue: what is closed or reopened before it neither repeats nor hides one behind it."""
    sandbox, original = world.sandbox, world.client.graphql

    async def meddle(query: str, variables: Any = None, *, attempts: int = 3) -> dict[str, Any]:
        answer = await original(query, variables, attempts=attempts)
        if len(world.pages) == 1:
            for number in (1, 3, 5):
                if sandbox.issue(FRAME, number).closed_at is not None:
                    sandbox.reopen(FRAME, number, "ann")
        return answer

    world.client.graphql = meddle  # type: ignore[method-assign]  # somebody reopens issues between two pages
    await world.run(FRAME)
    assert len({record.number for record in await world.records()}) == 50


@pytest.mark.parametrize("is_null", [True, False])
async def test_an_issue_that_spoils_its_page_is_asked_for_alone(world: Backfilling, is_null: bool) -> None:
    """GitHub answers such a page in part: the issue is null, or something in it that must be known is."""
    original = world.client.graphql

    async def spoil(query: str, variables: Any = None, *, attempts: int = 3) -> dict[str, Any]:
        answer = await original(query, variables, attempts=attempts)
        if query.lstrip().startswith("query IssuesPage") and len(world.pages) == 1:
            nodes = answer["repository"]["issues"]["nodes"]
            nodes[3] = None if is_null else {**nodes[3], "comments": None}
            error = {"type": "INTERNAL", "path": ["repository", "issues", "nodes", 3, "comments"], "message": "oops"}
            raise GraphQLError("oops", [error], answer)
        return answer

    world.client.graphql = spoil  # type: ignore[method-assign]  # GitHub, on a bad day
    row = await world.run(FRAME)
    assert (row.seen, row.recorded, row.unreadable) == (50, 50, [])
    names = [name for name, _ in world.client.asked]
    assert names.count("IssueEvidenceTogether") == 1
    assert names.count("IssueNumbers") == is_null


async def test_an_issue_that_cannot_be_read_at_all_is_named_and_stops_nothing(world: Backfilling) -> None:
    original = world.client.graphql
    bad = world.sandbox.issue(FRAME, 1)

    async def spoil(query: str, variables: Any = None, *, attempts: int = 3) -> dict[str, Any]:
        answer = await original(query, variables, attempts=attempts)
        if query.lstrip().startswith("query IssuesPage") and len(world.pages) == 1:
            place = ["repository", "issues", "nodes", 0, "body"]
        elif "IssueEvidenceTogether" in query:
            place = ["run0", "issue", "body"]
        else:
            return answer
        raise GraphQLError("oops", [{"type": "INTERNAL", "path": place, "message": "oops"}], answer)

    world.client.graphql = spoil  # type: ignore[method-assign]  # GitHub, on a bad day
    row = await world.run(FRAME)
    assert (row.state, row.seen, row.recorded, row.unreadable) == ("done", 50, 49, [bad.number])
    assert coverage(FRAME, row).endswith(f"Not readable: #{bad.number}.")


async def test_a_repository_that_is_gone_is_told(world: Backfilling) -> None:
    access = await world.access(FRAME)
    world.sandbox.delete_repository(FRAME)
    world.access = lambda _: _ready(access)  # type: ignore[method-assign, assignment]  # known before it went
    with pytest.raises(NotFound):
        await world.run(FRAME)


async def _ready(access: Any) -> Any:
    return access
