"""A record as a person reads it: every value with its source, nothing unknown as 0, nothing hostile on a terminal."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.show.record_view import record_json, record_lines
from bot.store.people_in_numbers import People
from bot.store.tables import Fix, FixFile, Proposal, Span
from bot.store.whole import Stated, Told, Whole
from bot.texts.terminal import harmless
from tests.support.factories import a_record, a_repository

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
END = START + timedelta(days=3.4)
LAST = "the closing that ended the last open span"
NOT_LANDED = "not landed on a default branch, or reverted before the last closing"
NOBODY = People({}, 0, 0, None, None, None, {}, 0, None)


def whole(*, fix: Fix | None = None, files: tuple[FixFile, ...] = (), **fields: Any) -> Whole:
    around = {
        name: fields.pop(name)
        for name in ("proposal", "told", "people", "spans", "resolution", "stated", "next_look")
        if name in fields
    }
    times = {"created_at": START, "closed_at": END, "gathered_at": END}
    record = a_record(1, 7, **{"number": 12, "title": "It leaks"} | times | fields)
    repository = a_repository(7)
    base: dict[str, Any] = {
        "spans": (Span(issue_id=1, position=0, opened_at=START, closed_at=END),),
        "proposal": None, "told": (), "people": NOBODY, "resolution": None,
        "stated": (), "next_look": None,
    }  # fmt: skip
    return Whole(repository=repository, record=record, fix=fix, files=files, keeps_text=True, **(base | around))


def text(shown: Whole, width: int | None = None) -> str:
    return "\n".join("".join(piece for piece, _ in line) for line in record_lines(shown, width))


def line(shown: Whole, name: str) -> str:
    """Return what stands beside a name, in one line."""
    (found,) = (row for row in text(shown).splitlines() if row.split()[:1] == [name])
    return " ".join(found.split()[1:])


def pull_request(**fields: Any) -> Fix:
    known: dict[str, Any] = {
        "kind": "pull_request",
        "link": "closer_pr",
        "repository": "acme/frame",
        "number": 44,
        "landed": True,
    }
    return Fix(issue_id=1, **{**known, "merged_at": END, "additions": 10, "deletions": 3, **fields})


@pytest.mark.parametrize(
    ("fields", "name", "said"),
    [
        ({"open_days": 3.4}, "open_days",
         f"3.4 - creation 2026-03-01 09:00 UTC to {LAST}, 2026-03-04 18:36 UTC"),
        ({}, "open_days", "not known - the closing lies before the creation"),
        ({"issue_comments": 0}, "issue_comments", f"0 - comments by people up to {LAST}, bots left out"),
        ({"comments_until_reproduced": 4, "comments_until_reproduced_source": "heuristic"}, "comments_until_reproduced",
         "4 - a guess by the heuristic on members' comments, enters no test"),
        ({"comments_until_reproduced": 4, "comments_until_reproduced_source": "command"}, "comments_until_reproduced",
         "4 - said by the command `reproduced`"),
        ({}, "comments_until_reproduced",
         "not known - no command, no label and no member's comment says that it was reproduced"),
        ({"comments_until_reproduced_source": "command"}, "comments_until_reproduced",
         "not known - the command `reproduced` said that it never was"),
        ({"next_look": END}, "next_look",
         "2026-03-04 18:36 UTC - no fix that landed is known: looked for again then"),
        ({"stated": (Stated("c0ffee", "fix", "other/place#44", None, START, END),)}, "named_fix",
         "other/place#44 - said by person c0ffee, 2026-03-01 09:00 UTC, taken back 2026-03-04 18:36 UTC"),
        ({"stated": (Stated("c0ffee", "reproduced", None, 4, START, None),)}, "reproduced",
         "at comment 4 - said by person c0ffee, 2026-03-01 09:00 UTC"),
        ({"stated": (Stated("c0ffee", "reproduced", None, None, START, None),)}, "reproduced",
         "never - said by person c0ffee, 2026-03-01 09:00 UTC"),
        ({"stated": (Stated("c0ffee", "type", None, None, START, None, "memory"),)}, "type",
         "memory - said by person c0ffee, 2026-03-01 09:00 UTC"),
        ({}, "description_words",
         "not known - the description was edited, and GitHub no longer shows its first version"),
        ({}, "fix", "not known - no fix was found"),
        ({"fix_link": "private"}, "fix", "not known - something that may not be read closed it (private)"),
        ({"fix_link": "private"}, "changed_lines", "not known - something that may not be read closed it (private)"),
        ({}, "mpl", "not known - no fix was found"),
        ({"participation_percent": 100 / 3}, "participation_percent", "33.33 % - members of all participants"),
        ({}, "category", "not known - nobody has decided"),
        ({"state": "disputed"}, "category", "not known - people disagree"),
        ({"category": "none", "category_source": "decision"}, "none_kind",
         "not known - nobody said what it is instead"),
        ({"backfilled": True}, "selection", "none - read from the history: never asked about"),
        ({}, "proposal_category", "not known - no model has read it"),
        ({}, "member_contributions", "not known - no member took part"),
        ({}, "followers", "not known - nobody with an account took part"),
    ],
)  # fmt: skip
def test_a_value_stands_with_its_source_and_an_unknown_one_with_the_reason(
    fields: dict[str, Any], name: str, said: str
) -> None:
    assert line(whole(**fields), name) == said


@pytest.mark.parametrize(
    ("fix", "fields", "said"),
    [
        (pull_request(), {"fix_link": "closer_pr"},
         "pull request #44 - found by the closing event (closer_pr), landed 2026-03-04 18:36 UTC"),
        (pull_request(repository="other/place"), {"fix_link": "manual"},
         "pull request other/place#44 - named by the command `fix`, landed 2026-03-04 18:36 UTC"),
        (pull_request(landed=False, merged_at=None), {"fix_link": "linked_pr"},
         f"pull request #44 - found among the pull requests that GitHub lists as closing it (linked_pr), {NOT_LANDED}"),
        (Fix(issue_id=1, kind="commit", link="commit_keyword", sha="0123456789abcdef", landed=True), {},
         "commit 0123456789 - found by a keyword in a commit or a pull request (commit_keyword), landed"),
    ],
)  # fmt: skip
def test_a_fix_is_named_with_how_it_was_found(fix: Fix, fields: dict[str, Any], said: str) -> None:
    assert line(whole(fix=fix, **fields), "fix") == said


def test_the_sizes_and_languages_of_a_fix() -> None:
    files = tuple(
        FixFile(issue_id=1, path=path, additions=4, deletions=1)
        for path in ("src/a.py", "src/b.cpp", "tests/test_c.rb", "README.md")
    )
    shown = whole(
        fix=pull_request(), files=files, changed_lines=13, changed_files=4, languages=["C/C++", "Python"], mpl=True,
        languages_with_tests=["C/C++", "Python", "Ruby"], mpl_with_tests=True, change_entropy=1.0,
    )  # fmt: skip
    assert line(shown, "changed_lines") == "13 - +10 -3, GitHub's own totals"
    assert line(shown, "languages") == "C/C++, Python - tests left out; source by their names: 2 of 4 files"
    assert (
        line(shown, "languages_with_tests")
        == "C/C++, Python, Ruby - tests counted; source by their names: 3 of 4 files"
    )
    assert line(shown, "mpl") == "yes - more than one language, tests left out"
    assert "tests/test_c.rb +4 -1 - Ruby, test" in text(shown)
    assert "README.md +4 -1 - no source" in text(shown)


def test_a_commits_comments_are_not_known_where_bots_may_be_among_them() -> None:
    commit = Fix(issue_id=1, kind="commit", link="closer_commit", sha="0" * 40, landed=True)
    assert line(whole(fix=commit), "fix_comments").startswith("not known - GitHub counts comments on a commit without")
    assert line(whole(fix=commit, fix_comments=0), "fix_comments") == "0 - the commit has none, by GitHub's own count"


def test_every_reason_against_a_verdict_is_said_with_what_it_concerns() -> None:
    shown = whole(exclusions=["no_fix", "fewer_than_3_comments", "too_little_text", "one_of_tomorrow"])
    reasons = [" ".join(row.split()[1:]) for row in text(shown).splitlines() if row.split()[:1] == ["exclusion"]]
    assert reasons == [
        "no fix was found - against both verdicts",
        "people wrote fewer than 3 comments - against eligible_system alone",
        "title and description have too few words - against eligible_system alone",
        "one_of_tomorrow - against both verdicts",
    ]


def test_decisions_name_nobody_and_say_how_and_when() -> None:
    told = (
        Told("c0ffee", "memory-leak", None, None, "tick", True, START, END),
        Told("decaf0", "none", None, "question", "comment", False, END, None),
        Told("facade", "cosmic-ray", None, None, "study", False, END, None, draft=True),
    )
    rows = [row for row in text(whole(told=told)).splitlines() if row.split()[:1] == ["decision"]]
    blind, end = "without seeing the proposal", "2026-03-04 18:36 UTC"
    start = "2026-03-01 09:00 UTC"
    assert [" ".join(row.split()) for row in rows] == [
        f"decision memory-leak - by a tick in the inbox, {start}, person c0ffee, {blind}, taken back {end}",
        "decision none question - by a comment, 2026-03-04 18:36 UTC, person decaf0",
        "decision new code: cosmic-ray - as a coder of the study, 2026-03-04 18:36 UTC, person facade",
    ]


def test_a_proposal_says_the_model_and_why_nothing_is_asked() -> None:
    proposal = Proposal(
        issue_id=1, model="m-1", category="none", probability=0.83, second="memory-leak", second_probability=0.1,
        system_related=0.17, proposed=False, reason="too unsure", words=["leak", "\x1b[31mred"], created_at=START,
    )  # fmt: skip
    shown = whole(proposal=proposal)
    assert line(shown, "proposal_category") == "none - model m-1, 2026-03-01 09:00 UTC; enters no table"
    assert line(shown, "proposed") == "no - too unsure"
    assert line(shown, "words") == "leak, \\x1b[31mred - what weighed most"


HOSTILE = "\x1b]0;owned\x07\x1b[2J\r\nline\u202egnp\u2028\u200b\x9b31m\x7f end \U000e0041"


def test_a_hostile_text_moves_no_cursor_and_turns_nothing_round() -> None:
    shown = whole(
        title=HOSTILE, html_url=HOSTILE, state_reason=HOSTILE, fix=pull_request(repository=HOSTILE),
        files=(FixFile(issue_id=1, path=HOSTILE, additions=1, deletions=1),), exclusions=[HOSTILE],
    )  # fmt: skip
    for width in (None, 40):
        plain = text(shown, width)
        assert all(character.isprintable() for character in plain.replace("\n", ""))
    assert record_json(shown)["title"] == HOSTILE
    assert json.dumps(record_json(shown)).isascii()


def test_text_that_harms_nobody_stays() -> None:
    kind = "Grüße, 漢字, مرحبا, \U0001f469\u200d\U0001f52c \\x1b"
    assert harmless(kind) == kind


@pytest.mark.parametrize("width", [40, 80, 200])
def test_lines_are_broken_to_the_width_and_lose_no_word(width: int) -> None:
    shown = whole(open_days=3.4, fix=pull_request())
    broken = text(shown, width)
    assert width < 80 or all(len(row) <= width for row in broken.splitlines())
    assert [word for word in broken.split() if word != "-"] == [word for word in text(shown).split() if word != "-"]


def test_a_program_gets_values_as_they_are_and_null_with_a_reason() -> None:
    told = (Told("c0ffee", "memory-leak", None, None, "tick", False, START, None),)
    found = record_json(whole(open_days=3.4, told=told, exclusions=["no_fix"]))
    assert json.loads(json.dumps(found)) == found
    assert (found["repository"], found["number"]) == ("acme/frame", 12)
    assert found["issue"]["open_days"]["value"] == 3.4
    assert found["issue"]["created_at"]["value"] == "2026-03-01T09:00:00Z"
    assert found["fix"]["changed_lines"] == {"value": None, "reason": "no fix was found"}
    assert found["eligibility"]["exclusion"] == [{"value": "no_fix", "source": "against both verdicts"}]
    assert [one["value"] for one in found["decision"]["decision"]] == ["memory-leak"]


def test_every_line_has_a_source_or_a_reason() -> None:
    found = record_json(whole(fix=pull_request(), category="memory-leak", category_source="study", selection="random"))
    lines = [
        (name, one)
        for section in found.values()
        if isinstance(section, dict)
        for name, lines in section.items()
        for one in (lines if isinstance(lines, list) else [lines])
    ]
    assert len(lines) > 45
    assert [name for name, one in lines if not (one.get("source") or one.get("reason"))] == []
