"""The GraphQL texts of a backfill: many issues of one repository in one answer, with what the answer cost.

`ISSUES_PAGE` costs a third of a point an issue (`bot.github.queries`), and one request for as many as GitHub answers
in time. `rateLimit` is free; a backfill keeps its books by it.
"""

from __future__ import annotations

from bot.github.queries import EVIDENCE_FRAGMENTS, PULL_REQUEST

RATE_LIMIT = "rateLimit { cost limit resetAt }"

_ORDER = "states: CLOSED, first: $first, after: $after, orderBy: {field: CREATED_AT, direction: ASC}"

ISSUES_PAGE = f"""
query IssuesPage($owner: String!, $name: String!, $first: Int!, $after: String, $filter: IssueFilters) {{
  {RATE_LIMIT}
  repository(owner: $owner, name: $name) {{
    ...RepositoryFacts
    issues({_ORDER}, filterBy: $filter) {{
      totalCount
      pageInfo {{ hasNextPage endCursor }}
      nodes {{ ...IssueEvidence }}
    }}
  }}
}}
{EVIDENCE_FRAGMENTS}"""
"""Everything about the next `first` closed issues, the oldest first; `filter.since` drops those untouched since."""

ISSUE_NUMBERS = f"""
query IssueNumbers($owner: String!, $name: String!, $first: Int!, $after: String, $filter: IssueFilters) {{
  {RATE_LIMIT}
  repository(owner: $owner, name: $name) {{
    issues({_ORDER}, filterBy: $filter) {{
      totalCount
      pageInfo {{ hasNextPage endCursor }}
      nodes {{ fullDatabaseId number createdAt closedAt }}
    }}
  }}
}}
"""
"""The numbers of the same issues and no more, for drawing a sample from them, at one point a hundred."""

PULL_REQUEST_OF_MANY = PULL_REQUEST.replace("reviews(first: 100)", "reviews(first: 10)")
"""`PULL_REQUEST` for asking many at once: a hundred reviews with their comments would cost a point each."""
