"""Champion against challenger: figures by hand, and both on rows that neither of them has seen."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.decisions.teaching import Decided
from bot.learning.contest import Comparison, Figures, Learned, compare, figures, is_won
from bot.learning.fit import examples_of
from bot.learning.rows import Row, training_rows
from classifier.examples import read_corpus
from classifier.lexicon_model import load_lexicon_model
from classifier.training import read_rows
from tests.support.small_corpus import WORDS, made_text, write_corpus

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def test_figures_by_hand() -> None:
    truth = ["data-race", "data-race", "none", "none"]
    given = [
        {"data-race": 0.5, "none": 0.5 - 1e-9},
        {"data-race": 0.25, "none": 0.75},
        {"none": 1.0},
        {"memory-leak": 1.0},
    ]
    found = figures(truth, [1.0, 1.0, 1.0, 1.0], given)
    # data-race: named once, rightly, of two: F1 2/3; none: named twice, once rightly, of two: F1 1/2.
    assert found.macro_f1 == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found.log_loss == pytest.approx((math.log(2) + math.log(4) + 0 + math.log(1e6)) / 4)
    heavy = figures(truth, [3.0, 1.0, 1.0, 1.0], given)
    # data-race: hits 3 of 4 true, 3 named: F1 6/7; none: hits 1, named 2, true 2: 1/2.
    assert heavy.macro_f1 == pytest.approx((6 / 7 + 1 / 2) / 2)
    assert heavy.log_loss == pytest.approx((3 * math.log(2) + math.log(4) + math.log(1e6)) / 6)


@pytest.mark.parametrize(
    ("macro_f1", "log_loss", "won"),
    [(0.6, 1.0, True), (0.61, 0.9, True), (0.59, 0.5, False), (0.9, 1.01, False)],
)
def test_promotion_needs_both_figures_in_every_comparison(macro_f1: float, log_loss: float, won: bool) -> None:
    even = Comparison("time", 9, Figures(0.6, 1.0), Figures(0.6, 1.0))
    other = Comparison("repository", 9, Figures(0.6, 1.0), Figures(macro_f1, log_loss))
    assert is_won([even, other]) is won
    assert is_won([other, even]) is won


def rows_of(folder: Path, *labels: tuple[str, str], own: int = 6) -> tuple[Row, ...]:
    """Return a small corpus with decisions: (what the text is about, what was said), a day apart."""
    decided = [
        Decided(
            row_id=number,
            repository=("pytorch/pytorch", "etcd-io/etcd")[number % 2],
            listed=True,
            private=False,
            state="confirmed",
            category=said,
            bug_type=None,
            decided_at=NOW + timedelta(days=number),
            text=lambda about=about, number=number: made_text(about, number),  # type: ignore[misc]
        )
        for number, (about, said) in enumerate(labels)
    ]
    return training_rows(read_corpus(write_corpus(folder / "corpus", own)), decided)


def test_right_decisions_win_against_a_champion_that_lacks_them(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, *[(key, key) for _ in range(4) for key in WORDS])
    found = compare(rows, read_rows(examples_of(rows)), Learned(frozenset()))
    assert [one.split for one in found] == ["repository", "time"]
    assert [one.rows for one in found] == [len(rows), 8], "all rows, and the later half of the sixteen new ones"
    assert found[0].challenger.log_loss < found[0].champion.log_loss


def test_decisions_at_random_lose(tmp_path: Path) -> None:
    """Whoever decides wrongly in a consistent way cannot be found out: decisions are the truth here."""
    keys = list(WORDS)
    said = [(keys[number % 4], keys[(number + 1 + number // 4) % 4]) for number in range(24)]
    rows = rows_of(tmp_path, *said)
    assert not is_won(compare(rows, read_rows(examples_of(rows)), Learned(frozenset())))


def test_a_champion_with_the_same_rows_is_even_and_needs_no_comparison_by_time(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, ("none", "none"), ("data-race", "data-race"))
    (found,) = compare(rows, read_rows(examples_of(rows)), Learned(frozenset({0, 1})))
    assert found.champion == found.challenger
    assert found.is_not_worse


def test_a_champion_that_never_learned_is_judged_as_it_is(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, ("none", "none"))
    lexicon = load_lexicon_model()
    (found,) = compare(rows, read_rows(examples_of(rows)), lexicon)
    given = [lexicon.predict(row.example.issue).probabilities for row in rows]
    assert found.champion == figures(
        [row.example.category for row in rows], [row.example.weight for row in rows], given
    )
