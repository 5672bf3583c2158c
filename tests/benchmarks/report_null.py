"""How often the report's tests cry wolf when nothing differs, and how often they see a planted difference.

Run: python -m tests.benchmarks.report_null [DATA SETS]

Twenty repositories of the study's sizes (121 ML and 332 traditional issues), repositories differing from each other
by an intra-class correlation of .1 in every measure and every share, both groups drawn alike. The issue-level tests are
printed beside the repository-level ones, as the reason why they are not the headline.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from reports import Participant, Record, Repository, Rows, build_report
from reports.model import Report
from reports.vocabulary import CATEGORY_KEYS, COMMUNITY, DIFFICULTY, INFORMATION

PERIOD = "2026-11"
ML_SIZES = (13, 10, 10, 16, 10, 18, 10, 10, 12, 12)
TRADITIONAL_SIZES = (33, 33, 33, 34, 33, 33, 34, 33, 33, 33)
ICC = 0.1
PLANTED = 2.0
"""The planted shift, in standard deviations between repositories."""

_BETWEEN, _WITHIN = ICC**0.5, (1 - ICC) ** 0.5
_MEASURES = (*DIFFICULTY, *INFORMATION, *COMMUNITY)
_TABLES = ("categories", "without_dominant", "difficulty", "information", "community")


def data_set(seed: int, planted: float = 0.0) -> Rows:
    """Return rows in which the groups are alike, but for `planted` in the days open of ML."""
    random = np.random.default_rng(seed)
    base = random.dirichlet(np.full(len(CATEGORY_KEYS), 2.0))
    repositories: list[Repository] = []
    records: list[Record] = []
    people: list[Participant] = []
    for number, size in enumerate((*ML_SIZES, *TRADITIONAL_SIZES), start=1):
        paradigm = "ml" if number <= len(ML_SIZES) else "traditional"
        repositories.append(
            Repository(repository_id=number, repository=f"made-up/fw{number}", paradigm=paradigm, in_comparison=True)
        )
        # A Dirichlet of this concentration gives shares an intra-class correlation of ICC.
        shares = random.dirichlet(base * (1 - ICC) / ICC + 1e-9)
        level = random.normal(0, _BETWEEN, len(_MEASURES))
        level[0] += planted * _BETWEEN if paradigm == "ml" else 0.0
        for issue in range(size):
            scores = level + random.normal(0, _WITHIN, len(_MEASURES))
            measures = {one.key: float(np.exp(2 + score)) for one, score in zip(_MEASURES, scores, strict=True)}
            counts = {key: value if key == "open_days" else round(value) for key, value in measures.items()}
            records.append(_record(number, issue, str(random.choice(CATEGORY_KEYS, p=shares)), counts))
            people.append(_person(number, issue, random))
    return Rows(repositories=tuple(repositories), records=tuple(records), participants=tuple(people))


def _record(repository: int, issue: int, category: str, measures: dict[str, float]) -> Record:
    return Record(
        repository_id=repository,
        issue_id=repository * 1000 + issue,
        number=issue,
        closed_at=datetime(2026, 6, 1, tzinfo=UTC),
        eligible_system=True,
        category=category,
        category_source="decision",
        selection="random",
        comments_until_reproduced_source="command",
        **measures,  # type: ignore[arg-type]
    )


def _person(repository: int, issue: int, random: np.random.Generator) -> Participant:
    return Participant(
        person=f"{repository}-{issue}",
        repository_id=repository,
        issue_id=repository * 1000 + issue,
        account_years=int(random.integers(0, 14)),
        followers=round(float(np.exp(random.normal(3, 2)))),
    )


@dataclass
class Tally:
    """Over many data sets: p below .05 at each level, and for each table whether any q was."""

    repository_level: list[bool] = field(default_factory=list)
    issue_level: list[bool] = field(default_factory=list)
    any_q: dict[str, list[bool]] = field(default_factory=lambda: {name: [] for name in _TABLES})

    def add(self, report: Report) -> None:
        """Count one report."""
        for name in _TABLES:
            rows = [row for row in getattr(report.tables, name) if row.testable]
            self.repository_level += [row.p < 0.05 for row in rows]
            self.issue_level += [row.p_issue_level < 0.05 for row in rows if row.p_issue_level is not None]
            self.any_q[name].append(any(row.q < 0.05 for row in rows))

    @property
    def any_table(self) -> float:
        """The share of data sets in which any table had a q below .05."""
        return float(np.mean([any(flags) for flags in zip(*self.any_q.values(), strict=True)]))


def null(data_sets: int) -> Tally:
    """Build reports of data sets in which nothing differs."""
    tally = Tally()
    for seed in range(data_sets):
        tally.add(build_report(data_set(seed), PERIOD))
    return tally


def powers(data_sets: int) -> Iterator[bool]:
    """Tell for each data set with a planted shift whether the overall row of days open has p below .05."""
    for seed in range(data_sets):
        rows = build_report(data_set(10_000 + seed, PLANTED), PERIOD).tables.difficulty
        found = next(row for row in rows if (row.category, row.indicator) == ("overall", "open_days"))
        yield found.p is not None and found.p < 0.05


def main() -> None:
    """Print the shares."""
    data_sets = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    tally = null(data_sets)
    out = sys.stdout.write
    out(f"{data_sets} data sets without a difference, {len(tally.repository_level):,} tested cells\n")
    out(f"p < .05, repository level: {100 * np.mean(tally.repository_level):.1f} %\n")
    out(f"p < .05, issue level:      {100 * np.mean(tally.issue_level):.1f} %\n")
    for name, flags in tally.any_q.items():
        out(f"any q < .05 in {name}: {100 * np.mean(flags):.1f} % of data sets\n")
    out(f"any q < .05 in any of the tables: {100 * tally.any_table:.1f} % of data sets\n")
    seen = 100 * np.mean(list(powers(data_sets)))
    out(f"a planted shift of {PLANTED:g} deviations between repositories is seen in {seen:.1f} %\n")


if __name__ == "__main__":
    main()
