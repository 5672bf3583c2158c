"""The queue as it runs: priorities, back-off, bursts, workers that die, and the clock that only asks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job
from structlog.testing import capture_logs

from bot import drain as drain_module
from bot.dispatch import handle
from bot.features.report_plan import due_period
from bot.features.report_settings import REPORT_HOUR, defer_due
from bot.github.errors import Forbidden, GitHubError, RateLimited, Transient
from bot.jobs import defer_inbox, defer_process, defer_report
from bot.queue import BackOff, open_jobs
from bot.queue import app as jobs_app
from bot.schedule import start_schedule
from bot.services import Services
from bot.settings import Settings
from bot.store.database import Database
from bot.store.jobs import seconds_since_due
from bot.store.tables import Delivery
from bot.sweep import sweep
from bot.upkeep.retrying import retry_jobs_in
from tests.support.clock import VirtualClock
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.door import BOT_ID, REPOSITORY_ID, Door, comment_event, headers, issue_event, open_door
from tests.support.running import SECRET, Running, running_bot, working

ISSUE = f"issue:{REPOSITORY_ID}:7"


async def until(condition: Callable[[], Awaitable[bool]], seconds: float) -> float:
    """Wait until the condition holds and return how long that took, in seconds."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    while not await condition():
        assert loop.time() - started < seconds, "it did not come about in time"
        await asyncio.sleep(0.02)
    return loop.time() - started


@pytest.fixture
async def door(database: Database) -> AsyncIterator[Door]:
    async with open_door(database) as opened, open_jobs(opened.pool):
        yield opened


@pytest.fixture
def services(door: Door, database: Database) -> Services:
    return Services(Settings(), database, door.pool, cast("Any", None), cast("Any", None))


# --- a person waits two seconds at most ---


async def _open_repository(bot: Running) -> None:
    bot.sandbox.add_owner("pytorch")
    bot.sandbox.add_repository("pytorch", "pytorch")
    bot.sandbox.grant(REPOSITORY, "triager", "triage")
    bot.sandbox.install("pytorch", [REPOSITORY])
    await bot.sandbox.deliver_pending()


async def _command_is_answered_within_two_seconds(bot: Running) -> None:
    comment = bot.sandbox.comment(REPOSITORY, 7, "triager", "/rootcause memory-leak")
    loop = asyncio.get_running_loop()
    started = loop.time()
    await bot.sandbox.deliver_pending()

    async def answered() -> bool:
        return bot.reactions(comment.id) != []

    await until(answered, 10)
    assert loop.time() - started < 2.0


async def _closing_is_waiting(bot: Running) -> Delivery:
    (closing,) = [one for one in await bot.deliveries() if one.action == "closed"]
    assert closing.state == "waiting"
    assert closing.not_before > datetime.now(UTC)
    return closing


async def _closing_comes_due(bot: Running) -> None:
    """Let the closing's time come; the command that waited for it becomes the decision."""
    async with bot.services.pool.connection() as connection:
        await connection.execute("UPDATE delivery SET not_before = now() WHERE state = 'waiting'")
        await connection.execute("UPDATE procrastinate_jobs SET scheduled_at = now() WHERE scheduled_at > now()")

    async def decided() -> bool:
        return [one.category for one in await bot.decisions()] == ["memory-leak"]

    await until(decided, 10)


async def test_a_command_during_the_settle_delay_is_answered_within_two_seconds(database: Database) -> None:
    async with running_bot(database, settle_seconds=25.0) as bot, working(bot.services):
        await _open_repository(bot)
        bot.sandbox.seed_issue(REPOSITORY, leaking(), emit=True)
        await bot.sandbox.deliver_pending()
        closing = await _closing_is_waiting(bot)
        assert 20 < (closing.not_before - datetime.now(UTC)).total_seconds() < 25.5
        await _command_is_answered_within_two_seconds(bot)
        await _closing_is_waiting(bot)
        await _closing_comes_due(bot)


async def test_a_command_during_an_hours_back_off_is_answered_within_two_seconds(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [RateLimited("API rate limit exceeded", datetime.now(UTC) + timedelta(hours=1), kind="primary")]

    async def refuse_the_first_closing(services: Services, delivery: Delivery, payload: Any) -> None:
        if delivery.action == "closed" and refusals:
            raise refusals.pop()
        await handle(services, delivery, payload)

    monkeypatch.setattr(drain_module, "handle", refuse_the_first_closing)
    async with running_bot(database) as bot, working(bot.services):
        await _open_repository(bot)
        bot.sandbox.seed_issue(REPOSITORY, leaking(), emit=True)
        await bot.sandbox.deliver_pending()

        async def backs_off() -> bool:
            closing = [one for one in await bot.deliveries() if one.action == "closed"]
            return closing[0].error == "rate limited by GitHub"

        await until(backs_off, 10)
        closing = await _closing_is_waiting(bot)
        assert (closing.not_before - datetime.now(UTC)).total_seconds() > 3500
        await _command_is_answered_within_two_seconds(bot)
        await _closing_is_waiting(bot)
        await _closing_comes_due(bot)


# --- many at once ---


async def test_five_hundred_deliveries_of_one_issue_are_done_in_order_by_few_jobs(
    door: Door, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    handled: list[str] = []
    running = 0

    async def note(_: Services, delivery: Delivery, payload: Any) -> None:
        nonlocal running
        running += 1
        assert running == 1, "one delivery of an issue at a time"
        await asyncio.sleep(0)
        handled.append(delivery.guid)
        running -= 1

    monkeypatch.setattr(drain_module, "handle", note)
    body = json.dumps(issue_event("edited")).encode()
    most_jobs = 0

    async def send(count: int) -> None:
        nonlocal most_jobs
        for number in range(count):
            async with door.session.post(door.url(), data=body, headers=headers(body)) as answer:
                assert answer.status == 202
            if number % 10 == 0:
                most_jobs = max(most_jobs, len(await door.jobs()))

    async def all_done() -> bool:
        return len(handled) == 500 and await door.jobs() == []

    async with working(services):
        await asyncio.gather(*(send(50) for _ in range(10)))
        await until(all_done, 60)
    rows = await door.deliveries()
    assert handled == [row["guid"] for row in rows]
    assert {row["state"] for row in rows} == {"done"}
    assert most_jobs <= 5


async def test_the_same_delivery_ten_times_at_once_is_one_record(database: Database) -> None:
    async with running_bot(database) as bot:
        await _open_repository(bot)
        bot.sandbox.seed_issue(REPOSITORY, leaking(), emit=True)
        (closing,) = [one for one in bot.sandbox.deliveries if one.event == "issues"]
        body = closing.payload.encode()
        sent = bot.sandbox.courier.headers(closing, body)

        async def post() -> int:
            async with bot.session.post(bot.webhook_url, data=body, headers=sent) as answer:
                return answer.status

        async with working(bot.services):
            assert await asyncio.gather(*(post() for _ in range(10))) == [202] * 10

            async def done() -> bool:
                return [one.state for one in await bot.deliveries() if one.event == "issues"] == ["done"]

            await until(done, 10)
            assert await asyncio.gather(*(post() for _ in range(10))) == [202] * 10
            await asyncio.sleep(0.2)
        assert len(await bot.records()) == 1


async def test_escapes_that_postgresql_cannot_hold_become_a_record(database: Database) -> None:
    async with running_bot(database) as bot:
        await _open_repository(bot)
        bot.sandbox.seed_issue(REPOSITORY, leaking(), emit=True)
        (closing,) = [one for one in bot.sandbox.deliveries if one.event == "issues"]
        title = json.loads(closing.payload)["issue"]["title"]
        for action in ("closed", "edited"):
            payload = closing.payload.replace(json.dumps(title)[1:-1], r"odd \u0000 \ud800 title")
            body = payload.replace('"closed"', f'"{action}"', 1).encode()
            assert rb"\u0000 \ud800" in body
            sent = {**headers(body, "issues", secret=SECRET)}
            async with bot.session.post(bot.webhook_url, data=body, headers=sent) as answer:
                assert answer.status == 202
            await bot.work()
        (record,) = await bot.records()
        assert record.title == "odd \ufffd \ufffd title"
        assert {one.state for one in await bot.deliveries() if one.event == "issues"} == {"done"}


async def test_a_persons_edit_of_an_issue_that_the_app_wrote_is_heard(door: Door) -> None:
    own = {"id": BOT_ID, "login": "rootcause[bot]", "type": "Bot"}
    by_a_person = issue_event("edited", issue={"number": 3, "user": own})
    assert (await door.send(by_a_person))[1] == "stored"
    assert (await door.send({**by_a_person, "sender": own}))[1] == "not for us"
    assert len(await door.deliveries()) == 1


# --- jobs that fail ---


def job(attempts: int) -> Job:
    return Job(id=1, queue="live", lock=None, queueing_lock=None, task_name="process", attempts=attempts)


@pytest.mark.parametrize(
    ("error", "attempts", "seconds"),
    [
        (Transient("Bad Gateway"), 0, 2),
        (Transient("Bad Gateway"), 3, 16),
        (Transient("Bad Gateway"), 10, 900),
        (Transient("Bad Gateway"), 11, None),
        (ConnectorException("closed"), 5, 64),
        (Forbidden("archived", "archived", status=403), 0, None),
        (GitHubError("Validation Failed", status=422), 0, None),
        (KeyError("a bug"), 0, 2),
        (KeyError("a bug"), 1, 4),
        (KeyError("a bug"), 2, None),
    ],
)
def test_a_job_is_tried_again_by_the_kind_of_its_error(error: Exception, attempts: int, seconds: int | None) -> None:
    decision = BackOff().get_retry_decision(exception=error, job=job(attempts))
    if seconds is None:
        assert decision is None
        return
    assert decision is not None
    assert decision.retry_at is not None
    assert (decision.retry_at - datetime.now(UTC)).total_seconds() == pytest.approx(seconds, abs=1.5)
    assert decision.priority == 0


def test_a_job_waits_for_a_limit_however_often_and_never_asks_without_a_pause() -> None:
    in_an_hour, an_hour_ago = (datetime.now(UTC) + timedelta(hours=hours) for hours in (1, -1))
    for retry_at, seconds in ((in_an_hour, 3600), (an_hour_ago, 2)):
        error = RateLimited("limit", retry_at, kind="primary")
        decision = BackOff().get_retry_decision(exception=error, job=job(attempts=50))
        assert decision is not None
        assert decision.retry_at is not None
        assert (decision.retry_at - datetime.now(UTC)).total_seconds() == pytest.approx(seconds, abs=2)
        assert decision.priority == 0


def test_a_job_that_the_end_of_its_worker_broke_off_is_there_again_at_once_with_its_priority() -> None:
    decision = BackOff().get_retry_decision(exception=asyncio.CancelledError(), job=job(40))
    assert decision is not None
    assert (decision.retry_at, decision.priority) == (None, None)


async def test_a_job_that_fails_while_the_next_of_its_kind_waits_holds_its_lock_no_longer(
    door: Door, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = 0

    async def refresh(_: Services, repository_id: int) -> None:
        nonlocal runs
        runs += 1
        if runs == 1:
            await defer_inbox(repository_id, 0.0)
            raise Transient("Bad Gateway", status=502)

    monkeypatch.setattr("bot.features.inbox_issue.refresh", refresh)
    await defer_inbox(31, 0.0)

    async def all_done() -> bool:
        return runs >= 2 and await door.jobs() == []

    async with working(services):
        await until(all_done, 10)


async def test_why_a_job_failed_for_good_is_kept_until_it_succeeds(
    door: Door, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = [Forbidden("Resource not accessible\nby integration \x00", "permission", status=403)]

    async def refresh(_: Services, repository_id: int) -> None:
        if errors:
            raise errors.pop()

    monkeypatch.setattr("bot.features.inbox_issue.refresh", refresh)
    await defer_inbox(31, 0.0)

    async def failed() -> bool:
        return [(one["status"], one["attempts"]) for one in await door.jobs()] == [("failed", 1)]

    async def all_done() -> bool:
        return await door.jobs() == []

    async with working(services):
        await until(failed, 10)
        (reason,) = await door.rows("SELECT error FROM failed_job")
        assert reason["error"] == "Forbidden: Resource not accessible by integration \ufffd"
        (again,) = await retry_jobs_in(services.database, None)
        assert (again.task, again.unit, again.state, again.error) == (
            "refresh_inbox", "inbox:31", "failed", reason["error"],
        )  # fmt: skip
        assert await door.rows("SELECT * FROM failed_job") == [], "why it failed then is not why it fails next"
        await until(all_done, 10)


async def test_a_job_whose_reason_cannot_be_kept_fails_all_the_same_and_one_of_no_task_has_a_reason(
    door: Door, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refresh(_: Services, repository_id: int) -> None:
        raise Forbidden("no", "permission", status=403)

    monkeypatch.setattr("bot.features.inbox_issue.refresh", refresh)
    read_only = """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'refresh_inbox of ann' USING ERRCODE = '25006'; END $$;
        CREATE TRIGGER refused BEFORE INSERT ON failed_job FOR EACH ROW WHEN (NEW.error LIKE 'Forbidden%')
        EXECUTE FUNCTION refuse();
        INSERT INTO procrastinate_jobs (queue_name, task_name) VALUES ('live', 'of_another_version')
    """
    async with door.pool.connection() as connection:
        for statement in read_only.split(";\n        "):
            await connection.execute(statement.encode())
    await defer_inbox(31, 0.0)

    async def failed() -> bool:
        return [one["status"] for one in await door.jobs()] == ["failed", "failed"]

    with capture_logs() as logs:
        async with working(services):
            await until(failed, 10)
    told = {"event": "why a job failed could not be kept", "error": "ReadOnlySqlTransaction", "log_level": "warning"}
    assert told in logs
    reasons = await door.rows("SELECT error FROM failed_job")
    assert reasons == [{"error": "this version has no task of_another_version"}]


async def test_asking_again_for_what_waits_already_makes_no_second_job(door: Door) -> None:
    for _ in range(3):
        await defer_inbox(31, 10.0)
        await defer_report(31, "2026-10")
        await defer_process(ISSUE, priority=0, delay_seconds=25.0)
        await defer_process(ISSUE, priority=10)
    await defer_report(31, "2026-11")
    await defer_report(32, "2026-10")
    assert sorted(one["lock"] for one in await door.jobs()) == [
        "inbox:31", ISSUE, ISSUE, "report:31", "report:31", "report:32",
    ]  # fmt: skip


async def test_how_long_a_job_has_been_due_counts_from_its_moment_and_not_from_when_it_was_asked_for(
    door: Door, database: Database
) -> None:
    await defer_inbox(31, 600.0)
    await defer_process(ISSUE, priority=10)
    async with door.pool.connection() as connection:
        await connection.execute("UPDATE procrastinate_events SET at = now() - interval '70 s' WHERE type = 'deferred'")
    later, at_once = sorted(await door.jobs(), key=lambda one: one["priority"])

    async def due(job: int) -> float | None:
        async with database.sessions() as session:
            return await seconds_since_due(session, job)

    assert await due(at_once["id"]) == pytest.approx(70, abs=5)
    assert await due(later["id"]) == pytest.approx(-600, abs=5)
    await defer_inbox(31, 0.0)  # somebody wants it now: it is due from here
    assert await due(later["id"]) == pytest.approx(0, abs=5)
    assert await due(0) is None


# --- workers that die ---


async def test_a_job_whose_end_cannot_be_noted_does_not_hold_its_lock_for_ever(
    door: Door, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    handled: list[str] = []
    finish = jobs_app.job_manager.finish_job
    failures = [ConnectorException("the connection broke")]

    async def note(_: Services, delivery: Delivery, payload: Any) -> None:
        handled.append(delivery.guid)

    async def finish_later(*args: Any, **options: Any) -> None:
        if failures:
            raise failures.pop()
        await finish(*args, **options)

    monkeypatch.setattr(drain_module, "handle", note)
    monkeypatch.setattr(jobs_app.job_manager, "finish_job", finish_later)
    async with working(services):
        await door.send(comment_event("/rootcause confirm"), "issue_comment", guid="first")

        async def left_over() -> bool:
            return [(one["status"], one["worker_id"]) for one in await door.jobs()] == [("doing", None)]

        await until(left_over, 10)
        await sweep(services)
        await door.send(comment_event("/rootcause confirm"), "issue_comment", guid="second")

        async def done() -> bool:
            return handled == ["first", "second"] and await door.jobs() == []

        await until(done, 10)


async def _worker(door: Door, heartbeat_seconds_ago: int) -> int:
    (row,) = await door.rows(
        "INSERT INTO procrastinate_workers (last_heartbeat) "  # noqa: S608
        f"VALUES (now() - interval '{heartbeat_seconds_ago} seconds') RETURNING id"
    )
    return int(row["id"])


async def _doing(door: Door, worker: int | None) -> None:
    held = "NULL" if worker is None else str(worker)
    await door.rows(
        f"UPDATE procrastinate_jobs SET status = 'doing', worker_id = {held} RETURNING id"  # noqa: S608
    )


async def test_the_jobs_of_a_worker_that_died_are_taken_up_and_finished(
    door: Door, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    handled: list[str] = []

    async def note(_: Services, delivery: Delivery, payload: Any) -> None:
        handled.append(delivery.guid)

    monkeypatch.setattr(drain_module, "handle", note)
    await door.send(comment_event("/rootcause confirm"), "issue_comment", guid="left-over")
    await _doing(door, await _worker(door, heartbeat_seconds_ago=60))

    async def done() -> bool:
        return handled == ["left-over"] and await door.jobs() == []

    async with working(services):
        await asyncio.sleep(0.2)
        assert handled == [], "the dead worker's job holds the lock"
        with capture_logs() as logs:
            await sweep(services)
        assert [entry["lock"] for entry in logs] == [ISSUE]
        await until(done, 5)


async def test_a_job_whose_worker_was_already_forgotten_is_taken_up_too(door: Door, services: Services) -> None:
    await door.send(comment_event("/rootcause confirm"), "issue_comment")
    await _doing(door, None)
    await sweep(services)
    (one,) = await door.jobs()
    assert (one["status"], one["priority"], one["attempts"]) == ("todo", 10, 1)


async def test_the_jobs_of_a_worker_that_lives_are_left_alone(door: Door, services: Services) -> None:
    await door.send(comment_event("/rootcause confirm"), "issue_comment")
    await _doing(door, await _worker(door, heartbeat_seconds_ago=10))
    with capture_logs() as logs:
        await sweep(services)
    assert logs == []
    assert [one["status"] for one in await door.jobs()] == ["doing"]


async def test_a_dead_workers_job_is_taken_up_although_the_next_of_its_kind_waits(
    door: Door, services: Services
) -> None:
    await defer_inbox(31, 0.0)
    await _doing(door, await _worker(door, heartbeat_seconds_ago=60))
    await defer_inbox(31, 10.0)
    await sweep(services)
    assert [one["status"] for one in await door.jobs()] == ["todo", "todo"]


async def test_replicas_that_sweep_at_once_take_a_job_up_once(door: Door, services: Services) -> None:
    for number in range(1, 21):
        await door.send(comment_event("/rootcause confirm", number=number), "issue_comment")
    await _doing(door, await _worker(door, heartbeat_seconds_ago=60))
    with capture_logs() as logs:
        await asyncio.gather(*(sweep(services) for _ in range(5)))
    assert len(logs) == 20
    assert {(one["status"], one["attempts"]) for one in await door.jobs()} == {("todo", 1)}


async def test_deliveries_without_a_job_are_found_once_they_are_overdue(door: Door, services: Services) -> None:
    clock = VirtualClock(datetime.now(UTC))
    services.clock = clock
    await door.send(comment_event("/rootcause confirm", number=7), "issue_comment")
    await door.send(comment_event("/rootcause confirm", number=7), "issue_comment")
    await door.send(issue_event(number=8))
    await door.rows("DELETE FROM procrastinate_jobs RETURNING id")
    await sweep(services)
    assert await door.jobs() == [], "the job may be on its way"
    clock.advance(seconds=30)
    await sweep(services)
    assert [(one["lock"], one["priority"]) for one in await door.jobs()] == [(ISSUE, 10)]
    clock.advance(seconds=30)
    await sweep(services)
    assert len(await door.jobs()) == 2, "the closing has settled long ago"
    await sweep(services)
    assert len(await door.jobs()) == 2


async def test_what_failed_or_is_done_is_not_dug_out_again(door: Door, services: Services) -> None:
    await door.send(comment_event("/rootcause confirm"), "issue_comment")
    services.clock = VirtualClock(datetime.now(UTC) + timedelta(hours=1))
    for state in ("done", "failed"):
        await door.rows(f"UPDATE delivery SET state = '{state}' RETURNING guid")  # noqa: S608
        await door.rows("DELETE FROM procrastinate_jobs WHERE true RETURNING id")
        await sweep(services)
        assert await door.jobs() == []


# --- the clock ---


@pytest.mark.parametrize(
    ("now", "period"),
    [
        ("2026-11-01T05:59:59", "2026-09"),
        ("2026-11-01T06:00:00", "2026-10"),
        ("2026-11-02T00:00:00", "2026-10"),
        ("2026-11-30T23:59:59", "2026-10"),
        ("2026-12-01T00:00:00", "2026-10"),
        ("2027-01-01T05:59:59", "2026-11"),
        ("2027-01-01T06:00:00", "2026-12"),
        ("2027-01-31T12:00:00", "2026-12"),
        ("2027-02-01T05:00:00", "2026-12"),
        ("2027-02-01T06:00:00", "2027-01"),
        ("2028-03-01T05:59:59", "2028-01"),
        ("2028-02-29T23:00:00", "2028-01"),
    ],
)
def test_the_last_due_month_begins_to_be_due_on_the_first_at_six(now: str, period: str) -> None:
    assert due_period(datetime.fromisoformat(now).replace(tzinfo=UTC), 1, REPORT_HOUR) == period


async def test_the_clock_asks_every_day_at_six_utc_summer_and_winter() -> None:
    scheduler = start_schedule(cast("Services", None))
    try:
        scheduled = scheduler.get_job("due reports")
        moment = datetime(2026, 3, 28, 23, tzinfo=UTC)
        for _ in range(3):
            moment = scheduled.trigger.get_next_fire_time(None, moment)
            assert (moment.hour, moment.minute, moment.utcoffset()) == (6, 0, timedelta(0))
            moment += timedelta(seconds=1)
        assert moment.day == 31
        assert scheduled.coalesce
        assert scheduled.misfire_grace_time >= 3600
    finally:
        scheduler.shutdown(wait=False)


async def test_replicas_that_ask_at_once_and_again_make_one_job_a_repository(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_bot(database) as bot:
        await _open_repository(bot)
        await bot.work()
        async with bot.services.pool.connection() as connection:
            await connection.execute("UPDATE repository SET created_at = now() - interval '1 year'")
        now = datetime(2026, 12, 1, 6, tzinfo=UTC)
        bot.services.clock = VirtualClock(now + timedelta(days=30))
        await asyncio.gather(*(defer_due(bot.services) for _ in range(3)))
        for _ in range(3):
            await defer_due(bot.services)
        async with bot.services.pool.connection() as connection:
            found = await (await connection.execute("SELECT task_name, args FROM procrastinate_jobs")).fetchall()
        assert {(name, args["period"]) for name, args in found} == {("publish_report", "2026-11")}
        assert len(found) <= 3
