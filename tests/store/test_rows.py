"""What a report reads from the database: its own closings, the public ones of others, and never a private one's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.store.database import Database
from bot.store.rows import load_everything, load_rows
from bot.store.tables import Decision, ModelVersion, Participation, Person, Record, Repository
from reports import build_report, read_records
from reports.package_files import write_package
from tests.support.factories import a_proposal, a_record, a_repository

NOW = datetime(2026, 11, 2, tzinfo=UTC)
SINCE, UNTIL = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)
PUBLIC, PRIVATE, OTHER_PRIVATE = 1, 2, 3


def repository(repository_id: int, name: str, *, private: bool = False, **changed: Any) -> Repository:
    facts = {"paradigm": "ml", "domain": "learning", "in_comparison": True}
    return a_repository(repository_id, name, private=private, **facts | changed)


def record(issue_id: int, repository_id: int, closed_at: datetime = SINCE, **values: Any) -> Record:
    facts: dict[str, Any] = {"title": "A secret title", "open_days": 2.5, "changed_lines": 16, "exclusions": ["no_fix"]}
    return a_record(issue_id, repository_id, closed_at=closed_at, **facts | values)


async def fill(database: Database) -> None:
    """Store one public and two private repositories, each with a decided record, and some at the window's edges."""
    async with database.sessions.begin() as session:
        session.add_all(
            [
                repository(PUBLIC, "acme/public"),
                repository(PRIVATE, "acme/private", private=True),
                repository(OTHER_PRIVATE, "secret/private", private=True),
                ModelVersion(version="v0", state="shipped", created_at=NOW),
                Person(id=900, login="ann", kind="human", updated_at=NOW),
                record(11, PUBLIC, languages=["Python", "C++"], category="data-race", selection="random"),
                record(12, PUBLIC, UNTIL - timedelta(microseconds=1)),
                record(13, PUBLIC, SINCE - timedelta(microseconds=1)),
                record(14, PUBLIC, UNTIL),
                record(15, PUBLIC, is_open=True),
                record(21, PRIVATE),
                record(31, OTHER_PRIVATE),
            ]
        )
        for issue_id, repository_id in ((11, PUBLIC), (21, PRIVATE), (31, OTHER_PRIVATE)):
            session.add(a_proposal(issue_id, "conversion", model="v0"))
            await session.flush()
            session.add(a_proposal(issue_id, "memory-leak", model="v0"))
            session.add(
                Decision(
                    issue_id=issue_id,
                    repository_id=repository_id,
                    person_id=900,
                    category="data-race",
                    via="tick",
                    source=f"tick:{issue_id}",
                    decided_at=NOW,
                )
            )
            session.add_all(
                Participation(issue_id=issue_id, person_id=900, role=role, member=True)
                for role in ("author", "commenter")
            )


async def test_of_other_repositories_only_public_ones_enter(database: Database) -> None:
    await fill(database)
    async with database.sessions() as session:
        of_public = await load_rows(session, PUBLIC, SINCE, UNTIL)
        of_private = await load_rows(session, PRIVATE, SINCE, UNTIL)
        of_unknown = await load_rows(session, 404, SINCE, UNTIL)
    for rows, repositories, issues in (
        (of_public, {PUBLIC}, {11, 12}),
        (of_private, {PUBLIC, PRIVATE}, {11, 12, 21}),
        (of_unknown, {PUBLIC}, {11, 12}),
    ):
        assert {one.repository_id for one in rows.repositories} == repositories
        assert {one.issue_id for one in rows.records} == issues
        assert {one.issue_id for one in rows.decisions or ()} == issues - {12}
        assert {one.issue_id for one in rows.participants or ()} == issues - {12}
        assert "secret" not in repr(rows)
        assert "title" not in repr(rows)


async def test_what_is_not_compared_enters_its_own_report_alone(database: Database, tmp_path: Path) -> None:
    facts: tuple[dict[str, Any], ...] = ({"in_comparison": False}, {"paradigm": None}, {"share": "off"})
    apart = dict(enumerate(facts, 4))
    await fill(database)
    async with database.sessions.begin() as session:
        for place, changed in apart.items():
            asked: dict[str, Any] = {"category": "data-race", "category_source": "decision", "selection": "random"}
            session.add(repository(place, f"acme/apart-{place}", **changed))
            session.add(record(10 * place + 1, place, eligible_system=True, open_days=100.0, **asked))
            said: dict[str, Any] = {"category": "data-race", "via": "tick", "source": f"tick:{place}"}
            session.add(Decision(issue_id=10 * place + 1, repository_id=place, person_id=900, decided_at=NOW, **said))
            session.add(Participation(issue_id=10 * place + 1, person_id=900, role="author"))
    async with database.sessions() as session:
        write_package(await load_everything(session, include_private=False), tmp_path, [])
        loaded = {own: await load_rows(session, own, SINCE, UNTIL) for own in (None, PUBLIC, *apart)}
    packed = read_records(tmp_path)
    for own, rows in loaded.items():
        places = {PUBLIC} if own is None else {PUBLIC, own}
        assert {one.repository_id for one in rows.repositories} == {PUBLIC, *apart}, "who is there is always known"
        assert {one.repository_id for one in rows.records} == places
        assert {one.repository_id for one in rows.participants or ()} == places
        assert {one.issue_id for one in rows.decisions or ()} == {10 * place + 1 for place in places}
        report = build_report(rows, "2026-10", 1, repository_id=own)
        assert report == build_report(packed, "2026-10", 1, repository_id=own)
        assert sum(one.own.n for one in report.own if one.indicator == "open_days") == (own in apart)


async def test_the_rows_say_what_the_tables_say(database: Database) -> None:
    await fill(database)
    async with database.sessions() as session:
        rows = await load_rows(session, PUBLIC, SINCE, UNTIL)
    (place,) = rows.repositories
    assert (place.repository, place.paradigm, place.domain, place.in_comparison) == (
        "acme/public",
        "ml",
        "learning",
        True,
    )
    first, second = rows.records
    assert (first.number, second.number) == (11, 12)
    assert (first.repository, first.paradigm, first.closed_at) == ("acme/public", "ml", SINCE)
    assert (first.open_days, first.changed_lines, first.issue_comments) == (2.5, 16, None)
    assert (first.exclusions, first.languages, first.languages_with_tests) == (("no_fix",), ("Python", "C++"), None)
    assert (first.category, first.selection) == ("data-race", "random")
    assert (first.proposal_category, first.proposal_probability, first.proposal_model) == ("memory-leak", 0.75, "v0")
    assert (second.proposal_category, second.category) == (None, None)
    (person,) = rows.participants or ()
    assert (person.roles, person.member) == (("author", "commenter"), True)
    assert "ann" not in repr(rows)
    assert "900" not in person.person
    (decision,) = rows.decisions or ()
    assert (decision.category, decision.via, decision.coder) == ("data-race", "tick", person.person)


async def test_an_empty_database(database: Database) -> None:
    async with database.sessions() as session:
        rows = await load_rows(session, PUBLIC, SINCE, UNTIL)
    assert (rows.repositories, rows.records, rows.participants, rows.decisions) == ((), (), (), ())
