"""The GraphQL text that reads people: up to twenty profiles and twenty people's contributions of a year at once.

It costs 1 point: by GitHub's published formula the profiles need 20 requests (their followers) and the contributions
40 (a history and a search each), and everything below 150 rounds to 1 point. So both are asked together, whoever they
are about. What limits a batch is GitHub's time instead, and the caller halves it where GitHub says that it was too
much. The text is always the same: places that are not needed are left out by their variables.
"""

from __future__ import annotations

from bot.github.page_queries import RATE_LIMIT

BATCH = 20
"""Places in one query (github.md, C4: at most 20 aliases)."""


def _places(template: str) -> str:
    """Return a template once for each place of a batch, with its number put in for #."""
    return "\n".join(template.replace("#", str(place)) for place in range(BATCH))


_VARIABLES = """  $ask#: Boolean = false, $person#: ID = "", $owner#: String = "", $name#: String = ""
  $pulls#: String = "", $from#: DateTime, $to#: DateTime, $since#: GitTimestamp, $until#: GitTimestamp"""

_PLACE = """  everywhere#: node(id: $person#) @include(if: $ask#) {
    ... on User {
      login
      contributionsCollection(from: $from#, to: $to#) { ...Totals }
    }
  }
  commits#: repository(owner: $owner#, name: $name#) @include(if: $ask#) {
    defaultBranchRef {
      target {
        ... on Commit { history(author: {id: $person#}, since: $since#, until: $until#) { totalCount } }
      }
    }
  }
  pulls#: search(query: $pulls#, type: ISSUE) @include(if: $ask#) { issueCount }"""

PEOPLE = f"""
query People(
  $ids: [ID!]!
{_places(_VARIABLES)}
) {{
  {RATE_LIMIT}
  profiles: nodes(ids: $ids) {{ ...ProfileFacts }}
{_places(_PLACE)}
}}

fragment ProfileFacts on User {{
  id
  login
  createdAt
  bio
  company
  followers {{ totalCount }}
}}

fragment Totals on ContributionsCollection {{
  totalCommitContributions
  totalIssueContributions
  totalPullRequestContributions
  totalPullRequestReviewContributions
}}
"""
