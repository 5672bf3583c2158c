"""What is recorded at the closing and what is read from the history years later are the same, field by field."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from pydantic import SecretStr
from sqlalchemy import text
from sqlmodel import SQLModel, col, select

import bot.store.tables as tables
from bot.backfill.access import Access
from bot.backfill.command import read_to_the_end, thrifty
from bot.backfill.course import Parameters
from bot.dispatch import ISSUE_HANDLERS, handle
from bot.features.collect import collect
from bot.features.late_links import look_again
from bot.queue import open_jobs
from bot.sandbox.app_identity import new_private_key
from bot.sandbox.sandbox import Sandbox
from bot.services import Services, open_github, open_pool
from bot.settings import Settings
from bot.store.database import Database
from classifier import load_classifier
from tests.support.backfilling import compared
from tests.support.clock import VirtualClock
from tests.support.histories import FRAME, OTHER, Act, History, lives

KEY = new_private_key()
COMPARED: tuple[type[SQLModel], ...] = (
    tables.Record,
    tables.Span,
    tables.Fix,
    tables.FixFile,
    tables.Participation,
    tables.EvidenceText,
)
NOT_COMPARED = {"gathered_at"}


class Live:
    """A bot that hears of everything at once; its webhooks skip the door and the queue, which change nothing."""

    def __init__(self, sandbox: Sandbox, services: Services) -> None:
        self.sandbox, self.services = sandbox, services
        self._heard = 0

    async def hear(self) -> None:
        """Handle what the sandbox has to say since last time, as the worker would."""
        said = self.sandbox.deliveries
        for one in said[self._heard :]:
            is_known = (one.event, one.action or "") in ISSUE_HANDLERS or one.event.startswith("installation")
            if is_known:
                payload = json.loads(one.payload)
                delivery = tables.Delivery(
                    guid=one.guid, unit="", event=one.event, action=one.action, payload=one.payload,
                    sender_id=payload["sender"]["id"], received_at=one.created_at, not_before=one.created_at,
                )  # fmt: skip
                await handle(self.services, delivery, payload)
        self._heard = len(said)

    async def rows(self) -> dict[str, list[dict[str, Any]]]:
        """Return everything recorded of issues that are closed now, for comparison."""
        async with self.services.database.sessions() as session:
            closed = select(tables.Record.issue_id).where(col(tables.Record.is_open).is_(False))
            ids = set((await session.execute(closed)).scalars())
            found = {}
            for table in COMPARED:
                rows = map(_plain, (await session.execute(select(table))).scalars())
                found[str(table.__tablename__)] = sorted((row for row in rows if row["issue_id"] in ids), key=repr)
        return found


def _plain(row: SQLModel) -> dict[str, Any]:
    return {name: value for name, value in compared(row).items() if name not in NOT_COMPARED}


@asynccontextmanager
async def a_bot(database: Database, bots: frozenset[str] = frozenset()) -> AsyncIterator[tuple[Live, History]]:
    """Start a bot and a sandbox with an empty database, the App installed on two repositories."""
    async with database.sessions.begin() as session:
        names = ", ".join(f'"{name}"' for name in SQLModel.metadata.tables if name != "secret")
        await session.execute(text(f"TRUNCATE {names}"))
    clock = VirtualClock()
    sandbox = Sandbox(clock, secret="s", private_key=KEY, webhook_url="http://127.0.0.1:9/")
    history = History(sandbox, clock)
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(sandbox.running())
        chosen = Settings(
            app_id=sandbox.app.id, private_key=SecretStr(KEY), webhook_secret=(SecretStr("s"),),
            github_api_url=address, observe_days=0.0, inbox_delay_seconds=0.0, backfill_days=0.0, bot_logins=bots,
        )  # fmt: skip
        pool = await stack.enter_async_context(open_pool(database.conninfo, 2))
        await stack.enter_async_context(open_jobs(pool))
        github = await stack.enter_async_context(open_github(chosen, clock))
        live = Live(sandbox, Services(chosen, database, pool, github, load_classifier(), clock))
        history.begin()
        sandbox.install("acme", [FRAME, OTHER])
        await live.hear()
        yield live, history


async def backfill_all(live: Live) -> None:
    """Forget every record and read both repositories' histories instead."""
    services = live.services
    async with services.database.sessions.begin() as session:
        names = ", ".join(f'"{table.__tablename__}"' for table in COMPARED) + ", proposal"
        await session.execute(text(f"TRUNCATE {names}"))
    for name in (FRAME, OTHER):
        async with services.database.sessions() as session:
            row = await session.get_one(tables.Repository, live.sandbox.repository(name).id)
        installation_id = live.sandbox.installation("acme").id
        bot_id = await services.github.bot_user_id()
        access = Access(
            services.client(installation_id), installation_id, bot_id, row, bots=services.settings.bot_logins
        )
        careful = thrifty(services.settings, services.database, services.clock, access, lambda _: None)
        await read_to_the_end(careful, services.database, services.clock, access, Parameters(), lambda _: None)


async def look_late(live: Live, history: History) -> None:
    """Let a week pass, so that late links are looked for; where a fix was known already, gather as if asked for it."""
    services = live.services
    async with services.database.sessions() as session:
        awaited = set((await session.execute(select(tables.AwaitedLink.issue_id))).scalars())
    history.clock.advance(days=8)
    await look_again(services, live.sandbox.installation("acme").id)
    for issue in history.issues:
        is_closed = issue.closed_at is not None and not issue.deleted
        if issue.id in history.late and is_closed and issue.id not in awaited:
            async with services.database.sessions() as session:
                place = await session.get_one(tables.Repository, issue.repository_id)
            await collect(services, place, issue.number)


async def check(
    database: Database, acts: list[Act], bots: frozenset[str] = frozenset()
) -> dict[str, list[dict[str, Any]]]:
    """Live through a history, then read it back; return what both recorded."""
    async with a_bot(database, bots) as (live, history):
        for act in acts:
            history.do(act)
            await live.hear()
        await look_late(live, history)
        at_closing = await live.rows()
        await backfill_all(live)
        read_later = await live.rows()
    for name, rows in at_closing.items():
        assert rows == read_later[name], name
    return at_closing


@settings(
    max_examples=20, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(acts=lives)
async def test_live_and_backfilled_records_are_equal(database: Database, acts: list[Act]) -> None:
    await check(database, acts)


async def test_everything_that_may_happen_to_an_issue(database: Database) -> None:
    """One history that holds every kind of act, so that none of them is left out by chance."""
    kinds = [
        "comment", "comment", "comment", "label", "edit_body", "delete_comment", "talk_on_fix", "close", "comment",
        "label", "edit_body", "edit_title", "reopen", "merge_linked", "talk_on_fix", "comment", "close_by_pull",
        "talk_on_fix", "unlabel", "comment", "lock", "revert", "edit_body", "link_late", "commit_says_so",
    ]  # fmt: skip
    acts = [Act(kind, 0, place * 7, 3) for place, kind in enumerate(kinds)]
    acts += [
        Act(kind, 1, place * 5, 2)
        for place, kind in enumerate(["comment", "transfer", "comment", "close_by_commit", "comment", "label"])
    ]
    acts += [
        Act(kind, 2, place * 3, 2) for place, kind in enumerate(["comment", "close_by_hidden", "comment", "unlabel"])
    ]
    recorded = await check(database, acts)
    assert len(recorded["record"]) == 3
    assert {row["fix_link"] for row in recorded["record"]} >= {"closer_pr", "closer_commit", "private"}
    assert max(row["reopened"] for row in recorded["record"]) == 1


async def test_a_fix_reverted_before_the_last_closing_counts_for_neither(database: Database) -> None:
    acts = [
        Act(kind, 0, 2, 3) for kind in ("comment", "close_by_pull", "reopen", "revert", "comment", "close", "comment")
    ]
    recorded = await check(database, acts)
    assert [row["fix_kind"] for row in recorded["record"]] == [None]


async def test_a_late_link_and_a_configured_bot_are_the_same_to_both(database: Database) -> None:
    acts = [Act("comment", 0, choice, 2) for choice in (0, 1, 2)]
    acts += [Act(kind, 0, 4, 2) for kind in ("close", "comment", "link_late")]
    acts += [Act(kind, 1, 4, 1) for kind in ("close_by_hidden", "merge_linked")]
    acts += [Act(kind, 2, 3, 1) for kind in ("close", "commit_says_so")]
    recorded = await check(database, acts, bots=frozenset({"Cy"}))
    records = sorted(recorded["record"], key=lambda row: row["number"])
    assert [row["fix_link"] for row in records] == ["linked_pr", "linked_pr", "commit_keyword"]
    assert records[0]["issue_comments"] == 2, "one of the three is by a bot"


async def test_what_a_person_said_stands_in_both(database: Database) -> None:
    async with a_bot(database) as (live, history):
        for act in (Act("comment", 0, 0, 1), Act("comment", 0, 5, 1), Act("close_by_pull", 0, 4, 1)):
            history.do(act)
        number = history.issues[0].number
        other = live.sandbox.add_pull_request(FRAME, "Fix it otherwise", "bob", merged_at=history.clock.now())
        live.sandbox.comment(FRAME, number, "cy", f"/rootcause fix #{other.number}\n/rootcause reproduced 2")
        await live.hear()
        at_closing = await live.rows()
        (record,) = at_closing["record"]
        assert (record["fix_link"], record["comments_until_reproduced"]) == ("manual", 2)
        await backfill_all(live)
        assert at_closing == await live.rows()
        await backfill_all(live)
        assert at_closing == await live.rows(), "also where the backfill meets its own record"
