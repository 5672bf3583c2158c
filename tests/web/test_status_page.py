"""The operator's page: who gets in, who may act, what it shows, and that a delivery which failed waits again."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from pydantic import SecretStr, ValidationError
from sqlalchemy import text

from bot.clock import SystemClock
from bot.queue import open_jobs
from bot.services import open_pool
from bot.settings import Settings
from bot.store.database import Database
from bot.store.tables import Delivery, GitHubLimit, Installation, ModelVersion, Report, Repository
from bot.web.entry import COOKIE, COOKIE_SECONDS, Entry
from bot.web.limits import Addresses, RateLimit
from bot.web.protection import protect
from bot.web.status import StatusPages

TOKEN = "a token that nobody can guess"
PRIVATE = "acme/secret-plans"


@dataclass
class Visitor:
    """A browser at the pages, which keeps cookies and follows nothing by itself."""

    base: str
    session: aiohttp.ClientSession

    async def ask(self, method: str, path: str, **more: Any) -> tuple[int, str, aiohttp.ClientResponse]:
        async with self.session.request(method, self.base + path, allow_redirects=False, **more) as answer:
            return answer.status, await answer.text(), answer

    async def sign_in(self, token: str = TOKEN) -> aiohttp.ClientResponse:
        return (await self.ask("POST", "/status", data={"token": token}))[2]


@asynccontextmanager
async def status_pages(
    database: Database, token: str | None = TOKEN, limit: RateLimit | None = None, **entry: Any
) -> AsyncIterator[Visitor]:
    settings = Settings(status_token=SecretStr(token) if token is not None else None, public_url="https://root.example")
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(open_pool(database.conninfo, 2))
        await stack.enter_async_context(open_jobs(pool))
        app = web.Application()
        protect(app, limit or RateLimit(), Addresses(0))
        StatusPages(settings, database, SystemClock(), Entry(settings, **entry)).add_routes(app)
        server = await stack.enter_async_context(TestServer(app))
        jar = aiohttp.CookieJar(unsafe=True)
        session = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=jar))
        yield Visitor(str(server.make_url("")).rstrip("/"), session)


def failed(guid: str, number: int = 7, **more: Any) -> Delivery:
    now = datetime.now(UTC)
    facts = {"state": "failed", "attempts": 3, "error": "KeyError: <b>label</b>", "received_at": now, **more}
    unit = f"issue:1:{number}"
    return Delivery(
        guid=guid, unit=unit, event="issues", action="closed", repository_id=1, number=number, payload="{}",
        not_before=now, **facts,
    )  # fmt: skip


async def fill(database: Database) -> None:
    """Store something of everything that the page shows."""
    now = datetime.now(UTC)
    moment = now - timedelta(minutes=20)
    async with database.sessions.begin() as session:
        session.add_all([
            Installation(id=31, account_login="acme", created_at=now, recent_writes=[now, moment]),
            Repository(id=1, full_name=PRIVATE, private=True, state="active", created_at=now, updated_at=now),
            failed("guid-1"),
            failed("guid-2", 8),
            failed("guid-3", 9, state="waiting", error=None),
            failed("guid-4", 10, state="done", received_at=now - timedelta(hours=3)),
            GitHubLimit(
                installation_id=31, resource="core", used=1234, minute_at=now, resets_at=now + timedelta(minutes=30),
                closed_until=now + timedelta(minutes=2),
            ),
            GitHubLimit(installation_id=0, resource="graphql", used=77, minute_at=now, resets_at=moment),
            ModelVersion(version="v9", state="champion", created_at=moment, promoted_at=moment),
            Report(repository_id=1, period="2026-09", state="posted", created_at=now, posted_at=now),
            Report(repository_id=1, period="2026-10", state="due", created_at=now),
        ])  # fmt: skip
        await session.execute(text("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now())"))
        await session.execute(
            text(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, status, scheduled_at, args) VALUES "
                "('live', 'process', 'todo', now() - interval '10 minutes', '{}'), "
                "('live', 'process', 'todo', now() + interval '1 hour', '{}'), "
                """('reports', 'publish_report', 'failed', NULL, '{"repository_id": 1, "period": "2026-10"}'), """
                """('live', 'recheck_issue', 'failed', NULL, '{"repository_id": 1, "number": 8}'), """
                """('live', 'process', 'aborted', NULL, '{"unit": "installation:31"}')"""
            )
        )
        await session.execute(text("UPDATE procrastinate_jobs SET attempts = 3 WHERE status = 'failed'"))
        await session.execute(
            text(
                "INSERT INTO failed_job (job_id, error) "
                "SELECT id, 'KeyError: <i>x</i>' FROM procrastinate_jobs WHERE task_name = 'recheck_issue'"
            )
        )


async def test_without_a_token_set_nobody_gets_in_and_the_page_says_how(database: Database) -> None:
    await fill(database)
    async with status_pages(database, token=None) as visitor:
        for method, path, more in (
            ("GET", "/status", {}),
            ("GET", "/status", {"headers": {"Authorization": "Bearer "}}),
            ("GET", "/status.json", {"headers": {"Authorization": "Bearer "}}),
            ("POST", "/status", {"data": {"token": ""}}),
            ("POST", "/status/retry", {"data": {"which": "all", "mark": ""}}),
        ):
            status, page, answer = await visitor.ask(method, path, **more)
            assert status == 404, path
            assert "ROOTCAUSE_STATUS_TOKEN" in page
            assert PRIVATE not in page
            assert "Set-Cookie" not in answer.headers


async def test_without_the_token_nothing_is_shown(database: Database) -> None:
    await fill(database)
    async with status_pages(database) as visitor:
        for headers in (
            {},
            {"Authorization": "Bearer wrong"},
            {"Authorization": f"Basic {TOKEN}"},
            {"Authorization": TOKEN},
            {"Cookie": f"{COOKIE}={TOKEN}"},
            {"Cookie": f"{COOKIE}=99999999999.x."},
            {"Cookie": f"{COOKIE}=."},
        ):
            for method, path in (("GET", "/status"), ("GET", "/status.json"), ("POST", "/status/retry")):
                data = {"which": "all", "mark": ""} if method == "POST" else None
                status, page, answer = await visitor.ask(method, path, headers=headers, data=data)
                assert status == 403, (headers, path)
                assert answer.headers["Cache-Control"] == "no-store"
                for hidden in ("acme", "guid-1", "KeyError", "1,234", TOKEN):
                    assert hidden not in page
    assert await states(database) == ["done", "failed", "failed", "waiting"]


async def states(database: Database) -> list[str]:
    async with database.sessions() as session:
        return sorted((await session.execute(text("SELECT state FROM delivery"))).scalars())


async def test_with_the_token_everything_is_shown_private_names_too(database: Database) -> None:
    await fill(database)
    async with status_pages(database) as visitor:
        status, page, answer = await visitor.ask("GET", "/status", headers={"Authorization": f"Bearer {TOKEN}"})
        assert status == 200, page
        assert answer.headers["Cache-Control"] == "no-store"
        assert "form-action 'self';" in answer.headers["Content-Security-Policy"]
        assert TOKEN not in page
        shown = " ".join(re.sub(r"<[^>]+>", " ", page).split())
        for said in (
            f"{PRIVATE} #7",
            "KeyError: &lt;b&gt;label&lt;/b&gt;",
            "2 deliveries failed for good",
            "A job of the queue live has been due for 10 min.",
            "GitHub refuses 1 window",
            "1 report could not be posted",
            "1 worker alive",
            "failed 2 2",
            "done 0 1",
            "acme 31 active 1 2",
            "acme 31 core 1,234 0 5,000",
            "the read token graphql 0 0 5,000",
            "v9 champion",
            f"{PRIVATE} private 2026-10 failed",
            "Retry all 2 deliveries",
            "3 jobs failed for good: read why below",
            "Retry all 3 jobs",
            f"Retry recheck_issue, job 4 recheck_issue {PRIVATE}#8 KeyError: &lt;i&gt;x&lt;/i&gt; job=4 3",
            f"publish_report {PRIVATE} the log line with job=3 says it job=3 3",
            "process acme the log line with job=5 says it job=5 0",
        ):
            assert said in shown, said


async def test_scripts_get_the_same_as_json(database: Database) -> None:
    await fill(database)
    async with status_pages(database) as visitor:
        _, _, answer = await visitor.ask("GET", "/status.json", headers={"Authorization": f"bearer {TOKEN}"})
        found = await answer.json()
    assert [one["guid"] for one in found["deliveries"]["failed"]] == ["guid-2", "guid-1"]
    assert found["queues"][0] | {"oldest": None} == {
        "queue": "live", "due": 1, "later": 1, "running": 0, "failed": 2, "oldest": None,
    }  # fmt: skip
    assert datetime.fromisoformat(found["queues"][0]["oldest"]) < datetime.now(UTC) - timedelta(minutes=10)
    assert found["workers"]["alive"] == 1
    assert [(one["id"], one["task"], one["error"]) for one in found["failed_jobs"]] == [
        (5, "process", None), (4, "recheck_issue", "KeyError: <i>x</i>"), (3, "publish_report", None),
    ]  # fmt: skip
    assert [(one["repository"], one["state"]) for one in found["reports"]] == [(PRIVATE, "failed")]
    assert len(found["needs_a_look"]) == 5


async def test_a_fresh_installation_needs_only_a_worker(database: Database) -> None:
    async with status_pages(database) as visitor:
        _, _, answer = await visitor.ask("GET", "/status.json", headers={"Authorization": f"Bearer {TOKEN}"})
        assert [one for one in (await answer.json())["needs_a_look"] if "No worker" not in one] == []


async def test_a_browser_signs_in_by_a_cookie_that_no_script_and_no_other_site_uses(database: Database) -> None:
    moments = [1_000_000.0]
    async with status_pages(database, now=lambda: moments[0]) as visitor:
        assert (await visitor.sign_in("wrong")).status == 403
        answer = await visitor.sign_in(f" {TOKEN} ")
        assert (answer.status, answer.headers["Location"]) == (303, "/status")
        cookie = answer.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert TOKEN not in cookie
        held = answer.cookies[COOKIE].value
        assert (await visitor.ask("GET", "/status"))[0] == 200
        assert (await visitor.ask("GET", "/status.json"))[0] == 200
        later = held.replace(str(1_000_000 + COOKIE_SECONDS), str(2_000_000))
        assert later != held
        visitor.session.cookie_jar.clear()
        assert (await visitor.ask("GET", "/status", headers={"Cookie": f"{COOKIE}={later}"}))[0] == 403
        moments[0] += COOKIE_SECONDS
        assert (await visitor.ask("GET", "/status", headers={"Cookie": f"{COOKIE}={held}"}))[0] == 403
    async with status_pages(database, token="another token, as long", now=lambda: 1_000_000.0) as visitor:
        assert (await visitor.ask("GET", "/status", headers={"Cookie": f"{COOKIE}={held}"}))[0] == 403


async def test_the_cookie_is_sent_encrypted_where_the_address_is(database: Database) -> None:
    async with status_pages(database) as visitor:
        _, _, answer = await visitor.ask("POST", "/status", data={"token": TOKEN}, headers={"Host": "root.example"})
        assert "; Secure" in answer.headers["Set-Cookie"]
        assert "; Secure" not in (await visitor.sign_in()).headers["Set-Cookie"], "this machine speaks plain http"


async def test_a_delivery_that_failed_waits_again_with_a_job(database: Database) -> None:
    await fill(database)
    async with status_pages(database) as visitor:
        await visitor.sign_in()
        _, page, _ = await visitor.ask("GET", "/status")
        mark = set(re.findall(r'name="mark" value="([0-9a-f]{64})"', page))
        assert len(mark) == 1
        form = {"mark": mark.pop(), "guid": "guid-1"}
        status, _, answer = await visitor.ask("POST", "/status/retry", data=form)
        assert (status, answer.headers["Location"]) == (303, "/status?retried=1")
        assert "One delivery waits for a worker again." in re.sub(
            r"\s+", " ", (await visitor.ask("GET", "/status?retried=1"))[1]
        )
        assert await states(database) == ["done", "failed", "waiting", "waiting"]
        async with database.sessions() as session:
            jobs = (await session.execute(text("SELECT lock FROM procrastinate_jobs WHERE lock IS NOT NULL"))).scalars()
            assert list(jobs) == ["issue:1:7"]
        status, page, _ = await visitor.ask("POST", "/status/retry", data=form)
        assert status == 409
        assert "did not fail: it is waiting" in page
        assert (await visitor.ask("POST", "/status/retry", data={**form, "guid": "no such; guid"}))[0] == 409
        _, _, answer = await visitor.ask("POST", "/status/retry", data={"mark": form["mark"], "which": "all"})
        assert answer.headers["Location"] == "/status?retried=1"
        assert await states(database) == ["done", "waiting", "waiting", "waiting"]


async def test_a_job_that_failed_waits_again_as_a_new_one(database: Database) -> None:
    await fill(database)
    waits = "SELECT id, attempts, scheduled_at <= now() FROM procrastinate_jobs WHERE status = 'todo' AND id > 2"
    async with status_pages(database) as visitor:
        await visitor.sign_in()
        mark = re.findall(r'name="mark" value="([0-9a-f]{64})"', (await visitor.ask("GET", "/status"))[1])[0]
        form = {"mark": mark, "which": "job", "job": "4"}
        assert (await visitor.ask("POST", "/status/retry", data={**form, "mark": mark[::-1]}))[0] == 403
        status, _, answer = await visitor.ask("POST", "/status/retry", data=form)
        assert (status, answer.headers["Location"]) == (303, "/status?jobs=1")
        assert "One job waits for a worker again." in (await visitor.ask("GET", "/status?jobs=1"))[1]
        async with database.sessions() as session:
            assert [tuple(row) for row in await session.execute(text(waits))] == [(4, 0, True)]
        for job, said in (("4", "did not fail: it is waiting"), ("99", "No job 99 is there"), ("9" * 30, "is there")):
            status, page, _ = await visitor.ask("POST", "/status/retry", data={**form, "job": job})
            assert (status, said in page) == (409, True), page
        _, _, answer = await visitor.ask("POST", "/status/retry", data={"mark": mark, "which": "jobs"})
        assert answer.headers["Location"] == "/status?jobs=2"
        async with database.sessions() as session:
            assert [row.id for row in await session.execute(text(waits))] == [3, 4, 5]
        page = (await visitor.ask("GET", "/status?jobs=2"))[1]
        assert "2 jobs wait for a worker again." in page
        assert "No job." in page
        assert "queue reports has been due" not in page, "it is due since now"
    assert await states(database) == ["done", "failed", "failed", "waiting"], "deliveries are left alone"


async def test_a_form_of_another_site_does_nothing(database: Database) -> None:
    await fill(database)
    async with status_pages(database) as visitor:
        await visitor.sign_in()
        own = re.findall(r'name="mark" value="([0-9a-f]+)"', (await visitor.ask("GET", "/status"))[1])[0]
        for form in ({"which": "all"}, {"which": "all", "mark": ""}, {"which": "all", "mark": own[::-1]}):
            status, page, _ = await visitor.ask("POST", "/status/retry", data=form)
            assert status == 403
            assert "not of this page" in page
        visitor.session.cookie_jar.clear()
        await visitor.sign_in()
        assert (await visitor.ask("POST", "/status/retry", data={"which": "all", "mark": own}))[0] == 403, "another's"
        assert (await visitor.ask("GET", "/status/retry"))[0] == 405
        assert (await visitor.ask("POST", "/status/retry", json={"which": "all", "mark": own}))[0] == 415
    assert "failed" in await states(database)


async def test_guesses_are_put_off_and_long_ones_cut(database: Database) -> None:
    async with status_pages(database, limit=RateLimit(burst=3, per_second=0.001)) as visitor:
        assert (await visitor.ask("POST", "/status", data={"token": "x" * 5000}))[0] == 413
        assert [(await visitor.sign_in("wrong")).status for _ in range(3)] == [403, 403, 429]
        assert (await visitor.sign_in()).status == 429


@pytest.mark.parametrize("body", ["&".join(f"field{place}=x" for place in range(11)), b"token=\xff\xfe"])
async def test_what_is_no_form_of_these_pages_is_refused(database: Database, body: str | bytes) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    async with status_pages(database) as visitor:
        assert (await visitor.ask("POST", "/status", data=body, headers=form))[0] == 400


def test_a_token_that_can_be_guessed_is_none() -> None:
    with pytest.raises(ValidationError, match="at least 16 characters"):
        Settings(status_token=SecretStr("short"))


def test_the_token_may_stand_in_a_file(tmp_path: Any) -> None:
    path = tmp_path / "token"
    path.write_text(f"{TOKEN}\n")
    settings = Settings.model_validate({"status_token_file": str(path)})
    assert settings.status_token == SecretStr(TOKEN)
    path.chmod(0o644)
    assert (
        "ROOTCAUSE_STATUS_TOKEN_FILE"
        in Settings.model_validate({"status_token_file": str(path)}).files_open_to_others()
    )
