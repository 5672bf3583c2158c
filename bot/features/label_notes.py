"""What the inbox says of labels.

Purpose: whoever looks at the inbox learns why no label appears. Trigger: the questions of a repository are chosen.
Effects: none.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from bot.config import Configuration
from bot.github.links import quiet_link
from bot.store.shown import flapping_issues
from bot.store.tables import Repository
from bot.texts.proposal import flapping_note, labels_missing_note


async def label_notes(
    session: AsyncSession, repository: Repository, configuration: Configuration, now: datetime
) -> tuple[str, ...]:
    """Return the sentences to show: labels that await their set-up, and issues whose labels are left alone."""
    notes = []
    if repository.labels_missing and configuration.propose == "label":
        notes.append(labels_missing_note(repository.full_name))
    flapping = await flapping_issues(session, repository.id, now)
    if flapping:
        notes.append(flapping_note([f"[#{number}]({quiet_link(url)})" for number, url in flapping]))
    return tuple(notes)
