"""`rootcause show` on records that were read from the local GitHub, and a sentence for every mistake."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import update
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.features.people import read_people
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.store.database import Database
from bot.store.tables import Decision, Repository
from tests.support.backfilling import Backfilling, backfilling
from tests.support.clock import START, VirtualClock

FRAME = "acme/frame"
HOSTILE = "Crash \x1b[2J\x1b]0;owned\x07 \u202eat start"


@pytest.fixture
async def world(database: Database) -> AsyncIterator[Backfilling]:
    """One closed issue with a fix and a decision, one that is open, and a repository read by its present name."""
    clock = VirtualClock()
    sandbox = Sandbox(clock, secret="s", limits=Limits())
    sandbox.add_owner("acme")
    sandbox.add_repository("acme", "frame", private=False)
    for login in ("ann", "bob"):
        sandbox.add_user(login)
    sandbox.grant(FRAME, "bob", "write")
    number = sandbox.open_issue(FRAME, "ann", HOSTILE, "It crashes at the start.", at=START).number
    clock.advance(hours=30)
    sandbox.comment(FRAME, number, "bob", "I can reproduce this.", at=clock.now())
    clock.advance(hours=6)
    closer = sandbox.add_pull_request(
        FRAME, "Fix it", "bob", closes=[number], merged_at=clock.now(), merged_by="bob",
        files=[{"path": "src/a.py", "status": "modified", "additions": 2, "deletions": 1}],
    )  # fmt: skip
    sandbox.close(FRAME, number, "bob", closer=closer, at=clock.now())
    sandbox.open_issue(FRAME, "ann", "Still open", at=clock.now())
    async with backfilling(sandbox, database, clock) as found:
        await found.run(FRAME)
        (record,) = await found.records()
        await read_people(found.client, database, clock, [record.repository_id])
        async with database.sessions.begin() as session:
            session.add(
                Decision(
                    issue_id=record.issue_id, repository_id=record.repository_id, person_id=sandbox.account("bob").id,
                    category="memory-leak", via="comment", source="comment:1", decided_at=clock.now(),
                )
            )  # fmt: skip
        yield found


def in_thread(world: Backfilling, *words: str, **environment: str) -> Result:
    """Run the command beside the test's event loop, since it opens one of its own."""
    address = world.database.url.render_as_string(hide_password=False)
    environment["DATABASE_URL"] = address
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(CliRunner().invoke, app, ["show", *words], env=environment).result()


async def test_a_record_is_shown_with_the_source_of_every_value(world: Backfilling) -> None:
    result = in_thread(world, "ACME/frame#1")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[0] == "acme/frame#1 Crash \\x1b[2J\\x1b]0;owned\\x07 \\u202eat start"
    assert any(re.match(r"open_days 1\.5 - creation 2026-11-02 09:00 UTC to the closing", line) for line in lines)
    assert "fix pull request #2 - found by the closing event (closer_pr), landed 2026-11-03 21:00 UTC" in lines
    assert "comments_until_reproduced 1 - a guess by the heuristic on members' comments, enters no test" in lines
    assert "languages Python - tests left out; source by their names: 1 of 1 files" in lines
    assert any(line.startswith("member_contributions ") and "public contributions in 2026" in line for line in lines)
    assert any(line.startswith("decision memory-leak - by a comment, ") for line in lines)
    assert "exclusion fewer_than_3_comments" not in lines
    assert any("people wrote fewer than 3 comments - against eligible_system alone" in line for line in lines)


async def test_nobody_is_named_and_nothing_is_coloured_where_no_terminal_reads(world: Backfilling) -> None:
    for words in ((f"{FRAME}#1",), (f"{FRAME}#1", "--json")):
        result = in_thread(world, *words)
        assert result.exit_code == 0
        assert "\x1b" not in result.stdout
        assert re.search(r"\b(?:ann|bob)\b", result.stdout) is None
        assert str(world.sandbox.account("bob").id) not in re.findall(r"\d+", result.stdout)


async def test_a_terminal_gets_colours_and_its_width_and_no_escape_of_others(world: Backfilling) -> None:
    shown = in_thread(world, f"{FRAME}#1", FORCE_COLOR="1", COLUMNS="80", TERM="xterm-256color", NO_COLOR="").stdout
    assert "\x1b[1" in shown
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "\x1b" not in plain
    assert max(map(len, plain.splitlines())) <= 80


async def test_a_program_reads_one_line_of_json(world: Backfilling) -> None:
    result = in_thread(world, f"{FRAME}#1", "--json")
    found = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    assert (found["number"], found["title"]) == (1, HOSTILE)
    assert found["conversation"]["issue_comments"]["value"] == 1
    assert found["fix"]["changed_lines"] == {"value": 3, "source": "+2 -1, GitHub's own totals"}
    assert found["people"]["fix_authors"]["value"] == 1
    assert found["decision"]["decision"][0]["value"] == "memory-leak"


async def test_an_older_name_of_a_framework_leads_to_it(world: Backfilling) -> None:
    async with world.database.sessions.begin() as session:
        await session.execute(update(Repository).values(full_name="keras-team/keras"))
    assert in_thread(world, "fchollet/keras#1").stdout.startswith("keras-team/keras#1 ")


async def test_what_cannot_be_shown_is_said_with_what_to_do(world: Backfilling) -> None:
    for reference, said in {
        "acme/frame": "'acme/frame' is no issue; write owner/name#12, such as pytorch/pytorch#12.",
        "acme/frame#\x1b[2J": "'acme/frame#\\x1b[2J' is no issue",
        "acme/frame#99999999999999999999": "is no issue",
        "no/such#1": "No repository no/such is stored here. To read its history: rootcause backfill no/such",
        "acme/frame#2": "acme/frame#2 is not recorded: closed issues are, pull requests never.",
        "acme/frame#3": "if it was closed before, read the history: rootcause backfill acme/frame --limit 200",
        "acme/frame#999999999": "acme/frame#999999999 is not recorded",
    }.items():
        result = in_thread(world, reference)
        assert (result.exit_code, result.stdout) == (2, ""), reference
        assert said in result.stderr
        assert "Traceback" not in result.output
