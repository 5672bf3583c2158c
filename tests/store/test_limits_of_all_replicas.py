"""GitHub's limits hold over several replicas that share nothing but the database, whatever their clocks say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import aiohttp
import pytest

from bot.clock import SystemClock
from bot.github.app import GitHubApp
from bot.github.client import GitHubClient
from bot.github.errors import RateLimited
from bot.github.gate import Asking, Pass
from bot.github.limits import PATIENCE
from bot.github.thrifty import ThriftyClient
from bot.sandbox.faults import Fault
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.settings import Settings
from bot.store import limits as limits_module
from bot.store.database import Database
from bot.store.limits import postgres_gates
from bot.store.pacing import PostgresPacer
from bot.store.read_budget import SharedReadBudget
from bot.store.tables import Installation
from tests.support.clock import START
from tests.support.turned_clock import TurnedClock, turned_database

REPOSITORY = "acme/frame"
ISSUE = 'query ($number: Int!) { repository(owner: "acme", name: "frame") { issue(number: $number) { title } } }'
DEEP = """query { rateLimit { cost limit resetAt } repository(owner: "acme", name: "frame") {
    issues(first: 100) { nodes { number comments(first: 1) { nodes { body } } } } } }"""
"""Costs one point for its hundred and one requests, by the formula."""


@dataclass
class WrongClock(SystemClock):
    """A replica's own clock: so much ahead of the time that all go by, or behind it."""

    shared: TurnedClock
    ahead: timedelta

    def now(self) -> datetime:
        return self.shared.now() + self.ahead

    async def sleep(self, seconds: float) -> None:
        await self.shared.sleep(seconds)


@dataclass
class Replica:
    """One process: its own client, token and memory."""

    clock: WrongClock
    database: Database
    app: GitHubApp
    installation_id: int

    @property
    def client(self) -> GitHubClient:
        return self.app.installation(self.installation_id)

    def thrifty(self) -> ThriftyClient:
        budget = SharedReadBudget(self.database.sessions, self.clock, self.installation_id, 0.5)
        return ThriftyClient(self.client, budget, self.clock, patient=False)


@dataclass
class Place:
    """A local GitHub that enforces its limits, and three replicas whose clocks disagree."""

    sandbox: Sandbox
    clock: TurnedClock
    database: Database
    replicas: list[Replica] = field(default_factory=list)


@asynccontextmanager
async def place(address: str, limits: Limits) -> AsyncIterator[Place]:
    async with AsyncExitStack() as stack:
        database, clock = await stack.enter_async_context(turned_database(address, START))
        sandbox = Sandbox(clock, limits=limits)
        sandbox.add_owner("acme")
        sandbox.add_repository("acme", "frame")
        sandbox.install("acme", "all")
        sandbox.add_user("ann")
        sandbox.open_issue(REPOSITORY, "ann", "It leaks")
        url = await stack.enter_async_context(sandbox.running())
        found = Place(sandbox, clock, database)
        number = sandbox.installation("acme").id
        async with database.sessions.begin() as session:
            session.add(Installation(id=number, created_at=START))
        for seconds in (0, 45, -45):
            own = WrongClock(clock, timedelta(seconds=seconds))
            http = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()))
            app = GitHubApp(
                app_id=sandbox.app.id, private_key=sandbox.private_key, api_url=url, graphql_url=url + "/graphql",
                session=http, clock=own, gates=postgres_gates(database.sessions, own),
            )  # fmt: skip
            found.replicas.append(Replica(own, database, app, number))
        yield found


async def _live(replica: Replica, count: int) -> tuple[int, list[datetime]]:
    """Ask so often; return how often it was answered, and the moments it was put off to, by the shared clock."""
    answered, put_off = 0, []
    for _ in range(count):
        try:
            await replica.client.graphql(ISSUE, {"number": 1})
            answered += 1
        except RateLimited as error:
            put_off.append(error.retry_at - replica.clock.ahead)
    return answered, put_off


async def _reads(replica: Replica, count: int) -> int:
    answered = 0
    for _ in range(count):
        try:
            await replica.client.get(f"/repos/{REPOSITORY}/issues/1")
        except RateLimited:
            break
        answered += 1
    return answered


async def _background(replica: Replica, count: int) -> int:
    thrifty, answered = replica.thrifty(), 0
    for _ in range(count):
        try:
            await thrifty.graphql(DEEP)
            answered += 1
        except RateLimited:
            await asyncio.sleep(0)
    return answered


async def test_live_work_comes_first_and_nobody_goes_over_the_window(database_url: str) -> None:
    async with place(database_url, Limits(primary=100)) as here:
        one, two, three = here.replicas
        (live, put_off), *background = await asyncio.gather(
            _live(one, 30), _background(two, 30), _background(three, 30)
        )
        assert (live, put_off) == (30, [])
        assert 10 <= sum(background) <= 50, "half of the window at most"
        more, put_off = await _live(three, 80)
        assert 94 <= live + sum(background) + more <= 99, "but for the part that is kept"
        (soonest, latest) = min(put_off), max(put_off)
        assert START + timedelta(minutes=59) < soonest <= latest < START + timedelta(minutes=61)
        assert here.sandbox.violations == []

        await here.clock.move_to(latest)
        assert (await _live(two, 5))[0] == 5
        assert here.sandbox.violations == []


async def test_background_reading_leaves_room_while_live_work_has_much_to_do(database_url: str) -> None:
    async with place(database_url, Limits(primary=100)) as here:
        one, two, _ = here.replicas
        assert (await _live(one, 60))[0] == 60
        assert await _background(two, 5) == 0, "what is left is live work's part"
        await here.clock.move_to(START + timedelta(minutes=50))
        assert 20 < await _background(two, 40) < 35
        assert (await _live(one, 3))[0] == 3, "a last part is left to the end"
        assert here.sandbox.violations == []


async def test_rest_requests_and_the_apps_own_are_counted_too(database_url: str) -> None:
    async with place(database_url, Limits(primary=40)) as here:
        for one in here.replicas:
            await one.client.get(f"/repos/{REPOSITORY}")
        outcomes = await asyncio.gather(
            *(one.client.get(f"/repos/{REPOSITORY}/issues/1") for one in here.replicas for _ in range(15)),
            *(one.app.app_get("/app") for one in here.replicas for _ in range(15)),
            return_exceptions=True,
        )
        answered = sum(not isinstance(one, RateLimited) for one in outcomes)
        assert 40 <= answered <= 2 * 40 - 6
        for one in here.replicas:  # what was under way in a burst counts as used until it is known to be answered
            answered += await _reads(one, 40)
        assert answered >= 55
        assert here.sandbox.violations == []


async def test_a_minutes_points_and_requests_at_once_stay_below_the_secondary_limits(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits_module, "MINUTE_POINTS", {"core": 60})
    monkeypatch.setattr(limits_module, "AT_ONCE", 8)
    async with place(database_url, Limits(concurrent=8, rest_points_a_minute=60)) as here:
        asked = [one.client.get(f"/repos/{REPOSITORY}/issues/1") for one in here.replicas for _ in range(30)]
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        refused = [one for one in outcomes if isinstance(one, BaseException)]
        assert {type(one) for one in refused} == {RateLimited}
        assert 30 <= len(refused) < 90
        assert here.sandbox.violations == []


@pytest.mark.parametrize("fault", [Fault.SECONDARY_LIMIT, Fault.SECONDARY_LIMIT_SILENT])
async def test_a_refusal_told_to_one_replica_keeps_all_out(database_url: str, fault: Fault) -> None:
    async with place(database_url, Limits()) as here:
        one, two, three = here.replicas
        path, waits = f"/repos/{REPOSITORY}/issues/1", []
        for _ in range(2):
            here.sandbox.faults.add("GET", path, fault)
            with pytest.raises(RateLimited) as told:
                await one.client.get(path)
            opens = told.value.retry_at - one.clock.ahead
            waits.append((opens - here.clock.now()).total_seconds())
            for other in (two, three):
                with pytest.raises(RateLimited) as kept_out:
                    await other.client.graphql(ISSUE, {"number": 1})
                assert abs(kept_out.value.retry_at - other.clock.ahead - opens) < timedelta(seconds=2)
            await here.clock.move_to(opens + timedelta(seconds=1))
        named = fault is Fault.SECONDARY_LIMIT
        assert waits == ([pytest.approx(waits[0], abs=1)] * 2 if named else pytest.approx([60, 120], abs=1))
        assert await two.client.get(path)
        await two.client.get(path)
        here.sandbox.faults.add("GET", path, fault)
        with pytest.raises(RateLimited) as again:
            await three.client.get(path)
        wait = (again.value.retry_at - three.clock.ahead - here.clock.now()).total_seconds()
        assert wait == pytest.approx(waits[0], abs=1), "an answer ends the doubling"


async def test_writes_of_replicas_with_wrong_clocks_keep_every_window(database_url: str) -> None:
    settings = Settings(writes_per_minute=8, writes_per_hour=40)
    async with place(database_url, Limits()) as here:
        moments: list[tuple[datetime, bool]] = []
        for step in range(120):
            replica, live = here.replicas[step % 3], step % 4 != 0
            pacer = PostgresPacer(here.database.sessions, settings, replica.clock, live=live)
            slot = await pacer.reserve(replica.installation_id) - replica.clock.ahead
            if slot - here.clock.now() <= PATIENCE:
                moments.append((slot, live))
            await here.clock.move_to(here.clock.now() + timedelta(seconds=3))
        times = [slot for slot, _ in moments]
        assert _apart(times, 1, timedelta(seconds=1))
        assert _apart(times, 8, timedelta(minutes=1))
        assert len(times) == 40, "and no more within the hour"
        assert 1 <= sum(not live for _, live in moments) <= 20, "what nobody waits for has half of it at most"


def _apart(times: list[datetime], count: int, least: timedelta) -> bool:
    return all(later - earlier >= least for earlier, later in zip(times, times[count:], strict=False))


async def test_headers_that_are_nonsense_close_no_door(database: Database) -> None:
    """Nor may they be noted again and again in vain, which would keep every request of the installation out."""
    clock = SystemClock()
    soon = str(int(clock.now().timestamp()) + 3000)
    usual = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": soon}
    nonsense = (
        {"x-ratelimit-limit": "999999999999"},
        {"x-ratelimit-limit": "2147483647"},
        {"x-ratelimit-reset": "3900000000"},
        {"date": "Thu, 01 Jan 1970 00:00:00 GMT"},
    )
    gate, read = postgres_gates(database.sessions, clock)(5), Asking("core", 1, 1, write=False)
    for changed in nonsense:
        given = await gate.enter(read)
        assert isinstance(given, Pass)
        gate.leave(given, {**usual, **changed})
    given = await gate.enter(read)
    assert isinstance(given, Pass)
    gate.leave(given, {**usual, "date": "Fri, 31 Dec 9999 23:59:59 -2359"})
    closed = await gate.enter(read)
    assert isinstance(closed, float)
    assert 2900 < closed < 3100, "where only the date is none, our own clock counts"
