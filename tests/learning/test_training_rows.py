"""What a model learns from: decisions of listed public repositories, and the corpus, each with its weight."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.decisions.teaching import Decided, teaches
from bot.learning.rows import training_rows
from classifier import IssueText
from classifier.examples import CORPUS_WEIGHT, Example

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def decided(row_id: int, repository: str = "pytorch/pytorch", **facts: Any) -> Decided:
    one = Decided(
        row_id=row_id,
        repository=repository,
        listed=True,
        private=False,
        state="confirmed",
        category="memory-leak",
        bug_type=None,
        decided_at=NOW,
        text=lambda: IssueText(f"issue of row {row_id}", ""),
    )
    return replace(one, **facts)


def corpus(own: int, **rewritten: int) -> list[Example]:
    issue = IssueText("made up", "")
    rows = [Example(issue, "none", "own_a", CORPUS_WEIGHT)] * own
    for name, number in rewritten.items():
        rows += [Example(issue, "data-race", f"{name}/{name}", CORPUS_WEIGHT)] * number
    return rows


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, True),
        ({"state": "corrected"}, True),
        ({"state": "rejected", "category": "none"}, True),
        ({"state": "disputed", "category": None}, False),
        ({"state": "proposed", "category": None}, False),
        ({"state": "collected", "category": None}, False),
        ({"listed": False}, False),
        ({"private": True}, False),
    ],
)
def test_what_teaches(facts: dict[str, Any], expected: bool) -> None:
    assert teaches(decided(1, **facts)) is expected


def test_maintainers_count_whole_and_the_corpus_less() -> None:
    rows = training_rows(corpus(100), [decided(2), decided(1, "etcd-io/etcd"), decided(3, listed=False)])
    assert [row.row_id for row in rows[-2:]] == [1, 2], "in the order they were said in"
    assert [row.example.weight for row in rows] == [CORPUS_WEIGHT] * 100 + [1.0, 1.0]
    assert [row.example.group for row in rows[-2:]] == ["etcd-io/etcd", "pytorch/pytorch"]
    assert rows[-1].example.issue.title == "issue of row 2"
    assert {(row.row_id, row.decided_at) for row in rows[:100]} == {(None, None)}


def test_no_repository_has_more_than_a_tenth_its_rewritten_rows_included() -> None:
    # 225 own rows weigh 90; keras has 10 rewritten rows (4) and 96 decisions: 100 are cut to 10, each row to a tenth.
    rows = training_rows(corpus(225, keras=10), [decided(number, "keras/keras") for number in range(96)])
    own = [row.example.weight for row in rows if row.example.group == "keras/keras"]
    assert len(own) == 106
    assert sum(own) == pytest.approx(10.0)
    assert min(own) == pytest.approx(0.04)
    assert max(own) == pytest.approx(0.1)
    assert sum(row.example.weight for row in rows) == pytest.approx(100.0)


def test_rows_without_weight_are_no_rows() -> None:
    assert training_rows([], [decided(1)]) == (), "one repository alone would have all the weight"
