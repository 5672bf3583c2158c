"""A day of large repositories, at the rates of real ones: when issues are closed, and when people comment; seeded."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tests.support.subprocesses import ROOT

FILE = ROOT.parent / "shared" / "data" / "issue-metrics-34k.jsonl.gz"
_YEAR = timedelta(days=365)
_MOMENT = "%Y-%m-%d %H:%M"
_HOURS = 24


@dataclass(frozen=True)
class Rates:
    """Closings a day of each repository, in its last whole year; comments of each issue; how closings lie in a day."""

    closings: tuple[float, ...]
    comments: tuple[int, ...]
    hours: tuple[int, ...]


@dataclass(frozen=True)
class Happening:
    """One closing (`comments` its issue has by then) or comment (None), at a part of the day, 0..1."""

    at: float
    repository: int
    comments: int | None


def read_rates(file: Path = FILE) -> Rates:
    """Read the rates; raises FileNotFoundError where the data is not there."""
    with gzip.open(file, "rt") as lines:
        rows = [row for row in map(json.loads, lines) if row["closed_at"]]
    closed: dict[str, list[datetime]] = {}
    for row in rows:
        closed.setdefault(row["repository"], []).append(datetime.strptime(row["closed_at"], _MOMENT))
    a_day = tuple(sum(moment > max(moments) - _YEAR for moment in moments) / _YEAR.days for moments in closed.values())
    hours = Counter(moment.hour for moments in closed.values() for moment in moments)
    return Rates(a_day, tuple(row["n_comments"] or 0 for row in rows), tuple(hours[hour] for hour in range(_HOURS)))


def draw_day(rates: Rates, repositories: int, times: float, seed: int) -> list[Happening]:
    """Draw a day of so many repositories at so many times the rate, in order.

    Each closing brings as many comments as an issue has in all: over a day as many comments come as are due.
    """
    generator = random.Random(seed)  # noqa: S311  the same day in every run is wanted
    found: list[Happening] = []
    for repository in range(repositories):
        mean = rates.closings[repository % len(rates.closings)] * times
        for _ in range(_poisson(generator, mean)):
            comments = generator.choice(rates.comments)
            found.append(Happening(_moment(generator, rates.hours), repository, comments))
            found += [Happening(_moment(generator, rates.hours), repository, None) for _ in range(comments)]
    return sorted(found, key=lambda one: one.at)


def _moment(generator: random.Random, hours: Sequence[int]) -> float:
    (hour,) = generator.choices(range(_HOURS), hours)
    return (hour + generator.random()) / _HOURS


def _poisson(generator: random.Random, mean: float) -> int:
    """Draw how many happen where `mean` are expected, by the gaps between them."""
    count, passed = 0, generator.expovariate(1.0)
    while passed < mean:
        count, passed = count + 1, passed + generator.expovariate(1.0)
    return count
