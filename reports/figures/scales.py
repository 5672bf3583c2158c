"""The value axis of a figure: where it begins and ends, whether it is logarithmic, and its ticks."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, floor, log1p, log10
from typing import Final

_MOST_TICKS: Final = 7
_STEPS: Final = (1.0, 2.0, 5.0, 10.0)
_SMALLEST: Final = 0.01
_LOG_RATIO: Final = 20.0
"""A plain axis becomes logarithmic where its largest value is so many times its middle one: the rest would vanish."""


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from `start` to `end`, linear or in log(1 + x), which has a place for 0; `ticks` are (value, label)."""

    log: bool
    start: float
    end: float
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: float) -> float:
        """Return where a value stands: 0 at the start of the axis, 1 at its end."""
        start, end, at = ((log1p(one) if self.log else one) for one in (self.start, self.end, value))
        return (at - start) / (end - start)


def value_scale(values: Sequence[float], log: bool) -> Scale:
    """Return the axis for values of 0 and above; `log` where the measure is compared as log(1 + x)."""
    highest, lowest = max(values, default=0.0), min(values, default=0.0)
    middle = sorted(values)[len(values) // 2] if values else 0.0
    if log or highest > _LOG_RATIO * max(middle, 1.0):
        return _logarithmic(lowest, highest)
    return _linear(highest)


def share_scale(shares: Sequence[float]) -> Scale:
    """Return the axis for shares (0 to 1) in per cent, wide enough for the highest and never beyond 100 %."""
    highest = min(1.0, max(shares, default=0.0))
    step = next(step for step in (0.05, 0.1, 0.2) if step == 0.2 or highest <= 5 * step)
    count = max(1, -int(-highest / step // 1))
    return Scale(False, 0.0, count * step, tuple((i * step, f"{i * step:.0%}") for i in range(count + 1)))


def number(value: float) -> str:
    """Print a tick: thousands parted, from 10,000 on in thousands or millions."""
    if value >= 1_000_000:
        return f"{value / 1_000_000:,.10g}M"
    return f"{value / 1000:.10g}k" if value >= 10_000 else f"{value:,.10g}"


def _linear(highest: float) -> Scale:
    top = highest if highest >= _SMALLEST else 1.0
    base = 10.0 ** floor(log10(top / 5))
    step = next(base * factor for factor in _STEPS if top / (base * factor) <= 5)
    step = max(step, 1.0) if top >= 2 else step
    end = top * 1.04
    return Scale(False, 0.0, end, tuple((i * step, number(round(i * step, 12))) for i in range(floor(end / step) + 1)))


def _next(candidates: Sequence[float], value: float) -> float:
    return candidates[candidates.index(value) + 1]


def _logarithmic(lowest: float, highest: float) -> Scale:
    """Return ticks at 0, 1, 3, 10, 30 and so on from the last one below the lowest value to the highest value."""
    top = max(highest, 3.0)
    powers = [10.0**power for power in range(floor(log10(top)) + 2)]
    candidates = [0.0, *(value for power in powers for value in (power, 3 * power))]
    start = max(value for value in candidates if value <= 0.9 * lowest or value == 0)
    after = next(value for value in candidates if value >= top)
    top = after if after <= 1.3 * top or top < _next(candidates, start) else top
    fine = [value for value in candidates if start <= value <= top]
    coarse = [value for value in (0.0, *powers) if start <= value <= top]
    chosen = fine if len(fine) <= _MOST_TICKS else coarse[:: -(-len(coarse) // _MOST_TICKS)]
    return Scale(True, start, expm1(log1p(top) * 1.01), tuple((value, number(value)) for value in chosen))
