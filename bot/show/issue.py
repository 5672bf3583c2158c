"""The issue itself: when it was open, the conversation about it, and what its description holds."""

from __future__ import annotations

from collections.abc import Iterator

from bot.show.lines import Line, Section, in_words, moment, said_by
from bot.store.tables import Record, Span
from bot.store.whole import Stated, Whole

_LAST = "the closing that ended the last open span"
_REPRODUCED = {
    "command": "said by the command `reproduced`",
    "label": "comments by people before a label first said so",
    "heuristic": "a guess by the heuristic on members' comments, enters no test",
}
_LOST = "the description was edited, and GitHub no longer shows its first version"
_FIRST = "the description's first version"


def issue(whole: Whole) -> Section:
    """Tell what the issue is and when it was open."""
    record = whole.record
    first = whole.spans[0].closed_at if whole.spans else None
    lines = [
        Line("repository", whole.repository.full_name, _kind_of(whole)),
        Line("address", record.html_url, "GitHub" if record.html_url else "GitHub did not tell it"),
        Line(
            "created_at",
            record.created_at,
            "estimated from its number" if record.created_at_estimated else "GitHub",
        ),
        Line("closed_at", record.closed_at, _LAST),
        Line(
            "open_days",
            record.open_days,
            f"creation {moment(record.created_at)} to {_LAST}, {moment(record.closed_at)}"
            if record.open_days is not None
            else "the closing lies before the creation",
        ),
        Line(
            "first_close_days",
            record.first_close_days,
            f"creation to the first closing{f', {moment(first)}' if first else ''}"
            if record.first_close_days is not None
            else "the first closing is missing, or lies before the creation",
        ),
        Line("reopened", record.reopened, "open spans after the first one"),
        Line(
            "state_reason",
            record.state_reason,
            "told with the closing" if record.state_reason else "GitHub told none with the closing",
        ),
        Line("is_open", record.is_open, "when it was last seen"),
        *(_span(span) for span in whole.spans),
    ]
    return Section("issue", tuple(lines))


def _kind_of(whole: Whole) -> str:
    group = whole.repository.paradigm or "no known"
    place = "in the comparison" if whole.repository.in_comparison else "not in the comparison"
    return f"{group} paradigm, {place}{', private' if whole.repository.private else ''}"


def _span(span: Span) -> Line:
    end = moment(span.closed_at) if span.closed_at else "still open"
    reason = f", {span.state_reason}" if span.state_reason else ""
    begin = moment(span.opened_at).removesuffix(" UTC")
    return Line("span", f"{begin} to {end}{reason}", "the issue's history", listed=True)


def conversation(whole: Whole) -> Section:
    """Tell who talked, in numbers, and when it was reproduced."""
    record = whole.record
    source = record.comments_until_reproduced_source
    never = "the command `reproduced` said that it never was"
    silent = "no command, no label and no member's comment says that it was reproduced"
    reproduced = Line(
        "comments_until_reproduced",
        record.comments_until_reproduced,
        _REPRODUCED.get(source or "", "")
        if record.comments_until_reproduced is not None
        else (never if source == "command" else silent),
    )
    alone = "nobody took part who counts as a person"
    lines = (
        Line("issue_comments", record.issue_comments, f"comments by people up to {_LAST}, bots left out"),
        Line("issue_participants", record.issue_participants, "author and commenters; each deleted account is one"),
        Line("members", record.members, "participants whom GitHub showed as owner, member or collaborator"),
        Line("non_members", record.non_members, "the other participants, members who hide it among them"),
        Line(
            "participation_percent",
            record.participation_percent,
            "members of all participants" if record.participation_percent is not None else alone,
            None if record.participation_percent is None else f"{in_words(record.participation_percent)} %",
        ),
        reproduced,
        *(_said(one) for one in whole.stated if one.kind == "reproduced"),
    )
    return Section("conversation", lines)


def _said(one: Stated) -> Line:
    what = "never" if one.position is None else f"at comment {one.position}"
    return Line("reproduced", what, said_by(one), listed=True)


def description(whole: Whole) -> Section:
    """Tell what the description holds."""
    return Section("description", tuple(_described(whole.record)))


def _described(record: Record) -> Iterator[Line]:
    counted = {
        "description_words": "words of prose, without code, hidden comments and template text",
        "attached_files": "uploaded files and images, gists, archives",
        "code_lines": "lines in code blocks that are not blank",
    }
    for name, what in counted.items():
        value: int | None = getattr(record, name)
        yield Line(name, value, _LOST if value is None else f"{what}; {_FIRST}")
