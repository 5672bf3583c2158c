"""A record as sections, and the sections as lines of text or as JSON; pure."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from bot.show.fix import fix
from bot.show.issue import conversation, description, issue
from bot.show.judgements import decision, eligibility, proposal
from bot.show.lines import Line, Section, as_json
from bot.show.people import people
from bot.store.whole import Whole
from bot.texts.terminal import harmless

Style = Literal["title", "section", "name", "value", "unknown", "source"]
Piece = tuple[str, Style]
"""A piece of a line, and what it is; a terminal may show that in colour."""

_NAME_WIDTH = 27
_INDENT = 2
_LEAST_ROOM = 24
"""Characters for a source beside its value; where there are fewer it stands below."""


def sections(whole: Whole) -> tuple[Section, ...]:
    """Return everything there is to say of a record, in the order in which it is read."""
    record = whole.record
    stored = Section(
        "stored",
        (
            Line("gathered_at", record.gathered_at, "when GitHub was last asked"),
            Line("backfilled", record.backfilled, "read from the history, not at its closing"),
            Line("text", whole.keeps_text, "whether the text that the model read is kept"),
        ),
    )
    parts = (issue, conversation, description, fix, eligibility, proposal, decision, people)
    return (*(part(whole) for part in parts), stored)


def record_json(whole: Whole) -> dict[str, Any]:
    """Return the record for a program: each value with its source, by section and name."""
    record = whole.record
    named = {"repository": whole.repository.full_name, "number": record.number, "issue_id": record.issue_id}
    return {**named, "title": record.title, **as_json(sections(whole))}


def record_lines(whole: Whole, width: int | None) -> Iterator[Sequence[Piece]]:
    """Yield the record line by line; lines are broken to a `width` where one is given."""
    record = whole.record
    yield [(f"{whole.repository.full_name}#{record.number}", "title"), (f"  {harmless(record.title)}", "value")]
    for section in sections(whole):
        yield []
        yield [(section.title.capitalize(), "section")]
        for line in section.lines:
            yield from _shown(line, width)


def _shown(line: Line, width: int | None) -> Iterable[Sequence[Piece]]:
    name = " " * _INDENT + line.name.ljust(_NAME_WIDTH)
    text, source = harmless(line.text), harmless(line.source)
    head: list[Piece] = [(name, "name"), (text, "unknown" if line.value is None else "value")]
    if not source:
        return [head]
    room = None if width is None else width - len(name) - len(text) - 3
    if room is None or len(source) <= room:
        return [[*head, (f" - {source}", "source")]]
    if room >= _LEAST_ROOM:
        first, *rest = _wrapped(source, room)
        head.append((f" - {first}", "source"))
        source = " ".join(rest)
    indent = " " * len(name)
    below = _wrapped(source, max(_LEAST_ROOM, (width or 0) - len(name)))
    return [head, *(_source(indent + part) for part in below)]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _source(text: str) -> Sequence[Piece]:
    return [(text, "source")]
