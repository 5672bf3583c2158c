"""Made-up rows with everything that a report can show: people, decisions, proposals, languages and bug types."""

from dataclasses import replace

import numpy as np

from reports import Decision, Participant, Record, Rows
from reports.vocabulary import ROLES
from tests.reports.synthetic import synthetic_rows

LANGUAGES = ("C/C++", "Python", "Cython", "Go")
BUG_TYPES = ("algorithm-design", "deployment", "memory")


def enriched_rows(
    repositories: int = 5, records: int = 30, seed: int = 7, traditional: int | None = None, shift: float = 0.0
) -> Rows:
    """Return the synthetic rows with every other field filled; each group's first two repositories may be named.

    The first ML repository is matched with the first traditional one. Multi-language fixes change more lines. A tenth
    of the issues waits for a decision.
    """
    rows = synthetic_rows(repositories, records, seed, traditional, shift)
    generator = np.random.default_rng(seed + 1)
    made = tuple(_record(one, generator) for one in rows.records)
    first = [one.repository_id for one in rows.repositories if one.paradigm == "traditional"]
    named = {1, 2, *first[:2]}
    listed = tuple(
        replace(
            one,
            share="named" if one.repository_id in named else "group",
            matched_with=first[0] if one.repository_id == 1 and first else None,
        )
        for one in rows.repositories
    )
    return Rows(
        repositories=listed,
        records=made,
        participants=tuple(_participant(one, generator) for one in made),
        decisions=tuple(_decision(one, coder) for one in made[::3] for coder in ("ann", "bob") if one.category),
    )


def _record(one: Record, generator: np.random.Generator) -> Record:
    several = bool(generator.random() < 0.4)
    tested = LANGUAGES[: 2 if several else 1]
    waits = one.number % 10 == 3
    return replace(
        one,
        state="proposed" if waits else one.state,
        category=None if waits else one.category,
        category_source=None if waits else one.category_source,
        blind=one.number % 4 == 0,
        proposal_category=one.category if generator.random() < 0.8 else "execution-error",
        bug_type=BUG_TYPES[int(generator.integers(3))],
        changed_lines=(one.changed_lines or 0) * (3 if several else 1),
        languages=tested[:1],
        languages_with_tests=tested,
        mpl=False,
        mpl_with_tests=several,
        change_entropy=0.0,
        change_entropy_with_tests=float(generator.random()) if several else 0.0,
        issue_form=bool(one.number % 2),
        members=int(generator.poisson(1)),
        participation_percent=float(generator.integers(0, 101)),
        non_members=int(generator.poisson(2)),
        member_contributions=int(generator.lognormal(4, 1)),
        fix_author_contributions=int(generator.lognormal(4, 1)),
    )


def _participant(one: Record, generator: np.random.Generator) -> Participant:
    return Participant(
        person=f"person{one.repository_id}-{one.number}",
        repository_id=one.repository_id,
        issue_id=one.issue_id,
        roles=("author",),
        member=False,
        account_years=int(generator.integers(0, 12)),
        followers=int(generator.lognormal(2, 1)),
        profile_role=list(ROLES)[int(generator.integers(len(ROLES)))],
    )


def _decision(one: Record, coder: str) -> Decision:
    other = "execution-error" if coder == "bob" and one.number % 9 == 0 else one.category
    return Decision(issue_id=one.issue_id, coder=coder, category=other or "none")
