"""Which closings are asked about: a probability sample, the same for any order of arrival, and a few that teach."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config import DEFAULTS
from bot.features import selection
from bot.features.selection import BLIND_SHARE, MOST_TARGETED, Candidate, draw, week_of

WEEK = "2026-W48"
SAMPLE_SIZE = DEFAULTS.inbox.sample
choose = partial(selection.choose, size=SAMPLE_SIZE)


def fresh(issue_id: int, margin: float = 0.5, category: str = "memory-leak") -> Candidate:
    return Candidate(issue_id, category, margin, decided=False, guess_seen=False, selection=None)


candidates = st.lists(
    st.builds(
        Candidate,
        issue_id=st.integers(1, 2**62),
        category=st.sampled_from(["memory-leak", "configuration", "none"]),
        margin=st.floats(0, 1),
        decided=st.booleans(),
        guess_seen=st.booleans(),
        selection=st.sampled_from(["random", "targeted", "volunteered", None]),
    ),
    max_size=40,
    unique_by=lambda one: one.issue_id,
)


@given(candidates, st.randoms())
def test_the_choice_is_one_whatever_the_order(some: list[Candidate], order: object) -> None:
    shuffled = list(some)
    order.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    choices = choose(1, WEEK, some)
    assert choices == choose(1, WEEK, shuffled)
    assert choices.keys() == {one.issue_id for one in some}
    sample = [one for one in choices.values() if one.selection == "random"]
    assert len(sample) == min(SAMPLE_SIZE, len(some))
    assert sum(one.selection == "targeted" for one in choices.values()) <= MOST_TARGETED
    for one in some:
        choice = choices[one.issue_id]
        assert choice.probability == (min(1.0, SAMPLE_SIZE / len(some)) if choice.selection == "random" else None)
        assert not (choice.blind and (choice.selection != "random" or one.guess_seen))
        if choice.selection == "volunteered":
            assert one.decided


@given(candidates)
def test_nothing_but_identity_decides_on_the_sample(some: list[Candidate]) -> None:
    """Answers, proposals and earlier choices may not change who is in it, or it were no random sample."""

    def sample(those: list[Candidate]) -> set[int]:
        return {issue_id for issue_id, one in choose(1, WEEK, those).items() if one.selection == "random"}

    changed = [replace(one, margin=1 - one.margin, decided=not one.decided, selection=None) for one in some]
    assert sample(changed) == sample(some)


def test_a_later_closing_only_takes_the_place_of_one() -> None:
    early = [fresh(issue_id) for issue_id in range(100, 120)]
    before = {issue_id for issue_id, one in choose(1, WEEK, early).items() if one.selection == "random"}
    after = {issue_id for issue_id, one in choose(1, WEEK, [*early, fresh(7)]).items() if one.selection == "random"}
    assert len(before - after) <= 1
    assert after - before <= {7}


def test_every_closing_is_as_likely_as_the_others() -> None:
    """Over 400 repositories each of 20 closings is in the sample about every second time (sd 10)."""
    times = dict.fromkeys(range(1, 21), 0)
    for repository_id in range(400):
        for issue_id, choice in choose(repository_id, WEEK, [fresh(issue_id) for issue_id in times]).items():
            times[issue_id] += choice.selection == "random"
    assert sum(times.values()) == 400 * SAMPLE_SIZE
    assert all(150 < count < 250 for count in times.values())


def test_the_blind_share() -> None:
    draws = [draw(1, WEEK, issue_id, "blind") < BLIND_SHARE for issue_id in range(10_000)]
    assert 0.13 < sum(draws) / len(draws) < 0.17
    both = [
        draw(1, WEEK, issue_id, "blind") < BLIND_SHARE and draw(1, WEEK, issue_id, "sample") < 0.5
        for issue_id in range(10_000)
    ]
    assert 0.06 < sum(both) / len(both) < 0.09, "being blind and being in the sample are independent"


def test_the_targeted_are_those_the_model_wavers_on_and_stay() -> None:
    week = [fresh(issue_id, margin=issue_id / 100) for issue_id in range(1, 31)]
    choices = choose(1, WEEK, week)
    rest = [one for one in week if choices[one.issue_id].selection != "random"]
    targeted = [one for one in week if choices[one.issue_id].selection == "targeted"]
    assert targeted == rest[:MOST_TARGETED]

    kept = rest[-1]
    again = [replace(one, selection="targeted") if one is kept else one for one in week]
    assert choose(1, WEEK, again)[kept.issue_id].selection == "targeted", "a question that stands is not taken away"
    answered = [replace(one, selection="targeted", decided=True) if one is kept else one for one in week]
    assert choose(1, WEEK, answered)[kept.issue_id].selection == "targeted"
    unasked = [replace(one, decided=True) if one is targeted[0] else one for one in week]
    assert choose(1, WEEK, unasked)[targeted[0].issue_id].selection == "volunteered"


def test_the_targeted_are_spread_over_the_predicted_categories_the_rarest_first() -> None:
    """Whoever is in the sample is left out; of what remains the choice is checked by hand."""
    week = [fresh(issue_id) for issue_id in range(1, 31)]
    ids = [one.issue_id for one in week if choose(1, WEEK, week)[one.issue_id].selection != "random"]
    plan = {
        ids[0]: ("none", 0.01),
        ids[1]: ("none", 0.02),
        ids[2]: ("none", 0.03),
        ids[3]: ("none", 0.04),
        ids[4]: ("memory-leak", 0.30),
        ids[5]: ("memory-leak", 0.20),
        ids[6]: ("memory-leak", 0.25),
        ids[7]: ("data-race", 0.90),
        ids[8]: ("conversion", 0.60),
        ids[9]: ("conversion", 0.70),
    }
    wanted = [plan.get(one.issue_id, ("none", 0.99)) for one in week]
    # In the whole week: data-race 1, conversion 2, memory-leak 3, none 24.
    planned = [
        replace(one, category=category, margin=margin) for one, (category, margin) in zip(week, wanted, strict=True)
    ]
    choices = choose(1, WEEK, planned)
    chosen = {issue_id for issue_id, one in choices.items() if one.selection == "targeted"}
    # Round one, rarest first: data-race, conversion, memory-leak, none; round two begins with conversion, since no
    # data-race is left.
    assert chosen == {ids[7], ids[8], ids[5], ids[0], ids[9]}

    standing = [replace(one, selection="targeted") if one.issue_id in ids[1:4] else one for one in planned]
    kept = {issue_id for issue_id, one in choose(1, WEEK, standing).items() if one.selection == "targeted"}
    assert kept == {ids[1], ids[2], ids[3], ids[7], ids[8]}, "three of none stand: the others begin with the rarest"


def test_no_candidates() -> None:
    assert choose(1, WEEK, []) == {}


@pytest.mark.parametrize(
    ("moment", "week"),
    [
        (datetime(2026, 11, 23, tzinfo=UTC), "2026-W48"),
        (datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC), "2026-W48"),
        (datetime(2027, 1, 3, tzinfo=UTC), "2026-W53"),
        (datetime(2026, 11, 30, 1, tzinfo=timezone(timedelta(hours=2))), "2026-W48"),
    ],
)
def test_the_week_is_that_of_utc(moment: datetime, week: str) -> None:
    assert week_of(moment) == week
