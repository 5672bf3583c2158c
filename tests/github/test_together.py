"""Several runs of a query in one, and the readers that share it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLSchema, build_schema, parse, validate
from hypothesis import given
from hypothesis import strategies as st

from bot.github import page_queries, queries
from bot.github.errors import Forbidden, GraphQLError, NotFound, TooExpensive, Transient
from bot.github.loader import TogetherClient
from bot.github.page_size import LARGEST_SIZE, halved, next_size
from bot.github.points import points
from bot.github.together import alias, apart, together, variables_together

SCHEMA = Path(__file__).parents[2] / "bot" / "sandbox" / "schema.graphql"
TEXTS = {name: getattr(queries, name) for name in ("ISSUE_EVIDENCE", "ISSUE_PAGE", "PULL_REQUEST_PAGE", "ISSUE_EDITS")}


@cache
def schema() -> GraphQLSchema:
    return build_schema(SCHEMA.read_text())


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("count", [1, 3])
def test_runs_together_are_a_valid_query(name: str, count: int) -> None:
    text = together(TEXTS[name], count)
    assert validate(schema(), parse(text)) == []
    assert text.count("run") >= count


@pytest.mark.parametrize("name", ["ISSUES_PAGE", "ISSUE_NUMBERS", "PULL_REQUEST_OF_MANY"])
def test_the_queries_of_a_backfill_are_valid(name: str) -> None:
    assert validate(schema(), parse(getattr(page_queries, name))) == []


def test_variables_keep_apart() -> None:
    assert variables_together([{"number": 1}, {"number": 2}]) == {"number_0": 1, "number_1": 2}
    assert "$number_1" in together(TEXTS["ISSUE_EVIDENCE"], 2)


@pytest.mark.parametrize(
    ("query", "variables", "runs", "expected"),
    [
        (page_queries.ISSUES_PAGE, {"first": 20}, None, 6),
        (page_queries.ISSUES_PAGE, {"first": 100}, None, 29),
        (page_queries.ISSUE_NUMBERS, {"first": 100}, None, 1),
        (queries.ISSUE_EVIDENCE, {}, None, 1),
        (queries.PULL_REQUEST, {}, None, 1),
        (queries.PULL_REQUEST, {}, 20, 21),
        (page_queries.PULL_REQUEST_OF_MANY, {}, 20, 3),
        (queries.ISSUE_PAGE, {"comments": False, "events": False}, 100, 1),
        (queries.ISSUE_PAGE, {"comments": True, "events": True}, 100, 2),
    ],
)
def test_points_by_the_published_formula(
    query: str, variables: Mapping[str, Any], runs: int | None, expected: int
) -> None:
    if runs is not None:
        query, variables = together(query, runs), variables_together([variables] * runs)
    assert points(query, variables) == expected


def test_errors_go_to_the_run_they_are_about() -> None:
    data = {alias(0): {"issue": {"number": 1}}, alias(1): None, alias(2): {"issue": None}}
    errors = [
        {"type": "NOT_FOUND", "path": [alias(1)], "message": "no repository"},
        {"type": "FORBIDDEN", "path": [alias(2), "issue", "closing"], "message": "not accessible"},
    ]
    fine, gone, hidden = apart("repository", 3, data, errors)
    assert fine == {"repository": {"issue": {"number": 1}}}
    assert isinstance(gone, NotFound)
    assert isinstance(hidden, GraphQLError)
    assert hidden.errors[0]["path"] == ["repository", "issue", "closing"]


class Scripted:
    """Answers every run with its number, unless more than `most` are asked at once."""

    def __init__(self, most: int = 1000, failing: Mapping[int, Exception] | None = None) -> None:
        self.most, self.failing, self.asked = most, failing or {}, [0][:0]

    async def graphql(self, _: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        numbers = [value for name, value in (variables or {}).items() if name.startswith("number")]
        self.asked.append(len(numbers))
        await asyncio.sleep(0)
        if len(numbers) > self.most:
            raise TooExpensive("too much", status=200)
        for number in numbers:
            if number in self.failing:
                raise self.failing[number]
        return {alias(run): {"number": number} for run, number in enumerate(numbers)}

    async def get(self, path: str, _: Mapping[str, Any] | None = None) -> Any:
        return path


async def ask(client: TogetherClient, number: int) -> Any:
    return await client.graphql(queries.ISSUE_EVIDENCE, {"owner": "o", "name": "r", "number": number})


async def test_what_is_asked_at_the_same_time_is_asked_together() -> None:
    scripted = Scripted()
    client = TogetherClient(scripted, most=10)
    answers = await asyncio.gather(*(ask(client, number) for number in range(25)))
    assert answers == [{"repository": {"number": number}} for number in range(25)]
    assert scripted.asked == [10, 10, 5]


async def test_what_is_broken_off_is_asked_in_halves() -> None:
    scripted = Scripted(most=3)
    client = TogetherClient(scripted, most=16)
    answers = await asyncio.gather(*(ask(client, number) for number in range(9)))
    assert [answer["repository"]["number"] for answer in answers] == list(range(9))
    assert scripted.asked == [9, 4, 2, 2, 2, 2, 1]


@pytest.mark.parametrize("error", [Transient("away"), Forbidden("no", "permission")])
async def test_an_error_reaches_its_reader_and_a_bug_all_of_them(error: Exception) -> None:
    client = TogetherClient(Scripted(failing={2: error}), most=1)
    answers = await asyncio.gather(*(ask(client, number) for number in range(4)), return_exceptions=True)
    assert [isinstance(answer, type(error)) for answer in answers] == [False, False, True, False]


@given(st.integers(1, LARGEST_SIZE), st.floats(0, 40))
def test_a_page_stays_within_bounds_and_moves_towards_the_right_time(size: int, seconds: float) -> None:
    following = next_size(size, seconds)
    assert 1 <= following <= LARGEST_SIZE
    assert 1 <= halved(size) <= max(1, size // 2)
    if seconds > 6:
        assert following < size or size == 1
    elif seconds < 2:
        assert following > size or size == LARGEST_SIZE
    else:
        assert following == size
