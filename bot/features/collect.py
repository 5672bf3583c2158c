"""A closed issue becomes a record.

Purpose: the study's line for every closed issue, with a prediction. Trigger: `issues.closed` after the settle delay,
or a command on a closed issue that is not recorded yet. Effects: stores evidence, record and proposal, carries out
the commands that were waiting for the closing, asks for the inbox to be brought up to date.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from bot.evidence.eligibility import EligibilityRules, Verdicts, judge
from bot.evidence.indicators import Indicators, measure
from bot.evidence.model import Evidence
from bot.evidence.prose import issue_text, pack
from bot.features.pending import answer_carried_out, carry_out_pending
from bot.github.errors import Gone, NotFound, Transient
from bot.github.gather import gather
from bot.jobs import defer_inbox, defer_people
from bot.metrics import PROPOSALS
from bot.services import Services
from bot.store.decisions import settle_record
from bot.store.proposals import store_proposal
from bot.store.records import save_evidence
from bot.store.repositories import gathers_still
from bot.store.tables import Repository
from classifier import Classifier, Prediction

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Reading:
    """What is made of the evidence: measures, verdicts, the packed text, and the prediction."""

    indicators: Indicators
    verdicts: Verdicts
    packed: bytes
    prediction: Prediction


def read(evidence: Evidence, rules: EligibilityRules, classifier: Classifier, slug: str = "") -> Reading:
    """Measure, judge and predict; pure, and slow enough on hostile text to belong into a thread.

    `slug` is the App's name on GitHub, where it is known: commands that begin by it are no text to predict from.
    """
    text = issue_text(evidence, slug=slug)
    return Reading(
        indicators=measure(evidence),
        verdicts=judge(evidence, rules),
        packed=pack(text),
        prediction=classifier.predict(text),
    )


async def collect(services: Services, repository: Repository, number: int) -> None:
    """Gather and store one issue; nothing is stored where GitHub has no such closed issue of somebody else's."""
    if repository.installation_id is None:
        return
    bot_id = await services.github.bot_user_id()
    try:
        evidence = await gather(services.client(repository.installation_id), repository.full_name, number)
    except (NotFound, Gone):
        log.info("issue gone before it was recorded", repository=repository.full_name, number=number)
        return
    if evidence.repository_id != repository.id:
        # The name is another repository's by now; the event that says so is still to come.
        raise Transient(f"{repository.full_name} is the name of another repository now")
    if evidence.closed_at is None or evidence.is_pull_request or evidence.author.id == bot_id:
        return
    slug = await services.github.slug()
    reading = await asyncio.to_thread(read, evidence, EligibilityRules(), services.classifier, slug)
    now = services.clock.now()
    async with services.database.sessions.begin() as session:
        if not await gathers_still(session, repository.id):
            return
        record = await save_evidence(session, evidence, reading.indicators, reading.verdicts, reading.packed, now)
        proposal = await store_proposal(session, record.issue_id, reading.prediction, now)
        await carry_out_pending(session, record, now)
        await settle_record(session, record)
    PROPOSALS.labels(outcome="proposed" if proposal.proposed else "silent").inc()
    await defer_inbox(repository.id, services.settings.inbox_delay_seconds)
    await defer_people(repository.installation_id, services.settings.people_delay_seconds)
    await answer_carried_out(services, repository, number)
