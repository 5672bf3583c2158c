"""Which issues were closed last, from lists that GitHub orders otherwise."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.github import latest
from bot.github.latest import LATEST_CLOSED, latest_closed
from bot.github.points import points
from tests.support.clock import START

FRAME = "acme/frame"


def moment(hours: float) -> str:
    return (START + timedelta(hours=hours)).isoformat()


def test_a_hundred_cost_one_point() -> None:
    assert points(LATEST_CLOSED, {}) == 1


class Listing:
    """A list of closed issues in pages of two, those touched last first."""

    def __init__(self, *rows: tuple[int, float, float]) -> None:
        self._rows = sorted(rows, key=lambda row: -row[2])
        self.pages = 0

    async def graphql(self, query: str, variables: Any = None) -> dict[str, Any]:
        first = int(variables["after"] or 0)
        self.pages += 1
        nodes = [
            {"number": number, "closedAt": moment(closed), "updatedAt": moment(touched)}
            for number, closed, touched in self._rows[first : first + 2]
        ]
        more = first + 2 < len(self._rows)
        page = {"hasNextPage": more, "endCursor": str(first + 2)}
        return {"repository": {"issues": {"nodes": nodes, "pageInfo": page}}}

    async def get(self, path: str, params: Any = None) -> Any:
        raise AssertionError(path)


@pytest.mark.parametrize(
    ("rows", "most", "expected", "pages"),
    [
        (((1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5)), 2, [5, 4], 1),
        (((1, 1, 90), (2, 2, 80), (3, 3, 70), (4, 60, 60), (5, 5, 5), (6, 4, 4)), 1, [4], 2),
        (((1, 1, 90), (2, 2, 80), (3, 50, 50), (4, 1, 40), (5, 30, 30), (6, 2, 2)), 2, [3, 5], 3),
        (((1, 1, 1), (2, 2, 2)), 9, [2, 1], 1),
        ((), 9, [], 1),
    ],
)
async def test_the_list_is_read_until_no_later_closing_can_follow(
    rows: tuple[tuple[int, float, float], ...], most: int, expected: list[int], pages: int
) -> None:
    listing = Listing(*rows)
    found, surely = await latest_closed(listing, FRAME, most)
    assert ([one.number for one in found], surely, listing.pages) == (expected, True, pages)


async def test_a_list_that_was_stirred_up_ends_and_says_that_it_may_lack_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latest, "MOST_PAGES", 2)
    listing = Listing(*((number, 0, 100 - number) for number in range(1, 10)))
    found, surely = await latest_closed(listing, FRAME, 2)
    assert (len(found), surely, listing.pages) == (2, False, 2)
