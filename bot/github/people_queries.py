"""The GraphQL texts that read people: twenty profiles at once, and twenty people's contributions to one repository.

Each costs 1 point: by GitHub's published formula twenty profiles need 20 requests (their followers) and twenty people's
contributions 40 (a history and a search each), and everything below 150 rounds to 1 point. What limits a batch is
GitHub's time instead, so the caller halves it where GitHub says that it was too much. The texts are always the same:
places that are not needed are left out by their variables.

A person is asked for by login only once. The answer's node id finds the account ever after, whatever it is called.
"""

from __future__ import annotations

from bot.github.page_queries import RATE_LIMIT

BATCH = 20
"""People in one query (github.md, C4: at most 20 aliases)."""

_PROFILE = """
fragment ProfileFacts on User {
  id
  databaseId
  login
  createdAt
  bio
  company
  followers { totalCount }
}
"""


def _places(template: str) -> str:
    """Return a template once for each place of a batch, with its number put in for #."""
    return "\n".join(template.replace("#", str(place)) for place in range(BATCH))


PROFILES_BY_LOGIN = f"""
query ProfilesByLogin(
{_places('  $ask#: Boolean = false, $login#: String = ""')}
) {{
  {RATE_LIMIT}
{_places("  person#: user(login: $login#) @include(if: $ask#) { ...ProfileFacts }")}
}}
{_PROFILE}"""

PROFILES_BY_ID = f"""
query ProfilesById($ids: [ID!]!) {{
  {RATE_LIMIT}
  people: nodes(ids: $ids) {{ ...ProfileFacts }}
}}
{_PROFILE}"""

_COMMITS = """          commits#: history(author: {id: $id#}, since: $since, until: $until) @include(if: $ask#) {
            totalCount
          }"""

CONTRIBUTIONS = f"""
query Contributions(
  $owner: String!, $name: String!, $ids: [ID!]!
  $from: DateTime!, $to: DateTime!, $since: GitTimestamp!, $until: GitTimestamp!
{_places('  $ask#: Boolean = false, $id#: ID = "", $pulls#: String = ""')}
) {{
  {RATE_LIMIT}
  people: nodes(ids: $ids) {{
    ... on User {{
      contributionsCollection(from: $from, to: $to) {{
        totalCommitContributions
        totalIssueContributions
        totalPullRequestContributions
        totalPullRequestReviewContributions
      }}
    }}
  }}
  repository(owner: $owner, name: $name) {{
    defaultBranchRef {{
      target {{
        ... on Commit {{
{_places(_COMMITS)}
        }}
      }}
    }}
  }}
{_places("  pulls#: search(query: $pulls#, type: ISSUE) @include(if: $ask#) { issueCount }")}
}}
"""
