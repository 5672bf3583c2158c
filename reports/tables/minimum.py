"""When a row is tested: enough issues from enough repositories in each group, else a sentence that says why not."""

from typing import Final

from reports.numbers import counted
from reports.vocabulary import GROUP_TITLES, GROUPS, Group

MIN_ISSUES: Final = 5
"""Issues needed (statistics of the study's Tables 4 and 5 rest on as few as 6 and 8)."""

MIN_REPOSITORIES: Final = 4
"""Repositories needed in each group: 3 against 3 have 20 relabelings, so p never falls below .1."""


def too_small(issues: dict[Group, int], repositories: dict[Group, int], of_category: int | None = None) -> str | None:
    """Return why a row is not tested, or None if it is.

    `issues` and `repositories` are those of each group; `of_category`, for shares, the category's issues in both.
    """
    faults = []
    for group in GROUPS:
        name = GROUP_TITLES[group]
        if repositories[group] < MIN_REPOSITORIES:
            faults.append(f"{name} has {counted(repositories[group], 'repository')} ({MIN_REPOSITORIES} needed)")
        if issues[group] < MIN_ISSUES:
            faults.append(f"{name} has {counted(issues[group], 'issue')} ({MIN_ISSUES} needed)")
    if of_category is not None and of_category < MIN_ISSUES:
        faults.append(f"the category has {counted(of_category, 'issue')} in both groups together ({MIN_ISSUES} needed)")
    return f"too small: {'; '.join(faults)}" if faults else None
