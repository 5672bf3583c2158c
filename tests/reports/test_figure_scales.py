"""The axes of the figures: every value has its place, and ticks are few and round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.figures.scales import number, share_scale, value_scale

VALUES = st.lists(st.floats(0, 1e9), max_size=30)


@given(VALUES, st.booleans())
def test_every_value_and_tick_lies_on_the_axis(values: list[float], log: bool) -> None:
    scale = value_scale(values, log)
    assert all(-1e-9 <= scale.place(value) <= 1 + 1e-9 for value in values)
    assert all(-1e-9 <= scale.place(value) <= 1 + 1e-9 for value, _ in scale.ticks)
    assert 2 <= len(scale.ticks) <= 8
    labels = [label for _, label in scale.ticks]
    assert len(set(labels)) == len(labels)


@given(st.lists(st.floats(0, 1), max_size=30))
def test_shares_never_go_beyond_all(shares: list[float]) -> None:
    scale = share_scale(shares)
    assert scale.end <= 1 + 1e-9
    assert all(0 <= scale.place(share) <= 1 + 1e-9 for share in shares)
    assert scale.ticks[-1][0] == scale.end


def test_days_have_a_place_for_zero_and_for_years() -> None:
    scale = value_scale([0, 12, 900], log=True)
    assert [label for _, label in scale.ticks] == ["0", "1", "10", "100", "1,000"]
    assert scale.place(0) == 0
    assert scale.place(9) - scale.place(0) == pytest.approx(scale.place(99) - scale.place(9))


def test_a_logarithmic_axis_begins_where_the_values_do() -> None:
    assert value_scale([120, 300, 900], log=True).start == 100
    assert value_scale([0, 300], log=True).start == 0


def test_one_value_far_out_makes_the_axis_logarithmic() -> None:
    assert not value_scale([3, 4, 5, 60], log=False).log
    assert value_scale([3, 4, 5, 600], log=False).log


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.5, "0.5"), (1000, "1,000"), (30_000, "30k"), (3_000_000, "3M"), (1e9, "1,000M")],
)
def test_ticks_are_short(value: float, text: str) -> None:
    assert number(value) == text
