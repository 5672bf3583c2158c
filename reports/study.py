"""The first study's published tables as a named reference, descriptive only, with what does not add up in them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from reports.effects import Interval, wilson
from reports.vocabulary import CATEGORY_KEYS, GROUPS, OVERALL, Group

MIN_LIVE_REPOSITORIES = 4
"""The reference stands beside the live tables until each group has so many repositories with decided issues."""


@dataclass(frozen=True, slots=True)
class StudyShare:
    """A category in one group of the study's Table 3, over the printed denominator."""

    n: int
    total: int
    share: float
    ci: Interval | None


@dataclass(frozen=True, slots=True)
class StudyMedian:
    """A printed median (Tables 4 and 5); `impossible`: an odd count of whole numbers has no such median."""

    value: float
    impossible: bool


@dataclass(frozen=True, slots=True)
class Study:
    """The published figures: shares by category, medians by (category or `overall`, indicator), each by group."""

    source: str
    frameworks: Mapping[Group, int]
    denominator_printed: Mapping[Group, int]
    n_stated: Mapping[Group, int]
    shares: Mapping[str, Mapping[Group, StudyShare]]
    medians: Mapping[tuple[str, str], Mapping[Group, StudyMedian]]
    notes: tuple[str, ...]


@cache
def load_study() -> Study:
    """Read the published tables that this package carries."""
    data = json.loads(files("reports").joinpath("data/study.json").read_text(encoding="utf-8"))
    counts: dict[str, list[int]] = data["table3"]["counts"]
    denominators = data["table3"]["denominator_printed"]
    shares = {key: _shares(counts[key], denominators) for key in CATEGORY_KEYS}
    medians = {
        (category, indicator): {
            group: StudyMedian(value, _impossible(counts.get(category), side, indicator, value))
            for side, (group, value) in enumerate(zip(GROUPS, values, strict=True))
        }
        for table in ("table4", "table5")
        for category, row in data[table].items()
        for indicator, values in row.items()
    }
    frameworks = [one["paradigm"] for one in data["table2"]]
    impossible = sum(one.impossible for pair in medians.values() for one in pair.values())
    return Study(
        source=data["source"].split(",")[0],
        frameworks={group: frameworks.count(group) for group in GROUPS},
        denominator_printed=denominators,
        n_stated=data["table3"]["n_stated"],
        shares=shares,
        medians=medians,
        notes=_notes(data, impossible),
    )


def _shares(counts: list[int], denominators: dict[Group, int]) -> dict[Group, StudyShare]:
    return {
        group: StudyShare(count, denominators[group], count / denominators[group], wilson(count, denominators[group]))
        for group, count in zip(GROUPS, counts, strict=True)
    }


def _impossible(counts: list[int] | None, side: int, indicator: str, value: float) -> bool:
    """Whether a median with a half was printed for an odd count of whole numbers; days need not be whole."""
    return counts is not None and counts[side] % 2 == 1 and indicator != "open_days" and value != int(value)


def _notes(data: dict[str, Any], impossible: int) -> tuple[str, ...]:
    """Say what a reader must know before comparing with these figures."""
    printed, stated = data["table3"]["denominator_printed"]["traditional"], data["table3"]["n_stated"]["traditional"]
    days = data["table4"]["api-mismatch"]["open_days"][0]
    allocation = data["table3"]["counts"]["memory-allocation"]
    words = data["table5"][OVERALL]["description_words"][0]
    return (
        (
            f"The traditional counts of its Table 3 add up to {printed}, and its percentages are over {printed}, "
            f"while its Table 2 and its text say {stated}; {printed} is used here."
        ),
        "Its Table 3 has no row for resource usage; it is shown as 0.",
        (
            "Its significance tests compared shares per framework, which are not published, so its p-values cannot be "
            "recomputed; about 97 tests at .05 without a correction lead one to expect about 5 chance findings."
        ),
        f"Days open of API mismatch in ML: {days:g} in its Table 4, 57 in its text.",
        (
            f"Medians marked † ({impossible} cells of its Tables 4 and 5) cannot be medians of the odd number of whole "
            "counts that Table 3 gives; some values must be missing there."
        ),
        (
            f"Its medians of memory allocation rest on {allocation[0]} and {allocation[1]} issues; a median of 0 "
            "participants in the fix contradicts its demand for a patch."
        ),
        "It left out issues with fewer than three comments, so its comment medians cannot fall below 3.",
        f"The ML median of {words:g} words overall is lower than that of each of the six categories with a row.",
    )
