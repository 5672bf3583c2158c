"""The text of a prediction: what goes in, and that packing loses nothing."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evidence.prose import issue_text, later_comments, pack, unpack
from classifier import CommentText, FixFileText, FixText, IssueText
from tests.evidence.made_evidence import BOB, CY, HELPER, comment, evidence

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=60)


def test_people_before_the_closing_speak_and_commands_do_not() -> None:
    talk = (
        comment(BOB, 1, "It leaks.\n/rootcause memory-leak\nSee the trace.", "MEMBER"),
        comment(HELPER, 1.1, "Stale."),
        comment(CY, 1.2, "  /ROOTCAUSE confirm"),
        comment(CY, 2, "Same here"),
        comment(CY, 3, "Too late"),
    )

    found = issue_text(evidence(comments=talk, body="It crashes"))

    assert found == IssueText(
        title="Crash at start",
        body="It crashes",
        comments=(CommentText("It leaks.\nSee the trace.", member=True), CommentText("Same here", member=False)),
        fix=FixText("Guard the loop", 13, 3, (FixFileText("src/core.cc", 10, 2), FixFileText("python/core.py", 3, 1))),
    )


@pytest.mark.parametrize(
    ("slug", "left"),
    [
        ("triage-bot", "@triage-bots know\n/rootcause-like"),
        ("", "@Triage-Bot, race\n@triage-bots know\n/rootcause-like"),
    ],
)
def test_a_command_by_the_name_of_the_app_is_no_text_to_predict_from(slug: str, left: str) -> None:
    body = "/rootcause data-race\n@Triage-Bot, race\n@triage-bots know\n/rootcause-like"
    assert issue_text(evidence(body=body), slug=slug).body == left


def test_an_issue_without_a_fix() -> None:
    assert issue_text(evidence(fix=None)).fix is None


@given(
    st.builds(
        IssueText,
        title=ANY_TEXT,
        body=ANY_TEXT,
        comments=st.lists(st.builds(CommentText, ANY_TEXT, st.sampled_from([True, False, None])), max_size=3).map(
            tuple
        ),
        fix=st.none()
        | st.builds(
            FixText,
            title=st.none() | ANY_TEXT,
            additions=st.none() | st.integers(0, 9),
            files=st.lists(st.builds(FixFileText, ANY_TEXT, st.integers(0, 9), st.none()), max_size=2).map(tuple),
        ),
    )
)
def test_packing_loses_nothing(text: IssueText) -> None:
    assert unpack(pack(text)) == text


def test_what_was_not_packed_is_refused() -> None:
    with pytest.raises(zlib.error):
        unpack(b"not packed")
    with pytest.raises(ValueError, match="Expecting value"):
        unpack(zlib.compress(b"not JSON"))


def test_comments_after_the_closing_are_kept_apart() -> None:
    talk = (comment(BOB, 1, "Seen here."), comment(HELPER, 3, "Locked."), comment(CY, 3, "Again!", "MEMBER"))
    closed = evidence(comments=(*talk, comment(BOB, 4, "/rootcause confirm")))
    later = later_comments(closed)
    assert later == (CommentText("Again!", True),)
    text = issue_text(closed)
    assert [one.body for one in text.comments] == ["Seen here."]
    assert b"Again!" not in zlib.decompress(pack(text))
    assert b"Again!" in zlib.decompress(pack(later))
