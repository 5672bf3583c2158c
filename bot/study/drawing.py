"""A sample as the study drew its own: how many issues, how many of each repository, and which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from reports.errors import ReportInputError
from reports.sampling import allocate, draw, rank, sample_size

Issue = TypeVar("Issue")


@dataclass(frozen=True)
class Drawn:
    """A drawn list: its issues in the order they are to be coded in, and each repository's part and population."""

    issue_ids: tuple[int, ...]
    probability: Mapping[int, float]
    parts: Mapping[str, tuple[int, int]]


def size_of(population: int, size: int | None, margin: float | None, confidence: float) -> int:
    """Return the size asked for, or the one that equation 1 gives for the margin.

    Raises:
        ReportInputError: neither or both are given, or a number is outside its range.
    """
    if (size is None) == (margin is None):
        raise ReportInputError("Say how many issues to draw: either --margin (such as 0.05) or --size.")
    if size is not None:
        return size
    if population == 0:
        raise ReportInputError("There are no closed issues to draw from.")
    return sample_size(population, margin or 0.0, confidence).issues


def draw_sample(population: Mapping[str, Mapping[int, object]], size: int, seed: int) -> Drawn:
    """Draw `size` of the issues (by id, in each repository) in proportion to the repositories, by a seed.

    The same issues and the same seed give the same list on every machine.

    Raises:
        ReportInputError: there are fewer issues than that.
    """
    counts = {name: len(issues) for name, issues in population.items()}
    parts = allocate(size, counts)
    probability = {
        issue_id: parts[name] / counts[name]
        for name, issues in population.items()
        for issue_id in draw(list(issues), parts[name], seed)
    }
    ordered = sorted(probability, key=lambda issue_id: (rank(seed, issue_id), issue_id))
    return Drawn(tuple(ordered), probability, {name: (parts[name], counts[name]) for name in population})


def drawn_facts(drawn: Drawn, seed: int) -> dict[str, Any]:
    """Return the allocation for a script."""
    parts = [{"repository": name, "closed": closed, "drawn": part} for name, (part, closed) in drawn.parts.items()]
    closed_in_all = sum(closed for _, closed in drawn.parts.values())
    return {"seed": seed, "closed": closed_in_all, "drawn": len(drawn.issue_ids), "repositories": parts}


def drawn_text(drawn: Drawn, seed: int) -> str:
    """Return the table of allocation."""
    width = max([len("repository"), *(len(name) for name in drawn.parts)])
    total = sum(population for _, population in drawn.parts.values())
    rows = [f"{'repository':<{width}}  {'closed':>9}  {'drawn':>7}  {'share':>7}"]
    for name, (part, population) in (*drawn.parts.items(), ("total", (len(drawn.issue_ids), total))):
        share = f"{part / population:.1%}" if population else "-"
        rows.append(f"{name:<{width}}  {population:>9,}  {part:>7,}  {share:>7}")
    return "\n".join([*rows, f"seed {seed}"])
