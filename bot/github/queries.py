"""The GraphQL texts that gather the evidence of one closed issue, and how they are kept cheap.

`ISSUE_EVIDENCE` is asked once per issue and is, but for long threads and a few kinds of fix, all that is asked. By
GitHub's published formula (the requests needed to fill every connection, divided by 100) its about thirty connections
cost 1 point alone, and twenty issues to a page (`IssueEvidence` is a fragment for that reason) cost 6. What would
multiply stands apart: details of a pull request are asked inline for the closer alone; for a linked or named pull
request `PULL_REQUEST` is asked after the choice was made. Pages are asked only where `pageInfo` says so.

Names and arguments are those of GitHub's public schema. Two of them move there: `Issue.issueType` came in 2025, so
schemas published before do not list it, and `enableDuplicate` is announced to go once duplicates are always told.
Issues and comments are read by `fullDatabaseId`, a `BigInt` that arrives as a string: their ids have outgrown `Int`.
"""

from __future__ import annotations

_ACTOR = """
fragment ActorFacts on Actor {
  __typename
  login
  ... on User { id databaseId }
  ... on Bot { databaseId }
  ... on Mannequin { databaseId }
}
"""

_REPOSITORY = """
fragment RepositoryFacts on Repository {
  databaseId
  nameWithOwner
  isPrivate
  defaultBranchRef { name }
}
"""

_COMMIT = """
fragment CommitFacts on Commit {
  oid
  message
  committedDate
  repository { ...RepositoryFacts }
}
"""

# `history` tells whether a commit closed the pull request (merge bots, mirrored repositories) and who reverted it.
_PULL_REQUEST_FACTS = """
fragment PullRequestFacts on PullRequest {
  number
  title
  state
  merged
  mergedAt
  baseRefName
  mergeCommit { oid }
  additions
  deletions
  changedFiles
  author { ...ActorFacts }
  repository { ...RepositoryFacts }
  history: timelineItems(last: 100, itemTypes: [CLOSED_EVENT, REFERENCED_EVENT, CROSS_REFERENCED_EVENT]) {
    nodes {
      __typename
      ... on ClosedEvent { closer { __typename ... on Commit { oid committedDate } } }
      ... on ReferencedEvent { isCrossRepository commit { oid message committedDate } }
      ... on CrossReferencedEvent {
        isCrossRepository
        source { __typename ... on PullRequest { title merged mergedAt } }
      }
    }
  }
}
"""

_PULL_REQUEST_PARTS = """
fragment FileFacts on PullRequestChangedFileConnection {
  pageInfo { hasNextPage endCursor }
  nodes { path additions deletions }
}

fragment RemarkFacts on IssueCommentConnection {
  pageInfo { hasNextPage endCursor }
  nodes { createdAt author { ...ActorFacts } }
}

fragment ReviewFacts on PullRequestReviewConnection {
  pageInfo { hasNextPage endCursor }
  nodes { submittedAt bodyText author { ...ActorFacts } comments(first: 1) { totalCount } }
}
"""

_COMMENTS = """
fragment CommentFacts on IssueCommentConnection {
  pageInfo { hasNextPage endCursor }
  nodes { fullDatabaseId createdAt body authorAssociation author { ...ActorFacts } }
}
"""

_EVENTS = """
fragment EventFacts on IssueTimelineItemsConnection {
  pageInfo { hasNextPage endCursor }
  nodes {
    __typename
    ... on ClosedEvent { createdAt stateReason actor { ...ActorFacts } }
    ... on ReopenedEvent { createdAt }
    ... on LabeledEvent { createdAt actor { ...ActorFacts } label { name } }
    ... on UnlabeledEvent { createdAt label { name } }
    ... on RenamedTitleEvent { createdAt previousTitle }
  }
}
"""

# The order of `userContentEdits` is not documented, hence one from each end; the earlier one is the first version.
_ISSUE = """
fragment IssueEvidence on Issue {
  fullDatabaseId
  number
  url
  title
  body
  createdAt
  closedAt
  state
  stateReason(enableDuplicate: true)
  locked
  lastEditedAt
  includesCreatedEdit
  authorAssociation
  author { ...ActorFacts }
  issueType { name }
  labels(first: 100) { nodes { name } }
  editsFromOneEnd: userContentEdits(first: 1) { nodes { editedAt diff } }
  editsFromTheOther: userContentEdits(last: 1) { nodes { editedAt diff } }
  comments(first: 100) { ...CommentFacts }
  events: timelineItems(
    first: 100, itemTypes: [CLOSED_EVENT, REOPENED_EVENT, LABELED_EVENT, UNLABELED_EVENT, RENAMED_TITLE_EVENT]
  ) { ...EventFacts }
  closing: timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) {
    nodes {
      ... on ClosedEvent {
        closer {
          __typename
          ... on PullRequest {
            ...PullRequestFacts
            files(first: 100) { ...FileFacts }
            comments(first: 100) { ...RemarkFacts }
            reviews(first: 10) { ...ReviewFacts }
          }
          ... on Commit {
            ...CommitFacts
            associatedPullRequests(first: 1) { nodes { ...PullRequestFacts } }
          }
        }
      }
    }
  }
  references: timelineItems(last: 100, itemTypes: [REFERENCED_EVENT]) {
    nodes {
      ... on ReferencedEvent { createdAt isCrossRepository commit { ...CommitFacts } }
    }
  }
  closedByPullRequestsReferences(first: 5, includeClosedPrs: true) {
    nodes { ...PullRequestFacts }
  }
}
"""

EVIDENCE_FRAGMENTS = "".join(
    (_ACTOR, _REPOSITORY, _COMMIT, _PULL_REQUEST_FACTS, _PULL_REQUEST_PARTS, _COMMENTS, _EVENTS, _ISSUE)
)
"""What a query that spreads `IssueEvidence` needs beside it."""

ISSUE_EVIDENCE = (
    """
query IssueEvidence($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    ...RepositoryFacts
    issue(number: $number) { ...IssueEvidence }
  }
}
"""
    + EVIDENCE_FRAGMENTS
)
"""Everything about one issue. Variables `owner`, `name`, `number`; answer `{repository: {..., issue: {...}}}`."""

ISSUE_PAGE = (
    """
query IssuePage(
  $owner: String!, $name: String!, $number: Int!
  $comments: Boolean!, $commentsAfter: String, $events: Boolean!, $eventsAfter: String
) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      comments(first: 100, after: $commentsAfter) @include(if: $comments) { ...CommentFacts }
      events: timelineItems(
        first: 100, after: $eventsAfter
        itemTypes: [CLOSED_EVENT, REOPENED_EVENT, LABELED_EVENT, UNLABELED_EVENT, RENAMED_TITLE_EVENT]
      ) @include(if: $events) { ...EventFacts }
    }
  }
}
"""
    + _ACTOR
    + _COMMENTS
    + _EVENTS
)
"""The next page of an issue's comments, its events, or both, after the cursors given."""

PULL_REQUEST = (
    """
query PullRequest($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      ...PullRequestFacts
      files(first: 100) { ...FileFacts }
      comments(first: 100) { ...RemarkFacts }
      reviews(first: 100) { ...ReviewFacts }
    }
  }
}
"""
    + _ACTOR
    + _REPOSITORY
    + _PULL_REQUEST_FACTS
    + _PULL_REQUEST_PARTS
)
"""One pull request in full: for a fix that is not the closer itself (linked, found by keyword, named by command)."""

PULL_REQUEST_PAGE = (
    """
query PullRequestPage(
  $owner: String!, $name: String!, $number: Int!
  $files: Boolean!, $filesAfter: String
  $comments: Boolean!, $commentsAfter: String
  $reviews: Boolean!, $reviewsAfter: String
) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      files(first: 100, after: $filesAfter) @include(if: $files) { ...FileFacts }
      comments(first: 100, after: $commentsAfter) @include(if: $comments) { ...RemarkFacts }
      reviews(first: 100, after: $reviewsAfter) @include(if: $reviews) { ...ReviewFacts }
    }
  }
}
"""
    + _ACTOR
    + _PULL_REQUEST_PARTS
)
"""The next page of a pull request's files, comments or reviews, whichever are unfinished, after the cursors given."""

ISSUE_EDITS = (
    """
query IssueEdits($owner: String!, $name: String!, $number: Int!, $most: Int!) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      oneEnd: userContentEdits(first: $most) { nodes { id editedAt diff editor { ...ActorFacts } } }
      theOther: userContentEdits(last: $most) { nodes { id editedAt diff editor { ...ActorFacts } } }
    }
  }
}
"""
    + _ACTOR
)
"""Who wrote which version of an issue's description; one of the two ends holds the newest."""
