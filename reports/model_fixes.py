"""What the report says of fixes: bug types, languages, and multi-language (MPL) against single-language (SPL) fixes."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BugTypeRow:
    """A bug type in one repository (its name) or `overall`.

    `n` issues of `repositories` repositories with a fix of this type, `share` of those whose type is known,
    `mpl_share` of those whose languages are known. `indicators` are medians by indicator, None where nothing is known.
    `p` compares the MPL share of this type with that of the other types of the same row's repository (Fisher, tests
    counted); `q` corrects over the table.
    """

    repository: str
    bug_type: str
    n: int
    repositories: int
    share: float | None
    mpl_share: float | None
    indicators: Mapping[str, float | None]
    p: float | None
    q: float | None


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """The languages of the fixes in one repository or `overall`.

    `n` fixes of `repositories` repositories with known source languages; the shares are of multi-language ones, with
    and without test files counted. `combinations` are (languages joined by " + ", fixes), tests counted, the most
    frequent first.
    """

    repository: str
    n: int
    repositories: int
    mpl_share: float | None
    mpl_share_without_tests: float | None
    combinations: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class FixCell:
    """An indicator over some issues, such as the MPL fixes of a row: their number, median, quartiles, repositories."""

    n: int
    median: float | None
    q1: float | None
    q3: float | None
    repositories: int


@dataclass(frozen=True, slots=True)
class MplRow:
    """An indicator of MPL fixes against that of SPL fixes; a positive delta: MPL is higher.

    In one repository p is Mann-Whitney's; `overall` it is a sign-flip test of the repositories' differences.
    """

    repository: str
    indicator: str
    mpl: FixCell
    spl: FixCell
    cliffs_delta: float | None
    p: float | None
    q: float | None
    testable: bool
    reason: str | None
