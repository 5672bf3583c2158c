"""The permission table, written out by hand: every command, in every place, for everybody."""

from __future__ import annotations

from itertools import product

import pytest

from bot.commands.grammar import ParsedCommand, parse
from bot.commands.registry import COMMANDS, Place
from bot.commands.rights import Rights
from bot.commands.rules import Outcome, Party, Reason, authorise, authorise_all

TABLE = """
command     place  author  unknown none read triage write maintain admin
confirm     issue  either  ?       -    -    +      +     +        +
confirm     inbox  either  ?       -    -    +      +     +        +
categorise  issue  either  ?       -    -    +      +     +        +
categorise  inbox  either  ?       -    -    +      +     +        +
none        issue  either  ?       -    -    +      +     +        +
none        inbox  either  ?       -    -    +      +     +        +
undo        issue  either  ?       -    -    +      +     +        +
undo        inbox  either  ?       -    -    +      +     +        +
reproduced  issue  either  ?       -    -    +      +     +        +
reproduced  inbox  either  ?       -    -    +      +     +        +
fix         issue  either  ?       -    -    +      +     +        +
fix         inbox  either  ?       -    -    +      +     +        +
type        issue  either  ?       -    -    +      +     +        +
type        inbox  either  ?       -    -    +      +     +        +
similar     issue  either  ?       -    -    +      +     +        +
similar     inbox  either  ?       -    -    +      +     +        +
explain     issue  either  ?       -    -    +      +     +        +
explain     inbox  either  ?       -    -    +      +     +        +
off         issue  other   ?       -    -    +      +     +        +
off         issue  author  +       +    +    +      +     +        +
off         inbox  either  ?       -    -    +      +     +        +
on          issue  other   ?       -    -    +      +     +        +
on          issue  author  +       +    +    +      +     +        +
on          inbox  either  ?       -    -    +      +     +        +
recheck     issue  either  ?       -    -    +      +     +        +
recheck     inbox  either  ?       -    -    +      +     +        +
report      issue  either  ?       -    -    -      -     +        +
report      inbox  either  ?       -    -    -      -     +        +
help        issue  either  +       +    +    +      +     +        +
help        inbox  either  +       +    +    +      +     +        +
"""
"""`+` allowed; `-` refused by a reaction alone; `?` GitHub could not be asked: refused, and said so."""

MEANS = {
    "+": (Outcome.ALLOWED, Reason.MAY, "+1", False),
    "-": (Outcome.REFUSED, Reason.RIGHTS_LACKING, "-1", False),
    "?": (Outcome.UNKNOWN, Reason.RIGHTS_UNKNOWN, "-1", True),
}
_HEAD, *_LINES = (line.split() for line in TABLE.strip().splitlines())
EXPECTED = {
    (line[0], line[1], is_author, _HEAD[column]): line[column]
    for line in _LINES
    for is_author in {"either": (False, True), "author": (True,), "other": (False,)}[line[2]]
    for column in range(3, len(_HEAD))
}
REGISTERED = list(product(COMMANDS, Place, (False, True), Rights))
ROWS = [row for row in REGISTERED if (row[0], str(row[1]), row[2], row[3].name.lower()) in EXPECTED]


def written(words: str) -> ParsedCommand:
    (command,) = parse(f"/rootcause {words}", "root-cause")
    return command


def in_place(name: str, place: Place) -> ParsedCommand:
    return written(COMMANDS[name].example + (" #12" if place is Place.INBOX and COMMANDS[name].about_issue else ""))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_for_those_of_the_table(name: str) -> None:
    for row in ROWS:
        command, place, is_author, rights = row
        if command == name:
            outcome, reason, reaction, in_words = MEANS[EXPECTED[name, place, is_author, rights.name.lower()]]
            verdict = authorise(in_place(name, place), rights, place, is_author)
            assert (verdict.outcome, verdict.reason, verdict.reaction) == (outcome, reason, reaction), row
            assert verdict.answer_in_words is in_words, row


def test_the_table_is_about_what_is_registered_and_nothing_else() -> None:
    registered = {(name, str(place), is_author, rights.name.lower()) for name, place, is_author, rights in REGISTERED}
    lacking = sorted({row[0] for row in registered - EXPECTED.keys()})
    assert not lacking, f"TABLE needs a row for `issue` and one for `inbox` of {', '.join(lacking)}"
    assert registered == EXPECTED.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_of_two_who_are_behind_a_command_the_weaker_decides(name: str) -> None:
    command = in_place(name, Place.ISSUE)
    for two in product(Rights, Rights):
        both = authorise_all(command, [Party(one) for one in two], Place.ISSUE)
        alone = {authorise(command, rights, Place.ISSUE, is_issue_author=False).outcome for rights in two}
        assert (both.outcome is Outcome.ALLOWED) == (alone == {Outcome.ALLOWED}), two
        if Outcome.REFUSED in alone:
            assert (both.reason, both.answer_in_words) == (Reason.RIGHTS_LACKING, False), "a stranger gets no words"
        elif Outcome.UNKNOWN in alone:
            assert (both.reason, both.answer_in_words) == (Reason.RIGHTS_UNKNOWN, True), "and it is said"


def test_an_author_and_a_maintainer_together_may_what_each_of_them_may() -> None:
    parties = [Party(Rights.TRIAGE), Party(Rights.READ, is_issue_author=True)]
    assert authorise_all(written("off"), parties, Place.ISSUE).outcome is Outcome.ALLOWED
    assert authorise_all(written("confirm"), parties, Place.ISSUE).reason is Reason.RIGHTS_LACKING
    assert not authorise_all(written("confrim"), parties, Place.ISSUE).answer_in_words
    assert authorise_all(written("confrim"), parties[:1], Place.ISSUE).answer_in_words


def test_on_alone_is_about_the_inbox_and_off_never() -> None:
    assert authorise(written("on"), Rights.TRIAGE, Place.INBOX, is_issue_author=False).outcome is Outcome.ALLOWED
    verdict = authorise(written("off"), Rights.TRIAGE, Place.INBOX, is_issue_author=False)
    assert (verdict.reason, verdict.answer_in_words) == (Reason.TARGET_MISSING, True)
