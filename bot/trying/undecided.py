"""What can be said of a repository in which nobody has decided anything: medians, and what a model would ask; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.markdown import plain, table
from reports.numbers import counted, measure
from reports.rows import Record
from reports.sections.cells import quartiles
from reports.tables.pieces import cell, known_values
from reports.vocabulary import CATEGORY_TITLES, DIFFICULTY, INFORMATION

_MOST_ASKED = 25
_ADDRESS = re.compile(r"https?://[^\s()<>]+")


@dataclass(frozen=True)
class Named:
    """An issue's title, and its address where GitHub told one."""

    title: str
    address: str | None


def undecided(records: Sequence[Record], named: Mapping[int, Named]) -> str:
    """Return the section as Markdown; `named` says by issue id what proposed issues are called."""
    eligible = [record for record in records if record.eligible_system]
    intro = (
        "Nothing in this part stands in a report: reports rest on what people decided, and here nobody has decided "
        "anything yet."
    )
    return "\n\n".join((f"## Before anyone decides\n\n{intro}", _measures(records, eligible), _asked(eligible, named)))


def _measures(records: Sequence[Record], eligible: Sequence[Record]) -> str:
    head = ("Measure", "All recorded: n", "Median [q1–q3]", "Eligible: n", "Median [q1–q3]")
    rows = [
        [one.title, *_quartiles(records, one.key), *_quartiles(eligible, one.key)]
        for one in (*DIFFICULTY, *INFORMATION)
    ]
    guesses = sum(record.comments_until_reproduced_source == "heuristic" for record in records)
    intro = (
        f"Over {counted(len(records), 'recorded issue')}, of which {len(eligible):,} are eligible by the first study's "
        "rules, whatever their root cause. *n* leaves out issues of which a value is not known."
    )
    left_out = f" Guessed reproductions are left out ({counted(guesses, 'issue')})." if guesses else ""
    return f"### How hard the issues were\n\n{intro}{left_out}\n\n{table(head, rows)}"


def _quartiles(records: Sequence[Record], name: str) -> tuple[str, str]:
    found = cell(known_values(records, name))
    return f"{found.n:,}", quartiles(found)


def _asked(eligible: Sequence[Record], named: Mapping[int, Named]) -> str:
    title = "### What the model would propose (undecided)"
    proposed = [record for record in eligible if record.state == "proposed" and record.proposal_category is not None]
    silent = len(eligible) - len(proposed)
    if not proposed:
        return f"{title}\n\nOf {counted(len(eligible), 'eligible issue')} it proposes a root cause for none."
    models = ", ".join(sorted({plain(record.proposal_model or "") for record in proposed}))
    counts = Counter(record.proposal_category or "" for record in proposed)
    rows = [[_category(key), f"{count:,}"] for key, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]
    intro = (
        f"**Guesses of a model ({models}), confirmed by nobody.** Of {counted(len(eligible), 'eligible issue')} it "
        f"proposes a root cause for {len(proposed):,} and is not sure enough about {silent:,}. Installed, the App "
        "would ask a few of these a week in one inbox issue."
    )
    surest = sorted(proposed, key=lambda one: (-(one.proposal_probability or 0.0), one.number))[:_MOST_ASKED]
    examples = [
        [
            _link(record, named.get(record.issue_id)),
            _category(record.proposal_category or ""),
            f"{100 * (record.proposal_probability or 0.0):.0f}",
            measure(record.open_days),
        ]
        for record in surest
    ]
    lists = (
        table(("Proposed root cause", "Issues"), rows),
        f"The {len(surest)} surest:" if len(surest) < len(proposed) else "All of them:",
        table(("Issue", "Proposed, undecided", "Probability in %", "Days open"), examples, text_columns=2),
    )
    return "\n\n".join((title, intro, *lists))


def _category(key: str) -> str:
    return CATEGORY_TITLES.get(key, plain(key))


def _link(record: Record, named: Named | None) -> str:
    number = f"\\#{record.number}"
    if named is None:
        return number
    where = f"[{number}]({named.address})" if named.address and _ADDRESS.fullmatch(named.address) else number
    return f"{where} {plain(named.title)}"
