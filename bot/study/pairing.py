"""Which frameworks were matched, as text, and how balanced the two groups are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bot.store.tables import Repository
from reports.matching import INDICATORS, Framework, Matching

ENOUGH_BALANCE = 0.1
"""Below this standardised mean difference two groups are usually called balanced (Austin 2011)."""


def frameworks_of(repositories: Sequence[Repository]) -> tuple[list[Framework], list[str]]:
    """Return the repositories that can be matched, and the names of those with a paradigm that lack an indicator."""
    found, lacking = [], []
    for one in repositories:
        counts = (one.watches, one.stars, one.forks, one.commits, one.contributors)
        if one.paradigm not in {"ml", "traditional"}:
            continue
        watches, stars, forks, commits, contributors = counts
        if watches is None or stars is None or forks is None or commits is None or contributors is None:
            lacking.append(one.full_name)
            continue
        values = (watches, stars, forks, commits, contributors)
        found.append(Framework(one.full_name, one.paradigm, one.domain, values))
    return found, lacking


def left_out_text(lacking: Sequence[str]) -> str:
    """Name those that lack an indicator; nothing where none does."""
    return f"Left out, indicators unknown: {', '.join(lacking)}." if lacking else ""


def matching_facts(matching: Matching, lacking: Sequence[str]) -> dict[str, Any]:
    """Return the pairs and the balance for a script."""
    pairs = [
        {
            "ml": pair.ml.name,
            "traditional": pair.traditional.name,
            "domain": pair.traditional.domain,
            "ml_score": pair.ml_score,
            "traditional_score": pair.traditional_score,
            "distance": pair.distance,
            "indicator_distance": pair.indicator_distance,
            "nearest": pair.nearest,
        }
        for pair in matching.pairs
    ]
    return {
        "pairs": pairs,
        "unmatched": [one.name for one in matching.unmatched],
        "balance": [asdict(one) for one in matching.balance],
        "left_out": list(lacking),
    }


def matching_text(matching: Matching, lacking: Sequence[str]) -> str:
    """Return the table of pairs, then the balance table, then what was left out."""
    names = [
        (pair.ml.name, pair.traditional.name, pair.traditional.domain or "-", pair.nearest) for pair in matching.pairs
    ]
    titles = ("ML", "traditional", "domain", "nearest by indicators")
    widths = [max(len(title), *(len(row[column]) for row in names)) for column, title in enumerate(titles)]
    ml, traditional, domain, _ = (f"{title:<{width}}" for title, width in zip(titles, widths, strict=True))
    lines = [f"{ml}  {traditional}  {domain}  {'scores':<11}  {'apart':>5}  {'SDs':>5}  {titles[3]}"]
    for pair, row in zip(matching.pairs, names, strict=True):
        cells = [f"{name:<{width}}" for name, width in zip(row[:3], widths, strict=False)]
        scores = f"{pair.ml_score:.3f} {pair.traditional_score:.3f}"
        lines.append("  ".join([*cells, scores, f"{pair.distance:.3f}", f"{pair.indicator_distance:>5.2f}", row[3]]))
    if matching.unmatched:
        lines.append(f"No domain was left for: {', '.join(one.name for one in matching.unmatched)}")
    lines += ["", f"{'balance':<{max(map(len, INDICATORS))}}  {'before':>7}  {'after':>7}"]
    lines += [f"{one.indicator:<12}  {one.before:>+7.2f}  {one.after:>+7.2f}" for one in matching.balance]
    lines += [_verdict(matching), *([left_out_text(lacking)] if lacking else [])]
    return "\n".join(lines)


def _verdict(matching: Matching) -> str:
    apart = [one.indicator for one in matching.balance if abs(one.after) > ENOUGH_BALANCE]
    if not apart:
        return f"Balanced: no standardised mean difference above {ENOUGH_BALANCE}."
    same = all(one.before == one.after for one in matching.balance)
    why = " All candidates were matched, so matching could not change it." if same else ""
    return f"Not balanced (above {ENOUGH_BALANCE}): {', '.join(apart)}.{why}"
