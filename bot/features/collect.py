"""A closed issue becomes a record.

Purpose: the study's line for every closed issue, with a prediction. Trigger: `issues.closed` after the settle delay;
a command on a closed issue that is not recorded yet, or that says something of its evidence. Effects: stores evidence,
record and proposal, carries out the commands that were waiting, asks for the inbox to be brought up to date and for
people and a missing link to be read later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bot.config.rules import eligibility_rules
from bot.decisions.teaching import NOTHING_KNOWN, Tendency
from bot.evidence.eligibility import EligibilityRules, Verdicts, judge
from bot.evidence.indicators import Indicators, measure
from bot.evidence.model import Evidence
from bot.evidence.participants import is_person, with_first_standing
from bot.evidence.prose import issue_text, later_comments, pack
from bot.features.configuration import heed
from bot.features.label_decisions import keep_labels, labels_said
from bot.features.pending import (
    GatheredOtherwise,
    answer_carried_out,
    blaming_what_waits,
    carry_out_pending,
    fixes_waiting,
)
from bot.features.statements import Looked
from bot.github.errors import Gone, NotFound, Transient
from bot.github.gather import gather
from bot.github.linking import ManualFix
from bot.github.presence import Presence, presence
from bot.jobs import defer_inbox, defer_links, defer_people
from bot.learning.predicting import predict
from bot.metrics import PROPOSALS
from bot.services import Services
from bot.store.decisions import settle_record
from bot.store.late_links import look_due
from bot.store.proposals import store_proposal
from bot.store.records import find_record, first_standings
from bot.store.repositories import gathers_still
from bot.store.saving import Gathered, save_all
from bot.store.shown import begin_to_show
from bot.store.statements import heed_reproduced, standing_fixes
from bot.store.tables import Proposal, Record, Repository
from bot.store.training import tendency_of
from classifier import Classifier, Prediction

log = structlog.get_logger(__name__)

_MOST_GATHERINGS = 5
"""Of one issue in a row: the second is for what was said while the first was under way, or taken back with it."""


@dataclass(frozen=True)
class Reading:
    """What is made of the evidence: measures, verdicts, the packed text, what was said later, and the prediction."""

    indicators: Indicators
    verdicts: Verdicts
    packed: bytes
    later: bytes | None
    prediction: Prediction


def read(
    evidence: Evidence,
    rules: EligibilityRules,
    classifier: Classifier,
    slug: str = "",
    tendency: Tendency = NOTHING_KNOWN,
) -> Reading:
    """Measure, judge and predict; pure, and slow enough on hostile text to belong into a thread.

    `slug` is the App's name on GitHub, where it is known: commands that begin by it are no text to predict from.
    `tendency` is what the repository's decisions say of the causes there.
    """
    text = issue_text(evidence, slug=slug)
    return Reading(
        indicators=measure(evidence),
        verdicts=judge(evidence, rules),
        packed=pack(text),
        later=pack(later) if (later := later_comments(evidence, slug)) else None,
        prediction=predict(classifier, text, tendency),
    )


async def collect(
    services: Services,
    repository: Repository,
    number: int,
    *,
    at_closing: bool = False,
    old_news: bool = False,
    heard: str | None = None,
) -> bool:
    """Gather and store one issue; return whether GitHub still had such a closed issue of somebody else's.

    `at_closing` says that it was closed just now, so that it may be asked about though its history was read before;
    `old_news` that we heard of it by chance and late, so that it gets no comment.
    Commands of the delivery `heard` are answered by the caller.
    """
    if repository.installation_id is None:
        return False
    async with blaming_what_waits(services, repository, number, heard):
        named = await _named(services, repository, number)
        for _ in range(_MOST_GATHERINGS):
            try:
                stored = await _collect(
                    services, repository, number, named, at_closing=at_closing, old_news=old_news, heard=heard
                )
                break
            except GatheredOtherwise as otherwise:
                named = replace(await _named(services, repository, number), fix=otherwise.fix)
        else:
            raise Transient(f"people name one fix after the other for #{number} of {repository.full_name}")
    if stored is None:
        return False
    await defer_inbox(repository.id, services.settings.inbox_delay_seconds)
    await defer_people(repository.installation_id, services.settings.people_delay_seconds)
    due = look_due(stored, stored.gathered_at)
    if due is not None:
        await defer_links(repository.installation_id, (due - services.clock.now()).total_seconds())
    await answer_carried_out(services, repository, number)
    return True


@dataclass(frozen=True)
class _Named:
    """The change that people named as an issue's fix, and whether those that waiting commands name are there."""

    fix: ManualFix | None
    presences: Mapping[ManualFix, Presence]


async def _named(services: Services, repository: Repository, number: int) -> _Named:
    async with services.database.sessions() as session:
        record = await find_record(session, repository.id, number)
        standing = await standing_fixes(session, [record.issue_id]) if record is not None else {}
        waiting = await fixes_waiting(session, repository, number)
    client = services.client(repository.installation_id or 0)
    presences = {fix: await presence(client, fix, repository.full_name) for fix in dict.fromkeys(waiting)}
    there = [fix for fix in waiting if presences[fix] != "absent"]
    return _Named(there[-1] if there else next(iter(standing.values()), None), presences)


async def _collect(
    services: Services,
    repository: Repository,
    number: int,
    named: _Named,
    *,
    at_closing: bool,
    old_news: bool,
    heard: str | None,
) -> Record | None:
    """Gather and store an issue, its fix being the one named; return its record, None where nothing was stored."""
    bot_id = await services.github.bot_user_id()
    configuration = await heed(services, repository.id)
    client = services.client(repository.installation_id or 0)
    bots = services.bots(configuration)
    try:
        evidence = await gather(client, repository.full_name, number, named.fix, bots)
    except (NotFound, Gone):
        log.info("issue gone before it was recorded", repository=repository.full_name, number=number)
        return None
    if evidence.repository_id != repository.id:
        # The name is another repository's by now; the event that says so is still to come.
        raise Transient(f"{repository.full_name} is the name of another repository now")
    if evidence.closed_at is None or evidence.is_pull_request or evidence.author.id == bot_id:
        return None
    slug, rules = await services.github.slug(), eligibility_rules(configuration, bot_id)
    tendency = await tendency_of(services.database, repository.id)
    async with services.database.sessions() as session:
        known = await first_standings(session, [evidence.issue_id])
    evidence = with_first_standing(evidence, known.get(evidence.issue_id, {}))
    reading = await asyncio.to_thread(read, evidence, rules, services.classifier, slug, tendency)
    labels = await labels_said(services, repository, evidence.labellings, configuration) if at_closing else []
    now = services.clock.now()
    async with services.database.sessions.begin() as session:
        if not await gathers_still(session, repository.id):
            return None
        before = await find_record(session, repository.id, number, lock=True)
        closed_again = before is not None and before.is_open
        backfilled = not at_closing and before is not None and before.backfilled and not before.is_open
        record, proposal = await keep(session, evidence, reading, now, backfilled=backfilled)
        if closed_again and record.decided_at is None:
            record.asked_at = None  # a question of its own, however long ago the one before was
        await keep_labels(session, record, labels, now)
        if at_closing:
            by_bot = not is_person(evidence.author, bots)
            await begin_to_show(session, record, configuration, opened_by_bot=by_bot, old_news=old_news)
        measured = reading.indicators
        guess, source = measured.comments_until_reproduced, measured.comments_until_reproduced_source
        looked = Looked.at(evidence, repository.full_name, guess, source, named.fix, named.presences)
        await carry_out_pending(session, record, looked, now, heard)
        record.comments_until_reproduced, record.comments_until_reproduced_source = guess, source
        await heed_reproduced(session, {record.issue_id: record})
        await settle_record(session, record)
    if proposal is not None:
        PROPOSALS.labels(outcome="proposed" if proposal.proposed else "silent").inc()
    return record


async def keep(
    session: AsyncSession, evidence: Evidence, reading: Reading, now: datetime, *, backfilled: bool
) -> tuple[Record, Proposal | None]:
    """Store what was read of one issue; the record is locked, and settled by the caller.

    An issue that is left alone is measured and not predicted.
    """
    gathered = Gathered(evidence, reading.indicators, reading.verdicts, reading.packed, reading.later)
    record = (await save_all(session, [gathered], now, backfilled=backfilled))[evidence.issue_id]
    return record, await store_proposal(session, record.issue_id, reading.prediction, now)
