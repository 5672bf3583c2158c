"""Made-up reports for the tests of the figures, put together from tables directly: nothing is computed from rows."""

from dataclasses import replace

import numpy as np

from reports.effects import wilson
from reports.model import (
    Anova,
    CategoryRow,
    Coverage,
    Funnel,
    FunnelStep,
    GroupCoverage,
    IndicatorRow,
    QuartileCell,
    Report,
    ShareCell,
    Tables,
)
from reports.model_fixes import FixCell, MplRow
from reports.model_own import RepositoryRow, TrendPoint
from reports.model_people import AgreementCell, AgreementTable, RoleCell, RoleRow
from reports.periods import parse_period
from reports.study import load_study
from reports.vocabulary import (
    CATEGORY_KEYS,
    COMMUNITY,
    DIFFICULTY,
    INFORMATION,
    MPL_INDICATORS,
    OVERALL,
    PEOPLE,
    ROLES,
    Indicator,
)

NOTHING = FunnelStep(0, 0, 0, 0, 0, 0, 0, ())
NO_ANOVA = Anova(None, None)
UNKNOWN = AgreementCell(0, 0, None, None, "too small")


class Numbers:
    """Seeded cells of every kind; `ml` or `traditional` 0 makes that group empty, `factor` stretches the upper half."""

    def __init__(self, ml: int = 60, traditional: int = 60, factor: float = 1.0, seed: int = 3) -> None:
        self.random = np.random.default_rng(seed)
        self.sizes = (ml, traditional)
        self.factor = factor

    def quartiles(self, n: int, log: bool) -> tuple[float | None, float | None, float | None]:
        if n == 0:
            return None, None, None
        middle = float(np.round(self.random.lognormal(2.5 if log else 1.2, 0.4), 1))
        return middle, middle / 2, middle * 2 * (self.factor if self.random.random() < 0.3 else 1.0)

    def cell(self, n: int, log: bool) -> QuartileCell:
        return QuartileCell(n, min(n, 10), *self.quartiles(n, log))

    def indicator(self, category: str, one: Indicator) -> IndicatorRow:
        ml, traditional = (max(1, size // 6) if size and category != OVERALL else size for size in self.sizes)
        known = bool(ml and traditional)
        delta = float(self.random.uniform(-0.6, 0.6)) if known else None
        return IndicatorRow(
            category=category,
            indicator=one.key,
            ml=self.cell(ml, one.log),
            traditional=self.cell(traditional, one.log),
            direction=0,
            cliffs_delta=delta,
            cliffs_delta_ci=None if delta is None else (max(-1, delta - 0.3), min(1, delta + 0.3)),
            p=0.02 if known else None,
            q=0.04 if delta and abs(delta) > 0.4 else 0.3,
            p_issue_level=None,
            anova=NO_ANOVA,
            welch=NO_ANOVA,
            testable=known and ml >= 5,
            reason=None if known else "too small",
        )

    def table(self, indicators: tuple[Indicator, ...], overall_alone: bool = False) -> tuple[IndicatorRow, ...]:
        scopes = (OVERALL,) if overall_alone else (OVERALL, *CATEGORY_KEYS)
        return tuple(self.indicator(category, one) for category in scopes for one in indicators)

    def share(self, n: int, total: int) -> ShareCell:
        return ShareCell(n, total, n / total if total else None, wilson(n, total), min(total, 10))

    def shares(self, leave_out: str | None = None) -> tuple[CategoryRow, ...]:
        keys = [key for key in CATEGORY_KEYS if key != leave_out]
        counts = [self.random.multinomial(size, self.random.dirichlet(np.ones(len(keys)))) for size in self.sizes]
        return tuple(
            CategoryRow(
                key,
                self.share(int(counts[0][number]), self.sizes[0]),
                self.share(int(counts[1][number]), self.sizes[1]),
                *(None, None, None, None, None),
                NO_ANOVA,
                NO_ANOVA,
                False,
                "too small",
            )
            for number, key in enumerate(keys)
        )

    def role(self, role: str, size: int) -> RoleCell:
        return RoleCell(size // 5, size, 0.2 if size else None, 1)

    def fix(self, n: int, log: bool) -> FixCell:
        return FixCell(n, *self.quartiles(n, log), 1)

    def mpl(self, repository: str, one: Indicator) -> MplRow:
        return MplRow(repository, one.key, self.fix(8, one.log), self.fix(20, one.log), None, None, None, False, None)

    def repository(self, name: str, paradigm: str | None) -> RepositoryRow:
        cells = {one.key: self.fix(30, one.log) for one in (*DIFFICULTY, *INFORMATION)}
        return RepositoryRow(name, paradigm, 30, cells, dict.fromkeys(CATEGORY_KEYS, 2))


def drawn_report(numbers: Numbers, names: tuple[tuple[str, str | None], ...] = (), months: int = 12) -> Report:
    """Return a report with every table filled; `names` are (repository, paradigm) that may be named."""
    period = parse_period("2026-11", months)
    tables = Tables(
        categories=numbers.shares(),
        dominant="memory-leak",
        without_dominant=numbers.shares("memory-leak"),
        estimated=(),
        difficulty=numbers.table(DIFFICULTY),
        information=numbers.table(INFORMATION),
        community=numbers.table((*COMMUNITY, *PEOPLE), overall_alone=True),
        roles=tuple(RoleRow(role, *(numbers.role(role, size) for size in numbers.sizes)) for role in ROLES),
        bug_types=(),
        languages=(),
        mpl_vs_spl=tuple(
            numbers.mpl(name, one) for name in (OVERALL, *(name for name, _ in names)) for one in MPL_INDICATORS
        ),
    )
    points = tuple(
        TrendPoint(month, 40 + 3 * number, 20, 9, 5.0 if number % 4 else None, 6.0)
        for number, month in enumerate(period.months)
    )
    return replace(
        empty_report(),
        period=period,
        tables=tables,
        repositories=tuple(numbers.repository(*one) for one in names),
        trend=points,
        study=load_study(),
    )


def empty_report() -> Report:
    """Return a report in which nothing was counted: every category with zeros, no measure known, no month closed."""
    numbers = Numbers(0, 0)
    period = parse_period("2026-11")
    return Report(
        period=period,
        seed=period.seed,
        repository=None,
        own_records=(),
        funnel=Funnel(groups={"ml": NOTHING, "traditional": NOTHING}, this_repository=None),
        coverage=Coverage(
            groups={"ml": GroupCoverage(0, 0, 0), "traditional": GroupCoverage(0, 0, 0)},
            month=NOTHING,
            window=NOTHING,
            proposed_unconfirmed=0,
            sampled=0,
            sampled_unanswered=0,
            heuristic_left_out=0,
            not_available=(),
        ),
        tables=Tables(
            categories=numbers.shares(),
            dominant=None,
            without_dominant=numbers.shares(),
            estimated=(),
            difficulty=numbers.table(DIFFICULTY),
            information=numbers.table(INFORMATION),
            community=(),
            roles=(),
            bug_types=(),
            languages=(),
            mpl_vs_spl=(),
        ),
        agreement=AgreementTable(UNKNOWN, UNKNOWN, UNKNOWN),
        own=(),
        repositories=(),
        partner=None,
        trend=tuple(TrendPoint(month, 0, 0, 0, None, None) for month in period.months),
        finding=("", "", ""),
        study=None,
        notes=(),
        versions=(),
    )
