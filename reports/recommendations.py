"""What a report's numbers suggest to the repository it is for (the first study's section 9), at most five sentences.

Each suggestion carries its reason, its numbers and the issues it rests on; from too few issues nothing is suggested.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from reports.cohort import is_system_related
from reports.expertise import EXPERTISE
from reports.markdown import issue_link
from reports.model import Report
from reports.model_fixes import FixCell
from reports.model_own import OwnRow
from reports.numbers import counted, measure, percent
from reports.rows import Record
from reports.tables.minimum import MIN_ISSUES, MIN_REPOSITORIES
from reports.tables.own import SHARE
from reports.tables.pieces import cell, known_values
from reports.vocabulary import CATEGORY_KEYS, CATEGORY_PHRASES, CATEGORY_TITLES, GROUP_TITLES, GROUPS

MOST: Final = 5
MIN_OWN: Final = 20
"""Issues of this repository that a suggestion rests on at least."""

_LEVEL: Final = 0.05 / len(CATEGORY_KEYS)
"""A root cause is far above its group when chance gives so many issues in fewer cases (.05 shared by 15 categories)."""

_MOST_CATEGORIES: Final = 2
_MOST_EXAMPLES: Final = 3
_MIN_WITH_FORM: Final = 10
_INFORMATION: Final = {
    "description_words": "words in the description",
    "code_lines": "lines of code",
    "attached_files": "attached files",
}


@dataclass(frozen=True, slots=True)
class Recommendation:
    """One suggestion as safe Markdown, its kind, and on how many issues of the repository it rests."""

    kind: str
    text: str
    issues: int


def recommendations(report: Report) -> tuple[Recommendation, ...]:
    """Return what the numbers suggest, the most useful first; nothing where the report is for no one repository."""
    if report.repository is None:
        return ()
    categories = list(_categories(report))
    found = [
        *categories[:1],
        *_missing_information(report),
        *_forms(report),
        *_debate(report),
        *_examples(report),
        *categories[1:_MOST_CATEGORIES],
    ]
    return tuple(found[:MOST])


def _comparable(row: OwnRow) -> bool:
    return row.own.n >= MIN_OWN and row.group_repositories >= MIN_REPOSITORIES and row.group_median is not None


def _group(report: Report, row: OwnRow) -> str:
    paradigm = report.repository.paradigm if report.repository else None
    name = next((f"{GROUP_TITLES[one]} " for one in GROUPS if paradigm == one), "")
    return f"{row.group_repositories} other {name}repositories"


def _categories(report: Report) -> Iterator[Recommendation]:
    """Give the root causes far above the group, the one with the largest difference first."""
    found = []
    for row in report.own:
        if not row.indicator.startswith(SHARE) or not _comparable(row) or row.own.median is None:
            continue
        count, usual = round(row.own.median * row.own.n), row.group_median or 0.0
        if count >= MIN_ISSUES and row.own.median > usual and _at_least(count, row.own.n, usual) < _LEVEL:
            found.append((row.own.median - usual, row, count))
    for _, row, count in sorted(found, key=lambda one: -one[0]):
        category = row.indicator.removeprefix(SHARE)
        text = (
            f"**{CATEGORY_TITLES[category]} is far more frequent here than in the group**: {count:,} of "
            f"{counted(row.own.n, 'issue')} drawn at random ({percent(row.own.median)} %), against a median of "
            f"{percent(row.group_median)} % in {_group(report, row)}. It asks for {EXPERTISE[category]}: plan time for "
            "it, and look for such people among contributors and reviewers."
        )
        yield Recommendation("category", text, row.own.n)


def _at_least(count: int, n: int, share: float) -> float:
    """Return the probability of so many or more of n, each with the probability `share` (the exact binomial tail)."""
    # scipy.stats takes longer to load than most processes that import reports live.
    from scipy.special import bdtrc

    return float(bdtrc(count - 1, n, share))


def _missing_information(report: Report) -> Iterator[Recommendation]:
    """Say what three quarters of the reports hold less of than the group's median, or need longer to reproduce."""
    rows = {row.indicator: row for row in report.own if _comparable(row)}
    scarce = [
        (what, row)
        for key, what in _INFORMATION.items()
        if (row := rows.get(key)) and row.own.q3 is not None and row.own.q3 < (row.group_median or 0.0)
    ]
    clauses = [f"{what} (median {measure(row.own.median)} against {measure(row.group_median)})" for what, row in scarce]
    slow = rows.get("comments_until_reproduced")
    if slow and slow.own.q1 is not None and slow.own.q1 > (slow.group_median or 0.0):
        scarce.append(("", slow))
        late = f"{measure(slow.own.median)} comments until somebody reproduces it, against {measure(slow.group_median)}"
    else:
        late = ""
    if not scarce:
        return
    fewer = f"three quarters of the reports have fewer {' and fewer '.join(clauses)} than" if clauses else ""
    reason = "; ".join(filter(None, (fewer and f"{fewer} is usual", late and f"it takes {late}")))
    fewest = min(row.own.n for _, row in scarce)
    text = (
        f"**Reports here lack information that others get**: {reason} (medians of {_group(report, scarce[0][1])}; "
        f"{fewest:,} issues here). Ask for it where issues are opened: steps, versions, a short program, logs."
    )
    yield Recommendation("information", text, fewest)


def _forms(report: Report) -> Iterator[Recommendation]:
    """Compare reports made with an issue form with those made without one, or suggest to have forms."""
    known = [one for one in report.own_records if one.eligible_system and one.issue_form is not None]
    sides = [[one for one in known if one.issue_form is wanted] for wanted in (True, False)]
    if min(map(len, sides)) >= _MIN_WITH_FORM:
        compared = [
            f"{title} {measure(with_form.median)} against {measure(without.median)}"
            for key, title in (*_INFORMATION.items(), ("comments_until_reproduced", "comments until reproduced"))
            if min((with_form := _of(sides[0], key)).n, (without := _of(sides[1], key)).n) >= MIN_ISSUES
        ]
        if compared:
            text = (
                f"**Issue forms**: {len(sides[0]):,} reports were made with one and {len(sides[1]):,} without; medians "
                f"with and without: {', '.join(compared)}. Keep the questions that bring what a fix needs."
            )
            yield Recommendation("form", text, len(known))
    elif len(known) >= MIN_OWN and not sides[0]:
        text = (
            f"**None of {counted(len(known), 'report')} was made with an issue form.** A form that asks for steps, "
            "versions and logs gives reporters a structure."
        )
        yield Recommendation("form", text, len(known))


def _of(records: list[Record], indicator: str) -> FixCell:
    return cell(known_values(records, indicator))


def _debate(report: Report) -> Iterator[Recommendation]:
    """Say where debate is long: here against the group, else in one root cause against the others here."""
    found = [
        (what, row)
        for row in report.own
        for key, what in (("issue_comments", "comments"), ("issue_participants", "participants"))
        if row.indicator == key and _comparable(row) and row.own.q1 is not None and row.own.q1 > (row.group_median or 0)
    ]
    advice = "Say early who decides and by when, move side topics to issues of their own, and keep a code of conduct."
    if found:
        numbers = " and ".join(
            f"{measure(row.own.median)} {what} against {measure(row.group_median)}" for what, row in found
        )
        row = found[0][1]
        text = (
            f"**Debate is long here**: medians of {numbers} in {_group(report, row)}, and three quarters of "
            f"{counted(row.own.n, 'issue')} lie above that. {advice}"
        )
        yield Recommendation("debate", text, row.own.n)
        return
    yield from _debated_category(report, advice)


def _debated_category(report: Report, advice: str) -> Iterator[Recommendation]:
    records = [one for one in report.own_records if is_system_related(one)]
    all_comments = _of(records, "issue_comments")
    if all_comments.n < MIN_OWN or all_comments.median is None:
        return
    cells = {key: _of([one for one in records if one.category == key], "issue_comments") for key in CATEGORY_KEYS}
    long = [
        (one.median, key)
        for key, one in cells.items()
        if one.n >= MIN_OWN // 2 and one.median is not None and (one.q1 or 0.0) > all_comments.median
    ]
    if long:
        median, key = max(long)
        text = (
            f"**Debate is longest over {CATEGORY_PHRASES[key]}**: a median of {measure(median)} comments in "
            f"{counted(cells[key].n, 'issue')}, against {measure(all_comments.median)} over all "
            f"{all_comments.n:,}. {advice}"
        )
        yield Recommendation("debate", text, all_comments.n)


def _examples(report: Report) -> Iterator[Recommendation]:
    """Point to reports of this repository that hold more than most, and no more comments were needed to reproduce."""
    known = [
        one
        for one in report.own_records
        if one.eligible_bug and one.description_words is not None and one.code_lines is not None
    ]
    if len(known) < MIN_OWN or report.repository is None:
        return
    words, lines = (_uncommon(known, key) for key in ("description_words", "code_lines"))
    good = [one for one in known if (one.description_words or 0) >= words and (one.code_lines or 0) >= lines]
    best = sorted(good, key=lambda one: (-_extras(one), -one.number))[:_MOST_EXAMPLES]
    if not best:
        return
    links = ", ".join(issue_link(report.repository.repository, one.number, report.server) for one in best)
    text = (
        f"**Show newcomers what a good report looks like**: {links} are in the quarter of {len(known):,} fixed reports "
        f"with the most words (from {measure(words)}) and in that with the most lines of code (from {measure(lines)}). "
        "Read them first: more text is not always more information."
    )
    yield Recommendation("examples", text, len(known))


def _uncommon(records: list[Record], indicator: str) -> float:
    """Return the least value in the best quarter, or the next one above the median where many values are alike."""
    values = known_values(records, indicator)
    above = values[values > np.median(values)]
    return max(float(np.quantile(values, 0.75)), float(above.min()) if len(above) else float("inf"))


def _extras(record: Record) -> int:
    """Count what else speaks for a report: something attached, and a reproduction that somebody confirmed."""
    source = record.comments_until_reproduced_source
    return bool(record.attached_files) + (source is not None and source != "heuristic")
