"""A unit of work is drained: in order, each delivery by itself, tried again by the kind of its error."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import psycopg
import pytest
from procrastinate.exceptions import ConnectorException
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from bot import drain as drain_module
from bot.deliveries import arrival
from bot.drain import drain
from bot.github.errors import Forbidden, GitHubError, NotFound, RateLimited, Transient
from bot.queue import open_jobs
from bot.services import Services
from bot.settings import Settings
from bot.store.database import Database
from bot.store.embedded import EmbeddedServer
from bot.store.tables import Delivery
from tests.support.clock import VirtualClock
from tests.support.door import REPOSITORY_ID, Door, comment_event, issue_event, new_guid, open_door

ISSUE = f"issue:{REPOSITORY_ID}:7"

Outcome = BaseException | Callable[[], Awaitable[None]] | None


@dataclass
class Unit:
    """One issue's deliveries, and a handler that does what the test says; `handled` lists what it was given."""

    door: Door
    services: Services
    clock: VirtualClock
    handled: list[str] = field(default_factory=list)
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)

    async def handle(self, _: Services, delivery: Delivery, payload: Any) -> None:
        self.handled.append(delivery.guid)
        planned = self.outcomes.get(delivery.guid, [])
        outcome = planned.pop(0) if planned else None
        if isinstance(outcome, BaseException):
            raise outcome
        if outcome is not None:
            await outcome()

    async def arrives(self, *outcomes: Outcome, payload: str = "{}", event: dict[str, Any] | None = None) -> str:
        """Store a command's delivery whose handling ends as given, attempt by attempt; then it succeeds."""
        guid = new_guid()
        event = event or comment_event("/rootcause confirm")
        name = "issue_comment" if "comment" in event else "issues"
        kept = arrival(guid, name, event, bot_id=None, slug="rootcause")
        assert kept is not None
        await self.door.ingest.store(replace(kept, payload=payload))
        self.outcomes[guid] = list(outcomes)
        return guid

    async def drain(self) -> None:
        """Take the waiting jobs away, as a worker does, and drain the unit."""
        await self.door.rows("DELETE FROM procrastinate_jobs RETURNING id")
        await drain(self.services, ISSUE)

    async def row(self, guid: str) -> dict[str, Any]:
        (row,) = await self.door.rows(f"SELECT * FROM delivery WHERE guid = '{guid}'")  # noqa: S608
        return row


@pytest.fixture
async def unit(database: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Unit]:
    clock = VirtualClock(datetime.now(UTC))
    async with open_door(database) as door, open_jobs(door.pool):
        services = Services(Settings(), database, door.pool, cast("Any", None), cast("Any", None), clock)
        made = Unit(door, services, clock)
        monkeypatch.setattr(drain_module, "handle", made.handle)
        yield made


async def test_deliveries_are_handled_in_the_order_they_came_and_leave_no_job(unit: Unit) -> None:
    guids = [await unit.arrives() for _ in range(5)]
    await unit.drain()
    assert unit.handled == guids
    assert {row["state"] for row in await unit.door.deliveries()} == {"done"}
    assert await unit.door.jobs() == []
    await unit.drain()
    assert unit.handled == guids


async def test_a_command_overtakes_a_closing_that_settles_and_one_job_is_left_for_the_closing(unit: Unit) -> None:
    closing = await unit.arrives(event=issue_event())
    command = await unit.arrives()
    await unit.drain()
    assert unit.handled == [command]
    (job,) = await unit.door.jobs()
    due = (await unit.row(closing))["not_before"]
    assert job["priority"] == 0
    assert abs((job["scheduled_at"] - due).total_seconds()) < 3
    unit.clock.advance(seconds=26)
    await unit.drain()
    assert unit.handled == [command, closing]


async def test_github_being_away_is_tried_again_ever_more_slowly_until_it_is_done(unit: Unit) -> None:
    guid = await unit.arrives(*[Transient("Bad Gateway", status=502)] * 4)
    for attempt, wait in enumerate((2, 4, 8, 16), start=1):
        await unit.drain()
        row = await unit.row(guid)
        assert (row["state"], row["attempts"]) == ("waiting", attempt)
        assert row["not_before"] == unit.clock.now() + timedelta(seconds=wait)
        assert "Bad Gateway" in row["error"]
        (job,) = await unit.door.jobs()
        assert job["priority"] == 0
        await unit.drain()
        assert len(unit.handled) == attempt, "not before its time"
        unit.clock.advance(seconds=wait)
    await unit.drain()
    row = await unit.row(guid)
    assert (row["state"], row["error"]) == ("done", None)


async def test_github_being_away_for_good_ends_as_a_dead_letter(unit: Unit) -> None:
    guid = await unit.arrives(*[Transient("Bad Gateway", status=502)] * 12)
    for _ in range(12):
        await unit.drain()
        unit.clock.advance(minutes=15)
    row = await unit.row(guid)
    assert (row["state"], len(unit.handled)) == ("failed", 12)
    assert "Bad Gateway" in row["error"]
    assert await unit.door.jobs() == []


async def test_a_limit_is_obeyed_to_the_moment_and_is_no_failed_attempt(unit: Unit) -> None:
    moments = [unit.clock.now() + timedelta(hours=hour) for hour in range(1, 21)]
    guid = await unit.arrives(*[RateLimited("API rate limit exceeded", at, kind="primary") for at in moments])
    for moment in moments:
        await unit.drain()
        row = await unit.row(guid)
        assert (row["state"], row["not_before"], row["attempts"]) == ("waiting", moment, 0)
        unit.clock.advance(hours=1)
    await unit.drain()
    assert (await unit.row(guid))["state"] == "done"


async def test_a_limit_that_is_over_by_our_clock_is_not_asked_about_without_a_pause(unit: Unit) -> None:
    guid = await unit.arrives(*[RateLimited("limit", unit.clock.now(), kind="primary")] * 3)
    await unit.drain()
    assert unit.handled == [guid]


@pytest.mark.parametrize(
    "error",
    [
        Forbidden("Resource not accessible by integration", "permission", status=403),
        NotFound("Not Found", status=404),
        GitHubError("Validation Failed", status=422),
    ],
)
async def test_a_refusal_is_kept_with_its_reason_and_the_next_delivery_runs(unit: Unit, error: GitHubError) -> None:
    refused = await unit.arrives(error)
    following = await unit.arrives()
    await unit.drain()
    assert unit.handled == [refused, following]
    row = await unit.row(refused)
    assert row["state"] == "failed"
    assert str(error) in row["error"]
    assert (await unit.row(following))["state"] == "done"


@pytest.mark.parametrize("error", [KeyError("issue"), FileNotFoundError("model.npz"), RecursionError("too deep")])
async def test_a_bug_of_ours_has_three_attempts_is_logged_and_stops_nothing_else(unit: Unit, error: Exception) -> None:
    broken = await unit.arrives(error, error, error)
    others = [await unit.arrives()]
    with capture_logs([merge_contextvars]) as logs:
        for attempt in range(3):
            await unit.drain()
            others.append(await unit.arrives())
            assert (await unit.row(broken))["state"] == ("failed" if attempt == 2 else "waiting")
            unit.clock.advance(seconds=10)
        await unit.drain()
    row = await unit.row(broken)
    assert type(error).__name__ in row["error"]
    assert unit.handled.count(broken) == 3
    assert [guid for guid in unit.handled if guid != broken] == others
    failures = [entry for entry in logs if entry["event"] == "delivery failed"]
    assert len(failures) == 3
    for entry in failures:
        assert (entry["delivery"], entry["unit"], entry["exc_info"]) == (broken, ISSUE, True)
        assert (entry["github_event"], entry["action"]) == ("issue_comment", "created")


async def test_a_body_that_cannot_be_read_again_is_a_dead_letter_too(unit: Unit) -> None:
    broken = await unit.arrives(payload="[" * 100_000)
    following = await unit.arrives()
    with capture_logs():
        for _ in range(3):
            await unit.drain()
            unit.clock.advance(seconds=10)
    assert (await unit.row(broken))["state"] == "failed"
    assert unit.handled == [following]


async def test_a_reason_that_the_database_cannot_hold_is_kept_as_well_as_it_can_be(unit: Unit) -> None:
    guid = await unit.arrives(GitHubError("odd \x00 \ud800 " + "x" * 10_000))
    await unit.drain()
    row = await unit.row(guid)
    assert row["state"] == "failed"
    assert row["error"].startswith("GitHubError: odd \ufffd \ufffd xxx")
    assert len(row["error"]) == 500


async def test_what_people_wrote_does_not_get_into_the_reason_of_a_database_error(unit: Unit) -> None:
    async def write() -> None:
        async with unit.services.database.sessions.begin() as session:
            await session.execute(text("INSERT INTO delivery (guid, unit) VALUES (:guid, 'x')"), {"guid": "private"})

    guid = await unit.arrives(write, write, write)
    with capture_logs() as logs:
        for _ in range(3):
            await unit.drain()
            unit.clock.advance(seconds=10)
    assert [entry["event"] for entry in logs] == ["delivery failed in the database"] * 3 + ["delivery ended"]
    row = await unit.row(guid)
    assert (row["state"], row["error"]) == ("failed", "NotNullViolation")


@pytest.mark.parametrize(
    "error", [OperationalError("SELECT 1", {}, psycopg.OperationalError("closed")), ConnectorException("closed")]
)
async def test_a_database_that_broke_off_is_no_bug(unit: Unit, error: Exception) -> None:
    guid = await unit.arrives(*[error] * 5)
    for _ in range(5):
        await unit.drain()
        assert (await unit.row(guid))["state"] == "waiting"
        unit.clock.advance(minutes=1)
    await unit.drain()
    assert (await unit.row(guid))["state"] == "done"


async def test_while_the_database_is_away_the_whole_job_is_tried_again_and_no_delivery_is_lost(
    unit: Unit, database_server: EmbeddedServer
) -> None:
    name = unit.services.database.url.database

    async def shut(*, out: bool) -> None:
        async with await psycopg.AsyncConnection.connect(database_server.conninfo, autocommit=True) as other:
            await other.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS {not out}'.encode())
            await other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])

    async def lose_the_database() -> None:
        await shut(out=True)

    guid = await unit.arrives(lose_the_database)
    with pytest.raises(OperationalError):
        await unit.drain()
    await shut(out=False)
    await drain(unit.services, ISSUE)
    assert (await unit.row(guid))["state"] == "done"
    assert unit.handled == [guid, guid], "at least once"


async def test_however_often_a_unit_is_drained_one_job_sleeps_for_it(unit: Unit) -> None:
    retry_at = unit.clock.now() + timedelta(hours=1)
    slow = await unit.arrives(RateLimited("limit", retry_at, kind="primary"))
    await unit.drain()
    for _ in range(5):
        await unit.arrives()
        await drain(unit.services, ISSUE)
    sleeping = [job for job in await unit.door.jobs() if job["priority"] == 0]
    assert len(sleeping) == 1
    assert abs((sleeping[0]["scheduled_at"] - retry_at).total_seconds()) < 5
    assert (await unit.row(slow))["state"] == "waiting"


async def test_a_shorter_wait_pulls_the_sleeping_job_forward(unit: Unit) -> None:
    now = unit.clock.now()
    await unit.arrives(RateLimited("limit", now + timedelta(hours=1), kind="primary"))
    await unit.drain()
    await unit.arrives(Transient("Bad Gateway"))
    await drain(unit.services, ISSUE)
    (sleeping,) = [job for job in await unit.door.jobs() if job["priority"] == 0]
    assert (sleeping["scheduled_at"] - now).total_seconds() < 10


async def test_a_clock_behind_the_databases_holds_nothing_up(unit: Unit) -> None:
    unit.services.clock = VirtualClock(datetime.now(UTC) - timedelta(minutes=5))
    guid = await unit.arrives()
    await unit.drain()
    assert unit.handled == [guid]
    assert await unit.door.jobs() == []
