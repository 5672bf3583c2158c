"""People's profiles and contributions, read in batches from the local GitHub, and what that costs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from graphql import build_schema, parse, validate

from bot.github.errors import Forbidden, GraphQLError, NotFound, TooExpensive, Transient
from bot.github.people import Account, Contributed, Found, PersonYear, Profile, read
from bot.github.people_queries import PEOPLE
from bot.github.reading import EvidenceClient
from bot.sandbox.graphql import SCHEMA_FILE
from bot.sandbox.identifiers import node_id
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Review
from tests.support.apps import running_app
from tests.support.clock import VirtualClock

PLACE = "acme/frame"
NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


async def collected(
    client: EvidenceClient, accounts: Sequence[Account] = (), years: Sequence[PersonYear] = ()
) -> Found:
    """Read all and put it together."""
    whole = Found({}, {})
    async for found in read(client, accounts, years, NOW):
        whole.profiles.update(found.profiles)
        whole.contributions.update(found.contributions)
    return whole


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
    """A sandbox with one repository, and the App's client in it."""

    sandbox: Sandbox
    client: Counting

    def accounts(self, *logins: str) -> list[Account]:
        """Return people's accounts as the database knows them; those not there yet are made."""
        made = [self.sandbox.add_user(login) for login in logins]
        return [Account(one.id, node_id("account", one.id)) for one in made]

    def year(self, login: str, year: int, repository: str = PLACE) -> PersonYear:
        (account,) = self.accounts(login)
        return PersonYear(account, login, 7, repository, year)

    async def contributed(self, *years: PersonYear) -> list[Contributed]:
        """Return the contributions of one person's years each, in order."""
        found = await collected(self.client, years=years)
        return [found.contributions[one] for one in years]


async def _place(limits: Limits) -> AsyncIterator[Place]:
    clock = VirtualClock(NOW)
    sandbox = Sandbox(clock, limits=limits)
    sandbox.add_owner("acme")
    sandbox.add_repository("acme", "frame")
    sandbox.install("acme", "all")
    async with running_app(sandbox, clock) as app:
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


def test_the_query_is_valid() -> None:
    assert validate(build_schema(SCHEMA_FILE.read_text()), parse(PEOPLE)) == []


async def test_a_profile_says_what_the_account_shows(place: Place) -> None:
    made = datetime(2015, 3, 4, 5, 6, 7, tzinfo=UTC)
    place.sandbox.describe_user("ann", bio="Senior engineer", company="Acme", followers=1234, created_at=made)
    place.sandbox.describe_user("bea", bio=None, company="Researcher at Acme", created_at=made)
    ann, bea = place.accounts("ann", "bea")
    assert (await collected(place.client, [ann, bea])).profiles == {
        ann.id: Profile("ann", made, 1234, "senior engineer"),
        bea.id: Profile("bea", made, 0, "researcher"),
    }


async def test_accounts_that_cannot_be_read_are_unknown_and_hurt_nobody(place: Place) -> None:
    sandbox = place.sandbox
    accounts = place.accounts("ann", "gone", "moved", "taken", "robot[bot]")
    accounts += [Account(sandbox.account("acme").id, node_id("account", sandbox.account("acme").id))]
    accounts += [Account(1, "U_never-was")]
    sandbox.delete_user("gone")
    sandbox.rename_user("moved", "somewhere-else")
    sandbox.rename_user("taken", "fled")
    sandbox.add_user("taken")
    found = (await collected(place.client, accounts)).profiles
    assert [one.login if one else None for one in found.values()] == [
        "ann", None, "somewhere-else", "fled", None, None, None,
    ]  # fmt: skip


async def test_a_batch_of_nobody_who_is_still_there(place: Place) -> None:
    (gone,) = place.accounts("gone")
    year = place.year("gone", 2026)
    place.sandbox.delete_user("gone")
    assert await collected(place.client, [gone], [year]) == Found({gone.id: None}, {year: Contributed(None, None)})
    place.client.costs.clear()
    assert await collected(place.client) == Found({}, {})
    assert place.client.costs == []


async def test_five_hundred_people_with_their_contributions_cost_25_requests_and_25_points(place: Place) -> None:
    logins = [f"person-{number}" for number in range(500)]
    years = [place.year(login, 2025) for login in logins]
    found = await collected(place.client, place.accounts(*logins), years)
    assert (len(place.client.costs), sum(place.client.costs)) == (25, 25)
    assert (len(found.profiles), len(found.contributions)) == (500, 500)
    assert None not in found.profiles.values()


def _work(sandbox: Sandbox) -> None:
    """Let ann commit, open and review within 2025 and beside it, here, elsewhere and in private."""
    sandbox.add_user("ann")
    sandbox.add_user("bea")
    sandbox.add_repository("other", "open")
    sandbox.add_repository("other", "closed", private=True)
    inside, beside = datetime(2025, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    for number, moment in enumerate([inside, datetime(2025, 1, 1, tzinfo=UTC), beside]):
        sandbox.add_commit(PLACE, f"{number:040x}", "Work", login="ann", at=moment)
    sandbox.add_commit(PLACE, "e" * 40, "By nobody known", at=inside)
    sandbox.add_pull_request(PLACE, "Mine", "ann", at=inside)
    sandbox.add_pull_request(PLACE, "Mine later", "ann", at=beside)
    review = Review(sandbox.account("ann").id, "APPROVED", "", inside)
    sandbox.add_pull_request(PLACE, "Another's", "bea", at=inside, reviews=[review])
    sandbox.add_commit("other/open", "a" * 40, "Work", login="ann", at=inside)
    sandbox.open_issue("other/open", "ann", "It breaks", at=inside)
    sandbox.add_commit("other/closed", "b" * 40, "Secret work", login="ann", at=inside)


async def test_contributions_in_the_repository_and_everywhere(place: Place) -> None:
    _work(place.sandbox)
    years = [place.year("ann", year) for year in (2024, 2025, 2026)] + [place.year("bea", 2025)]
    assert await place.contributed(*years) == [
        Contributed(in_repository=0, everywhere=0),
        Contributed(in_repository=3, everywhere=6),
        Contributed(in_repository=2, everywhere=2),
        Contributed(in_repository=1, everywhere=1),
    ]
    assert place.client.costs == [1]


async def test_contributions_to_what_is_empty_hidden_or_left(place: Place) -> None:
    _work(place.sandbox)
    place.sandbox.add_repository("acme", "empty")
    names = ("acme/empty", "other/closed", "acme/never-was", PLACE)
    years = [place.year("ann", 2025, name) for name in names] + [place.year("bea", 2025)]
    place.sandbox.delete_user("bea")
    assert await place.contributed(*years) == [
        Contributed(0, 6), Contributed(None, 6), Contributed(None, 6), Contributed(3, 6), Contributed(None, None),
    ]  # fmt: skip


async def test_pull_requests_under_a_login_that_changed_are_nobodys(place: Place) -> None:
    _work(place.sandbox)
    year = place.year("ann", 2025)
    place.sandbox.rename_user("ann", "anna")
    assert await place.contributed(year) == [Contributed(None, 6)]


async def test_a_batch_that_is_too_much_is_asked_in_halves(narrow_place: Place) -> None:
    accounts = narrow_place.accounts(*(f"person-{number}" for number in range(30)))
    found = await collected(narrow_place.client, accounts)
    assert len(found.profiles) == 30
    assert None not in found.profiles.values()
    assert len(narrow_place.client.costs) > 2, "not in two requests of 20 and 10"


@dataclass
class Refusing:
    """A client that raises what it is told for batches larger than `most`; `sizes` are (profiles, years) asked for."""

    error: Exception
    most: int = 0
    sizes: list[tuple[int, int]] = field(default_factory=list)

    async def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        asked = variables or {}
        self.sizes.append((len(asked["ids"]), sum(name.startswith("ask") for name in asked)))
        if max(self.sizes[-1]) > self.most:
            raise self.error
        return {"profiles": [None for _ in asked["ids"]]}

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        raise AssertionError(path)


async def _ask(client: Refusing, people: int, years: int = 0) -> Found:
    accounts = [Account(number, f"U_{number}") for number in range(max(people, years))]
    stints = [PersonYear(one, f"p{one.id}", 7, PLACE, 2025) for one in accounts]
    return await collected(client, accounts[:people], stints[:years])


TOO_MUCH = TooExpensive("Resource limits for this query exceeded.", status=200)


@pytest.mark.parametrize(
    "error",
    [
        TOO_MUCH,
        Transient("no answer in time", status=502),
        Transient("no answer in time", status=504),
        GraphQLError("Something went wrong while executing your query.", [{"message": "Something went wrong"}], {}),
    ],
)
async def test_after_a_refusal_the_rest_is_asked_in_the_smaller_size(error: Exception) -> None:
    client = Refusing(error, most=5)
    found = await _ask(client, 22, 7)
    assert (len(found.profiles), len(found.contributions)) == (22, 7)
    assert client.sizes == [(20, 7), (10, 7), (5, 5), (5, 2), (5, 0), (5, 0), (2, 0)]


async def test_one_person_or_year_that_is_too_much_is_unknown() -> None:
    client = Refusing(TOO_MUCH)
    found = await _ask(client, 2, 1)
    assert found.profiles == {0: None, 1: None}
    assert list(found.contributions.values()) == [Contributed(None, None)]
    assert client.sizes == [(2, 1), (1, 1), (1, 0), (0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("error", "sizes"),
    [
        (Transient("away", status=502), [(2, 0), (1, 0)]),
        (Transient("connection lost"), [(2, 0)]),
        (Forbidden("suspended", "suspended", status=403), [(2, 0)]),
        (GraphQLError("Field 'x' doesn't exist", [{"message": "Field 'x' doesn't exist"}], None), [(2, 0)]),
    ],
)
async def test_what_is_no_question_of_size_is_raised(error: Exception, sizes: list[tuple[int, int]]) -> None:
    client = Refusing(error)
    with pytest.raises(type(error)):
        await _ask(client, 2)
    assert client.sizes == sizes


async def test_when_all_is_gone_and_nothing_else_came_all_are_unknown() -> None:
    found = await _ask(Refusing(NotFound("Could not resolve", status=200)), 2, 1)
    assert set(found.profiles.values()) == {None}
    assert set(found.contributions.values()) == {Contributed(None, None)}
