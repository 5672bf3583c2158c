"""What a configuration changes in how a repository stands: its state, and what is known of its framework."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.config.configuration import Configuration


@dataclass(frozen=True)
class Standing:
    """How a repository stands; the fields are those of its row, `woke` says whether its file ended its silence."""

    state: str
    observe_until: datetime | None
    paradigm: str | None
    domain: str | None
    share: str
    woke: bool = False


@dataclass(frozen=True)
class Circumstances:
    """What a configuration cannot change: `known_paradigm` and `known_domain` are the study's own.

    `has_file` says whether the repository has a file of its own, `since` when the App first saw it, `observe_days` for
    how long a new repository is only observed.
    """

    fork: bool
    in_comparison: bool
    known_paradigm: str | None
    known_domain: str | None
    has_file: bool
    since: datetime
    now: datetime
    observe_days: float


def settled(standing: Standing, before: Configuration, after: Configuration, circumstances: Circumstances) -> Standing:
    """Return how a repository stands once `after` takes the place of `before`.

    A file of its own ends the silence of a repository that is one of very many, and its going brings the silence back;
    a fork has its parent's file and stays silent (product.md, "Who takes part"). The operator confirms the paradigm of
    what is compared, so there the file changes none.
    """
    result = replace(standing, share=after.share)
    if not circumstances.in_comparison:
        result = replace(
            result,
            paradigm=after.paradigm or _without(circumstances.known_paradigm, before.paradigm, standing.paradigm),
            domain=after.domain or _without(circumstances.known_domain, before.domain, standing.domain),
        )
    result = _awake(result, circumstances)
    if result.state not in {"observe", "active"}:
        return result
    if after.mode is not None:
        return replace(result, state=after.mode, observe_until=None)
    if before.mode is not None and standing.state in {"observe", "active"}:
        return replace(result, state="observe", observe_until=_end_of_observing(circumstances.since, circumstances))
    return result


def _awake(standing: Standing, circumstances: Circumstances) -> Standing:
    if standing.state == "silent" and circumstances.has_file and not circumstances.fork:
        until = _end_of_observing(circumstances.now, circumstances)
        return replace(standing, state="observe", observe_until=until, woke=True)
    if standing.woke and not circumstances.has_file and standing.state in {"observe", "active"}:
        return replace(standing, state="silent", observe_until=None, woke=False)
    return standing


def _end_of_observing(since: datetime, circumstances: Circumstances) -> datetime:
    return since + timedelta(days=circumstances.observe_days)


def _without(known: str | None, said_before: str | None, now: str | None) -> str | None:
    """Return a value that the file does not name: the study's, or what somebody else set."""
    return known if known is not None or said_before is not None else now
