"""Every command there is: the one list behind the grammar, the permission rules, the help and the README's table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType

from bot.commands.rights import Rights
from classifier.taxonomy import BUG_TYPES, NONE_KINDS, TAXONOMY

PREFIX = "/rootcause"
CATEGORISE = "categorise"
"""The name of the command that is written as a category's own name."""
REPRODUCED = "reproduced"
NEVER = "never"
"""The argument of `reproduced` that says nobody ever managed to."""
FIX = "fix"
SIMILAR = "similar"
EXPLAIN = "explain"
TYPE = "type"
OFF = "off"
ON = "on"
RECHECK = "recheck"
REPORT = "report"
UNKNOWN = "unknown"
"""The name of a command that nobody could understand."""


class Place(StrEnum):
    """Where a command is written: in the issue that it is about, or in the inbox, naming issues."""

    ISSUE = "issue"
    INBOX = "inbox"


class Who(StrEnum):
    """Who may use a command, in the words of the help."""

    ANYONE = "anyone"
    TRIAGE = "triage and above"
    AUTHOR_OR_TRIAGE = "triage and above, or the issue's author"
    MAINTAIN = "maintain and admin"

    @property
    def needs(self) -> Rights:
        """The weakest rights that suffice without being the issue's author; anyone may even be unknown."""
        if self is Who.ANYONE:
            return Rights.UNKNOWN
        return Rights.MAINTAIN if self is Who.MAINTAIN else Rights.TRIAGE


@dataclass(frozen=True)
class Command:
    """One command: `usage` and `example` stand after the prefix, `summary` says what it does.

    A command that is `about_issue` needs an issue: the one it is written in, or those named in the inbox. One that may
    stand `alone_in_inbox` is about the inbox itself where it names none.
    """

    name: str
    usage: str
    who: Who
    example: str
    summary: str
    places: frozenset[Place]
    about_issue: bool = True
    alone_in_inbox: bool = False


def registered(*commands: Command) -> Mapping[str, Command]:
    """Return the commands by name, in the given order.

    Raises ValueError, at import, where a command lacks its usage, who may use it, an example, a summary or a place,
    or where a name is taken: nothing undocumented can be registered.
    """
    by_name: dict[str, Command] = {}
    for command in commands:
        lacking = [each.name for each in fields(Command) if getattr(command, each.name) in ("", None, frozenset())]
        if lacking:
            raise ValueError(f"the command {command.name!r} cannot be registered without: {', '.join(lacking)}")
        if command.name in by_name or command.name == UNKNOWN:
            raise ValueError(f"the command name {command.name!r} is taken")
        by_name[command.name] = command
    return MappingProxyType(by_name)


EVERYWHERE = frozenset(Place)

COMMANDS = registered(
    Command("confirm", "confirm", Who.TRIAGE, "confirm", "The proposed category is right.", EVERYWHERE),
    Command(
        CATEGORISE,
        "<category> [second]",
        Who.TRIAGE,
        "memory-leak resource-usage",
        "This is the root cause, and perhaps a second choice. Other names and clear beginnings are understood.",
        EVERYWHERE,
    ),
    Command(
        "none",
        f"none [{'|'.join(NONE_KINDS)}]",
        Who.TRIAGE,
        "none question",
        "This issue is not system-related; the kind says what it is instead.",
        EVERYWHERE,
    ),
    Command(
        "undo",
        "undo",
        Who.TRIAGE,
        "undo",
        "Take back the last decision on this issue, or the last `fix`, `reproduced` or `type` where that came later.",
        EVERYWHERE,
    ),
    Command(
        REPRODUCED,
        f"{REPRODUCED} [<comment link>|<n>|{NEVER}]",
        Who.TRIAGE,
        f"{REPRODUCED} 4",
        "The comment in which the issue was reproduced, counted from 1 without those of bots. "
        "Without a word after it: my guess is right.",
        EVERYWHERE,
    ),
    Command(
        FIX,
        f"{FIX} <#12|owner/name#12|sha|link>",
        Who.TRIAGE,
        f"{FIX} 9fceb02",
        "This pull request or commit fixed the issue. In the inbox the issue comes first: `fix #12 #99`.",
        EVERYWHERE,
    ),
    Command(
        TYPE,
        f"{TYPE} <{'|'.join(each.key for each in BUG_TYPES)}>",
        Who.TRIAGE,
        f"{TYPE} memory",
        "The kind of bug, beside its root cause.",
        EVERYWHERE,
    ),
    Command(
        SIMILAR,
        SIMILAR,
        Who.TRIAGE,
        SIMILAR,
        "Up to three confirmed closed issues like this one, with cause, days and fix.",
        EVERYWHERE,
    ),
    Command(
        EXPLAIN,
        EXPLAIN,
        Who.TRIAGE,
        EXPLAIN,
        "The three likeliest categories with their probabilities, and what weighed most.",
        EVERYWHERE,
    ),
    Command(
        OFF,
        OFF,
        Who.AUTHOR_OR_TRIAGE,
        OFF,
        "Leave this issue alone: it is not asked about, not predicted, and gets no label or comment.",
        EVERYWHERE,
    ),
    Command(
        ON,
        ON,
        Who.AUTHOR_OR_TRIAGE,
        ON,
        "Resume after `off`. In an inbox that was closed, without a number: reopen it and ask again.",
        EVERYWHERE,
        alone_in_inbox=True,
    ),
    Command(
        RECHECK,
        RECHECK,
        Who.TRIAGE,
        RECHECK,
        "Gather and predict again. What people decided stays.",
        EVERYWHERE,
    ),
    Command(
        REPORT,
        REPORT,
        Who.MAINTAIN,
        REPORT,
        "Post the report of the running month now; asked for again, it is rewritten.",
        EVERYWHERE,
        about_issue=False,
    ),
    Command(
        "help",
        "help",
        Who.ANYONE,
        "help",
        "Show this table, once in an issue; whoever lacks triage rights gets a reaction only.",
        EVERYWHERE,
        about_issue=False,
    ),
)


def table_markdown() -> str:
    """Return the table of all commands as GitHub Markdown, one line a command, ending in a newline."""
    rows: list[tuple[str, ...]] = [("write", "what it does", "example", "who may", "where")]
    rows += [
        (
            f"`{PREFIX} {command.usage}`",
            command.summary,
            f"`{PREFIX} {command.example}`",
            str(command.who),
            ", ".join(place for place in Place if place in command.places),
        )
        for command in COMMANDS.values()
    ]
    return _table(rows)


def categories_markdown() -> str:
    """Return the table of categories, with every name under which a command knows them, ending in a newline."""
    rows: list[tuple[str, ...]] = [("category", "also", "meaning")]
    rows += [(f"`{each.key}`", ", ".join(f"`{alias}`" for alias in each.aliases), each.definition) for each in TAXONOMY]
    return _table(rows)


def _table(rows: list[tuple[str, ...]]) -> str:
    """Render rows, the first being the head; GitHub needs a bar escaped even inside code."""
    head, *body = (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
    return "\n".join([head, "|" + " --- |" * len(rows[0]), *body]) + "\n"
