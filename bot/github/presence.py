"""Whether a change that a person named is there at all; asked before it is believed."""

from __future__ import annotations

from typing import Literal

from bot.github.errors import Conflict, Forbidden, Gone, GraphQLError, Invalid, NotFound
from bot.github.linking import ManualFix
from bot.github.reading import EvidenceClient, is_private

Presence = Literal["there", "absent", "hidden"]

NAMED_PULL_REQUEST = """
query NamedPullRequest($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { number } }
}
"""


async def presence(client: EvidenceClient, named: ManualFix, own: str) -> Presence:
    """Say whether a change is there; `own` is the issue's repository, whose content is never hidden from us.

    Where a repository cannot be seen, nobody can tell whether it is private or misspelt: `hidden`. So is what our
    permissions do not cover, and anything in another repository that is private: who comments here need not know it.
    Raises the client's errors where GitHub does not answer.
    """
    is_own = named.repository.lower() == own.lower()
    if not is_own and await is_private(client, named.repository):
        return "hidden"
    try:
        if named.number is None:
            await client.get(f"/repos/{named.repository}/commits/{named.sha}")
        else:
            owner, _, name = named.repository.partition("/")
            variables = {"owner": owner, "name": name, "number": named.number}
            await client.graphql(NAMED_PULL_REQUEST, variables)
    except (Invalid, Conflict):
        return "absent"
    except (NotFound, Gone):
        return "absent" if is_own else "hidden"
    except Forbidden:
        return "hidden"
    except GraphQLError as error:
        if "NOT_FOUND" in error.types:
            return "absent" if is_own or (error.data or {}).get("repository") else "hidden"
        if "FORBIDDEN" in error.types:
            return "hidden"
        raise
    return "there"
