"""Which label of ours an issue is to carry: the table of cases, and that no course of events fights anybody."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.labelling import MOST_CHANGES, Facts, Labelled, decide
from bot.github.actions import AddLabel, RemoveLabel

PROPOSED = Facts(1, "o/r", 12, "proposed", decided=False, category=None, guess="memory-leak", rests=False)
BARE = Labelled("root-cause/", None, 0, left_alone=False)
OURS = replace(BARE, label="memory-leak", changes=1)


def said(state: str, category: str | None) -> Facts:
    return replace(PROPOSED, state=state, decided=True, category=category)


@pytest.mark.parametrize(
    ("facts", "labelled", "changes"),
    [
        (PROPOSED, BARE, ["+memory-leak"]),
        (PROPOSED, OURS, []),
        (replace(PROPOSED, guess=None), BARE, []),
        (replace(PROPOSED, guess=None), OURS, ["-memory-leak"]),
        (replace(PROPOSED, guess="data-race"), OURS, ["-memory-leak", "+data-race"]),
        (replace(PROPOSED, rests=True), BARE, []),
        (replace(PROPOSED, rests=True, guess="data-race"), OURS, []),
        (said("confirmed", "memory-leak"), OURS, []),
        (said("corrected", "data-race"), OURS, ["-memory-leak", "+data-race"]),
        (said("corrected", "data-race"), BARE, []),
        (said("corrected", "data-race"), replace(BARE, changes=2), ["+data-race"]),
        (said("rejected", "none"), OURS, ["-memory-leak"]),
        (said("rejected", None), OURS, ["-memory-leak"]),
        (said("disputed", None), OURS, []),
        (said("corrected", "data-race"), replace(OURS, left_alone=True), []),
        (said("corrected", "data-race"), replace(OURS, changes=2), ["-memory-leak", "+data-race"]),
        (said("corrected", "data-race"), replace(OURS, changes=3), []),
    ],
)
def test_each_case(facts: Facts, labelled: Labelled, changes: list[str]) -> None:
    actions = decide(facts, labelled)
    assert [f"{'+' if isinstance(one, AddLabel) else '-'}{one.category}" for one in actions] == changes
    assert all((one.repository_id, one.repository, one.number) == (1, "o/r", 12) for one in actions)


categories = st.sampled_from(["memory-leak", "data-race", "resource-usage", "none"])
courses = st.lists(
    st.builds(
        Facts,
        repository_id=st.just(1),
        repository=st.just("o/r"),
        number=st.just(12),
        state=st.sampled_from(["proposed", "confirmed", "corrected", "disputed", "rejected"]),
        decided=st.booleans(),
        category=st.none() | categories,
        guess=st.none() | categories.filter(lambda one: one != "none"),
        rests=st.booleans(),
    ),
    max_size=12,
)


@given(courses)
def test_no_course_of_events_changes_more_than_three_times(course: list[Facts]) -> None:
    labelled, on_issue, changes = BARE, set[str](), 0
    for facts in course:
        actions = decide(facts, labelled)
        changes += bool(actions)
        for action in actions:
            if isinstance(action, RemoveLabel):
                on_issue.remove(action.category)
            else:
                on_issue.add(action.category)
            labelled = replace(labelled, label=next(iter(on_issue), None), changes=changes)
        assert len(on_issue) <= 1
        assert "none" not in on_issue
        assert decide(facts, labelled) == [] or changes == MOST_CHANGES
    assert changes <= MOST_CHANGES
