"""Coding at a terminal: one issue after another, shown as text alone; each answer is saved before the next is asked."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence

from bot.decisions.answers import Answer, read_answer
from bot.decisions.errors import StudyError
from bot.store.study import Listed
from bot.study.sheet import fix_lines
from classifier import IssueText
from classifier.taxonomy import TAXONOMY

LONGEST_BODY = 6_000
LONGEST_COMMENT = 2_000
HOW_TO = (
    "<category> [second], none [kind], or new <code>; a note after #. Also: ? (the categories), all (the whole text), "
    "skip, back, quit."
)


def show(issue: Listed, text: IssueText, place: str, *, whole: bool = False) -> str:
    """Return an issue as a coder reads it: no label, no code, no prediction; long texts are cut unless `whole`."""
    body, comment = (None, None) if whole else (LONGEST_BODY, LONGEST_COMMENT)
    parts = [f"{'=' * 80}\n[{place}] {issue.name}\n{text.title}\n", _cut(text.body, body)]
    for position, one in enumerate(text.comments, start=1):
        who = " by a member" if one.member else ""
        parts.append(f"--- comment {position}{who}\n{_cut(one.body, comment)}")
    if text.fix is not None:
        parts.append(f"--- fixed by {fix_lines(text.fix)}")
    return printable("\n".join(parts))


def categories() -> str:
    """Return the categories with their definitions, one a line."""
    return "\n".join(f"  {one.key:<24}{one.definition}" for one in TAXONOMY)


def printable(text: str) -> str:
    """Return text without what could steer the terminal: control and format characters except line ends and tabs."""
    return "".join(
        each for each in text.replace("\r\n", "\n") if each in "\n\t" or unicodedata.category(each) not in {"Cc", "Cs"}
    )


def code_issues(
    issues: Sequence[Listed],
    own: Mapping[int, Answer],
    text_of: Callable[[Listed], IssueText | None],
    save: Callable[[Listed, Answer], None],
    ask: Callable[[str], str],
    say: Callable[[str], None],
) -> int:
    """Ask about each issue without an answer in `own`, in order; return how many answers were given.

    `save` keeps an answer or raises StudyError, `ask` raises EOFError or KeyboardInterrupt to stop. `back` shows the
    issue before again, whether it has an answer or not.
    """
    given = 0
    place = 0
    wanted = [number for number, issue in enumerate(issues) if issue.issue_id not in own]
    say(f"{len(issues) - len(wanted)} of {len(issues)} are coded. {HOW_TO}")
    while place < len(wanted):
        issue = issues[wanted[place]]
        text = text_of(issue)
        if text is None:
            say(f"The text of {issue.name} is not kept any more; it is passed over.")
            place += 1
            continue
        say(show(issue, text, f"{wanted[place] + 1} of {len(issues)}"))
        step, answer = _step(issue, text, save, ask, say)
        if step == "quit":
            return given
        given += answer
        place = max(place - 1, 0) if step == "back" else place + 1
    return given


def _step(
    issue: Listed,
    text: IssueText,
    save: Callable[[Listed, Answer], None],
    ask: Callable[[str], str],
    say: Callable[[str], None],
) -> tuple[str, int]:
    """Ask until there is an answer or a way on: `next`, `back` or `quit`, and how many answers were saved."""
    while True:
        try:
            line = ask("code> ").strip()
        except (EOFError, KeyboardInterrupt):
            return "quit", 0
        word = line.casefold()
        if word in {"quit", "back"}:
            return word, 0
        if word == "skip":
            return "next", 0
        if word == "?":
            say(categories())
        elif word == "all":
            say(show(issue, text, "whole text", whole=True))
        else:
            try:
                save(issue, read_answer(line))
            except StudyError as error:
                say(str(error))
            else:
                return "next", 1


def _cut(text: str, longest: int | None) -> str:
    if longest is None or len(text) <= longest:
        return text
    return f"{text[:longest]}\n[... {len(text) - longest:,} more characters: all]"
