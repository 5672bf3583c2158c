"""What the words of a command mean, what an edit adds, and that no text whatever makes the grammar stumble."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.commands.grammar import MOST_COMMANDS, ParsedCommand, mentions, new_commands, parse
from bot.commands.registry import CATEGORISE, COMMANDS, FIX, NEVER, REPRODUCED, TYPE, UNKNOWN
from bot.commands.words import MOST_TARGETS, Reading, Target, read_words
from bot.commands.written import LONGEST_BODY
from classifier.taxonomy import BUG_TYPES, NONE, NONE_KINDS, TAXONOMY

SLUG = "root-cause"

Meaning = tuple[str, tuple[str, ...], tuple[int, ...]]

COMMENT = "https://github.com/a-rather-long-owner/a-rather-long-name/issues/1234567#issuecomment-1234567890"
COMMIT = "https://git.example/github/o/r/commit/9fceb02"

MEANT: list[tuple[str, Meaning]] = [
    ("confirm", ("confirm", (), ())),
    ("confirm #12 #14", ("confirm", (), (12, 14))),
    ("#12 confirm", ("confirm", (), (12,))),
    ("confirm #12,#14, #12", ("confirm", (), (12, 14))),
    ("undo #7.", ("undo", (), (7,))),
    ("help", ("help", (), ())),
    ("memory-leak", (CATEGORISE, ("memory-leak",), ())),
    ("memory-leak #15", (CATEGORISE, ("memory-leak",), (15,))),
    ("ML ru #3", (CATEGORISE, ("memory-leak", "resource-usage"), (3,))),
    ("memory leak", (CATEGORISE, ("memory-leak",), ())),
    ("Memory Leak, data race", (CATEGORISE, ("memory-leak", "data-race"), ())),
    ("I/O", (CATEGORISE, ("io-slowdown",), ())),
    ("perf", (CATEGORISE, ("performance-regression",), ())),
    ("mem\u200bory-leak\u200d", (CATEGORISE, ("memory-leak",), ())),
    ("memory-leak ml", (CATEGORISE, ("memory-leak",), ())),
    ("memory-leak none", (CATEGORISE, ("memory-leak", "none"), ())),
    ("config", (CATEGORISE, ("configuration-error",), ())),
    ("none", (NONE, (), ())),
    ("none #15 question", (NONE, ("question",), (15,))),
    ("none Feature", (NONE, ("feature",), ())),
    ("none func", (NONE, ("functional",), ())),
    ("not-system docs", (NONE, ("docs",), ())),
    ("non", (NONE, (), ())),
    ("reproduced", (REPRODUCED, (), ())),
    ("reproduced #12 #14", (REPRODUCED, (), (12, 14))),
    ("reproduced 4", (REPRODUCED, ("4",), ())),
    ("reproduced #12 04.", (REPRODUCED, ("4",), (12,))),
    ("reproduced 0", (REPRODUCED, ("0",), ())),
    ("Reproduced Never", (REPRODUCED, (NEVER,), ())),
    (f"reproduced {COMMENT}", (REPRODUCED, (COMMENT,), ())),
    (f"reproduced #12 {COMMENT}", (REPRODUCED, (COMMENT,), (12,))),
    (f"reproduced <{COMMENT}>", (REPRODUCED, (COMMENT,), ())),
    ("type memory", (TYPE, ("memory",), ())),
    ("Type #12 Deployment #14.", (TYPE, ("deployment",), (12, 14))),
    ("type algorithm design", (TYPE, ("algorithm-design",), ())),
    ("type ALGORITHM_DESIGN", (TYPE, ("algorithm-design",), ())),
    ("type deploy", (TYPE, ("deployment",), ())),
    ("type", (TYPE, (), ())),
    ("off", ("off", (), ())),
    ("off #12 #14", ("off", (), (12, 14))),
    ("ON", ("on", (), ())),
    ("on #12", ("on", (), (12,))),
    ("recheck #7", ("recheck", (), (7,))),
    ("fix", (FIX, (), ())),
    ("fix #12", (FIX, ("#12",), ())),
    ("fix #12 #99", (FIX, ("#99",), (12,))),
    ("fix #12 #12", (FIX, ("#12",), (12,))),
    ("#12 fix #99", (FIX, ("#99",), (12,))),
    ("#12 #14 fix #99", (FIX, ("#99",), (12, 14))),
    ("fix owner/na.me#99", (FIX, ("owner/na.me#99",), ())),
    ("fix #12 #14 owner/name#99", (FIX, ("owner/name#99",), (12, 14))),
    ("fix 9FCEB02", (FIX, ("9fceb02",), ())),
    ("fix 9fceb02 #12", (FIX, ("9fceb02",), (12,))),
    ("fix https://github.com/o/r/pull/99/files#diff-1", (FIX, ("https://github.com/o/r/pull/99",), ())),
    ("fix https://github.com/o/r/issues/99", (FIX, ("https://github.com/o/r/pull/99",), ())),
    ("fix #12 https://git.example/github/o/r/commit/9FCEB02", (FIX, (COMMIT,), (12,))),
]

NOT_UNDERSTOOD: list[tuple[str, str, str | None]] = [
    ("", "", None),
    ("#12", "", None),
    ("confrim", "confrim", "confirm"),
    ("conf", "conf", "confirm"),
    ("conf", "conf", "configuration-error"),
    ("mem", "mem", "memory-leak"),
    ("mem", "mem", "memory-allocation"),
    ("memroy-leak", "memroy-leak", "memory-leak"),
    ("confirm please", "please", "confirm"),
    ("undo all", "all", "undo"),
    ("memory-leak because it grows", "because", None),
    ("memory-leak resuorce-usage", "resuorce-usage", "resource-usage"),
    ("memory-leak ru data-race", "data-race", CATEGORISE),
    ("none questoin", "questoin", "question"),
    ("none docs docs", "docs", NONE),
    ("confirm #0", "#0", "confirm"),
    ("confirm owner/name#12", "owner/name#12", "confirm"),
    ("confirm #12345678901", "#12345678901", "confirm"),
    ("similar ones", "ones", "similar"),
    ("reproduced 4 5", "5", REPRODUCED),
    ("reproduced twice", "twice", REPRODUCED),
    ("reproduced 12345678901", "12345678901", REPRODUCED),
    ("reproduced https://github.com/o/r/issues/1", "https://github.com/o/r/issues/1", REPRODUCED),
    ("repro 4", "repro", REPRODUCED),
    ("type memroy", "memroy", "type memory"),
    ("type me", "me", "type deployment"),
    ("type memory leak", "leak", TYPE),
    ("type algorithm design please", "please", TYPE),
    ("typ memory", "typ", TYPE),
    ("of", "of", "off"),
    ("off please", "please", "off"),
    ("rechek", "rechek", "recheck"),
    ("fixed #12", "fixed", FIX),
    ("fix 12", "12", "fix #12"),
    ("fix #12 with #99", "with", FIX),
    ("fix #12 #14 #99", "#99", FIX),
    ("#12 fix #14 #99", "#99", FIX),
    ("fix 9fceb02 1234567", "1234567", FIX),
    ("fix 9fceb0", "9fceb0", FIX),
    ("fix https://github.com/o/r", "https://github.com/o/r", FIX),
    ("re", "re", REPRODUCED),
    ("categorise", "categorise", None),
    ("unknown", "unknown", None),
]


def command_of(words: str) -> ParsedCommand:
    (command,) = parse(f"/rootcause {words}", SLUG)
    return command


def meaning(command: ParsedCommand) -> Meaning:
    return command.name, command.arguments, tuple(target.number for target in command.targets)


@pytest.mark.parametrize(("words", "meant"), MEANT)
def test_words_are_understood(words: str, meant: Meaning) -> None:
    command = command_of(words)
    assert meaning(command) == meant
    assert command.nearest == ()


@pytest.mark.parametrize(("words", "word", "near"), NOT_UNDERSTOOD)
def test_words_that_are_not_understood_name_the_nearest(words: str, word: str, near: str | None) -> None:
    command = command_of(words)
    assert (command.name, command.arguments, command.targets) == (UNKNOWN, (word,), ())
    assert near is None or near in command.nearest, "a new name is nearer: choose another one, or change this row"
    assert len(command.nearest) <= 3


@pytest.mark.parametrize(
    ("key", "name"), [(each.key, name) for each in TAXONOMY[:-1] for name in (each.key, each.title, *each.aliases)]
)
def test_every_name_of_a_category_is_a_command(key: str, name: str) -> None:
    for spelling in (name, name.upper(), name.replace("-", "_")):
        assert meaning(command_of(spelling)) == (CATEGORISE, (key,), ())


@pytest.mark.parametrize("kind", NONE_KINDS)
def test_every_kind_of_none(kind: str) -> None:
    assert meaning(command_of(f"none {kind}")) == (NONE, (kind,), ())


@pytest.mark.parametrize(("key", "name"), [(each.key, name) for each in BUG_TYPES for name in (each.key, each.title)])
def test_every_name_of_a_bug_type(key: str, name: str) -> None:
    for spelling in (name, name.upper(), name.replace("-", " ")):
        assert meaning(command_of(f"type {spelling}")) == (TYPE, (key,), ())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_registered_example_is_that_command(name: str) -> None:
    for prefix in ("/rootcause", "@root-cause"):
        (command,) = parse(f"{prefix} {COMMANDS[name].example}", SLUG)
        assert command.name == name
        (bulk,) = parse(f"{prefix} {COMMANDS[name].example} #12 #14", SLUG)
        assert (bulk.name, bulk.arguments) == (name, command.arguments)
        assert bulk.targets == (Target(12), Target(14))


@pytest.mark.parametrize("place", ["../..", "./.", "../rate_limit", "acme/..", "acme/."])
def test_steps_of_a_path_are_no_repository(place: str) -> None:
    for word in (f"{place}#12", f"https://github.com/{place}/pull/12", f"https://github.com/{place}/commit/abcdef1"):
        assert read_words(f"fix {word}").name == UNKNOWN
        assert read_words(f"reproduced https://github.com/{place}/issues/1#issuecomment-2").name == UNKNOWN
    assert read_words("fix acme/..x#12").arguments == ("acme/..x#12",)


def test_several_commands_keep_their_order_and_only_the_first_are_taken() -> None:
    assert [command.name for command in parse("/rootcause undo\nno:\n@root-cause confirm", SLUG)] == ["undo", "confirm"]
    many = parse("".join(f"/rootcause confirm #{number}\n" for number in range(1, 30)), SLUG)
    assert [command.targets[0].number for command in many] == list(range(1, MOST_COMMANDS + 1))


def test_a_command_names_as_many_issues_as_the_inbox_holds() -> None:
    named = [f"#{number}" for number in range(1, MOST_TARGETS + 2)]
    assert len(command_of("confirm " + " ".join(named[:-1])).targets) == MOST_TARGETS
    assert meaning(command_of("confirm " + " ".join(named))) == (UNKNOWN, (named[-1],), ())
    assert meaning(command_of("confirm " + "#1 " * 70)) == (UNKNOWN, ("#1",), ())


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ("", "/rootcause confirm", [("confirm", (), ())]),
        ("/rootcause confirm", "/rootcause confirm", []),
        ("/rootcause confirm", "Thanks!\n\n@root-cause  Confirm.", []),
        ("/rootcause ml", "/rootcause memory-leak", []),
        ("/rootcause confirm", "", []),
        ("/rootcause confirm", "/rootcause undo", [("undo", (), ())]),
        ("/rootcause undo", "/rootcause undo\n/rootcause undo", [("undo", (), ())]),
        ("> /rootcause undo", "/rootcause undo", [("undo", (), ())]),
        ("/rootcause confirm #1 #2", "/rootcause confirm #2 #3 #1", [("confirm", (), (3,))]),
        ("/rootcause confirm #1\n/rootcause confirm #2", "/rootcause confirm #1 #2", []),
        ("/rootcause ml #1", "/rootcause ru #1", [(CATEGORISE, ("resource-usage",), (1,))]),
        ("/rootcause fix #9", "/rootcause fix #9\n/rootcause fix #8", [(FIX, ("#8",), ())]),
        ("/rootcause fix #1 #9", "/rootcause #1 fix #9\n/rootcause fix #2 #9", [(FIX, ("#9",), (2,))]),
        ("/rootcause confrim", "/rootcause confrim\n/rootcause confirm", [("confirm", (), ())]),
    ],
)
def test_an_edit_runs_only_what_is_new(before: str, after: str, new: list[Meaning]) -> None:
    assert [meaning(command) for command in new_commands(before, after, SLUG)] == new


def test_a_command_beyond_the_limit_does_not_become_new_when_one_before_it_goes() -> None:
    lines = [f"/rootcause confirm #{number}" for number in range(1, MOST_COMMANDS + 2)]
    assert new_commands("\n".join(lines), "\n".join(lines[1:]), SLUG) == ()


MARKS = "> |> > |- |1. |`|```|~~~|<!--|-->|<details>|</details>|<pre>|</pre>|<code>|</code>|[|](|)|![|**|~~|&lt;|#|---"
ODD = ["\n", "\r\n", "\n\n", " ", "    ", "\t", "\\", "|", "\0", "\u200b", "\u00a0", "\ud800", "===", "<b", "x"]
FRAGMENTS = st.sampled_from(
    [
        "/rootcause confirm",
        "/rootcause fix #1 #9",
        f"/rootcause reproduced {COMMENT}",
        "@root-cause ml #1",
        "/rootcause type algorithm design",
        "/rootcause off",
        "@root-cause on #2",
        "/rootcause",
        *MARKS.split("|"),
        *ODD,
    ]
)
TEXTS = st.one_of(st.text(), st.lists(FRAGMENTS, max_size=40).map("".join))


@settings(max_examples=400, deadline=None)
@given(TEXTS, TEXTS)
def test_any_text_is_read_and_what_is_read_means_the_same_again(before: str, after: str) -> None:
    commands = parse(after, SLUG)
    for command in commands:
        assert command.name in {*COMMANDS, UNKNOWN}
        again = Reading(command.name, command.arguments, command.targets, command.nearest)
        assert read_words(command.text) == again
        line = after.replace("\r\n", "\n").replace("\r", "\n").split("\n")[command.line - 1]
        assert line.removeprefix("\ufeff").lstrip(" ").lower().startswith(("/rootcause", "@root-cause"))
    assert mentions(after, SLUG) or not commands
    assert new_commands(after, after, SLUG) == ()
    assert len(new_commands(before, after, SLUG)) <= MOST_COMMANDS
    assert [meaning(command) for command in new_commands("", after, SLUG)] == [meaning(each) for each in commands]


EXAMPLES = st.sampled_from([f"/rootcause {command.example}" for command in COMMANDS.values()])
HIDDEN_LINES = st.lists(st.one_of(EXAMPLES, st.just("@root-cause undo"), FRAGMENTS), min_size=1).map(
    lambda parts: "\n".join(parts).replace("\r", "")
)


@settings(max_examples=200, deadline=None)
@given(HIDDEN_LINES)
def test_nothing_in_a_quote_a_fence_indented_code_or_a_comment_runs(text: str) -> None:
    lines = text.split("\n")
    fence = "`" * 20
    assert parse("\n".join(f"> {line}" for line in lines), SLUG) == ()
    assert parse("\n".join(f"    {line}" for line in lines), SLUG) == ()
    assert parse(f"{fence}\n{text.replace(fence, '')}\n{fence}", SLUG) == ()
    assert parse(f"<!--\n{text.replace('-->', '').replace('>', '')}\n-->", SLUG) == ()


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "![",
        "![[\n",
        "[a][b",
        "*a ",
        "`",
        "<",
        "<!--",
        "<a b='",
        "> ",
        "- a\n",
        "a\n",
        "|a|\n|-|\n",
        "\\",
        "/rootcause x\n",
    ],
)
def test_hostile_repetition_takes_seconds_at_most(piece: str) -> None:
    body = "/rootcause confirm\n\n" + (piece * LONGEST_BODY)[: LONGEST_BODY - 100] + "\n\n/rootcause undo"
    began = time.process_time()
    assert parse(body, SLUG)[0].name == "confirm"
    assert time.process_time() - began < 10, "measured: 0.9 s at most"


def test_a_body_of_any_length_is_read_in_bounded_time() -> None:
    began = time.process_time()
    parse("/rootcause confirm\n\n" + "[" * 20_000_000, SLUG)
    assert time.process_time() - began < 10
