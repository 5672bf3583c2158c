"""The queue of jobs as people look at it, whatever a job's arguments are."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text

from bot.store import jobs, status_of_places
from bot.store.database import Database
from bot.store.tables import Installation, Repository

NOW = datetime.now(UTC)
ADD = text("""
    INSERT INTO procrastinate_jobs (queue_name, task_name, lock, status, args)
    VALUES ('live', :task, 'a', 'failed', CAST(:arguments AS jsonb))
""")

STRANGE: tuple[tuple[Any, str | None, int | None], ...] = (
    ({"repository_id": 7, "number": 12}, "acme/x", 12),
    ({"unit": "issue:7:12"}, "acme/x", 12),
    ({"unit": "repository:7"}, "acme/x", None),
    ({"repository_id": 7, "number": "v2"}, "acme/x", None),
    ({"repository_id": 7, "number": 3.5}, "acme/x", None),
    ({"repository_id": 7, "number": 5_000_000_000}, "acme/x", None),
    ({"repository_id": 7, "number": "\u0661"}, "acme/x", None),
    ({"repository_id": 7, "number": "1\n"}, "acme/x", None),
    ({"repository_id": "acme/x", "period": "2026-10"}, None, None),
    ({"repository_id": 10**30, "installation_id": [31]}, None, None),
    ({"unit": "repository:acme/x"}, None, None),
    ({"unit": "issue:7"}, "acme/x", None),
    ({"unit": "installation:acme"}, None, None),
    ([7], None, None),
    (None, None, None),
)


async def test_no_argument_of_a_job_breaks_what_is_asked_about_jobs(database: Database) -> None:
    async with database.sessions.begin() as session:
        session.add(Installation(id=31, account_login="acme", created_at=NOW))
        session.add(Repository(id=7, full_name="acme/x", created_at=NOW, updated_at=NOW))
        for number, (arguments, _, _) in enumerate(STRANGE):
            task = "publish_report" if "repository_id" in (arguments or ()) else f"task{number}"
            await session.execute(ADD, {"task": task, "arguments": json.dumps(arguments)})
        await session.execute(ADD, {"task": "read_people", "arguments": json.dumps({"unit": "installation:31"})})
    wanted = [(name, issue) for _, name, issue in STRANGE]
    async with database.sessions.begin() as session:
        *found, of_installation = (await jobs.newest_failed(session, None))[::-1]
        assert [(one.repository, one.number) for one in found] == wanted
        assert (of_installation.account, of_installation.about) == ("acme", "acme")
        assert len(await jobs.jobs_of(session, ["a"])) == len(wanted) + 1
        assert await jobs.find_job(session, found[0].id) == found[0]
        assert {one.repository for one in await status_of_places.reports(session)} == {"acme/x"}
