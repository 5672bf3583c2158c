"""Whom the job reads and when, and what records and reports make of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import select

from bot.evidence.model import Actor
from bot.features.people import read_people
from bot.github.errors import RateLimited
from bot.store.database import Database, normalise_url, open_database
from bot.store.migrate import upgrade
from bot.store.people import see_people
from bot.store.pseudonyms import pseudonyms
from bot.store.rows import load_rows
from bot.store.tables import Contribution, Participation, Person, Record, Repository
from tests.support.clock import VirtualClock

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
PLACE = 7


@dataclass
class Answering:
    """A GitHub of people: `everywhere` by account number; whoever is not in it has no account."""

    everywhere: dict[int, int]
    profiles: list[int] = field(default_factory=list)
    contributions: list[tuple[int, int]] = field(default_factory=list)
    limited_after: int | None = None

    async def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        if self.limited_after is not None and len(self.profiles) >= self.limited_after:
            raise RateLimited("enough", START + timedelta(hours=1), kind="primary")
        asked = variables or {}
        numbers = [int(one.removeprefix("U")) for one in asked["ids"]]
        self.profiles += numbers
        data: dict[str, Any] = {"profiles": [self._profile(one) for one in numbers]}
        for place in (place for place in range(20) if asked.get(f"ask{place}")):
            number = int(asked[f"person{place}"].removeprefix("U"))
            self.contributions.append((number, int(asked[f"from{place}"][:4])))
            data |= self._work(number, place)
        return data

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        raise AssertionError(path)

    def _profile(self, number: int) -> dict[str, Any] | None:
        if number not in self.everywhere:
            return None
        facts = {"id": f"U{number}", "login": f"p{number}", "bio": "Engineer", "company": None}
        return {**facts, "createdAt": "2016-11-03T00:00:00Z", "followers": {"totalCount": 1234}}

    def _work(self, number: int, place: int) -> dict[str, Any]:
        totals = {f"total{kind}Contributions": 0 for kind in ("Issue", "PullRequest", "PullRequestReview")}
        totals["totalCommitContributions"] = self.everywhere.get(number, 0)
        person = {"login": f"p{number}", "contributionsCollection": totals} if number in self.everywhere else None
        here = {"defaultBranchRef": None}
        return {f"everywhere{place}": person, f"commits{place}": here, f"pulls{place}": {"issueCount": 1}}


@dataclass
class Scene:
    """Records with people in them, and a GitHub that knows some of these."""

    database: Database
    clock: VirtualClock = field(default_factory=lambda: VirtualClock(START))
    github: Answering = field(default_factory=lambda: Answering({n: 10 * n for n in range(1, 60)}))

    async def record(
        self, number: int, *parts: tuple[int, str, bool | None], closed_at: datetime = START, **facts: Any
    ) -> None:
        """Insert a record with (person, role, member) of its issue."""
        values = {"eligible_bug": True, "gathered_at": self.clock.now(), **facts}
        async with self.database.sessions.begin() as session:
            await session.merge(
                Record(issue_id=number, repository_id=PLACE, number=number, title="It leaks", created_at=closed_at,
                    closed_at=closed_at, **values)
            )  # fmt: skip
            for person_id, role, member in parts:
                if await session.get(Person, person_id) is None:
                    session.add(_person(person_id))
                session.add(Participation(issue_id=number, person_id=person_id, role=role, member=member))

    async def read(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Run the job once and return whose profiles and which contributions were asked for."""
        self.github.profiles, self.github.contributions = [], []
        await read_people(self.github, self.database, self.clock, [PLACE])
        return sorted(self.github.profiles), sorted(self.github.contributions)

    async def filled(self, number: int) -> tuple[int | None, int | None]:
        async with self.database.sessions() as session:
            record = await session.get_one(Record, number)
            return record.member_contributions, record.fix_author_contributions

    async def person(self, number: int) -> Person:
        async with self.database.sessions() as session:
            return await session.get_one(Person, number)


def _person(number: int, **facts: Any) -> Person:
    values = {"login": f"p{number}", "kind": "human", "node_id": f"U{number}", "updated_at": START}
    return Person(id=number, **{**values, **facts})


@pytest.fixture
async def scene(database: Database) -> Scene:
    async with database.sessions.begin() as session:
        session.add(Repository(id=PLACE, full_name="acme/frame", created_at=START, updated_at=START))
    return Scene(database)


async def test_only_humans_of_eligible_records_are_read(scene: Scene) -> None:
    await scene.record(1, (1, "author", False), (2, "commenter", True))
    await scene.record(2, (3, "author", False), eligible_bug=False)
    await scene.record(3, (4, "author", False), eligible_bug=False, eligible_system=True)
    async with scene.database.sessions.begin() as session:
        session.add(_person(5, kind="bot"))
        session.add(Participation(issue_id=1, person_id=5, role="commenter", member=True))
        session.add(_person(6))
        session.add(_person(7, node_id=None))
        session.add(Participation(issue_id=1, person_id=7, role="commenter", member=True))
    assert await scene.read() == ([1, 2, 4], [(2, 2026)])
    person = await scene.person(2)
    assert (person.followers, person.profile_role, person.read_at) == (1234, "engineer", START)
    assert await scene.read() == ([], []), "nobody twice"


async def test_a_person_is_read_again_after_a_month_and_only_for_a_new_record(scene: Scene) -> None:
    await scene.record(1, (1, "author", False))
    await scene.read()
    scene.clock.advance(days=29)
    await scene.record(2, (1, "commenter", False))
    assert await scene.read() == ([], [])
    scene.clock.advance(days=2)
    assert await scene.read() == ([1], [])
    scene.clock.advance(days=31)
    assert await scene.read() == ([], []), "nothing new was gathered"


async def test_contributions_are_of_members_and_fix_authors_in_the_year_of_the_closing(scene: Scene) -> None:
    new_year = datetime(2025, 12, 31, 23, 30, tzinfo=UTC)
    await scene.record(1, (1, "author", False), (2, "commenter", True), (3, "fix_author", None), closed_at=new_year)
    await scene.record(2, (2, "author", True), (4, "reviewer", None))
    assert (await scene.read())[1] == [(2, 2025), (2, 2026), (3, 2025)]
    async with scene.database.sessions() as session:
        row = await session.get_one(Contribution, (2, PLACE, 2025))
    assert (row.in_repository, row.everywhere, row.read_at) == (1, 20, START)


async def test_a_year_is_read_monthly_until_it_is_over_and_then_once(scene: Scene) -> None:
    await scene.record(1, (2, "author", True))
    assert (await scene.read())[1] == [(2, 2026)]
    scene.clock.advance(days=31)
    assert (await scene.read())[1] == [(2, 2026)]
    scene.clock.advance(days=31)
    assert scene.clock.now().year == 2027
    assert (await scene.read())[1] == [(2, 2026)]
    scene.clock.advance(days=400)
    assert (await scene.read())[1] == []


async def test_a_record_has_the_mean_of_its_members_and_its_fix_author(scene: Scene) -> None:
    await scene.record(1, (1, "author", True), (1, "commenter", True), (4, "commenter", True), (5, "commenter", False))
    await scene.record(2, (2, "author", False), (3, "fix_author", None))
    await scene.record(3, (3, "author", True), (3, "fix_author", True))
    await scene.read()
    assert await scene.filled(1) == (25, None), "each member once, 10 and 40; nobody fixed it"
    assert await scene.filled(2) == (None, 30), "no member took part, which is not zero"
    assert await scene.filled(3) == (30, 30)


async def test_whoever_cannot_be_read_is_unknown_and_left_out(scene: Scene) -> None:
    scene.github.everywhere = {1: 0, 2: 70}
    await scene.record(1, (2, "author", True), (99, "commenter", True))
    await scene.record(2, (99, "author", True), (99, "fix_author", True))
    await scene.record(3, (1, "author", True))
    assert await scene.read() == ([1, 2, 99], [(1, 2026), (2, 2026), (99, 2026)])
    person = await scene.person(99)
    assert (person.created_at, person.followers, person.profile_role, person.read_at) == (None, None, "unknown", START)
    assert [await scene.filled(number) for number in (1, 2, 3)] == [(70, None), (None, None), (0, None)]
    scene.clock.advance(days=31)
    assert (await scene.read())[1] == [(1, 2026), (2, 2026)], "an account that is gone is not asked about again"


async def test_a_record_without_its_member_any_more_is_emptied(scene: Scene) -> None:
    await scene.record(1, (2, "author", True))
    await scene.read()
    async with scene.database.sessions.begin() as session:
        (part,) = (await session.execute(select(Participation))).scalars()
        await session.delete(part)
    await scene.read()
    assert await scene.filled(1) == (None, None)


async def test_a_limit_loses_nothing_and_nobody_is_read_twice(scene: Scene) -> None:
    for number in range(1, 51):
        await scene.record(number, (number, "author", True))
    scene.github.limited_after = 40
    with pytest.raises(RateLimited):
        await scene.read()
    assert scene.github.profiles == list(range(1, 41))
    scene.github.limited_after = None
    assert await scene.read() == (list(range(41, 51)), [(number, 2026) for number in range(41, 51)])
    assert await scene.filled(1) == (10, None)


async def test_without_repositories_nothing_is_asked(scene: Scene) -> None:
    await read_people(scene.github, scene.database, scene.clock, [])
    assert scene.github.profiles == []


async def test_reports_get_coarse_figures_under_a_keyed_hash(scene: Scene) -> None:
    await scene.record(1, (1, "author", True), (1, "fix_author", True), (99, "commenter", False))
    await scene.read()
    async with scene.database.sessions() as session:
        rows = await load_rows(session, PLACE, START - timedelta(days=1), START + timedelta(days=1))
        hide = await pseudonyms(session)
        again = await pseudonyms(session)
    known, unknown = rows.participants or ()
    assert (known.roles, known.account_years, known.followers, known.profile_role) == (
        ("author", "fix_author"), 9, 1200, "engineer",
    )  # fmt: skip
    assert (unknown.account_years, unknown.followers, unknown.profile_role) == (None, None, "unknown")
    assert [one.person for one in (known, unknown)] == [hide(1), hide(99)]
    assert hide(1) == again(1)
    (record,) = rows.records
    assert (record.member_contributions, record.fix_author_contributions) == (10, 10)


async def test_people_are_followed_when_they_are_called_otherwise(scene: Scene) -> None:
    async with scene.database.sessions.begin() as session:
        session.add(_person(1, node_id=None))
        session.add(_person(2))
        await see_people(session, [Actor("human", 1, "other", "U1"), Actor("human", 2, "p2"), Actor("ghost")])
        await see_people(session, [])
    assert [((await scene.person(n)).login, (await scene.person(n)).node_id) for n in (1, 2)] == [
        ("other", "U1"), ("p2", "U2"),
    ]  # fmt: skip


async def test_two_databases_hide_the_same_person_differently(database: Database, empty_database_url: str) -> None:
    url = normalise_url(empty_database_url)
    await asyncio.to_thread(upgrade, url)
    async with open_database(url) as other, other.sessions() as theirs, database.sessions() as ours:
        assert (await pseudonyms(theirs))(1) != (await pseudonyms(ours))(1)
