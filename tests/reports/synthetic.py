"""Made-up rows for the report's tests: repositories of both groups with seeded records."""

from datetime import UTC, datetime, timedelta

import numpy as np

from reports import Record, Repository, Rows
from reports.vocabulary import CATEGORY_KEYS

PERIOD = "2026-11"


def synthetic_rows(
    repositories: int = 10, records: int = 60, seed: int = 7, traditional: int | None = None, shift: float = 0.0
) -> Rows:
    """Return `repositories` ML and `traditional` traditional repositories of `records` decided issues each.

    ML repositories have more memory leaks; `shift` is added to the mean of their log days open.
    """
    generator = np.random.default_rng(seed)
    groups = ["ml"] * repositories + ["traditional"] * (repositories if traditional is None else traditional)
    made = [_repository(number, paradigm) for number, paradigm in enumerate(groups, start=1)]
    rows = [
        record for one in made for record in _records(one, records, generator, shift if one.paradigm == "ml" else 0.0)
    ]
    return Rows(repositories=tuple(made), records=tuple(rows))


def _repository(number: int, paradigm: str) -> Repository:
    name = f"made-up/framework{number}"
    return Repository(repository_id=number, repository=name, paradigm=paradigm, in_comparison=True)


def _records(repository: Repository, count: int, generator: np.random.Generator, shift: float) -> list[Record]:
    weights = np.ones(len(CATEGORY_KEYS))
    weights[CATEGORY_KEYS.index("memory-leak")] = 6.0 if repository.paradigm == "ml" else 1.0
    weights[CATEGORY_KEYS.index("configuration-error")] = 1.0 if repository.paradigm == "ml" else 8.0
    weights[CATEGORY_KEYS.index("data-race")] = 0.0
    categories = generator.choice(len(CATEGORY_KEYS), size=count, p=weights / weights.sum())
    own = generator.normal(0, 0.3)
    days = np.exp(generator.normal(2 + own + shift, 1, size=count))
    counts = generator.poisson(6, size=(count, 8))
    closed = generator.uniform(0, 364, size=count)
    start = datetime(2025, 12, 1, tzinfo=UTC)
    return [
        Record(
            repository_id=repository.repository_id,
            repository=repository.repository,
            paradigm=repository.paradigm,
            issue_id=repository.repository_id * 1_000_000 + number,
            number=number,
            created_at=start + timedelta(days=float(closed[number]) - float(days[number])),
            closed_at=start + timedelta(days=float(closed[number])),
            state="confirmed",
            eligible_system=True,
            eligible_bug=True,
            category=CATEGORY_KEYS[int(categories[number])],
            category_source="decision",
            selection="random" if number % 10 else "targeted",
            fix_kind="pull_request",
            open_days=float(days[number]),
            issue_comments=3 + int(counts[number, 0]),
            fix_comments=int(counts[number, 1]) if number % 5 else None,
            issue_participants=1 + int(counts[number, 2]) // 2,
            fix_participants=1 + int(counts[number, 3]) // 3,
            changed_lines=int(counts[number, 4]) ** 2,
            changed_files=1 + int(counts[number, 5]) // 2,
            comments_until_reproduced=int(counts[number, 6]) // 3,
            comments_until_reproduced_source="command" if number % 2 else "heuristic",
            description_words=20 * int(counts[number, 7]),
            attached_files=int(counts[number, 6]) % 3,
            code_lines=2 * int(counts[number, 5]),
        )
        for number in range(count)
    ]
