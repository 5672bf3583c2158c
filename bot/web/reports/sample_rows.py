"""Made-up rows for the sample report: ten repositories that are nobody's, with a year of decided issues."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from math import exp
from typing import Final

from reports import Decision, Participant, Record, Repository, Rows
from reports.vocabulary import CATEGORY_KEYS, ROLES

PERIOD: Final = "2025-12"
OWN: Final = 1
_END: Final = datetime(2026, 1, 1, tzinfo=UTC)
_DAYS: Final = 365
_ISSUES: Final = 45
_NAMES: Final = {
    "ml": ("gradients", "layers", "tensors", "kernels", "pipelines"),
    "traditional": ("router", "templates", "widgets", "scheduler", "forms"),
}
_OFTEN: Final = {
    "ml": {"memory-leak": 6.0, "hardware-mismatch": 4.0, "performance-regression": 2.0},
    "traditional": {"configuration-error": 6.0, "connection-error": 4.0, "performance-regression": 2.0},
}
_LANGUAGES: Final = {"ml": ("Python", "C/C++"), "traditional": ("JavaScript", "TypeScript")}
_HARDER: Final = {"ml": 2.2, "traditional": 1.0}
"""By what most measures of difficulty are multiplied, so that the report has differences to name."""


def sample_rows() -> Rows:
    """Return the same rows each time; nothing in them was measured anywhere."""
    chance = random.Random(17)  # noqa: S311 - made-up numbers, no secrets
    repositories = tuple(
        Repository(
            repository_id=number,
            repository=f"sample-{name}",  # no owner: there is nothing to link to
            paradigm=group,
            domain="Made up",
            in_comparison=True,
            matched_with=(number + 4) % 10 + 1,
            share="named",
        )
        for number, (group, name) in enumerate(((group, name) for group in _NAMES for name in _NAMES[group]), start=1)
    )
    records = [_record(one, number, chance) for one in repositories for number in range(1, _ISSUES + 1)]
    return Rows(
        repositories=repositories,
        records=tuple(records),
        participants=tuple(part for one in records for part in _participants(one, chance)),
        decisions=tuple(decision for one in records for decision in _decisions(one, chance)),
    )


def _record(repository: Repository, number: int, chance: random.Random) -> Record:
    group = repository.paradigm or ""
    closed = _END - timedelta(days=chance.uniform(0.1, _DAYS - 1))
    open_days = _HARDER[group] * exp(chance.gauss(2.0, 1.0))
    category = chance.choices(CATEGORY_KEYS, [_OFTEN[group].get(key, 0.5) for key in CATEGORY_KEYS])[0]
    languages = _LANGUAGES[group] if chance.random() < 0.4 else _LANGUAGES[group][:1]
    guessed = category if chance.random() < 0.7 else chance.choice(CATEGORY_KEYS)
    eligible = chance.random() < 0.85
    decided = eligible and chance.random() < 0.9
    return Record(
        repository_id=repository.repository_id,
        repository=repository.repository,
        paradigm=group,
        issue_id=repository.repository_id * 1_000 + number,
        number=number,
        created_at=closed - timedelta(days=open_days),
        closed_at=closed,
        state="confirmed" if decided else "collected",
        eligible_system=eligible,
        eligible_bug=eligible,
        exclusions=() if eligible else ("no_fix",),
        category=category if decided else None,
        category_source="decision" if decided else None,
        selection="random",
        selection_probability=0.5,
        blind=number % 5 == 0,
        proposal_category=guessed,
        proposal_probability=0.8,
        proposal_model="sample",
        open_days=open_days,
        issue_comments=1 + int(_HARDER[group] * chance.expovariate(0.2)),
        fix_comments=int(_HARDER[group] * chance.expovariate(0.4)),
        issue_participants=2 + int(_HARDER[group] * chance.expovariate(0.6)),
        fix_participants=1 + int(_HARDER[group] * chance.expovariate(0.8)),
        changed_lines=1 + int(_HARDER[group] * exp(chance.gauss(3.0, 1.2))),
        changed_files=len(languages) + int(chance.expovariate(0.5)),
        comments_until_reproduced=int(chance.expovariate(0.7)),
        comments_until_reproduced_source="command",
        description_words=int(exp(chance.gauss(4.6, 0.7))),
        attached_files=int(chance.expovariate(2.0)),
        code_lines=int(exp(chance.gauss(2.3, 1.0))),
        members=1 + int(chance.expovariate(1.2)),
        participation_percent=chance.uniform(10, 90),
        non_members=int(chance.expovariate(0.7)),
        fix_kind="pull_request" if eligible else None,
        languages=languages if eligible else None,
        languages_with_tests=languages if eligible else None,
        mpl=len(languages) > 1 if eligible else None,
        mpl_with_tests=len(languages) > 1 if eligible else None,
    )


def _participants(record: Record, chance: random.Random) -> list[Participant]:
    """Return two people out of the forty of the issue's repository."""
    return [
        Participant(
            person=f"{record.repository_id}-{person}",
            repository_id=record.repository_id,
            issue_id=record.issue_id,
            roles=("reporter",) if place == 0 else ("fix_author",),
            member=place == 1,
            account_years=person % 12,
            followers=person * person,
            profile_role=list(ROLES)[person % len(ROLES)],
        )
        for place, person in enumerate(chance.sample(range(40), 2))
    ]


def _decisions(record: Record, chance: random.Random) -> list[Decision]:
    """Return what one person decided, or, of every third issue, two, who mostly agree."""
    if record.category is None:
        return []
    second = record.category if chance.random() < 0.85 else chance.choice(CATEGORY_KEYS)
    coded = [("first", record.category), ("second", second)]
    return [
        Decision(issue_id=record.issue_id, coder=coder, category=category, blind=True, decided_at=record.closed_at)
        for coder, category in coded[: 2 if record.number % 3 == 0 else 1]
    ]
