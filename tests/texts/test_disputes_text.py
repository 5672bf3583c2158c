"""What the inbox says of disagreements, against its golden file."""

from __future__ import annotations

from bot.commands.grammar import parse
from bot.texts.disputes import MOST_SHOWN, Dispute, disputes_text
from tests.support.golden import is_golden

QUIET = "https://redirect.github.com/acme/frame/issues"


def dispute(number: int, *answers: str | None) -> Dispute:
    return Dispute(number, f"{QUIET}/{number}", "It leaks", answers)


def test_the_part_reads_as_it_should() -> None:
    text = disputes_text([dispute(12, "memory-leak", "resource-usage"), dispute(9, "data-race", None, "none")])
    is_golden(f"{text}\n", "inbox_two_answers.md")


def test_without_a_disagreement_there_is_no_part() -> None:
    assert disputes_text([]) is None


def test_what_does_not_fit_is_counted_and_nothing_is_a_command_or_a_ping() -> None:
    many = [dispute(number, None, "conversion") for number in range(1, MOST_SHOWN + 3)]
    text = disputes_text(many)
    assert text is not None
    assert text.endswith("2 more wait until there is room here.")
    assert text.count(QUIET) == MOST_SHOWN
    assert parse(text, "root-cause") == ()
    assert "@" not in text
    assert (disputes_text(many[:-1]) or "").endswith("1 more waits until there is room here.")
