"""What does not add up, or is left open, in the first study's published tables: said wherever they are shown."""

from collections.abc import Mapping
from typing import Any

from reports.feasible import overall_median
from reports.vocabulary import OVERALL


def study_notes(data: Mapping[str, Any], impossible: int) -> tuple[str, ...]:
    """Return what to know before comparing, from the published tables; `impossible` medians are marked in ours."""
    return (*_samples(data), *_categories(data), *_measures(data, impossible), *_tests())


def _samples(data: Mapping[str, Any]) -> tuple[str, ...]:
    printed, stated = data["table3"]["denominator_printed"], data["table3"]["n_stated"]
    return (
        (
            f"The traditional counts of its Table 3 add up to {printed['traditional']}, and its percentages are over "
            f"{printed['traditional']}, while its Table 2 and its text say {stated['traditional']}; "
            f"{printed['traditional']} is used here."
        ),
        (
            f"Its equation for the sample size never gives {printed['ml']} issues at the stated margin of 10 % and "
            "95 % confidence (96.04 is the most), and it does not print the populations it drew from."
        ),
        "It left out issues with fewer than three comments, so its comment medians cannot fall below 3.",
    )


def _categories(data: Mapping[str, Any]) -> tuple[str, ...]:
    counts = data["table3"]["counts"]
    only_ml = sum(ml > 0 == traditional for ml, traditional in counts.values())
    only_traditional = sum(traditional > 0 == ml for ml, traditional in counts.values())
    return (
        (
            "Its Table 3 has no row for resource usage, though its text gives an example from ML (PyTorch 7680) and "
            "speaks of fifteen categories; the ML rows add up without it. It is shown as 0."
        ),
        (
            f"By its counts {only_ml} categories occur in ML alone and {only_traditional} in traditional frameworks "
            "alone, each with few issues; its text lists others. Such lists are computed here, never quoted."
        ),
        (
            'Names differ between its Table 1 and Table 3, and its short forms "ML" and "PR" also mean machine '
            "learning and pull request; full names stand here."
        ),
    )


def _measures(data: Mapping[str, Any], impossible: int) -> tuple[str, ...]:
    counts = data["table3"]["counts"]
    days = data["table4"]["api-mismatch"]["open_days"][0]
    allocation = counts["memory-allocation"]
    words = data["table5"][OVERALL]["description_words"][0]
    parts = [
        (counts[category][0], row["description_words"][0])
        for category, row in data["table5"].items()
        if category != OVERALL
    ]
    check = overall_median(words, data["table3"]["denominator_printed"]["ml"], parts)
    return (
        f"Days open of API mismatch in ML: {days:g} in its Table 4, 57 in its text.",
        (
            f"Medians marked † ({impossible} cells of its Tables 4 and 5) cannot be medians of the odd number of whole "
            "counts that Table 3 gives; some values must be missing there."
        ),
        (
            f"The ML median of {words:g} words overall is below that of each of the {len(parts)} categories with a "
            f"row: {check.needed} values would have to lie that low, and at most {check.most_below} can."
        ),
        (
            f"Its medians of memory allocation rest on {allocation[0]} and {allocation[1]} issues; a median of 0 "
            "participants in the fix contradicts its demand for a patch, and a memory leak with 0 comments on the fix "
            "has 2 participants. Its text also gives memory allocation a median share of 10 % over the ML frameworks, "
            "which so few issues cannot make. Here a missing fix is missing, never 0."
        ),
        "Its text speaks of six categories with enough issues and names seven; its tables show six, as here.",
    )


def _tests() -> tuple[str, ...]:
    return (
        (
            "Its significance tests compared shares per framework, which are not published, so its p-values cannot be "
            "recomputed; about 97 tests at .05 without a correction lead one to expect about 5 chance findings among "
            "its 12."
        ),
        (
            "It tested means (analysis of variance) and printed medians, does not say whether issues or frameworks "
            "were the unit, and dropped 13 people with over 40,000 followers afterwards. Here the repository is the "
            "unit, and ranks and medians make such people harmless."
        ),
        (
            "Its Table 6 on members is not set beside ours: its overall row is neither the median nor the mean of the "
            "frameworks, it prints 0 contributions where no member took part (unknown here), its percentages mix two "
            "definitions, and its list of members is not public."
        ),
    )
