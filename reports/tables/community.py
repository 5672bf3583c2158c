"""Who takes part: members, contributions, accounts and roles (the study's Table 6 and its section 7)."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from reports.cohort import Cohort, is_system_related
from reports.frame import Frame
from reports.model import IndicatorRow
from reports.model_people import RoleCell, RoleRow
from reports.rows import Participant
from reports.tables.indicators import Comparison, compare
from reports.vocabulary import COMMUNITY, GROUPS, OVERALL, PEOPLE, ROLES, Group

Values = NDArray[np.float64]
People = dict[int, list[Participant]]


def community_rows(frame: Frame, people: Mapping[Group, People], seed: int) -> tuple[IndicatorRow, ...]:
    """Return the measures of the issues' people, then those of single people, each person once a group."""
    issues = [Comparison(OVERALL, one, *frame.values_by_repository(one.key, None)) for one in COMMUNITY]
    persons = [Comparison(OVERALL, one, *(known_of(people[group], one.key) for group in GROUPS)) for one in PEOPLE]
    return compare([*issues, *persons], seed)


def role_rows(people: Mapping[Group, People]) -> tuple[RoleRow, ...]:
    """Return how many people of each group call themselves what; people whose profile was not read are left out."""
    return tuple(RoleRow(role, *(_role(people[group], role) for group in GROUPS)) for role in ROLES)


def people_by_group(cohort: Cohort, participants: Sequence[Participant]) -> dict[Group, People]:
    """Return the people in each group's system-related issues by repository, each one person once a group.

    Somebody who took part in several repositories belongs to that of most issues, the lowest id of equals, and is
    measured as at the first of those issues: one value a person, or prolific people would count many times.
    """
    return {group: _people_of(cohort, participants, group) for group in GROUPS}


def _people_of(cohort: Cohort, participants: Sequence[Participant], group: Group) -> People:
    issues = {record.issue_id: record for record in cohort.records_of(group) if is_system_related(record)}
    parts = [one for one in participants if one.issue_id in issues]
    often: dict[str, Counter[int]] = {}
    for one in parts:
        often.setdefault(one.person, Counter())[issues[one.issue_id].repository_id] += 1
    home = {person: min(counts, key=lambda key: (-counts[key], key)) for person, counts in often.items()}
    first: dict[str, Participant] = {}
    for one in sorted(parts, key=lambda one: (one.person, one.issue_id)):
        if issues[one.issue_id].repository_id == home[one.person]:
            first.setdefault(one.person, one)
    people: People = {}
    for person, one in first.items():
        people.setdefault(home[person], []).append(one)
    return dict(sorted(people.items()))


def known_of(people: People, indicator: str) -> list[Values]:
    """Return the known values of a measure of people, sorted, for each repository with any."""
    pieces = [
        np.sort(np.array([value for one in there if (value := getattr(one, indicator)) is not None], dtype=np.float64))
        for there in people.values()
    ]
    return [piece for piece in pieces if len(piece)]


def _role(people: People, role: str) -> RoleCell:
    known = {
        where: [one.profile_role for one in there if one.profile_role is not None] for where, there in people.items()
    }
    n = sum(roles.count(role) for roles in known.values())
    total = sum(map(len, known.values()))
    return RoleCell(n, total, n / total if total else None, sum(1 for roles in known.values() if roles))
