"""The words that answer commands, against their golden files, and what no answer may ever hold."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.commands.grammar import ParsedCommand, parse
from bot.commands.registry import Place
from bot.commands.rights import Rights
from bot.commands.rules import Reason, authorise
from bot.texts import statements as texts
from bot.texts.answers import ANSWER_MARKER, Asked, answer_text, not_done, went_wrong
from tests.support.golden import is_golden

SLUG = "root-cause"


def mistakes(place: Place, *written: str) -> list[tuple[ParsedCommand, Reason]]:
    commands = parse("\n".join(f"/rootcause {words}" for words in written), SLUG)
    return [(command, authorise(command, Rights.TRIAGE, place, is_issue_author=False).reason) for command in commands]


def answer_to(
    wrong: list[tuple[ParsedCommand, Reason]],
    *written: str,
    with_help: bool = False,
    public_url: str | None = None,
    told: Sequence[str] = (),
) -> str:
    """Answer the commands that were wrong and those `written` beside them, all of one comment."""
    asked = [Asked(words, 41) for words in (*(command.text for command, _ in wrong), *written)]
    return answer_text(wrong, asked=asked, with_help=with_help, public_url=public_url, told=told)


CASES = {
    "help_with_page.md": answer_to([], "help", with_help=True, public_url="https://rootcause.example"),
    "help_without_page.md": answer_to([], "help", with_help=True),
    "near_miss.md": answer_to(mistakes(Place.ISSUE, "memroy-leak")),
    "mistakes_in_an_issue.md": answer_to(
        mistakes(Place.ISSUE, "conf", "", "zzzz", "zzzz", "None bananas", "undo #12", "fix #12 #99", "fix 12")
    ),
    "mistakes_in_the_inbox.md": answer_to(
        mistakes(Place.INBOX, "memory-leak ru", "confirm @someone", "fix #99", "reproduced 4", "off", "type memroy"),
        with_help=True,
        public_url="https://rootcause.example",
    ),
    "rights_unknown.md": answer_to([(command, Reason.RIGHTS_UNKNOWN) for command in parse("/rootcause confirm", SLUG)]),
}


TOLD = [
    texts.type_unnamed(),
    texts.fix_unnamed(),
    texts.fix_on_another_server("https://other.example/o/r/pull/9"),
    texts.fix_absent("#99"),
    texts.fix_hidden("secret/vault#3"),
    texts.fix_not_landed("9fceb02"),
    texts.comment_on_another_server("https://other.example/o/r/issues/1#issuecomment-2"),
    texts.comment_of_another_issue("https://github.com/o/r/issues/1#issuecomment-2"),
    *map(texts.comment_not_counted, (0, 1, 7)),
    texts.reproduced_as_guessed(2),
    *map(texts.reproduced_as_labelled, (0, 1, 4)),
    texts.reproduced_without_guess(),
]
WHY = ["nothing to undo", "asked blind", "no proposal", "left alone", "not recorded"]
CASES["not_done.md"] = answer_to([], "recheck", told=[*(not_done(12, why) for why in WHY), went_wrong("recheck", 12)])
CASES["statements.md"] = answer_to([], "fix", told=TOLD)


@pytest.mark.parametrize("file", CASES)
def test_the_answer_reads_as_it_should(file: str) -> None:
    is_golden(CASES[file], file)


def test_what_is_told_stands_behind_the_mistakes_and_once() -> None:
    text = answer_to(mistakes(Place.ISSUE, "zzzz"), told=["Noted.", "Noted."])
    assert text.index("I do not know `zzzz`") < text.index("Noted.")
    assert text.count("Noted.") == 1


def test_a_command_in_the_wrong_place_is_named() -> None:
    (command,) = parse("/rootcause undo", SLUG)
    text = answer_to([(command, Reason.WRONG_PLACE)])
    assert "`/rootcause undo` cannot be used here." in text


@pytest.mark.parametrize("file", CASES)
def test_our_own_answer_is_no_command_to_us(file: str) -> None:
    assert CASES[file].startswith(f"{ANSWER_MARKER}\n")
    assert parse(CASES[file], SLUG) == ()


@given(
    st.text(min_size=1), st.sampled_from(["@someone #12 ", "`a` ", "``", "<b>", "[x](y) ", "", "https://a.example/"])
)
def test_what_a_person_wrote_stays_inside_a_code_span(word: str, hostile: str) -> None:
    command = ParsedCommand("unknown", (hostile + word,), (), 1, hostile + word)
    text = answer_to([(command, Reason.NOT_UNDERSTOOD)])
    assert parse(text, SLUG) == ()
    assert not any(line.lstrip().lower().startswith(("/rootcause", "@")) for line in text.split("\n"))
    asked, sentence = [
        [token.content for token in paragraph.children or () if token.type == "text"]
        for paragraph in MarkdownIt("commonmark").parse(text.removeprefix(ANSWER_MARKER))[1:5:3]
    ]
    assert "".join(asked) == "Answer to :", "the command is a code span in a link"
    assert "".join(sentence).removeprefix("I do not know ").removeprefix("that") == ". Nothing I know is near it."
