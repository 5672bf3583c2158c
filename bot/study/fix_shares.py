"""What fix facts say per repository: how many fixes are multi-language, in which languages, and how large they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from bot.texts.terminal import harmless
from reports import Record, Rows

_COMBINATIONS = 3
HEADINGS = ("repository", "fixes", "MPL", "without tests", "days", "lines", "files", "combinations")


@dataclass(frozen=True)
class Share:
    """Multi-language fixes among those that change a source file at all."""

    multi_language: int
    of: int

    @property
    def percent(self) -> float | None:
        """The share, None where no fix changes a source file."""
        return 100 * self.multi_language / self.of if self.of else None


@dataclass(frozen=True)
class FixShares:
    """One repository, or all of a paradigm: shares, the most frequent combinations (test files counted), medians.

    `medians` are of days open, changed lines and changed files, over all its records; None where none is known.
    """

    name: str
    records: int
    with_tests: Share
    without_tests: Share
    combinations: tuple[tuple[str, int], ...]
    medians: tuple[float | None, float | None, float | None]


def fix_shares(rows: Rows) -> tuple[FixShares, ...]:
    """Return each repository in the order of the rows, then the two paradigms as a whole."""
    groups = {
        one.repository: [record for record in rows.records if record.repository_id == one.repository_id]
        for one in rows.repositories
    }
    for paradigm in ("ml", "traditional"):
        groups[f"all {paradigm}"] = [record for record in rows.records if record.paradigm == paradigm]
    return tuple(_of(name, records) for name, records in groups.items() if records)


def _of(name: str, records: list[Record]) -> FixShares:
    together = Counter(" + ".join(record.languages_with_tests or ()) for record in records if record.mpl_with_tests)
    return FixShares(
        name=name,
        records=len(records),
        with_tests=_share(record.mpl_with_tests for record in records),
        without_tests=_share(record.mpl for record in records),
        combinations=tuple(sorted(together.items(), key=lambda one: (-one[1], one[0]))[:_COMBINATIONS]),
        medians=(
            _median(record.open_days for record in records),
            _median(record.changed_lines for record in records),
            _median(record.changed_files for record in records),
        ),
    )


def _share(found: Iterable[bool | None]) -> Share:
    known = [one for one in found if one is not None]
    return Share(sum(known), len(known))


def _median(found: Iterable[float | None]) -> float | None:
    known = [one for one in found if one is not None]
    return median(known) if known else None


def cells(one: FixShares) -> tuple[str, ...]:
    """Return a row of the table under `HEADINGS`."""
    return (
        harmless(one.name),
        f"{one.records:,}",
        share_text(one.with_tests),
        share_text(one.without_tests),
        *map(number_text, one.medians),
        ", ".join(f"{name} {count}" for name, count in one.combinations) or "-",
    )


def share_text(share: Share) -> str:
    """Write a share as `12.3 % (4/33)`, or `-` where there is nothing to share."""
    return "-" if share.percent is None else f"{share.percent:.1f} % ({share.multi_language}/{share.of})"


def number_text(value: float | None) -> str:
    """Write a median with one decimal, or none where that is zero."""
    return "-" if value is None else f"{value:,.1f}".removesuffix(".0")


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells, the headings first, as aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def as_json(one: FixShares) -> dict[str, Any]:
    """Return a repository's figures for scripts; shares in percent beside what they were counted from."""
    days, lines, files = one.medians
    return {
        **asdict(one),
        "with_tests": {**asdict(one.with_tests), "percent": one.with_tests.percent},
        "without_tests": {**asdict(one.without_tests), "percent": one.without_tests.percent},
        "combinations": dict(one.combinations),
        "medians": {"open_days": days, "changed_lines": lines, "changed_files": files},
    }
