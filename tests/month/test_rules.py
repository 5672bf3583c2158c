"""The month's rules find what they are there to find."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.sandbox.records import Write
from bot.sandbox.sandbox import Sandbox
from tests.month.ledger import golden, pings, too_fast
from tests.month.rules import breaches
from tests.month.stage import ATTIC, ENGINE, HARBOR, LIGHTS, LOCKER, QUAY, START, STRANGERS, day, prepare
from tests.support.clock import VirtualClock
from tests.support.turned_clock import turned_database


def write(body: str, **facts: object) -> Write:
    path = f"/repos/{LIGHTS}/issues/7/comments"
    return Write(1, START, 1, "POST", str(facts.get("path", path)), {"body": body}, 201)


@pytest.mark.parametrize("body", ["Thanks @stranger-01", "(@acme/team)", "**@ann**", "> @ann said so", "`a` @ann `b`"])
def test_a_ping_is_found(body: str) -> None:
    assert pings([write(body)]) != []


@pytest.mark.parametrize("body", ["`@ann`", "```\n@ann\n```", "ann@example.org", "<!-- @ann -->", "at @ nobody"])
def test_what_pings_nobody_is_let_alone(body: str) -> None:
    assert pings([write(body)]) == []


def test_writes_that_come_too_fast_are_found() -> None:
    second = timedelta(seconds=1)
    assert too_fast([START + second * index for index in range(60)]) == []
    assert too_fast([START, START + second / 2]) != []
    assert too_fast([START + second * 0.7 * index for index in range(82)])[-1].startswith("81 writes in the minute")


def test_a_golden_line_says_when_what_where_and_how_the_text_begins() -> None:
    line = golden([write("<!-- m -->\n\nIt is http://127.0.0.1:1/here.\nMore.")], "http://127.0.0.1:1")
    assert line.startswith(f"11-01 08:00:00 POST /repos/{LIGHTS}/issues/7/comments ")
    assert line.endswith(" It is /here.\n")


def test_each_rule_finds_its_breach() -> None:
    sandbox = Sandbox(VirtualClock(START))
    prepare(sandbox, HARBOR)
    prepare(sandbox, QUAY)
    sandbox.install(HARBOR, [LIGHTS])
    bot = "rootcause[bot]"
    issue = sandbox.open_issue(LIGHTS, STRANGERS[0], "It leaks", labels=("root-cause/memory-leak",))
    said = sandbox.comment(LIGHTS, issue.number, LOCKER, "/rootcause help")
    sandbox.react(LIGHTS, issue.number, bot, "eyes", said.id)
    for index, body in enumerate(("An answer.", "An answer.", "<!-- rootcause:proposal -->")):
        path = f"/repos/{LIGHTS}/issues/{issue.number}/comments"
        sandbox.world.add(Write(90 + index, START - timedelta(days=index), 1, "POST", path, {"body": body}, 201))
    sandbox.unlabel(LIGHTS, issue.number, STRANGERS[1], "root-cause/memory-leak")
    sandbox.label(LIGHTS, issue.number, bot, "root-cause/memory-leak")
    sandbox.label(LIGHTS, issue.number, bot, "bug")
    for number, place in enumerate((ENGINE, ATTIC, LIGHTS, LIGHTS)):
        data = {"body": f"<!-- rootcause:inbox repository={sandbox.repository(place).id} -->\n"}
        sandbox.world.add(
            Write(number, START + timedelta(hours=number), 1, "POST", f"/repos/{place}/issues", data, 201)
        )
    found = "\n".join(breaches(sandbox, day(7), START + timedelta(hours=3)))
    for breach in (
        "2 comments of one kind", "an answer to nobody", "a sticky comment", "a reaction to a bot", "came back",
        "labeled bug", "2 inboxes <!-- rootcause:inbox", "still observed", "only observes", "had gone",
    ):  # fmt: skip
        assert breach in found, found


async def test_the_database_tells_the_time_of_the_virtual_clock(database_url: str) -> None:
    async with turned_database(database_url, START) as (database, clock):
        await clock.sleep(90)
        async with database.sessions() as session:
            told = (await session.execute(text("SELECT now()"))).scalar_one()
        assert told == clock.now() == START + timedelta(seconds=90)
