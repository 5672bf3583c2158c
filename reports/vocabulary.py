"""The words of a report: the 15 categories in codebook order, the measured indicators and the two groups."""

from dataclasses import dataclass
from typing import Final, Literal

Group = Literal["ml", "traditional"]
GROUPS: Final[tuple[Group, Group]] = ("ml", "traditional")
GROUP_TITLES: Final[dict[Group, str]] = {"ml": "ML", "traditional": "traditional"}


@dataclass(frozen=True, slots=True)
class Category:
    """A root cause: its stored key, its full name, and a label safe inside a Mermaid chart.

    The study's short titles are not used as labels: its "ML" is a memory leak and its "PR" a slower version.
    """

    key: str
    title: str
    chart_label: str


CATEGORIES: Final[tuple[Category, ...]] = (
    Category("api-mismatch", "API mismatch", "API"),
    Category("compilation-error", "Compilation error", "Compile"),
    Category("configuration-error", "Configuration error", "Config"),
    Category("connection-error", "Connection error", "Connect"),
    Category("data-race", "Data race", "Race"),
    Category("execution-error", "Execution error", "Execute"),
    Category("hardware-mismatch", "Hardware mismatch", "Hardware"),
    Category("memory-allocation", "Memory allocation", "Alloc"),
    Category("io-slowdown", "I/O slowdown", "IO"),
    Category("memory-leak", "Memory leak", "Leak"),
    Category("conversion", "Conversion", "Convert"),
    Category("multi-threading", "Multi-threading", "Thread"),
    Category("performance-regression", "Performance regression", "Slower"),
    Category("slow-synchronization", "Slow synchronization", "Sync"),
    Category("resource-usage", "Resource usage", "Resource"),
)
CATEGORY_KEYS: Final[tuple[str, ...]] = tuple(category.key for category in CATEGORIES)
CATEGORY_TITLES: Final[dict[str, str]] = {category.key: category.title for category in CATEGORIES}
CATEGORY_PHRASES: Final[dict[str, str]] = {
    key: title if title[:2].isupper() or "/" in title else title.lower() for key, title in CATEGORY_TITLES.items()
}
"""The full names as they stand inside a sentence."""
NONE: Final = "none"
OVERALL: Final = "overall"


@dataclass(frozen=True, slots=True)
class Indicator:
    """A measure of one issue; `log` marks days, lines and words, which are tested as log1p of the value."""

    key: str
    title: str
    log: bool = False


DIFFICULTY: Final[tuple[Indicator, ...]] = (
    Indicator("open_days", "Days open", log=True),
    Indicator("issue_comments", "Comments on the issue"),
    Indicator("fix_comments", "Comments on the fix"),
    Indicator("issue_participants", "Participants in the issue"),
    Indicator("fix_participants", "Participants in the fix"),
    Indicator("changed_lines", "Changed lines", log=True),
    Indicator("changed_files", "Changed files"),
)
"""The seven difficulty indicators of the study's Table 4."""

INFORMATION: Final[tuple[Indicator, ...]] = (
    Indicator("comments_until_reproduced", "Comments until reproduced"),
    Indicator("description_words", "Words in the description", log=True),
    Indicator("attached_files", "Attached files"),
    Indicator("code_lines", "Lines of code in the description", log=True),
)
"""The four information indicators of the study's Table 5."""

COMMUNITY: Final[tuple[Indicator, ...]] = (
    Indicator("members", "Members who took part"),
    Indicator("participation_percent", "Members among the participants, %"),
    Indicator("non_members", "Participants who are no members"),
    Indicator("member_contributions", "Contributions of the members in the year", log=True),
    Indicator("fix_author_contributions", "Contributions of the fix's author in the year", log=True),
)
"""Measures of an issue's people (the study's Table 6 and section 7); contributions are heavy-tailed, hence log1p."""

PEOPLE: Final[tuple[Indicator, ...]] = (
    Indicator("account_years", "Whole years of the account"),
    Indicator("followers", "Followers", log=True),
)
"""Measures of a person, each person once (the study's section 7.1)."""

ROLES: Final[dict[str, str]] = {
    "engineer": "Engineer",
    "senior engineer": "Senior engineer",
    "researcher": "Researcher",
    "both": "Engineer and researcher",
    "unknown": "Profile says nothing",
}
"""Roles by the public profile's own words (the study's section 7.1)."""

MPL_INDICATORS: Final[tuple[Indicator, ...]] = (
    Indicator("changed_lines", "Changed lines", log=True),
    Indicator("changed_files", "Changed files"),
    Indicator("change_entropy_with_tests", "Entropy of the change"),
    Indicator("open_days", "Days open", log=True),
    Indicator("issue_comments", "Comments on the issue"),
    Indicator("issue_participants", "Participants in the issue"),
    Indicator("fix_comments", "Comments on the fix"),
    Indicator("fix_participants", "Participants in the fix"),
)
"""What multi-language fixes are compared by: complexity of the change, open time, communication (second study)."""

INDICATOR_TITLES: Final[dict[str, str]] = {
    one.key: one.title for one in (*DIFFICULTY, *INFORMATION, *COMMUNITY, *PEOPLE, *MPL_INDICATORS)
}
