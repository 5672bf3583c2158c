"""Installations on very many repositories, suspended ones, and events that come twice or in any order."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col, select

from bot.dispatch import handle
from bot.github.transport import Transport
from bot.sandbox.outbox import Outbox
from bot.sandbox.records import Delivery as Sent
from bot.store.database import Database
from bot.store.tables import Delivery, Installation, Repository
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

MANY = 300


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note every request that the bot sends to GitHub."""
    seen: list[str] = []
    really = Transport.call

    async def call(self: Transport, method: str, path: str, *rest: Any, **more: Any) -> Any:
        seen.append(f"{method} {path}")
        return await really(self, method, path, *rest, **more)

    monkeypatch.setattr(Transport, "call", call)
    return seen


async def test_an_owner_with_300_repositories_installs_on_all(database: Database, asked: list[str]) -> None:
    async with running_bot(database, backfill_days=365.0) as bot:
        bot.sandbox.add_owner("everything")
        for index in range(MANY):
            bot.sandbox.add_repository("everything", f"part-{index}")
        asked.clear()
        bot.sandbox.install("everything", "all")
        await bot.settle()
        assert asked == []
        async with bot.services.database.sessions() as session:
            states = list((await session.execute(select(Repository.state))).scalars())
        assert states == ["silent"] * MANY

        for index in range(3):
            name = f"everything/part-{index}"
            for _ in range(2):
                issue = bot.sandbox.open_issue(name, "everything", "It leaks", leaking(1)["body"] or "")
                bot.sandbox.close(name, issue.number, "everything")
                bot.sandbox.comment(name, issue.number, "everything", "/rootcause data-race\n/rootcause help")
        await bot.settle()
        assert await bot.records() == []
        assert await bot.commands() == []
        assert bot.sandbox.writes == []
        looked = [one for one in asked if "/contents/" in one]
        assert len(looked) == len(set(looked)) == 6, "one look for the file, by either name, where something happened"
        assert [one for one in asked if "/contents/" not in one and "access_tokens" not in one] == []

        # Taken away and installed again, of all of them GitHub is asked at once.
        bot.sandbox.uninstall("everything")
        await bot.settle()
        asked.clear()
        bot.sandbox.install("everything", "all")
        await bot.settle()
        assert len([one for one in asked if "/installation/repositories" in one]) <= MANY // 100 + 1
        assert len(asked) <= MANY // 100 + 3
        assert bot.sandbox.writes == []


async def test_what_waits_while_the_app_is_suspended_goes_on_afterwards(database: Database) -> None:
    async with running_bot(database, settle_seconds=60.0) as bot:
        bot.prepare(1)
        await bot.settle()
        bot.sandbox.suspend("pytorch")
        await bot.settle()
        await bot.hasten()
        await bot.refresh()
        (closing,) = [one for one in await bot.deliveries() if one.action == "closed"]
        assert (closing.state, closing.attempts, closing.error) == ("waiting", 0, "the account suspended the App")
        assert await bot.records() == []
        assert await installation_states(bot) == ["suspended"]
        assert bot.sandbox.writes == []

        bot.sandbox.unsuspend("pytorch")
        await bot.settle()
        assert [one.number for one in await bot.records()] == [1]
        assert "[#1]" in ((await bot.inbox()).body or "")
        assert await installation_states(bot) == ["active"]
        assert {one.state for one in await bot.deliveries()} == {"done"}


async def installation_states(bot: Running) -> list[str]:
    async with bot.services.database.sessions() as session:
        found = select(Installation.state).order_by(col(Installation.id))
        return list((await session.execute(found)).scalars())


async def state_of_all(bot: Running) -> list[Any]:
    """Return all that is to be the same whatever the order of the events."""
    async with bot.services.database.sessions() as session:
        repositories = (await session.execute(select(Repository).order_by(col(Repository.id)))).scalars()
        rows: list[Any] = [
            (one.id, one.full_name, one.private, one.archived, one.fork, one.state, one.installation_id)
            for one in repositories
        ]
        installations = (await session.execute(select(Installation).order_by(col(Installation.id)))).scalars()
        return rows + [(one.id, one.account_login, one.state) for one in installations]


def told(bot: Running) -> list[Sent]:
    """Play what may happen to repositories, each in a second of its own, and return the events."""
    sandbox, clock = bot.sandbox, TickingClock(bot)
    for owner in ("acme", "other"):
        sandbox.add_owner(owner)
    for name in ("kept", "moved", "dropped", "gone"):
        sandbox.add_repository("acme", name)
    steps: list[Callable[[], object]] = [
        lambda: sandbox.install("acme", ["acme/kept", "acme/moved", "acme/dropped"]),
        lambda: sandbox.install("other", "all"),
        lambda: sandbox.rename_repository("acme/kept", "renamed"),
        lambda: sandbox.privatize("acme/renamed"),
        lambda: sandbox.archive("acme/renamed"),
        lambda: sandbox.select_repositories("acme", add=("acme/gone",), remove=("acme/dropped",)),
        lambda: sandbox.suspend("acme"),
        lambda: sandbox.unsuspend("acme"),
        lambda: sandbox.publicize("acme/renamed"),
        lambda: sandbox.transfer_repository("acme/moved", "other"),
        lambda: sandbox.unarchive("acme/renamed"),
        lambda: sandbox.rename_repository("acme/renamed", "final"),
        lambda: sandbox.delete_repository("acme/gone"),
        lambda: sandbox.select_repositories("acme", add=("acme/dropped",)),
    ]
    for step in steps:
        step()
        clock.tick()
    return list(sandbox.deliveries)


class TickingClock:
    """Moves what the sandbox takes for now on by a minute each time, far enough in the past."""

    def __init__(self, bot: Running) -> None:
        self._world, self._minutes = bot.sandbox.world, itertools.count(1)
        self._start = bot.services.clock.now()
        self.tick()

    def tick(self) -> None:
        """Let a minute pass."""
        moment = self._start - timedelta(hours=2) + timedelta(minutes=next(self._minutes))
        self._world.now = lambda: moment  # type: ignore[method-assign]  # only the sandbox's stamps are turned


async def test_events_in_any_order_and_twice_lead_to_the_same_rows(database: Database) -> None:
    """Each order is handled by an own bot on an own database state; what GitHub says at the end is what counts."""
    async with running_bot(database) as bot:
        events = told(bot)
        expected: list[Any] | None = None
        for seed in range(5):
            chance = random.Random(seed)  # noqa: S311  an order, no secret
            order = list(events) if seed == 0 else chance.sample([*events, *events], 2 * len(events))
            await handle_all(bot, order)
            found = await state_of_all(bot)
            names = {row[1]: row for row in found}
            assert names["acme/final"][2:5] == (False, False, False)
            expected = expected or found
            assert found == expected, f"order {seed}"
            async with bot.services.database.sessions.begin() as session:
                for table in (Repository, Installation):
                    for row in (await session.execute(select(table))).scalars():
                        await session.delete(row)


async def handle_all(bot: Running, order: list[Sent]) -> None:
    """Handle the events as if they had come ten minutes ago."""
    for place, sent in enumerate(order):
        came = bot.services.clock.now() - timedelta(minutes=10) + timedelta(milliseconds=place)
        payload = json.loads(sent.payload)
        delivery = Delivery(
            guid=f"{place}", unit="", event=sent.event, action=sent.action, payload="", received_at=came,
            not_before=came, sender_id=payload["sender"]["id"],
        )  # fmt: skip
        await handle(bot.services, delivery, payload)


async def test_an_old_event_of_an_installation_takes_nothing_over(database: Database) -> None:
    """A repository belongs to the installation that GitHub names, whichever event comes last."""
    async with running_bot(database) as bot:
        bot.prepare()
        bot.sandbox.add_owner("other")
        first = bot.sandbox.installation("pytorch")
        await bot.settle()
        created = next(one for one in bot.sandbox.deliveries if (one.event, one.action) == ("installation", "created"))
        bot.sandbox.install("other", "all")
        bot.sandbox.transfer_repository(REPOSITORY, "other")
        await bot.settle()
        second = bot.sandbox.installation("other")
        assert (await bot.repository("other/pytorch")).installation_id == second.id
        again = Outbox(bot.sandbox.world).again(created)
        again.guid = "late"
        await bot.settle()
        (late,) = [one for one in await bot.deliveries() if one.guid == "late"]
        assert late.state == "waiting", "GitHub may only be late to know"
        assert "does not say yet" in (late.error or "")
        assert (await bot.repository("other/pytorch")).installation_id == second.id
        assert first.id != second.id
