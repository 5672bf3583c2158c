"""GitHub's moments in payloads: as text, and in the events of installations as seconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.store.moments import github_moment


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-11-02T09:00:00Z", datetime(2026, 11, 2, 9, tzinfo=UTC)),
        ("2026-11-02T11:00:00+02:00", datetime(2026, 11, 2, 9, tzinfo=UTC)),
        (1525109898, datetime(2018, 4, 30, 17, 38, 18, tzinfo=UTC)),
        (None, None),
        ("", None),
        ("yesterday", None),
        (True, None),
        (10**30, None),
        (1.5, None),
        ([], None),
    ],
)
def test_a_moment_is_read_in_either_form(value: Any, moment: datetime | None) -> None:
    assert github_moment(value) == moment
