"""How a report prints its numbers; what is not known is printed as a dash, never as 0."""

from typing import Final

DASH: Final = "–"


def probability(p: float | None) -> str:
    """Print p or q after a word: `= .012`, `< .001`, `= 1`; a dash where there is none."""
    if p is None:
        return DASH
    if p < 0.001:
        return "< .001"
    return f"= {_short(p)}"


def probability_cell(p: float | None) -> str:
    """Print p or q in a table's cell: `.012`, `<.001`."""
    return probability(p).removeprefix("= ").replace("< ", "<")


def percent(share: float | None) -> str:
    """Print a share as per cent with one decimal."""
    return DASH if share is None else f"{share * 100:.1f}"


def percent_interval(interval: tuple[float, float] | None) -> str:
    """Print an interval of shares as `5.0–12.5`; signed bounds are parted by `to`."""
    if interval is None:
        return DASH
    low, high = (f"{bound * 100:.1f}" for bound in interval)
    return f"{low} to {high}" if interval[0] < 0 else f"{low}–{high}"


def signed(value: float | None, scale: float = 1.0, decimals: int = 2) -> str:
    """Print a difference or an effect with its sign; what rounds to zero has none."""
    if value is None:
        return DASH
    text = f"{value * scale:+.{decimals}f}"
    return text[1:] if float(text) == 0 else text


def counted(number: int, noun: str) -> str:
    """Print how many of something: `1 repository`, `1,200 issues`, `4 fixes`."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + ("es" if noun.endswith("x") else "s")
    return f"{number:,} {noun if number == 1 else plural}"


def measure(value: float | None) -> str:
    """Print a median or quartile: up to one decimal below 100, whole above, thousands parted."""
    if value is None:
        return DASH
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}".removesuffix(".0")


def statistic(value: float | None) -> str:
    """Print a test statistic with two decimals."""
    return DASH if value is None else f"{value:,.2f}"


def _short(p: float) -> str:
    text = f"{p:.3f}" if p < 0.1 else f"{p:.2f}"
    return "1" if text == "1.00" else text.removeprefix("0")
