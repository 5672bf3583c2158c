"""The first study's published tables as a named reference, descriptive only, with what does not add up in them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from reports.effects import Interval, wilson
from reports.feasible import is_median_of_counts
from reports.study_notes import study_notes
from reports.vocabulary import CATEGORY_KEYS, GROUPS, Group

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
        notes=study_notes(data, impossible),
    )


def _shares(counts: list[int], denominators: dict[Group, int]) -> dict[Group, StudyShare]:
    return {
        group: StudyShare(count, denominators[group], count / denominators[group], wilson(count, denominators[group]))
        for group, count in zip(GROUPS, counts, strict=True)
    }


def _impossible(counts: list[int] | None, side: int, indicator: str, value: float) -> bool:
    """Whether the median cannot be one of so many whole numbers as Table 3 counts; days need not be whole."""
    return counts is not None and indicator != "open_days" and not is_median_of_counts(counts[side], value)
