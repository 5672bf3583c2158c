"""Store a page of a history: its records and how far the backfill is, in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bot.backfill.course import Parameters, count, draw
from bot.backfill.reading import Brought
from bot.clock import Clock
from bot.config.rules import eligibility_rules
from bot.decisions.teaching import Tendency
from bot.evidence.eligibility import EligibilityRules
from bot.evidence.model import Evidence
from bot.evidence.participants import with_first_standing
from bot.features.collect import Reading, read
from bot.github.linking import ManualFix
from bot.github.page_size import FIRST_SIZE
from bot.store.backfills import move_on, recorded_live
from bot.store.configurations import configuration_of
from bot.store.database import Database
from bot.store.decisions import settle_records
from bot.store.proposals import store_proposals
from bot.store.records import first_standings
from bot.store.repositories import gathers_still
from bot.store.saving import Gathered, save_all
from bot.store.statements import standing_fixes
from bot.store.tables import Backfill
from bot.store.training import tendency_of
from classifier import Classifier

_ATTEMPTS = 3
"""At storing a page of which an issue is closed, and recorded, at the very same moment."""


@dataclass(frozen=True)
class Storage:
    """Where and how pages are stored; issues by `own_user_id`, the App itself, are not recorded.

    `slug` is the App's name on GitHub, where it is known: commands that begin by it are no text to predict from.

    With `only_where_gathered` nothing is recorded where the App was taken away while the page was being read.
    """

    database: Database
    classifier: Classifier
    clock: Clock
    own_user_id: int | None = None
    slug: str = ""
    only_where_gathered: bool = False

    async def store(self, backfill: Backfill, brought: Brought) -> Backfill:
        """Store a page and return the backfill's row as it is then.

        What was recorded at its closing is left as it is, and so is an issue of which a person named another fix
        since the page was asked for. Where another process stored the page already nothing is.
        """
        parameters = Parameters.read(backfill.parameters)
        wanted = self._wanted(backfill, brought, parameters)
        async with self.database.sessions() as session:
            known = await first_standings(session, [one.issue_id for one in wanted])
            rules = eligibility_rules(await configuration_of(session, backfill.repository_id), self.own_user_id)
        wanted = [with_first_standing(one, known.get(one.issue_id, {})) for one in wanted]
        tendency = await tendency_of(self.database, backfill.repository_id)
        readings = await asyncio.to_thread(_read_all, wanted, rules, self.classifier, self.slug, tendency)
        changes = _changes(backfill, brought, parameters, list(zip(wanted, readings, strict=True)))
        now = self.clock.now()
        changes |= {"updated_at": now, "finished_at": now if changes["state"] == "done" else None}
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                async with self.database.sessions.begin() as session:
                    if self.only_where_gathered and not await gathers_still(session, backfill.repository_id):
                        break
                    if await move_on(session, backfill, changes):
                        await self._save(session, wanted, readings, brought.fixes)
                break
            except IntegrityError:
                if attempt == _ATTEMPTS:
                    raise
        async with self.database.sessions() as session:
            return await session.get_one(Backfill, backfill.id)

    def _wanted(self, backfill: Backfill, brought: Brought, parameters: Parameters) -> list[Evidence]:
        issues = brought.issues.evidence if brought.issues is not None else ()
        wanted = [
            one
            for one in issues
            if parameters.covers(one.closed_at) and (self.own_user_id is None or one.author.id != self.own_user_id)
        ]
        return wanted if parameters.limit is None else wanted[: parameters.limit - backfill.recorded]

    async def _save(
        self,
        session: AsyncSession,
        issues: Sequence[Evidence],
        readings: Sequence[Reading],
        fixes: Mapping[int, ManualFix],
    ) -> None:
        ids = [one.issue_id for one in issues]
        live, named = await recorded_live(session, ids), await standing_fixes(session, ids)
        now = self.clock.now()
        new = [
            (one, reading)
            for one, reading in zip(issues, readings, strict=True)
            if one.issue_id not in live and named.get(one.issue_id) == fixes.get(one.number)
        ]
        gathered = [
            Gathered(one, reading.indicators, reading.verdicts, reading.packed, reading.later) for one, reading in new
        ]
        records = await save_all(session, gathered, now, backfilled=True)
        proposals = await store_proposals(session, {one.issue_id: reading.prediction for one, reading in new}, now)
        await settle_records(session, records, proposals)


def _read_all(
    issues: Sequence[Evidence], rules: EligibilityRules, classifier: Classifier, slug: str, tendency: Tendency
) -> list[Reading]:
    return [read(evidence, rules, classifier, slug, tendency) for evidence in issues]


def _changes(
    backfill: Backfill, brought: Brought, parameters: Parameters, recorded: Sequence[tuple[Evidence, Reading]]
) -> dict[str, Any]:
    """Return what the page changes in the backfill's row."""
    issues = brought.issues
    seen = len(issues.evidence) + len(issues.unreadable) if issues is not None else 0
    counts = count(seen, [(evidence, reading.verdicts) for evidence, reading in recorded])
    changes: dict[str, Any] = {name: getattr(backfill, name) + more for name, more in asdict(counts).items()}
    changes["unreadable"] = [*backfill.unreadable, *(issues.unreadable if issues is not None else ())]
    following = brought.next
    if issues is None:
        changes["draw"] = draw(backfill.draw, brought.listed, parameters)
        if following is not None and following.phase == "numbers":
            changes["total"] = len(changes["draw"]["numbers"])
            following = following if changes["total"] else None
    elif backfill.phase == "pages":
        changes["total"] = issues.total if parameters.limit is None else min(issues.total, parameters.limit)
    is_enough = parameters.limit is not None and changes["recorded"] >= parameters.limit
    is_done = following is None or is_enough
    return changes | {
        "state": "done" if is_done else "going_on",
        "phase": following.phase if following is not None else backfill.phase,
        "cursor": following.cursor if following is not None else None,
        "place": following.place if following is not None else backfill.place,
        "size": following.size if following is not None else FIRST_SIZE,
        "attempts": 0,
        "not_before": None,
    }
