"""When a thread or a label says that an issue was reproduced."""

from __future__ import annotations

import pytest

from bot.evidence.reproduced import claims_reproduction, says_reproduced


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
