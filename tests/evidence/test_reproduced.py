"""When a thread or a label says that an issue was reproduced."""

from __future__ import annotations

import time

import pytest

from bot.evidence.model import Comment, Labelling
from bot.evidence.reproduced import (
    claims_reproduction,
    reproduced_by_heuristic,
    reproduced_by_label,
    says_reproduced,
)
from tests.evidence.made_evidence import ANN, BOB, CY, at, comment


@pytest.mark.parametrize(
    ("body", "claims"),
    [
        ("I can reproduce this on master.", True),
        ("Thanks, I was able to reproduce it with 2.1", True),
        ("I\u2019m able to reproduce the issue", True),
        ("We have reproduced it internally.", True),
        ("Confirmed. The cache is never cleared.", True),
        ("Reproduced on Linux.", True),
        ("I could also reproduce it", True),
        ("I can confirm the leak", True),
        ("I cannot reproduce this.", False),
        ("I can't reproduce", False),
        ("I was not able to reproduce it", False),
        ("Unable to reproduce.", False),
        ("Can you reproduce it on master?", False),
        ("Reproduced?", False),
        ("If I can reproduce it I will fix it", False),
        ("Please tell us how I can reproduce this", False),
        ("> I can reproduce this\n\nThen tell us how", False),
        ("```\nI can reproduce\n```\nis what the log says", False),
        ("I tried 1.0. I can reproduce it there, but not on master.", True),
        ("", False),
    ],
)
def test_claims(body: str, claims: bool) -> None:
    assert claims_reproduction(body) is claims


@pytest.mark.parametrize("piece", ["\n", "\r\n", "- \n", ">\n", "`\n", "confirmed?\n", "i can "])
def test_a_hostile_comment_takes_no_time(piece: str) -> None:
    began = time.process_time()
    claims_reproduction(piece * 10_000)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("label", "says"),
    [
        ("confirmed", True),
        ("status: reproduced", True),
        ("bug-confirmed", True),
        ("Reproducible", True),
        ("unconfirmed", False),
        ("not reproducible", False),
        ("cannot-reproduce", False),
        ("needs reproduction", False),
        ("to be confirmed", False),
        ("can't reproduce", False),
        ("bug", False),
    ],
)
def test_labels(label: str, says: bool) -> None:
    assert says_reproduced(label) is says


TALK = (comment(ANN, 1), comment(CY, 2), comment(BOB, 3, "I can reproduce this.", "MEMBER"), comment(ANN, 4))


@pytest.mark.parametrize(
    ("labellings", "comments"),
    [
        ((), None),
        ((Labelling(at(2.5), "bug"),), None),
        ((Labelling(at(2.5), "confirmed"),), 2),
        ((Labelling(at(2), "confirmed"),), 2),
        ((Labelling(at(0.1), "reproduced"),), 0),
        ((Labelling(at(9), "reproduced"),), 4),
        ((Labelling(at(3.5), "confirmed"), Labelling(at(1.5), "status: reproduced")), 1),
    ],
)
def test_comments_before_the_first_label_that_says_so(labellings: tuple[Labelling, ...], comments: int | None) -> None:
    assert reproduced_by_label(labellings, TALK) == comments


@pytest.mark.parametrize(
    ("talk", "position"),
    [
        ((), None),
        (TALK, 3),
        (TALK[2:], 1),
        ((comment(CY, 1, "I can reproduce this."),), None),
        ((comment(CY, 1, "Reproduced.", "CONTRIBUTOR"), comment(BOB, 2, "Confirmed.", "OWNER")), 2),
        ((comment(BOB, 1, "I cannot reproduce this.", "MEMBER"),), None),
    ],
)
def test_the_first_member_who_says_so(talk: tuple[Comment, ...], position: int | None) -> None:
    assert reproduced_by_heuristic(talk) == position
