"""From the text of a comment to the commands in it; pure, and the only place that reads commands.

A command is a line of its own, indented by at most three spaces, that begins with `/rootcause` or `@<slug>` and is
written text as `bot.commands.written` defines it. What the words mean is `bot.commands.words`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from bot.commands.registry import PREFIX
from bot.commands.words import MOST_WORDS, Target, read_words, split_words
from bot.commands.written import written_lines

MOST_COMMANDS = 20
"""Commands of one comment that are carried out; more are passed over."""


@dataclass(frozen=True)
class ParsedCommand:
    """A command as understood.

    `name` is a registered one or `unknown`, whose `arguments` hold the word that was not understood ("" for none) and
    whose `nearest` holds what may be meant. The command `categorise` has one or two category keys as arguments, `none`
    at most a kind. `line` counts from 1; `text` is what follows the prefix, its words joined by single spaces:
    `read_words` understands it as the same command.
    """

    name: str
    arguments: tuple[str, ...]
    targets: tuple[Target, ...]
    line: int
    text: str
    nearest: tuple[str, ...] = ()


def mentions(body: str, slug: str) -> bool:
    """Tell cheaply whether a text could hold a command; where this is False, `parse` finds none."""
    lowered = body.lower()
    return any(name in lowered for name in _prefixes(slug))


@cache
def beginning(slug: str) -> re.Pattern[str]:
    """Return what matches the beginning of a line that is a command: at most three spaces and a prefix, in any case."""
    names = "|".join(map(re.escape, _prefixes(slug)))
    return re.compile(rf" {{0,3}}(?ai:{names})(?=[,:]?(?:\s|$))[,:]?")


def parse(body: str, slug: str) -> tuple[ParsedCommand, ...]:
    """Return the commands of a comment in order, at most `MOST_COMMANDS`; never raises.

    `slug` is the App's name on GitHub, without `@`. Hostile Markdown may take a second or two: call it in a thread.
    """
    return tuple(islice(_commands(body, slug), MOST_COMMANDS))


def new_commands(before: str, after: str, slug: str) -> tuple[ParsedCommand, ...]:
    """Return the commands that an edit added, so that none runs twice; a command that was deleted is not undone.

    Commands are compared by what they mean, however they are written. Of one that names several issues, only those
    named anew remain.
    """
    seen = Counter(unit for command in _commands(before, slug) for unit in _units(command))
    return tuple(islice(_unseen(_commands(after, slug), seen), MOST_COMMANDS))


def _prefixes(slug: str) -> tuple[str, ...]:
    return (PREFIX, f"@{slug.lower()}") if slug else (PREFIX,)


def _commands(body: str, slug: str) -> Iterator[ParsedCommand]:
    if not mentions(body, slug):
        return
    begins = beginning(slug)
    for line in written_lines(body):
        found = begins.match(line.source) and begins.match(line.text)
        if found:
            words = split_words(line.text[found.end() :])
            text = " ".join(words[: MOST_WORDS + 1])
            reading = read_words(text)
            yield ParsedCommand(
                reading.name,
                reading.arguments,
                reading.targets,
                line.number,
                text,
                reading.nearest,
            )


_Unit = tuple[str, tuple[str, ...], Target | None]


def _units(command: ParsedCommand) -> list[_Unit]:
    """Return what a command asks for, one thing an issue it names."""
    return [(command.name, command.arguments, target) for target in command.targets or (None,)]


def _unseen(commands: Iterator[ParsedCommand], seen: Counter[_Unit]) -> Iterator[ParsedCommand]:
    for command in commands:
        fresh = []
        for unit in _units(command):
            if seen[unit] > 0:
                seen[unit] -= 1
            else:
                fresh.append(unit)
        if fresh:
            yield replace(command, targets=tuple(target for _, _, target in fresh if target is not None))
