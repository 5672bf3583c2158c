"""People's profiles and contributions, read in batches from the local GitHub, and what that costs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import aiohttp
import pytest
from graphql import build_schema, parse, validate

from bot.github.client import GitHubApp
from bot.github.errors import Forbidden, GraphQLError, NotFound, TooExpensive, Transient
from bot.github.people import Contributed, Known, Profile, contributions, profiles
from bot.github.people_queries import CONTRIBUTIONS, PROFILES_BY_ID, PROFILES_BY_LOGIN
from bot.github.reading import EvidenceClient
from bot.sandbox.graphql import SCHEMA_FILE
from bot.sandbox.identifiers import node_id
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Review
from tests.support.clock import VirtualClock

PLACE = "acme/frame"
NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


@dataclass
class Counting:
    """A client that counts requests and points by what GitHub says they cost."""

    client: EvidenceClient
    costs: list[int] = field(default_factory=list)

    async def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        try:
            data = await self.client.graphql(query, variables)
        except GraphQLError as error:
            self.costs.append((error.data or {})["rateLimit"]["cost"])
            raise
        self.costs.append(data["rateLimit"]["cost"])
        return data

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        return await self.client.get(path, params)


@dataclass
class Place:
    """A sandbox with one repository and the App's client in it."""

    sandbox: Sandbox
    client: Counting

    def known(self, *logins: str, read: bool = False) -> list[Known]:
        """Return people as the database knows them; once read they have a node id."""
        accounts = [self.sandbox.account(login) for login in logins]
        return [Known(one.id, one.login, _node_id(one.id) if read else None) for one in accounts]

    async def profiles(self, people: Sequence[Known]) -> dict[int, Profile | None]:
        found: dict[int, Profile | None] = {}
        async for batch in profiles(self.client, people):
            found |= batch
        return found

    async def contributed(
        self, people: Sequence[Known], year: int = 2026, now: datetime = NOW, name: str = PLACE
    ) -> dict[int, Contributed]:
        found: dict[int, Contributed] = {}
        async for batch in contributions(self.client, name, year, people, now):
            found |= batch
        return found


def _node_id(account_id: int) -> str:
    return node_id("account", account_id)


async def _place(limits: Limits) -> AsyncIterator[Place]:
    clock = VirtualClock(NOW)
    sandbox = Sandbox(clock, limits=limits)
    sandbox.add_owner("acme")
    sandbox.add_repository("acme", "frame")
    sandbox.install("acme", "all")
    async with sandbox.running() as url, aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        app = GitHubApp(
            app_id=sandbox.app.id,
            private_key=sandbox.private_key,
            api_url=url,
            graphql_url=url + "/graphql",
            session=session,
            clock=clock,
        )
        yield Place(sandbox, Counting(app.installation(sandbox.installation("acme").id)))
    sandbox.close_storage()


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async for made in _place(Limits()):
        yield made


@pytest.fixture
async def narrow_place() -> AsyncIterator[Place]:
    """A GitHub that gives up on answers of more than a few rows."""
    async for made in _place(Limits(rows_a_query=7)):
        yield made


@pytest.mark.parametrize("text", [PROFILES_BY_LOGIN, PROFILES_BY_ID, CONTRIBUTIONS])
def test_a_query_is_valid(text: str) -> None:
    assert validate(build_schema(SCHEMA_FILE.read_text()), parse(text)) == []


async def test_a_profile_is_read_by_login_and_then_by_its_node_id(place: Place) -> None:
    made = datetime(2015, 3, 4, 5, 6, 7, tzinfo=UTC)
    place.sandbox.describe_user("ann", bio="Senior engineer", company="Acme", followers=1234, created_at=made)
    place.sandbox.describe_user("bea", bio=None, company="Researcher at Acme")
    ann, bea = place.known("ann", "bea")
    found = await place.profiles([ann, bea])
    assert found[ann.id] == Profile(_node_id(ann.id), "ann", made, 1234, "senior engineer")
    assert [one.role for one in found.values() if one] == ["senior engineer", "researcher"]
    assert await place.profiles(place.known("ann", "bea", read=True)) == found
    assert place.client.costs == [1, 1]


async def test_accounts_that_cannot_be_read_are_unknown_and_hurt_nobody(place: Place) -> None:
    sandbox = place.sandbox
    for login in ("ann", "gone", "moved", "taken"):
        sandbox.add_user(login)
    people = place.known("ann", "gone", "moved", "taken", "acme")
    people.append(Known(1, None))
    read = place.known("ann", "gone", "moved", "taken", read=True)
    sandbox.delete_user("gone")
    sandbox.rename_user("moved", "somewhere-else")
    sandbox.rename_user("taken", "fled")
    sandbox.add_user("taken")
    found = await place.profiles(people)
    assert [one.login for one in people if found[one.id] is not None] == ["ann"]
    by_id = (await place.profiles(read)).values()
    assert [one.login if one else None for one in by_id] == ["ann", None, "somewhere-else", "fled"]


@pytest.mark.parametrize("read", [False, True])
async def test_a_batch_of_nobody_who_is_still_there(place: Place, read: bool) -> None:
    place.sandbox.add_user("gone")
    (gone,) = place.known("gone", read=read)
    place.sandbox.delete_user("gone")
    assert await place.profiles([gone]) == {gone.id: None}
    assert await place.profiles([]) == {}


async def test_five_hundred_people_cost_25_requests_and_25_points(place: Place) -> None:
    logins = [f"person-{number}" for number in range(500)]
    for login in logins:
        place.sandbox.add_user(login)
    found = await place.profiles(place.known(*logins))
    assert (len(place.client.costs), sum(place.client.costs)) == (25, 25)
    assert None not in found.values()
    place.client.costs.clear()
    await place.contributed(place.known(*logins, read=True))
    assert (len(place.client.costs), sum(place.client.costs)) == (25, 25)


def _work(sandbox: Sandbox) -> None:
    """Let ann commit, open and review within 2025 and beside it, here, elsewhere and in private."""
    sandbox.add_user("ann")
    sandbox.add_repository("other", "open")
    sandbox.add_repository("other", "closed", private=True)
    inside, beside = datetime(2025, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    for number, moment in enumerate([inside, datetime(2025, 1, 1, tzinfo=UTC), beside]):
        sandbox.add_commit(PLACE, f"{number:040x}", "Work", login="ann", at=moment)
    sandbox.add_commit(PLACE, "e" * 40, "By nobody known", at=inside)
    sandbox.add_pull_request(PLACE, "Mine", "ann", at=inside)
    sandbox.add_pull_request(PLACE, "Mine later", "ann", at=beside)
    review = Review(sandbox.account("ann").id, "APPROVED", "", inside)
    sandbox.add_user("bea")
    sandbox.add_pull_request(PLACE, "Another's", "bea", at=inside, reviews=[review])
    sandbox.add_commit("other/open", "a" * 40, "Work", login="ann", at=inside)
    sandbox.open_issue("other/open", "ann", "It breaks", at=inside)
    sandbox.add_commit("other/closed", "b" * 40, "Secret work", login="ann", at=inside)


async def test_contributions_in_the_repository_and_everywhere(place: Place) -> None:
    _work(place.sandbox)
    (ann, bea) = place.known("ann", "bea", read=True)
    found = await place.contributed([ann, bea], 2025)
    assert found[ann.id] == Contributed(in_repository=3, everywhere=6)
    assert found[bea.id] == Contributed(in_repository=1, everywhere=1)
    assert (await place.contributed([ann], 2026))[ann.id] == Contributed(in_repository=2, everywhere=2)
    assert (await place.contributed([ann], 2024))[ann.id] == Contributed(in_repository=0, everywhere=0)
    assert place.client.costs == [1, 1, 1]


async def test_contributions_to_what_is_empty_hidden_or_left(place: Place) -> None:
    sandbox = place.sandbox
    _work(sandbox)
    (ann, gone) = place.known("ann", "bea", read=True)
    sandbox.add_repository("acme", "empty")
    sandbox.delete_user("bea")
    assert await place.contributed([ann], 2025, name="acme/empty") == {ann.id: Contributed(0, 6)}
    assert await place.contributed([ann], 2025, name="other/closed") == {ann.id: Contributed(None, 6)}
    assert await place.contributed([ann], 2025, name="acme/never-was") == {ann.id: Contributed(None, 6)}
    found = await place.contributed([ann, gone], 2025)
    assert (found[ann.id], found[gone.id].everywhere) == (Contributed(3, 6), None)
    assert await place.contributed(place.known("ann"), 2025) == {}, "whose profile was never read is not asked for"


async def test_a_batch_that_is_too_much_is_asked_in_halves(narrow_place: Place) -> None:
    logins = [f"person-{number}" for number in range(30)]
    for login in logins:
        narrow_place.sandbox.add_user(login)
    found = await narrow_place.profiles(narrow_place.known(*logins, read=True))
    assert len(found) == 30
    assert None not in found.values()
    assert len(narrow_place.client.costs) > 2, "not in two requests of 20 and 10"


@dataclass
class Refusing:
    """A client that raises what it is told for batches larger than `most`."""

    error: Exception
    most: int = 0
    sizes: list[int] = field(default_factory=list)

    async def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        ids = (variables or {})["ids"]
        self.sizes.append(len(ids))
        if len(ids) > self.most:
            raise self.error
        return {"people": [None for _ in ids]}

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        raise AssertionError(path)


async def _ask(client: Refusing, count: int) -> dict[int, Profile | None]:
    found: dict[int, Profile | None] = {}
    async for batch in profiles(client, [Known(number, f"p{number}", f"U_{number}") for number in range(count)]):
        found |= batch
    return found


@pytest.mark.parametrize(
    "error",
    [
        TooExpensive("Resource limits for this query exceeded.", status=200),
        Transient("no answer in time", status=502),
        Transient("no answer in time", status=504),
        GraphQLError("Something went wrong while executing your query.", [{"message": "Something went wrong"}], {}),
    ],
)
async def test_after_a_refusal_the_rest_is_asked_in_the_smaller_size(error: Exception) -> None:
    client = Refusing(error, most=5)
    assert len(await _ask(client, 22)) == 22
    assert client.sizes == [20, 10, 5, 5, 5, 5, 2]


async def test_one_person_who_is_too_much_is_unknown() -> None:
    client = Refusing(TooExpensive("Resource limits for this query exceeded.", status=200))
    assert await _ask(client, 2) == {0: None, 1: None}
    assert client.sizes == [2, 1, 1]


@pytest.mark.parametrize(
    ("error", "sizes"),
    [
        (Transient("away", status=502), [2, 1]),
        (Transient("connection lost"), [2]),
        (Forbidden("suspended", "suspended", status=403), [2]),
        (GraphQLError("Field 'x' doesn't exist", [{"message": "Field 'x' doesn't exist"}], None), [2]),
    ],
)
async def test_what_is_no_question_of_size_is_raised(error: Exception, sizes: list[int]) -> None:
    client = Refusing(error)
    with pytest.raises(type(error)):
        await _ask(client, 2)
    assert client.sizes == sizes


async def test_when_all_is_gone_and_nothing_else_came_all_are_unknown() -> None:
    assert await _ask(Refusing(NotFound("Could not resolve", status=200)), 3) == {0: None, 1: None, 2: None}
