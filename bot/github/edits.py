"""Who changed an issue's text when: GitHub keeps every version of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.github.queries import ISSUE_EDITS
from bot.github.reading import EvidenceClient

MOST_VERSIONS = 50


@dataclass(frozen=True)
class TextVersion:
    """The text as one edit left it; `editor` has `id`, `login` and `type` as in a webhook, None for a ghost.

    `id` is GitHub's own of the edit, None where an event told of it.
    """

    id: str | None
    edited_at: datetime
    text: str
    editor: Mapping[str, Any] | None


async def read_versions(
    client: EvidenceClient, repository: str, number: int, most: int = MOST_VERSIONS
) -> list[TextVersion]:
    """Return the last versions of an issue's text, at most `most`, the oldest first.

    Versions whose text was deleted from the history are left out. Raises the client's errors as they are.
    """
    owner, _, name = repository.partition("/")
    data = await client.graphql(ISSUE_EDITS, {"owner": owner, "name": name, "number": number, "most": most})
    both_ends = data["repository"]["issue"]
    edits = {edit["id"]: edit for end in ("oneEnd", "theOther") for edit in both_ends[end]["nodes"]}
    versions = [
        TextVersion(edit["id"], datetime.fromisoformat(edit["editedAt"]), edit["diff"], _person(edit["editor"]))
        for edit in reversed(edits.values())  # in practice the newest comes first; moments are whole seconds
        if edit["diff"] is not None
    ]
    return sorted(versions, key=lambda version: version.edited_at)[-most:]


def _person(actor: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if actor is None or actor.get("databaseId") is None:
        return None
    return {"id": actor["databaseId"], "login": actor["login"], "type": actor["__typename"]}
