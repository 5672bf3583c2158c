"""An issue split into the fields the classifier weighs: title, prose, code, headings, comments, fix."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from classifier.contract import CommentText, IssueText
from classifier.templates import (
    ends_mail,
    is_boilerplate,
    is_form_answer,
    is_form_title,
    is_log_line,
    is_robots_comment,
    is_version_line,
    tells_of_failure,
)

LONGEST_THREAD = 60_000
"""Characters of a thread that are read; the title and the body come first, then the newest comments."""
LONGEST_BODY = 40_000
"""Characters of a body that are read in a thread that is too long; the rest is for its comments."""
LONGEST_TITLE = 1_000
LONGEST_LINE = 2_000
"""Characters of one line that are read: longer ones are data, not writing."""
MOST_LOG_LINES = 60
"""Telling lines of code and logs that are kept, two thirds from the beginning and the rest from the end."""
CLOSING_COMMENTS = 2
"""Last comments that are read once more: they often say what the cause was."""

_FENCE = re.compile(r"[ \t]{0,12}(?:[-*>]\s)?(`{3,}|~{3,})")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_BOLD_LINE = re.compile(r"\s{0,3}(?:\*\*|__)[^*_]{1,80}(?:\*\*|__):?\s{0,3}$")
_COMMENT_MARK = re.compile(r"<!--|-->")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")


class Fields(NamedTuple):
    """The texts of one issue by field. `cut`: not all was read.

    `code` holds only the lines that name a failure. `opening` is the first paragraph of the prose and `closing` what
    the last comments say, those of members where it is known who is one; both are part of other fields, too.
    """

    title: str
    prose: str
    code: str
    headings: str
    comments: str
    member_comments: str
    fix: str
    cut: bool
    opening: str = ""
    closing: str = ""

    def named(self) -> tuple[tuple[str, str], ...]:
        """Give (field name, text) in the order in which they are weighed."""
        return (
            ("title", self.title),
            ("prose", self.prose),
            ("code", self.code),
            ("headings", self.headings),
            ("comments", self.comments),
            ("member_comments", self.member_comments),
            ("fix", self.fix),
        )


@dataclass(slots=True)
class _Parts:
    prose: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)


def _without_comments(lines: Iterable[str]) -> Iterable[tuple[bool, str]]:
    """Yield (in a fence, line) without HTML comments, which count as text where they stand inside a fence."""
    fence = ""
    hidden = False
    for line in lines:
        opening = _FENCE.match(line) if not hidden else None
        if fence:
            if opening and opening.group(1).startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            else:
                yield True, line
            continue
        if opening:
            fence = opening.group(1)
            continue
        shown: list[str] = []
        begin = 0
        for mark in _COMMENT_MARK.finditer(line):
            if hidden == (mark.group() == "<!--"):
                continue
            if not hidden:
                shown.append(line[begin : mark.start()])
            begin = mark.end()
            hidden = not hidden
        if not hidden:
            shown.append(line[begin:])
        yield False, "\n".join(shown)


def _split(markdown: str, parts: _Parts, *, skip_quotes: bool) -> None:
    for fenced, whole in _without_comments(markdown.splitlines()):
        line = whole[:LONGEST_LINE]
        if not fenced and skip_quotes and ends_mail(line):
            return
        if fenced or is_log_line(line):
            if tells_of_failure(line):
                parts.code.append(line)
            continue
        if not line.strip():
            if parts.prose and parts.prose[-1]:
                parts.prose.append("")
            continue
        if is_boilerplate(line) or is_form_answer(line) or is_version_line(line):
            continue
        if line.lstrip().startswith(">"):
            if skip_quotes:
                continue
            line = line.lstrip("> ")
        line = _TAG.sub(" ", line)
        if _HEADING.match(line) or _BOLD_LINE.match(line) or is_form_title(line):
            parts.headings.append(line)
        else:
            parts.prose.append(line)


def _kept_comments(comments: tuple[CommentText, ...], budget: int) -> tuple[list[CommentText], bool]:
    """Keep the newest comments that fit, in their order: the cause is found at the end of a thread."""
    kept: list[CommentText] = []
    for comment in reversed(comments):
        if len(comment.body) > budget:
            if budget:
                kept.append(CommentText(comment.body[:budget], comment.member))
            return kept[::-1], True
        budget -= len(comment.body)
        kept.append(comment)
    return kept[::-1], False


def _last(comments: list[CommentText]) -> list[CommentText]:
    """Give the comments that a thread closed with: members' where any is known to be one, else anybody's."""
    members = [comment for comment in comments if comment.member]
    return (members or comments)[-CLOSING_COMMENTS:]


def _some(lines: list[str]) -> list[str]:
    """Keep each line once, and of very many the first and the last: a log repeats itself."""
    distinct = list(dict.fromkeys(lines))
    if len(distinct) <= MOST_LOG_LINES:
        return distinct
    last = MOST_LOG_LINES // 3
    return [*distinct[: MOST_LOG_LINES - last], *distinct[-last:]]


def split_fields(issue: IssueText) -> Fields:
    """Split an issue's Markdown into fields.

    Fences, pasted logs and traces go to `code`; template text, environment forms, HTML comments and, in comments,
    quotes, signatures and what robots wrote are left out. At most `LONGEST_THREAD` characters are read.
    """
    title = issue.title[:LONGEST_TITLE]
    written = tuple(comment for comment in issue.comments if not is_robots_comment(comment.body))
    commented = sum(len(comment.body) for comment in written)
    body = issue.body[: max(LONGEST_BODY, LONGEST_THREAD - len(title) - commented)]
    kept, comments_cut = _kept_comments(written, LONGEST_THREAD - len(title) - len(body))
    opening = _Parts()
    _split(body, opening, skip_quotes=False)
    first = "\n".join(opening.prose).partition("\n\n")[0]
    by_member = {True: _Parts(code=opening.code), False: _Parts(code=opening.code)}
    for comment in kept:
        _split(comment.body, by_member[comment.member is True], skip_quotes=True)
    last = _Parts()
    for comment in _last(kept):
        _split(comment.body, last, skip_quotes=True)
    return Fields(
        title=title,
        prose="\n".join(opening.prose),
        code="\n".join(_some(opening.code)),
        headings="\n".join(opening.headings),
        comments="\n".join(by_member[False].prose + by_member[False].headings),
        member_comments="\n".join(by_member[True].prose + by_member[True].headings),
        fix=(issue.fix.title or "")[:LONGEST_TITLE] if issue.fix else "",
        opening=first,
        closing="\n".join(last.prose),
        cut=comments_cut or len(title) < len(issue.title) or len(body) < len(issue.body),
    )
