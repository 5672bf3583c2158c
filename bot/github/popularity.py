"""The five indicators that frameworks are matched by (the first study's Table 2), read from GitHub."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.github.client import GitHubClient
from bot.github.errors import Forbidden

_QUERY = """
query($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    watchers { totalCount }
    stargazerCount
    forkCount
    defaultBranchRef { target { ... on Commit { history { totalCount } } } }
  }
}
"""


@dataclass(frozen=True)
class Popularity:
    """Counts of one repository at the moment they were read; None where GitHub does not say.

    `commits` are those of the default branch. `contributors` are authors of its commits by e-mail address, those
    without a GitHub account included; GitHub refuses to count them for the very largest histories.
    """

    watches: int
    stars: int
    forks: int
    commits: int | None
    contributors: int | None


async def read_popularity(client: GitHubClient, full_name: str) -> Popularity:
    """Read a repository's indicators: one GraphQL query, and a request for each 100 contributors.

    Raises:
        GraphQLError: the repository cannot be read.
        GitHubError: GitHub does not answer.
    """
    owner, _, name = full_name.partition("/")
    repository = (await client.graphql(_QUERY, {"owner": owner, "name": name}))["repository"]
    return Popularity(
        watches=repository["watchers"]["totalCount"],
        stars=repository["stargazerCount"],
        forks=repository["forkCount"],
        commits=_commits(repository["defaultBranchRef"]),
        contributors=await _contributors(client, full_name),
    )


def _commits(branch: dict[str, Any] | None) -> int | None:
    return None if branch is None else branch["target"]["history"]["totalCount"]


async def _contributors(client: GitHubClient, full_name: str) -> int | None:
    try:
        return len(await client.get_all(f"/repos/{full_name}/contributors", {"anon": "true"}))
    except Forbidden:
        return None
