"""What the real fixes of the shared data say of languages: the figures that tests check and a benchmark prints."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.evidence.languages import change_entropy, is_test, languages_of
from bot.evidence.model import FixFile
from bot.study.fix_shares import Share
from reports.group_tests import mann_whitney

DATA = Path(__file__).parents[3] / "shared" / "data"
FIXES_WITH_FILES = "fixes-with-files.jsonl.gz"
ISSUES_WITH_FIX = "closed-issues-with-fix.jsonl.gz"
FIX_FACTS = "fix-facts.jsonl.gz"

MEASURES = ("changed lines", "changed files", "entropy", "open days", "comments")
DIFFERENT, ALIKE = MEASURES[:3], MEASURES[3:]
"""In which measures multi-language fixes differ from the others, and in which not (the second study's finding)."""


def needed(name: str) -> Path:
    """Return the path of a file of the shared data, or skip the test where it is absent."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"needs {name} of the shared data")
    return path


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a compressed file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@dataclass(frozen=True)
class PublishedShares:
    """Shares of multi-language fixes of one repository: with tests; without, as the file lists them and by our rule.

    `unlisted` are pull requests whose only other language is that of a test which stands among the other files, with
    these tests.
    """

    with_tests: Share
    without_by_list: Share
    without_by_rule: Share
    unlisted: tuple[tuple[int, tuple[str, ...]], ...]


def published_shares(path: Path) -> dict[str, PublishedShares]:
    """Measure the fixes of `fixes-with-files.jsonl.gz` per repository."""
    fixes: dict[str, list[tuple[int, list[str], list[str]]]] = defaultdict(list)
    for row in lines_of(path):
        files, tests = ([file["path"] for file in row[part]] for part in ("files", "test_files"))
        fixes[row["repository"]].append((row["pull_request"], files, tests))
    return {repository: _published(found) for repository, found in fixes.items()}


def _published(fixes: list[tuple[int, list[str], list[str]]]) -> PublishedShares:
    everything = [languages_of(files + tests) for _, files, tests in fixes]
    listed = [languages_of(files).languages_with_tests for _, files, _ in fixes]
    by_rule = [found.languages for found in everything]
    return PublishedShares(
        with_tests=_share(found.languages_with_tests for found in everything),
        without_by_list=_share(listed),
        without_by_rule=_share(by_rule),
        unlisted=tuple(
            (number, tuple(filter(is_test, files)))
            for (number, files, _), some, ours in zip(fixes, listed, by_rule, strict=True)
            if len(some) > 1 >= len(ours)
        ),
    )


def _share(found: Iterable[tuple[str, ...]]) -> Share:
    counts = [len(languages) for languages in found if languages]
    return Share(sum(count > 1 for count in counts), len(counts))


@dataclass(frozen=True)
class Comparison:
    """One measure of multi-language (MPL) and single-language (SPL) fixes: medians and Mann-Whitney's two-sided p."""

    mpl: float
    spl: float
    p: float


@dataclass(frozen=True)
class MplAgainstSpl:
    """One repository's multi-language fixes against its others, test files counted."""

    mpl_fixes: int
    spl_fixes: int
    measures: dict[str, Comparison]


def mpl_against_spl(path: Path) -> dict[str, MplAgainstSpl]:
    """Compare the fixes of `closed-issues-with-fix.jsonl.gz` in each repository that has ten of either kind."""
    values: dict[str, dict[bool, list[tuple[float, ...]]]] = defaultdict(lambda: {True: [], False: []})
    for row in lines_of(path):
        files = [FixFile(one["path"], one["additions"] or 0, one["deletions"] or 0) for one in row["fix"]["files"]]
        languages = languages_of(file.path for file in files).languages_with_tests
        if languages:
            values[row["repository"]][len(languages) > 1].append(_measured(row, files))
    return {
        repository: MplAgainstSpl(len(kinds[True]), len(kinds[False]), _compared(kinds))
        for repository, kinds in values.items()
        if min(len(kinds[True]), len(kinds[False])) >= 10
    }


def _measured(row: dict[str, Any], files: list[FixFile]) -> tuple[float, ...]:
    opened, closed = (datetime.fromisoformat(row[name]) for name in ("created_at", "closed_at"))
    entropy = change_entropy(files, with_tests=True)
    return (
        sum(file.additions + file.deletions for file in files),
        len(files),
        np.nan if entropy is None else entropy,
        (closed - opened).total_seconds() / 86_400,
        len(row["comments"]),
    )


def _compared(kinds: dict[bool, list[tuple[float, ...]]]) -> dict[str, Comparison]:
    found = {}
    for position, measure in enumerate(MEASURES):
        mpl, spl = (np.array([row[position] for row in kinds[kind]]) for kind in (True, False))
        mpl, spl = mpl[~np.isnan(mpl)], spl[~np.isnan(spl)]
        p = mann_whitney(mpl, spl)
        assert p is not None
        found[measure] = Comparison(float(np.median(mpl)), float(np.median(spl)), p)
    return found


@dataclass(frozen=True)
class Described:
    """What the document beside the fix facts says of a repository: medians, and shares of its 25 languages."""

    medians: tuple[float, float, float]
    with_tests: Share
    without_tests: Share


_MEDIANS = re.compile(r"^\| (\S+/\S+) \|.* \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", re.MULTILINE)
_SHARES = re.compile(
    r"^\| (\S+/\S+) \| [\d.]+% .*\| [\d.]+% \((\d+)/(\d+)\) \| [\d.]+% \((\d+)/(\d+)\) \|$", re.MULTILINE
)


def described(path: Path) -> dict[str, Described]:
    """Read the two tables per repository of `fix-facts.md`."""
    text = path.read_text(encoding="utf-8")
    medians = {name: (float(days), float(lines), float(files)) for name, days, lines, files in _MEDIANS.findall(text)}
    return {
        name: Described(medians[name], *(Share(int(some), int(of)) for some, of in ((a, b), (c, d))))
        for name, a, b, c, d in _SHARES.findall(text)
    }
