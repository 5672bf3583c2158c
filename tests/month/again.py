"""The recorded month once more: every delivery again as GitHub sends it again, and some as if never seen."""

from __future__ import annotations

import json
from datetime import datetime

from bot.sandbox.records import Delivery, Write
from tests.month.play import Played

_AT_ONCE = 50


def recorded(played: Played) -> list[Delivery]:
    """Return every delivery so far, each once."""
    return [one for one in played.bot.sandbox.deliveries if not one.redelivery]


async def deliver_again(played: Played, deliveries: list[Delivery]) -> list[Write]:
    """Send deliveries again under their own GUIDs and return what the App wrote then."""
    sandbox, before = played.bot.sandbox, len(played.bot.sandbox.writes)
    for one in deliveries:
        sandbox.services.outbox.again(one)
    sent = await sandbox.deliver_pending(_AT_ONCE)
    assert [one.status_code for one in sent] == [202] * len(deliveries)
    await played.time.settle()
    return sandbox.writes[before:]


def was_so_already(write: Write) -> bool:
    """Say whether GitHub made nothing of a write: a reaction that was given before is answered with 200, not 201."""
    return write.path.endswith("/reactions") and write.status == 200


async def deliver_as_new(played: Played, since: datetime, until: datetime) -> list[Write]:
    """Send the deliveries of some days again under new GUIDs and return what the App wrote then.

    GitHub does not do that; a bot that lost its list of deliveries would see the same.
    """
    sandbox, before = played.bot.sandbox, len(played.bot.sandbox.writes)
    for one in recorded(played):
        if since <= one.created_at < until and one.event in {"issues", "issue_comment"}:
            payload = json.loads(one.payload)
            installation = sandbox.world.installations[payload["installation"]["id"]]
            sandbox.services.outbox.send(one.event, payload.pop("action"), payload, installation, one.repository_id)
    await played.time.settle()
    return sandbox.writes[before:]
