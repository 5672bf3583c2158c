"""What people say by labels: those of the repository's own that it mapped to categories, and ours.

Purpose: maintainers who sort by labels decide by them. Trigger: an issue is closed with such labels on it, or a person
with triage rights puts one on or takes one off a recorded issue. Effects: decisions, or what is undone of them; our
label that a person took off refuses the proposal for good.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bot.commands.rights import Rights
from bot.config import Configuration
from bot.evidence.model import Labelling
from bot.evidence.participants import is_person
from bot.features.event import IssueEvent, is_bot_account
from bot.features.registration import Handles
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.configurations import configuration_of
from bot.store.decisions import add_decision, see_person, settle_record
from bot.store.label_words import said_by_label, says_more_since, source_of, take_back_label
from bot.store.records import find_record
from bot.store.refusals import REFUSED
from bot.store.shown import shown_on
from bot.store.statements import add_statement
from bot.store.tables import Decision, Record, Repository, Statement
from classifier import CATEGORIES

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Meaning:
    """The category that a label stands for, and whether it is a label of ours."""

    category: str
    ours: bool


@dataclass(frozen=True)
class SaidByLabel:
    """A label on an issue with its meaning, and who with the right to it put it on, and when."""

    label: str
    category: str
    person: Mapping[str, Any]
    maintains: bool
    at: datetime


def meaning(label: str, configuration: Configuration, prefixes: Collection[str] = ()) -> Meaning | None:
    """Return what a label says, None where it says nothing of a cause; letters' case does not count, as on GitHub.

    `prefixes` are those that our labels began by earlier.
    """
    name = label.casefold()
    for prefix in {configuration.labels.prefix, *prefixes}:
        category = name.removeprefix(prefix.casefold())
        if category != name and category in CATEGORIES:
            return Meaning(category, ours=True)
    for mapped, category in configuration.labels.map.items():
        if mapped.casefold() == name:
            return Meaning(category, ours=False)
    return None


async def on_label(services: Services, event: IssueEvent) -> None:
    """Handle `issues.labeled` and `.unlabeled`; an open issue that is not recorded yet is read at its closing."""
    label, sender = (event.payload.get("label") or {}).get("name"), event.payload["sender"]
    if not isinstance(label, str):
        return
    async with services.database.sessions() as session:
        record = await find_record(session, event.repository.id, event.number)
        if record is None:
            return
        configuration = await configuration_of(session, event.repository.id)
        shown = await shown_on(session, record.issue_id)
    found = meaning(label, configuration, {shown.prefix} if shown is not None else ())
    bots = services.bots(configuration)
    if found is None or is_bot_account(sender, bots):
        return
    rights = await services.rights_of(event.repository, sender)
    is_taken_off = event.payload["action"] == "unlabeled"
    if rights < Rights.TRIAGE:
        log.info("label of somebody without rights", repository=event.repository.full_name, number=event.number)
        if not (found.ours and is_taken_off):
            return
    now, at = services.clock.now(), datetime.fromisoformat(event.payload["issue"]["updated_at"])
    async with services.database.sessions.begin() as session:
        record = await find_record(session, event.repository.id, event.number, lock=True)
        if record is None:
            return
        await see_person(session, sender, now)
        if is_taken_off:
            may_decide = rights >= Rights.TRIAGE
            undone = may_decide and await take_back_label(session, record.issue_id, label, at, now)
            refusal = _refusal(record, event, at) if may_decide and not undone else None
            if found.ours:
                await _leave_alone(session, record, found.category, refusal, now)
        elif not await says_more_since(session, record.issue_id, label, at):
            said = SaidByLabel(label, found.category, sender, rights >= Rights.MAINTAIN, at)
            await add_decision(session, _decision(record, said, event.guid, at))
        await settle_record(session, record)
    await defer_inbox(event.repository.id, services.settings.inbox_delay_seconds)


async def _leave_alone(
    session: AsyncSession, record: Record, category: str, refusal: Statement | None, now: datetime
) -> None:
    """Leave the labels alone for good where a person took our proposal's off, and store that they refuse it.

    A label that a decision is about to replace says nothing when a person is faster. Where a person's rights are not
    known nothing is refused, and our label stays away all the same: GitHub let them take it off.
    """
    shown = await shown_on(session, record.issue_id, lock=True)
    if shown is None or shown.label != category:
        return
    shown.label = None
    await settle_record(session, record)
    if record.category not in (None, category):
        return
    shown.left_alone, shown.left_alone_at = "removed", now
    if refusal is not None:
        await add_statement(session, refusal)


def _refusal(record: Record, event: IssueEvent, at: datetime) -> Statement:
    return Statement(
        issue_id=record.issue_id,
        repository_id=record.repository_id,
        number=record.number,
        person_id=event.payload["sender"]["id"],
        kind=REFUSED,
        source=f"label:{event.guid}",
        said_at=at,
    )


async def labels_said(
    services: Services, repository: Repository, labellings: Sequence[Labelling], configuration: Configuration
) -> list[SaidByLabel]:
    """Return what the labels on an issue say, in the order they were put on, by people with triage rights.

    Who filed an issue by a form did not choose the labels that the form gives it.
    """
    bots = services.bots(configuration)
    said = []
    for one in labellings:
        found = meaning(one.label, configuration)
        by = one.by
        if found is None or one.until is not None or by is None or by.id is None or not is_person(by, bots):
            continue
        person = {"id": by.id, "login": by.login, "type": "User"}
        rights = await services.rights_of(repository, person)
        if rights >= Rights.TRIAGE:
            said.append(SaidByLabel(one.label, found.category, person, rights >= Rights.MAINTAIN, one.created_at))
    return said


async def keep_labels(session: AsyncSession, record: Record, said: Sequence[SaidByLabel], now: datetime) -> None:
    """Store as decisions what labels say at a closing, but for those that were heard, or taken back, before.

    The caller settles the record.
    """
    for one in said:
        if not await said_by_label(session, record.issue_id, one.label, one.at):
            await see_person(session, one.person, now)
            origin = f"{record.issue_id}:{one.at.isoformat()}"
            await add_decision(session, _decision(record, one, origin, max(one.at, record.closed_at)))


def _decision(record: Record, said: SaidByLabel, origin: str, at: datetime) -> Decision:
    return Decision(
        issue_id=record.issue_id,
        repository_id=record.repository_id,
        person_id=said.person["id"],
        category=said.category,
        via="label",
        blind=record.blind and record.decided_at is None,
        maintains=said.maintains,
        source=source_of(said.label, origin),
        decided_at=at,
    )


HANDLES: Handles = {("issues", "labeled"): on_label, ("issues", "unlabeled"): on_label}
