"""What fixed an issue, decided on answers written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from bot.evidence.model import FixLink
from bot.github.answers import moment
from bot.github.landing import pull_requests_named, says_it_closes
from bot.github.linking import FoundFix, find_fix

REPOSITORY = "acme/frame"
CLOSED = "2026-03-10T12:00:00Z"
BEFORE = "2026-03-09T12:00:00Z"
EARLIER = "2026-03-01T12:00:00Z"
AFTER = "2026-03-20T12:00:00Z"

Answer = dict[str, Any]


def where(name: str = REPOSITORY) -> Answer:
    return {"databaseId": 1, "nameWithOwner": name, "defaultBranchRef": {"name": "main"}}


def commit(oid: str = "c" * 40, message: str = "Tidy", at: str = BEFORE, **changes: Any) -> Answer:
    made = {"__typename": "Commit", "oid": oid, "message": message, "committedDate": at, "repository": where()}
    return {**made, "associatedPullRequests": {"nodes": []}, **changes}


def pull(number: int, merged_at: str | None = BEFORE, **changes: Any) -> Answer:
    made = {
        "__typename": "PullRequest",
        "number": number,
        "title": f"Change {number}",
        "state": "MERGED" if merged_at else "CLOSED",
        "merged": merged_at is not None,
        "mergedAt": merged_at,
        "baseRefName": "main",
        "mergeCommit": {"oid": f"{number:040x}"} if merged_at else None,
        "repository": where(),
        "history": {"nodes": []},
    }
    return {**made, **changes}


def closed_by(landed: Answer) -> Answer:
    return {"nodes": [{"__typename": "ClosedEvent", "createdAt": BEFORE, "closer": landed}]}


def reverted_by(title: str, merged_at: str) -> Answer:
    source = {"__typename": "PullRequest", "title": title, "merged": True, "mergedAt": merged_at}
    return {"nodes": [{"__typename": "CrossReferencedEvent", "isCrossRepository": False, "source": source}]}


def issue(
    closer: Answer | None = None, linked: list[Answer | None] | None = None, commits: list[Answer | None] | None = None
) -> Answer:
    references = [
        {"createdAt": (one or {}).get("committedDate", CLOSED), "isCrossRepository": False, "commit": one}
        for one in commits or []
    ]
    return {
        "number": 7,
        "closing": {"nodes": [{"createdAt": CLOSED, "closer": closer}]},
        "references": {"nodes": references},
        "closedByPullRequestsReferences": {"nodes": linked or []},
    }


def find(answer: Answer, *, hidden: bool = False) -> tuple[FoundFix | None, FixLink | None]:
    return find_fix(answer, REPOSITORY, moment(CLOSED), hidden=hidden)


def test_what_closed_the_issue_goes_before_what_is_linked_to_it() -> None:
    found, link = find(issue(pull(3), [pull(4)], [commit(message="Fixes #7")]))

    assert found is not None
    assert (link, found.number, found.landed_at) == ("closer_pr", 3, moment(BEFORE))


def test_a_linked_pull_request_goes_before_a_commit_that_says_so() -> None:
    found, link = find(issue(None, [pull(4)], [commit(message="Fixes #7")]))

    assert found is not None
    assert (link, found.number) == ("linked_pr", 4)


def test_of_several_linked_the_last_to_land_before_the_closing_counts_else_the_first_after_it() -> None:
    before, _ = find(issue(None, [pull(4, EARLIER), pull(5, BEFORE), pull(6, AFTER)]))
    after, _ = find(issue(None, [pull(6, AFTER), pull(5, None), pull(8, "2026-04-01T00:00:00Z")]))

    assert before is not None
    assert before.number == 5
    assert after is not None
    assert after.number == 6


@pytest.mark.parametrize(
    "unlanded",
    [
        pytest.param(pull(4, None), id="closed without merging"),
        pytest.param(pull(4, None, state="OPEN"), id="open"),
        pytest.param(pull(4, baseRefName="release-1.x"), id="merged into another branch"),
        pytest.param(pull(4, history=reverted_by('Revert "Change 4"', BEFORE)), id="reverted by a pull request"),
        pytest.param(
            pull(
                4,
                history={
                    "nodes": [
                        {
                            "__typename": "ReferencedEvent",
                            "createdAt": BEFORE,
                            "isCrossRepository": False,
                            "commit": commit(message=f"Revert\n\nThis reverts commit {4:040x}."),
                        }
                    ]
                },
            ),
            id="reverted by a commit",
        ),
    ],
)
def test_a_linked_pull_request_that_did_not_land_or_stay_is_no_fix(unlanded: Answer) -> None:
    assert find(issue(None, [unlanded])) == (None, None)


@pytest.mark.parametrize(
    "history",
    [
        pytest.param(reverted_by('Revert "Change 4"', AFTER), id="reverted after the closing"),
        pytest.param(reverted_by('Revert "Revert "Change 4""', BEFORE), id="the revert was reverted"),
        pytest.param(reverted_by('Revert "Another change"', BEFORE), id="something else was reverted"),
    ],
)
def test_what_stayed_until_the_closing_is_a_fix(history: Answer) -> None:
    found, _ = find(issue(None, [pull(4, history=history)]))

    assert found is not None
    assert found.landed_at == moment(BEFORE)


def test_a_pull_request_closed_by_a_commit_has_landed_with_it() -> None:
    landed = {"__typename": "Commit", "oid": "a" * 40, "committedDate": BEFORE}

    found, link = find(issue(None, [pull(4, None, history=closed_by(landed))]))

    assert found is not None
    assert (link, found.number, found.landed_at) == ("linked_pr", 4, moment(BEFORE))


def test_a_commit_that_names_a_closed_pull_request_has_landed_it() -> None:
    message = f"Guard it (#4)\n\nPull Request resolved: https://github.com/{REPOSITORY}/pull/4"

    found, link = find(issue(None, [pull(4, None)], [commit(message=message)]))

    assert found is not None
    assert (link, found.landed_at) == ("linked_pr", moment(BEFORE))


def test_a_commit_that_closed_the_issue_leads_to_the_pull_request_it_names() -> None:
    message = f"Guard it\n\nFixes #7\n\nPull Request resolved: https://github.com/{REPOSITORY}/pull/4"

    with_facts, link = find(issue(commit(message=message), [pull(4, None)]))
    by_number, _ = find(issue(commit(message=message)))
    by_association, _ = find(issue(commit(associatedPullRequests={"nodes": [pull(9)]})))

    assert with_facts is not None
    assert (link, with_facts.kind, with_facts.number) == ("closer_commit", "pull_request", 4)
    assert with_facts.landed_at == moment(BEFORE)
    assert by_number is not None
    assert (by_number.number, by_number.node, by_number.commit_sha) == (4, None, "c" * 40)
    assert by_association is not None
    assert (by_association.kind, by_association.number) == ("pull_request", 9)


def test_a_commit_that_names_only_the_issue_is_itself_the_fix() -> None:
    found, link = find(issue(commit(message="Guard the loop (#7)")))

    assert found is not None
    assert (link, found.kind, found.commit_sha) == ("closer_commit", "commit", "c" * 40)


def test_a_closer_in_another_repository_is_followed() -> None:
    found, link = find(issue(pull(3, repository=where("acme/engine"))))

    assert found is not None
    assert (link, found.repository, found.landed_at) == ("closer_pr", "acme/engine", moment(BEFORE))


def test_a_project_board_or_a_person_is_no_fix() -> None:
    assert find(issue({"__typename": "ProjectV2"})) == (None, None)
    assert find(issue(None)) == (None, None)


def test_a_keyword_commit_that_was_reverted_or_reverts_gives_way_to_another() -> None:
    first = commit("a" * 40, "Fixes #7 by waiting", EARLIER)
    second = commit("b" * 40, "Fixes #7 by locking", BEFORE)
    revert = commit("d" * 40, f'Revert "Fixes #7 by locking"\n\nThis reverts commit {"b" * 12}.', BEFORE)

    found, link = find(issue(None, [], [first, second, revert]))

    assert found is not None
    assert (link, found.commit_sha) == ("commit_keyword", "a" * 40)


def test_a_keyword_commit_of_another_repository_or_a_fork_is_no_fix() -> None:
    answer = issue(None, [], [commit(message="Fixes #7")])
    answer["references"]["nodes"][0]["isCrossRepository"] = True

    assert find(answer) == (None, None)


@pytest.mark.parametrize(
    ("answer", "hidden"),
    [
        pytest.param(issue(None), True, id="the answer's errors said so"),
        pytest.param(issue(None, [None]), False, id="a linked pull request is null"),
        pytest.param(issue(None, [], [None]), False, id="a commit at the moment of closing is null"),
    ],
)
def test_what_cannot_be_read_is_private(answer: Answer, hidden: bool) -> None:
    assert find(answer, hidden=hidden) == (None, "private")


def test_something_readable_goes_before_something_private() -> None:
    found, link = find(issue(None, [None, pull(4)]), hidden=True)

    assert found is not None
    assert (link, found.number) == ("linked_pr", 4)


@pytest.mark.parametrize(
    ("message", "closes"),
    [
        ("Fixes #7", True),
        ("fixed: #7.", True),
        ("This CLOSES acme/frame#7", True),
        ("resolve GH-7", True),
        ("Closes https://github.com/acme/frame/issues/7", True),
        ("fix #70", False),
        ("fix #17", False),
        ("see #7", False),
        ("prefix #7", False),
        ("fixes other/frame#7", False),
        ("fixes https://github.com/other/frame/issues/7", False),
        ("fixes\n\n#7", True),
        ("", False),
    ],
)
def test_closing_keywords(message: str, closes: bool) -> None:
    assert says_it_closes(message, 7, REPOSITORY) is closes


@pytest.mark.parametrize(
    ("message", "numbers"),
    [
        ("Guard it (#12)", [12]),
        ("Merge pull request #12 from cy/fix\n\nGuard it", [12]),
        ("PR #12: Guard it\n\nImported from GitHub PR https://github.com/acme/frame/pull/12", [12, 12]),
        ("Guard it\n\nPull Request resolved: https://github.com/acme/frame/pull/12", [12]),
        ("Guard it\n\nPull Request resolved: https://github.com/other/frame/pull/12", []),
        ("Guard it\n\nSee #12", []),
    ],
)
def test_pull_requests_a_commit_says_it_is(message: str, numbers: list[int]) -> None:
    assert pull_requests_named(message, REPOSITORY) == numbers
