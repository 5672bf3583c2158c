"""What the tables would say without outliers, and with the model's unconfirmed proposals."""

from collections import Counter
from collections.abc import Mapping, Sequence

from reports.cohort import SHARE_SELECTIONS, Cohort, enters_shares, is_decided
from reports.model_checks import CheckedShare, FollowersCheck, ProposalsCheck
from reports.rows import Record
from reports.tables.community import People, known_of
from reports.tables.indicators import Comparison, compare
from reports.vocabulary import CATEGORY_KEYS, GROUPS, OVERALL, PEOPLE, Group

MANY_FOLLOWERS = 40_000
"""The first study dropped the people above it after it had seen the numbers (its section 7.1); here they stay."""


def followers_check(people: Mapping[Group, People], seed: int) -> FollowersCheck | None:
    """Return the comparison of followers without people who have very many; None where no follower count is known."""
    indicator = next(one for one in PEOPLE if one.key == "followers")
    ml, traditional = (known_of(people[group], indicator.key) for group in GROUPS)
    if not ml and not traditional:
        return None
    kept = [[few for piece in pieces if len(few := piece[piece <= MANY_FOLLOWERS])] for pieces in (ml, traditional)]
    (row,) = compare([Comparison(OVERALL, indicator, kept[0], kept[1])], seed)
    return FollowersCheck(
        above=MANY_FOLLOWERS,
        ml_left_out=sum(map(len, ml)) - row.ml.n,
        traditional_left_out=sum(map(len, traditional)) - row.traditional.n,
        cliffs_delta=row.cliffs_delta if row.testable else None,
        cliffs_delta_ci=row.cliffs_delta_ci if row.testable else None,
        p=row.p,
    )


def proposals_check(cohort: Cohort) -> tuple[ProposalsCheck, ...]:
    """Return the shares with proposals that nobody answered counted like decisions, or nothing where there is none.

    Only of the issues asked about at random or imported, as in the table of decisions beside it.
    """
    counts = [_counts(cohort.records_of(group)) for group in GROUPS]
    if not any(waiting for _, waiting in counts):
        return ()
    return tuple(
        ProposalsCheck(category, *(_share(found[category], found.total()) for found, _ in counts))
        for category in CATEGORY_KEYS
    )


def _counts(records: Sequence[Record]) -> tuple[Counter[str], int]:
    """Return the issues of each category, decided or proposed, and how many of them are only proposed."""
    decided = Counter(one.category for one in records if one.category is not None and enters_shares(one))
    proposed = Counter(
        one.proposal_category
        for one in records
        if one.eligible_system
        and one.selection in SHARE_SELECTIONS
        and not is_decided(one)
        and one.proposal_category in CATEGORY_KEYS
    )
    return decided + proposed, proposed.total()


def _share(n: int, total: int) -> CheckedShare:
    return CheckedShare(n, total, n / total if total else None)
