"""Repositories of both groups with decided issues in the database, and the pages that show them on a free port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

import reports
from bot.clock import Clock
from bot.store.database import Database
from bot.store.tables import Record, Report, Repository
from bot.web.reports.routes import ReportPages
from tests.reports.synthetic import synthetic_rows

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
OWN = "made-up/framework1"
_PLACE = ("paradigm", "domain", "in_comparison", "matched_with", "private", "share")
_NOT_STORED = {"repository", "paradigm", "proposal_category", "proposal_probability", "proposal_model", "unknown"}


def telling_rows(records: int = 40) -> reports.Rows:
    """Return five repositories a group, every second of which allows to be named, with something in every table."""
    rows = synthetic_rows(5, records)
    first = rows.repositories[0]
    places = [replace(one, share="named" if one.repository_id % 2 else "group") for one in rows.repositories]
    return replace(
        rows,
        repositories=(replace(first, share="named", matched_with=7, domain="Machine Learning"), *places[1:]),
        records=tuple(_telling(one, place) for place, one in enumerate(rows.records)),
    )


def _telling(record: reports.Record, place: int) -> reports.Record:
    without, with_tests = _LANGUAGES[place % 4], _LANGUAGES[(place * 7 + record.repository_id) % 4]
    return replace(
        record,
        languages=without,
        languages_with_tests=with_tests,
        mpl=len(without) > 1,
        mpl_with_tests=len(with_tests) > 1,
        change_entropy_with_tests=place % 11 / 10,
        bug_type=("deployment", "memory", "<script>alert(1)</script>")[place % 3],
        members=place % 3,
        participation_percent=float(10 * (place % 10)),
        non_members=place % 4,
        exclusions=("no_fix",) if place % 9 == 0 else (),
        eligible_system=place % 9 != 0,
    )


_LANGUAGES = (("Python",), ("C/C++", "Python"), ("C/C++",), ("JavaScript", "TypeScript"))


async def store(database: Database, rows: reports.Rows, posted: tuple[str, ...] = ("2026-10",)) -> None:
    """Store plain rows as if they had been recorded, and a posted report of each period for every repository."""
    async with database.sessions.begin() as session:
        for one in rows.repositories:
            facts = {key: getattr(one, key) for key in _PLACE}
            name = one.repository
            session.add(
                Repository(
                    id=one.repository_id, full_name=name, state="active", created_at=NOW, updated_at=NOW, **facts
                )
            )
            session.add_all(
                Report(
                    repository_id=one.repository_id, period=period, state="posted", number=7, created_at=NOW,
                    url=f"https://github.com/{name}/issues/7",
                )
                for period in posted
            )  # fmt: skip
        session.add_all(
            Record(title="It leaks", gathered_at=NOW, **_stored(asdict(one)))
            for one in rows.records
            if one.created_at is not None
        )


def _stored(record: Mapping[str, Any]) -> dict[str, Any]:
    lists = ("exclusions", "languages", "languages_with_tests")
    kept = {key: value for key, value in record.items() if key not in _NOT_STORED}
    return {key: list(value) if key in lists and value is not None else value for key, value in kept.items()}


@asynccontextmanager
async def served(database: Database, clock: Clock) -> AsyncIterator[TestServer]:
    """Serve the pages of reports alone."""
    app = web.Application()
    ReportPages(database, clock).add_routes(app)
    server = TestServer(app)
    await server.start_server()
    try:
        yield server
    finally:
        await server.close()
