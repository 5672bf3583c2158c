"""What `fix` and `reproduced` come to: every kind of word against every kind of thread and change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.commands.words import read_words
from bot.features.statements import Looked, Stated, amiss, change_named, judge_fix, judge_reproduced
from bot.github.linking import ManualFix
from bot.github.presence import Presence
from bot.texts import statements as texts

SERVER = "https://github.com/"
MINE = f"{SERVER}o/r/issues/7#issuecomment-"
PULL, COMMIT, OTHER = ManualFix("o/r", 9), ManualFix("o/r", sha="9fceb02"), ManualFix("a/b", 3)
LOOKED = Looked("o/r", 7, (101, 102, 104), 2, "heuristic", None, None, {})


@pytest.mark.parametrize(
    ("words", "looked", "expected"),
    [
        ("reproduced 1", LOOKED, Stated(True, position=1)),
        ("reproduced 3", LOOKED, Stated(True, position=3)),
        ("reproduced 4", LOOKED, Stated(False, words=texts.comment_not_counted(3))),
        ("reproduced 0", LOOKED, Stated(False, words=texts.comment_not_counted(3))),
        ("reproduced 1", replace(LOOKED, comments=()), Stated(False, words=texts.comment_not_counted(0))),
        ("reproduced never", LOOKED, Stated(True)),
        ("reproduced never", replace(LOOKED, comments=()), Stated(True)),
        (f"reproduced {MINE}101", LOOKED, Stated(True, position=1)),
        (f"reproduced {MINE}104", LOOKED, Stated(True, position=3)),
        (f"reproduced {MINE}103", LOOKED, Stated(False, words=texts.comment_not_counted(3))),
        (
            f"reproduced {SERVER}o/r/issues/8#issuecomment-200",
            LOOKED,
            Stated(False, words=texts.comment_of_another_issue(f"{SERVER}o/r/issues/8#issuecomment-200")),
        ),
        (f"reproduced {SERVER}old/name/issues/5#issuecomment-102", LOOKED, Stated(True, position=2)),
        ("reproduced", LOOKED, Stated(True, position=2, words=texts.reproduced_as_guessed(2))),
        (
            "reproduced",
            replace(LOOKED, guess=0, source="label"),
            Stated(True, position=0, words=texts.reproduced_as_labelled(0)),
        ),
        ("reproduced", replace(LOOKED, guess=None), Stated(False, words=texts.reproduced_without_guess())),
    ],
)
def test_where_it_was_reproduced(words: str, looked: Looked, expected: Stated) -> None:
    assert judge_reproduced(read_words(words).arguments, looked) == expected


def looked(fix: ManualFix, presence: Presence, *, landed: bool | None = True, gathered: bool = True) -> Looked:
    named = fix if gathered else None
    return replace(LOOKED, presences={fix: presence}, named=named, landed=landed)


@pytest.mark.parametrize(
    ("words", "found", "expected"),
    [
        ("fix #9", looked(PULL, "there"), Stated(True, PULL)),
        ("fix o/r#9", looked(PULL, "there"), Stated(True, PULL)),
        ("fix 9FCEB02", looked(COMMIT, "there"), Stated(True, COMMIT)),
        ("fix a/b#3", looked(OTHER, "there"), Stated(True, OTHER)),
        ("fix #9", looked(PULL, "absent"), Stated(False, words=texts.fix_absent("#9"))),
        ("fix #9", looked(PULL, "there", landed=False), Stated(True, PULL, words=texts.fix_not_landed("#9"))),
        ("fix #9", looked(PULL, "there", landed=None), Stated(True, PULL, words=texts.fix_hidden("#9"))),
        ("fix #9", looked(PULL, "there", landed=False, gathered=False), Stated(True, PULL)),
        ("fix a/b#3", looked(OTHER, "hidden", landed=None), Stated(True, OTHER, words=texts.fix_hidden("a/b#3"))),
    ],
)
def test_what_fixed_it(words: str, found: Looked, expected: Stated) -> None:
    assert judge_fix(read_words(words).arguments, found) == expected


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("fix", texts.fix_unnamed()),
        ("fix https://gitlab.example/o/r/pull/9", texts.fix_on_another_server("https://gitlab.example/o/r/pull/9")),
        ("fix https://github.com.evil.example/o/r/pull/9", "on another server"),
        ("reproduced https://gitlab.example/o/r/issues/7#issuecomment-101", "on another server"),
        ("fix https://redirect.github.com/o/r/pull/9", None),
        ("fix http://www.GitHub.com/o/r/commit/9fceb02", None),
        ("fix #9", None),
        ("reproduced", None),
        ("reproduced 4", None),
        (f"reproduced {MINE}101", None),
        ("confirm", None),
    ],
)
def test_what_is_amiss_before_anything_is_asked(words: str, told: str | None) -> None:
    reading = read_words(words)
    found = amiss(reading.name, reading.arguments, SERVER)
    assert found is None if told is None else told in (found or "")


def test_an_enterprise_server_is_a_server_of_its_own() -> None:
    arguments = read_words("fix https://git.example:8443/github/o/r/pull/9").arguments
    assert amiss("fix", arguments, "https://git.example:8443/github/") is None
    assert change_named(arguments, "x/y") == PULL
    assert amiss("fix", arguments, SERVER) is not None


def test_a_fix_that_names_nothing_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="no change"):
        change_named((), "o/r")
