"""`rootcause try` against the local GitHub: what is read, what the page says, and that nothing is written."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.clock import SystemClock
from bot.github.errors import RateLimited
from bot.leaving import until_stopped
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.store.database import Database
from bot.trying.outcome import Tried, coverage, figures
from bot.trying.run import read_and_build, serve
from bot.trying.serving import served
from tests.support.backfilling import Backfilling, backfilling
from tests.support.clock import START, VirtualClock
from tests.support.promised import kept_promise
from tests.support.subprocesses import processes_below

FRAME = "acme/frame"
LEAK = "Memory leak: memory grows with every batch until the process is killed"
LEAK_BODY = "RSS climbs by 40 MB with every pass until the process is OOM killed. Valgrind: definitely lost."


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def fill(sandbox: Sandbox, name: str, issues: int, title: str = LEAK) -> None:
    """Close so many leaks in a new archived repository, one an hour, each fixed and with three comments."""
    owner, _, repository = name.partition("/")
    sandbox.add_owner(owner)
    sandbox.add_repository(owner, repository, archived=True)
    for login in ("ann", "bob"):
        sandbox.add_user(login)
    for place in range(issues):
        number = sandbox.open_issue(name, "ann", title, LEAK_BODY, labels=("bug",), at=at(place)).number
        for part in range(3):
            sandbox.comment(name, number, "bob", f"Me too, {part}", at=at(place + 0.1))
        closer = sandbox.add_pull_request(
            name, "Free it", "bob", closes=[number], merged_at=at(place + 0.5), merged_by="bob",
            files=[{"path": "a.py", "status": "modified", "additions": 2, "deletions": 1}],
        )  # fmt: skip
        sandbox.close(name, number, "bob", closer=closer, at=at(place + 12))


@pytest.fixture
async def world(database: Database) -> AsyncIterator[Backfilling]:
    clock = VirtualClock(at(100))
    sandbox = Sandbox(clock, secret="s", limits=Limits())
    fill(sandbox, FRAME, 24)
    async with backfilling(sandbox, database, clock) as found:
        yield found


async def tried(world: Backfilling, most: int) -> Tried:
    access = await world.access(FRAME)
    return await read_and_build(world.settings, world.database, world.clock, access, most)


def numbers(found: Tried) -> list[int]:
    return sorted(record.number for record in found.records)


async def test_the_latest_closings_make_a_page_that_says_that_nobody_decided(world: Backfilling) -> None:
    found = await tried(world, 20)
    expected = [issue.number for issue in world.sandbox.issues(FRAME)][-20:]
    assert (numbers(found), sorted(found.latest.numbers)) == (expected, expected)
    assert found.counts == {
        "closings": 20, "read": 20, "recorded": 20, "eligible": 20, "with_fix": 20, "unknown": 0, "proposed": 20
    }  # fmt: skip
    assert (world.sandbox.writes, world.sandbox.violations) == ([], [])
    assert coverage(found).startswith(f"{FRAME}: 20 latest closings, 20 read now, 20 recorded, 20 eligible, 20 with a")
    names = [name for name, _ in world.client.asked]
    assert (names.count("LatestClosed"), "IssuesPage" in names) == (1, False)
    html = found.html
    assert "Issue triage report 2026-11: ML vs traditional frameworks" in html
    assert "Nobody has decided anything here" in html
    assert "20 latest closings of acme/frame" in html
    assert "<td>Closed in the window</td>" in html
    below = html[html.index('id="undecided"') :]
    assert "confirmed by nobody" in below
    assert re.search(r"<td>Days open</td>\s*<td[^>]*>20</td>\s*<td[^>]*>0\.5 \[0\.5–0\.5\]</td>", below)
    assert re.search(r"<td>Memory leak</td>\s*<td[^>]*>20</td>", below)


async def test_a_second_run_reads_only_what_was_touched_since(world: Backfilling) -> None:
    await tried(world, 10)
    touched = world.sandbox.issues(FRAME)[-2].number
    world.sandbox.comment(FRAME, touched, "ann", "Thanks!", at=world.clock.now())
    await world.clock.sleep(60)
    world.client.asked.clear()
    again = await tried(world, 10)
    assert (again.latest.read, again.counts["recorded"]) == (1, 10)
    assert [name for name, _ in world.client.asked].count("IssueEvidenceTogether") == 1
    fewer = await tried(world, 3)
    assert (fewer.latest.read, fewer.counts["recorded"], fewer.report.funnel.groups["ml"].closed) == (0, 3, 0)
    assert fewer.report.funnel.this_repository is not None
    assert fewer.report.funnel.this_repository.closed == 3
    world.sandbox.reopen(FRAME, touched, "ann")
    assert touched not in numbers(await tried(world, 3)), "it is open again"


async def test_a_run_that_was_stopped_by_the_limit_goes_on(world: Backfilling) -> None:
    original, moments = world.client.graphql, [at(101)]

    async def refuse(query: str, variables: Any = None, *, attempts: int = 3) -> dict[str, Any]:
        if "IssueEvidenceTogether" in query and "IssueEvidenceTogether" in [name for name, _ in world.client.asked]:
            raise RateLimited("used up", moments[0], kind="primary")
        return await original(query, variables, attempts=attempts)

    world.client.graphql = refuse  # type: ignore[method-assign]  # GitHub's limit, at a chosen request
    with pytest.raises(RateLimited):
        await tried(world, 24)
    stored = len(await world.records())
    assert 0 < stored < 24
    world.client.graphql = original  # type: ignore[method-assign]  # an hour later
    found = await tried(world, 24)
    assert (found.latest.read, found.counts["recorded"]) == (24 - stored, 24)


async def test_only_the_peoples_profiles_missing_does_not_cost_the_page(world: Backfilling) -> None:
    original = world.client.graphql

    async def refuse(query: str, variables: Any = None, *, attempts: int = 3) -> dict[str, Any]:
        if "followers" in query:
            raise RateLimited("used up", at(101), kind="primary")
        return await original(query, variables, attempts=attempts)

    world.client.graphql = refuse  # type: ignore[method-assign]  # GitHub's limit, at the people
    found = await tried(world, 5)
    assert not found.latest.knows_people
    assert any("a second run adds them" in note for note in found.report.notes)


async def test_the_page_asks_nobody_for_anything_and_runs_nothing(database: Database) -> None:
    clock = VirtualClock(at(100))
    sandbox = Sandbox(clock, secret="s")
    hostile = "Memory leak <script>alert(1)</script> ![x](https://evil.example/x.png) <img src=//evil.example> | @ann"
    fill(sandbox, FRAME, 2, hostile)
    async with backfilling(sandbox, database, clock) as world:
        html = (await tried(world, 5)).html
    assert "alert(1)" in html
    assert re.findall(r"<(?:script|img|link|iframe|object|embed|form|video|audio)\b", html) == []
    assert re.findall(r"\b(?:src|srcset|action|data)=", re.sub(r"&[^;]+;", "", html)) == []
    assert "url(" not in html
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html


async def test_a_repository_without_closings_has_a_page_that_says_so(database: Database) -> None:
    clock = VirtualClock()
    sandbox = Sandbox(clock, secret="s")
    fill(sandbox, FRAME, 0)
    async with backfilling(sandbox, database, clock) as world:
        found = await tried(world, 5)
    assert found.counts["closings"] == 0
    assert "no closed issue of acme/frame could be read" in found.html
    assert figures(found, Path("report.html"), None)["period"] == "2026-11"


# --- as a person runs it ---


async def run(sandbox: Sandbox, folder: Path, here: dict[str, str], *words: str, code: int = 0) -> Result:
    """Run the command beside the test's event loop, in which the local GitHub answers; it must not write there."""
    surroundings = {
        "ROOTCAUSE_DATA_DIR": str(folder / "data"),
        "DATABASE_URL": "postgresql://operator:hidden-word@127.0.0.1:1/operators",
        "ROOTCAUSE_READ_TOKEN": sandbox.personal_token("reader"),
        **here,
    }
    result = await asyncio.to_thread(CliRunner().invoke, app, ["try", *words], env=surroundings)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    assert sandbox.writes == []
    return result


@pytest.fixture
async def github() -> AsyncIterator[tuple[Sandbox, str]]:
    """A local GitHub and its address, with a repository that has had an older name, and one that is private."""
    sandbox = Sandbox(VirtualClock(at(100)), secret="s")
    fill(sandbox, "acme/older", 3)
    sandbox.rename_repository("acme/older", "frame")
    sandbox.add_repository("acme", "vault", private=True)
    sandbox.add_user("reader")
    async with sandbox.running() as address:
        yield sandbox, address


async def test_a_page_is_written_apart_from_the_operators_data(
    github: tuple[Sandbox, str], memory_folder: Path
) -> None:
    sandbox, address = github
    here = {"ROOTCAUSE_GITHUB_API_URL": address}
    first = await run(sandbox, memory_folder, here, "acme/older", "--exit", "--json")
    found = kept_promise(["try"], first.stdout)
    page, report = Path(found["page_path"]), Path(found["report_path"])
    assert (found["repository"], found["read"], found["page_url"]) == (FRAME, 3, None)
    assert (found["page_path"] in first.stderr, "3 latest closings" in first.stderr) == (True, True)
    assert page.read_text().startswith("<!doctype html>")  # noqa: ASYNC240 - small
    assert "**Coverage.**" in report.read_text()  # noqa: ASYNC240 - small
    assert [path.name for path in (memory_folder / "data").iterdir()] == ["try"]
    second = await run(sandbox, memory_folder, here, "ACME/Frame", "--exit")
    assert f"{FRAME}: 3 latest closings, 0 read now, 3 recorded" in second.stdout
    assert str(page) in second.stdout
    assert processes_below(memory_folder) == []


async def test_every_mistake_is_one_sentence_and_leaves_nothing(github: tuple[Sandbox, str], tmp_path: Path) -> None:
    sandbox, address = github
    here = {"ROOTCAUSE_GITHUB_API_URL": address}
    told = {
        ("acme",): ("'acme' is no repository; write owner/name", 2, here),
        ("../..",): ("'../..' is no repository; write owner/name", 2, here),
        ("acme/..",): ("'acme/..' is no repository; write owner/name", 2, here),
        ("no/such",): ("GitHub shows no repository no/such: the name is misspelt, or it is private", 2, here),
        ("acme/vault",): ("GitHub shows no repository acme/vault: the name is misspelt, or it is private", 2, here),
        (FRAME,): ("none is set: make one that may read public repositories", 2, {**here, "ROOTCAUSE_READ_TOKEN": " "}),
        (FRAME, "--exit"): ("GitHub refuses the token", 2, {**here, "ROOTCAUSE_READ_TOKEN": "ghp_wrong"}),
        (FRAME, "--json"): ("ROOTCAUSE_GITHUB_API_URL: ", 2, {"ROOTCAUSE_GITHUB_API_URL": "nonsense"}),
    }
    for words, (sentence, code, environment) in told.items():
        result = await run(sandbox, tmp_path, environment, *words, code=code)
        assert sentence in result.stderr
        assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    assert not (tmp_path / "data").exists()


async def test_a_limit_that_is_used_up_is_said_with_its_end(tmp_path: Path) -> None:
    sandbox = Sandbox(SystemClock(), secret="s", limits=Limits(primary=1))
    sandbox.add_user("reader")
    async with sandbox.running() as address:
        token = sandbox.personal_token("reader")
        async with aiohttp.ClientSession(headers={"authorization": f"Bearer {token}"}) as session:
            await session.get(f"{address}/repos/no/such")
        here = {"ROOTCAUSE_GITHUB_API_URL": address, "ROOTCAUSE_READ_TOKEN": token}
        result = await run(sandbox, tmp_path, here, FRAME, code=1)
    assert re.fullmatch(r"No more may be read with this token before \d\d:\d\d UTC: [^\n]+kept\.\n", result.stderr)


async def test_the_page_is_served_to_this_machine_alone() -> None:
    async with served("<p>page</p>") as address, aiohttp.ClientSession() as session:
        async with session.get(address) as answer:
            assert (await answer.text(), answer.headers["content-type"]) == ("<p>page</p>", "text/html; charset=utf-8")
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        async with session.get(address, headers={"host": "evil.example"}) as answer:
            assert answer.status == 403


async def test_where_the_page_is_served_is_said_and_ctrl_c_ends_that(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def tell(_tried: Tried, _page: Path, address: str, *, as_json: bool) -> None:
        told.append(f"{address}{as_json}")
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("bot.trying.run.tell", tell)
    tried: Any = SimpleNamespace(html="<p>page</p>")
    with pytest.raises(KeyboardInterrupt):
        await until_stopped(serve(tried, Path("report.html"), as_json=True))
    (address,) = told
    assert re.fullmatch(r"http://127.0.0.1:\d+/True", address)
