"""How many requests and points evidence costs, live and in a backfill, beside a naive REST collection.

Run by hand: `python -m tests.benchmarks.requests`. Everything is counted by the local GitHub, points by the formula
that GitHub publishes.
"""

from __future__ import annotations

import asyncio
import functools
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import structlog
from aiohttp import web
from pydantic import SecretStr

from bot.backfill.access import Access
from bot.backfill.command import read_to_the_end, thrifty
from bot.backfill.course import Parameters
from bot.clock import SystemClock
from bot.features.people import read_people
from bot.github.client import GitHubClient
from bot.github.gather import gather
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Review
from bot.settings import Settings
from bot.store.database import Database, database
from bot.store.read_budget import READ_TOKEN
from bot.store.repositories import see_repository

REPOSITORY, OTHERS = "acme/frame", "acme/others"
ISSUES, PEOPLE, COMMENTS = 1000, 500, 100
MOST_LIVE_REQUESTS, MOST_LIVE_POINTS = 2, 4
MOST_REQUESTS, MOST_POINTS, LEAST_RATIO = 120, 350, 40


class CountingSandbox(Sandbox):
    """Counts the requests that it answers; the points are those it charged."""

    requests = 0

    def application(self) -> web.Application:
        application = super().application()

        @web.middleware
        async def count(request: web.Request, handler: Any) -> web.StreamResponse:
            self.requests += 1
            answer: web.StreamResponse = await handler(request)
            return answer

        application.middlewares.append(count)
        return application

    def points(self) -> int:
        """Return the points charged to the reader so far."""
        token = self.world.token(self.reading)
        caller = self.services.callers.identify(f"token {token.value if token else ''}")
        return self.services.limits.status(caller, "graphql")["used"]

    reading = ""


def fill(sandbox: Sandbox) -> None:
    """Make 1,000 issues with 4 to 100 comments of 500 people, each fixed by a pull request with ten reviews at most.

    Two more, elsewhere and only read live, were fixed by a linked pull request and by a commit.
    """
    sandbox.add_repository("acme", "frame")
    logins = [f"person-{number}" for number in range(PEOPLE)]
    for login in logins:
        sandbox.add_user(login)
    start = datetime(2025, 1, 1, tzinfo=UTC)
    for place in range(ISSUES):
        opened, closed = start + timedelta(hours=place), start + timedelta(hours=place, days=30)
        author = logins[place % PEOPLE]
        text = "Memory grows by 40 MB an epoch until the process is killed by the system."
        issue = sandbox.services.issues.open(
            sandbox.repository(REPOSITORY), sandbox.account(author), "Memory leak", text, [], at=opened, emit=False
        )
        for part in range(COMMENTS if place % 50 == 0 else 4 + place % 9):
            writer = sandbox.account(logins[(place * 7 + part) % PEOPLE])
            sandbox.services.comments.create(issue, writer, "Me too.", at=opened + timedelta(hours=part), emit=False)
        reviewer = sandbox.account(logins[(place + 1) % PEOPLE]).id
        pull = sandbox.add_pull_request(
            REPOSITORY, "Fix the leak", logins[(place + 2) % PEOPLE], closes=[issue.number], merged_at=closed,
            files=[{"path": f"src/file{part}.py", "status": "modified", "additions": 4, "deletions": 1}
                   for part in range(1 + place % 12)],
            reviews=[Review(reviewer, "APPROVED", "Fine", closed) for _ in range(place % 10)],
        )  # fmt: skip
        sandbox.services.issues.close(issue, sandbox.account(logins[0]), "completed", pull, at=closed, emit=False)
    sandbox.world.commit()
    sandbox.add_repository("acme", "others")
    for kind in ("linked", "commit"):
        issue = sandbox.open_issue(OTHERS, logins[0], "Memory leak", text, at=start, emit=False)
        for part in range(COMMENTS):
            sandbox.comment(OTHERS, issue.number, logins[part], "Me too.", at=start + timedelta(hours=part), emit=False)
        closed = start + timedelta(days=30)
        if kind == "linked":
            sandbox.add_pull_request(OTHERS, "Fix the leak", logins[1], closes=[issue.number], merged_at=closed)
            sandbox.close(OTHERS, issue.number, logins[0], at=closed, emit=False)
        else:
            commit = sandbox.add_commit(OTHERS, "c" * 40, f"Fix #{issue.number}", login=logins[1], at=closed)
            sandbox.close(OTHERS, issue.number, logins[0], closer=commit, at=closed, emit=False)


async def naive(client: GitHubClient, numbers: list[int], pulls: dict[int, int]) -> None:
    """Collect the same by REST, as somebody would who asks for one thing after the other."""
    people: set[str] = set()
    for number in numbers:
        path, pull = f"/repos/{REPOSITORY}/issues/{number}", f"/repos/{REPOSITORY}/pulls/{pulls[number]}"
        issue = await client.get(path)
        comments = await client.get_all(f"{path}/comments")
        await client.get_all(f"{path}/timeline")
        await client.get(pull)
        await client.get_all(f"{pull}/files")
        reviews = await client.get_all(f"{pull}/reviews")
        people |= {one["user"]["login"] for one in (issue, *comments, *reviews) if one.get("user")}
    for login in sorted(people):
        await client.get(f"/users/{login}")


async def measure(store: Database) -> dict[str, Any]:
    """Count all three ways on one sandbox."""
    clock = SystemClock()
    sandbox = CountingSandbox(clock, limits=Limits(enforce=False, primary=1_000_000))
    fill(sandbox)
    sandbox.add_user("reader")
    sandbox.reading = sandbox.personal_token("reader")
    async with sandbox.running() as url, aiohttp.ClientSession() as session:
        client = GitHubClient.with_token(
            SecretStr(sandbox.reading), api_url=url, graphql_url=f"{url}/graphql", session=session, clock=clock
        )

        async def counted(work: Callable[[], Awaitable[Any]]) -> tuple[int, int]:
            requests, points = sandbox.requests, sandbox.points()
            await work()
            return sandbox.requests - requests, sandbox.points() - points

        issues = sandbox.issues(REPOSITORY)
        asked = [(REPOSITORY, one.number) for one in issues[:100]]
        asked += [(OTHERS, one.number) for one in sandbox.issues(OTHERS)]
        live = [await counted(functools.partial(gather, client, name, number)) for name, number in asked]
        kept = sandbox.repository(REPOSITORY)
        async with store.sessions.begin() as rows:
            facts = {"id": kept.id, "full_name": REPOSITORY}
            row = await see_repository(rows, facts, None, clock.now(), 7.0, crowded=False)
        access = Access(client, READ_TOKEN, None, row)
        reader = thrifty(Settings(backfill_share=1.0), store, clock, access, lambda _: None)
        history = await counted(lambda: read_to_the_end(reader, store, clock, access, Parameters(), lambda _: None))
        people = await counted(lambda: read_people(reader, store, clock, [row.id]))
        pulls = {one.number: sandbox.world.closing[one.id][0].number for one in issues}
        by_rest = await counted(lambda: naive(client, [one.number for one in issues], pulls))
    return {
        "live_requests": max(requests for requests, _ in live),
        "live_points": max(points for _, points in live),
        "backfill_requests": history[0],
        "backfill_points": history[1],
        "people_requests": people[0],
        "people_points": people[1],
        "naive_requests": by_rest[0],
        "ratio": round(by_rest[0] / (history[0] + people[0]), 1),
    }


async def main() -> None:
    """Print the figures as JSON; end with an error where one is missed."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    with tempfile.TemporaryDirectory() as folder:
        async with database(Settings(data_dir=Path(folder), database_url=None)) as store:
            figures = await measure(store)
    print(json.dumps(figures))  # noqa: T201
    assert figures["live_requests"] <= MOST_LIVE_REQUESTS
    assert figures["live_points"] <= MOST_LIVE_POINTS
    assert figures["backfill_requests"] + figures["people_requests"] <= MOST_REQUESTS
    assert figures["backfill_points"] + figures["people_points"] <= MOST_POINTS
    assert figures["ratio"] >= LEAST_RATIO


if __name__ == "__main__":
    asyncio.run(main())
