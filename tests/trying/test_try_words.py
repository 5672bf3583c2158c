"""What a tried report says of itself, and what stands below it."""

from __future__ import annotations

from datetime import datetime

import pytest

from bot.trying.notes import period_of
from bot.trying.undecided import Named, undecided
from reports import Record as Row
from tests.support.clock import START


@pytest.mark.parametrize(
    ("closings", "expected"),
    [
        ([], ("2026-11", 12)),
        ([datetime.fromisoformat("2026-10-31T23:59:00+00:00")], ("2026-10", 12)),
        (
            [
                datetime.fromisoformat("2019-01-01T00:00:00+00:00"),
                datetime.fromisoformat("2020-03-31T23:59:00-01:00"),
            ],
            ("2020-04", 16),
        ),
    ],
)
def test_the_window_holds_all_closings(closings: list[datetime], expected: tuple[str, int]) -> None:
    assert period_of(closings, START) == expected


def test_guesses_enter_no_median_and_no_table_but_their_own() -> None:
    rows = [
        Row(repository_id=1, issue_id=number, number=number, eligible_system=True, state="proposed" if number == 1
            else "collected", proposal_category="memory-leak", proposal_model="m-1", proposal_probability=0.9,
            open_days=float(number), comments_until_reproduced=number, comments_until_reproduced_source=source)
        for number, source in ((1, "heuristic"), (2, "label"), (3, "command"))
    ]  # fmt: skip
    text = undecided(rows, {1: Named("It [leaks](javascript:x) @ann", "javascript:alert(1)")})
    assert "| Comments until reproduced | 2 | 2.5 [2.2–2.8] | 2 | 2.5 [2.2–2.8] |" in text
    assert "Guessed reproductions are left out (1 issue)." in text
    assert "| Changed lines | 0 | – | 0 | – |" in text
    assert "| Memory leak | 1 |" in text
    assert "javascript:alert" not in text
    assert "@ann" not in text
