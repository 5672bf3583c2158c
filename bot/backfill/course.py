"""The course of a backfill: what it is to read, what a page adds to its counts, and where it goes on; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from bot.evidence.eligibility import Verdicts
from bot.evidence.model import Evidence
from bot.github.gather_page import Listed
from reports.sampling import rank


@dataclass(frozen=True)
class Parameters:
    """What a person asked for: issues whose last closing lies in [`since`, `until`), at most `limit` of them.

    With `sample`, so many of them drawn at random by `seed`: the same ones on every machine. With `listed`, so many
    whose numbers are known from the beginning.
    """

    since: datetime | None = None
    until: datetime | None = None
    limit: int | None = None
    sample: int | None = None
    seed: int = 1
    listed: int | None = None

    def written(self) -> dict[str, Any]:
        """Return the parameters as they are stored; two equal ones are stored alike."""
        named = {"since": self.since, "until": self.until}
        moments = {name: moment.isoformat() for name, moment in named.items() if moment is not None}
        numbers = {name: value for name, value in asdict(self).items() if isinstance(value, int)}
        if self.sample is None:
            numbers.pop("seed")
        return {**moments, **numbers}

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> Parameters:
        """Return the parameters that were stored."""
        moments = {name: datetime.fromisoformat(written[name]) for name in ("since", "until") if name in written}
        return cls(**{**written, **moments})

    def covers(self, closed_at: datetime | None) -> bool:
        """Tell whether an issue closed at that moment is wanted; an open one never is."""
        if closed_at is None:
            return False
        return (self.since is None or closed_at >= self.since) and (self.until is None or closed_at < self.until)

    def is_past(self, created: Iterable[datetime]) -> bool:
        """Tell whether issues created after these, in their order, can only have been closed too late."""
        newest = max(created, default=None)
        return self.until is not None and newest is not None and newest >= self.until


@dataclass(frozen=True)
class Counts:
    """What a page adds: issues seen and recorded, of these eligible by either verdict, with a fix, fix unknown."""

    seen: int
    recorded: int
    eligible: int
    with_fix: int
    unknown: int


def count(seen: int, recorded: Sequence[tuple[Evidence, Verdicts]]) -> Counts:
    """Count a page; a fix is unknown where something closed the issue that may not be read."""
    return Counts(
        seen=seen,
        recorded=len(recorded),
        eligible=sum(verdicts.eligible_bug or verdicts.eligible_system for _, verdicts in recorded),
        with_fix=sum(evidence.fix is not None for evidence, _ in recorded),
        unknown=sum(evidence.fix is None and evidence.fix_link == "private" for evidence, _ in recorded),
    )


def draw(drawn: Mapping[str, Any], listed: Iterable[Listed], parameters: Parameters) -> dict[str, Any]:
    """Return the issues drawn so far when these are listed too: those of the lowest ranks, with their ranks.

    So the draw depends on the seed and on the issues alone, and no more than the sample is ever kept.
    """
    ranks = dict(zip(drawn.get("numbers", ()), drawn.get("ranks", ()), strict=True))
    ranks |= {one.number: rank(parameters.seed, one.issue_id) for one in listed if parameters.covers(one.closed_at)}
    lowest = sorted(ranks, key=lambda number: (ranks[number], number))[: parameters.sample]
    return {"numbers": sorted(lowest), "ranks": [ranks[number] for number in sorted(lowest)]}
