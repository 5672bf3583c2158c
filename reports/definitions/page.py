"""All definitions as one page of Markdown, for the documentation and for the package's README."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from reports.definitions.issue_fields import ISSUE_FIELDS
from reports.definitions.measure_fields import MEASURE_FIELDS
from reports.definitions.model import Definition
from reports.definitions.other_fields import DECISION_FIELDS, PARTICIPANT_FIELDS, REPOSITORY_FIELDS
from reports.definitions.rules import (
    COUNTING,
    EXCLUSIONS,
    FIX_LINKS,
    FIX_RULES,
    LANGUAGE_DECISIONS,
    LANGUAGE_RULES,
    ONLY_SYSTEM,
    SAMPLE_SIZE,
)

DEFINITIONS: Final[Mapping[str, tuple[Definition, ...]]] = {
    "records.jsonl": (*ISSUE_FIELDS, *MEASURE_FIELDS),
    "participants.jsonl": PARTICIPANT_FIELDS,
    "decisions.jsonl": DECISION_FIELDS,
    "repositories.jsonl": REPOSITORY_FIELDS,
}
"""Each file's fields, in its order."""

_SUBJECTS = {
    "records.jsonl": "one closed issue a line",
    "participants.jsonl": "one person's part in one issue a line",
    "decisions.jsonl": "one person's decision a line",
    "repositories.jsonl": "one repository a line",
}


def definitions_markdown(level: int = 1) -> str:
    """Return every definition as Markdown that begins with a heading of rank `level` and ends with a line break."""
    parts = [
        _heading(level, "Definitions"),
        "The *first study* is arXiv 2005.06091 (numbers are its sections), the *second study* arXiv 2303.02695.",
        _heading(level + 1, "Who and what counts"),
        *COUNTING,
    ]
    for name, fields in DEFINITIONS.items():
        parts += [_heading(level + 1, f"`{name}`: {_SUBJECTS[name]}"), _fields(fields)]
    parts += [
        _heading(level + 1, "How a fix is found"),
        "In this order:",
        _table(("`fix_link`", "means"), ((f"`{word}`", means) for word, means in FIX_LINKS.items())),
        *FIX_RULES,
        _heading(level + 1, "Why an issue does not enter"),
        _table(("in `exclusions`", "means", "against"), map(_exclusion, EXCLUSIONS)),
        _heading(level + 1, "Languages of a fix"),
        *LANGUAGE_RULES,
        _table(("files such as", "count as", "because"), map(_decision, LANGUAGE_DECISIONS)),
        _heading(level + 1, "The size of the study's sample"),
        SAMPLE_SIZE,
    ]
    return "\n\n".join(parts) + "\n"


def _heading(level: int, text: str) -> str:
    return f"{'#' * level} {text}"


def _fields(fields: Iterable[Definition]) -> str:
    rows = ((f"`{one.name}`", one.unit, one.text, one.null, one.source) for one in fields)
    return _table(("field", "unit", "definition", "null", "source"), rows)


def _exclusion(reason: str) -> tuple[str, ...]:
    against = "`eligible_system`" if reason in ONLY_SYSTEM else "both"
    return f"`{reason}`", EXCLUSIONS[reason], against


def _decision(decision: tuple[tuple[str, ...], str | None, str]) -> tuple[str, ...]:
    files, language, reason = decision
    return ", ".join(f"`{file}`" for file in files), language or "nothing", reason


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
