"""REST: repositories, their files, pull requests and commits, permissions of people, users."""

from __future__ import annotations

from bot.sandbox.calls import Call, Reply, Routes
from bot.sandbox.errors import forbidden, invalid, not_found
from bot.sandbox.rights import legacy_permission, role_of
from bot.sandbox.shapes import collaborator_permission, full_user
from bot.sandbox.shapes_repository import (
    api_url,
    change_json,
    commit_json,
    file_json,
    full_repository_json,
    html_url,
    pull_request_json,
    review_json,
)
from bot.sandbox.state import Commit, PullRequest

routes = Routes()
MOST_FILES, COMMIT_PAGE = 3_000, 300


@routes.add("GET", "/repos/{owner}/{repo}", "metadata:read")
def get_repository(call: Call) -> Reply:
    """Return a repository."""
    return Reply(full_repository_json(call.world, call.repository, call.role))


@routes.add("GET", "/repos/{owner}/{repo}/contents/{path:.+}", "contents:read")
def get_file(call: Call) -> Reply:
    """Return a file of the default branch."""
    path = call.params["path"]
    text = call.repository.files.get(path)
    if text is None:
        raise not_found()
    return Reply(file_json(call.world, call.repository, path, text))


@routes.add("GET", "/repos/{owner}/{repo}/collaborators/{login}/permission", "metadata:read")
def get_permission(call: Call) -> Reply:
    """Return what a person may do in a repository that the App is installed on."""
    if not call.caller.covers(call.repository):
        raise forbidden()
    account = call.world.account(call.params["login"])
    if account is None:
        raise not_found()
    role = role_of(call.world, call.repository, account)
    return Reply(collaborator_permission(call.world, account, role, legacy_permission(role)))


@routes.add("GET", "/repos/{owner}/{repo}/pulls/{number}", "pull_requests:read")
def get_pull_request(call: Call) -> Reply:
    """Return a pull request."""
    return Reply(pull_request_json(call.world, call.repository, _pull(call)))


@routes.add("GET", "/repos/{owner}/{repo}/pulls/{number}/files", "pull_requests:read")
def list_files(call: Call) -> Reply:
    """List the files of a pull request, at most 3,000 of them."""
    pull = _pull(call)
    sha = pull.commit_shas[-1] if pull.commit_shas else "0" * 40
    return call.rows(pull.files[:MOST_FILES], lambda row: change_json(call.world, call.repository, sha, row))


@routes.add("GET", "/repos/{owner}/{repo}/pulls/{number}/reviews", "pull_requests:read")
def list_reviews(call: Call) -> Reply:
    """List the reviews of a pull request, the oldest first."""
    pull = _pull(call)
    places = list(range(len(pull.reviews)))
    return call.rows(places, lambda place: review_json(call.world, call.repository, pull, place))


@routes.add("GET", "/repos/{owner}/{repo}/commits/{sha}", "contents:read")
def get_commit(call: Call) -> Reply:
    """Return a commit by its hash or the beginning of it, with 300 of its files a page."""
    commit = _commit(call, call.params["sha"])
    if commit is None:
        raise invalid("Commit", "sha", "invalid", f"No commit found for SHA: {call.params['sha']}")
    shape = commit_json(call.world, call.repository, commit)
    page = call.rows(shape["files"][:MOST_FILES], dict, size=COMMIT_PAGE)
    return Reply(shape | {"files": page.body}, headers=page.headers)


@routes.add("GET", "/repos/{owner}/{repo}/compare/{base:.+}...{head}", "contents:read")
def compare_commits(call: Call) -> Reply:
    """Say how a commit stands to the default branch: it is part of it (behind), or went another way (diverged)."""
    tip, head = call.world.tip(call.repository), _commit(call, call.params["head"])
    if call.params["base"] != call.repository.default_branch or tip is None or head is None:
        raise not_found()
    is_part = head.branch in (None, call.repository.default_branch)
    status = "identical" if head is tip else "behind" if is_part else "diverged"
    base, shown = (commit_json(call.world, call.repository, each) for each in (tip, head))
    url = f"{api_url(call.world, call.repository)}/compare/{call.params['base']}...{head.sha}"
    page = f"{html_url(call.world, call.repository)}/compare/{call.params['base']}...{head.sha}"
    return Reply(
        {
            "url": url,
            "html_url": page,
            "permalink_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "base_commit": base,
            "merge_base_commit": shown if is_part else base,
            "status": status,
            "ahead_by": 0 if is_part else 1,
            "behind_by": 0 if status == "identical" else 1,
            "total_commits": 0 if is_part else 1,
            "commits": [] if is_part else [shown],
            "files": [] if is_part else shown["files"],
        }
    )


@routes.add("GET", "/users/{login}", "any")
def get_user(call: Call) -> Reply:
    """Return a public profile; bots are called `slug[bot]`."""
    account = call.world.account(call.params["login"])
    if account is None:
        raise not_found()
    return Reply(full_user(call.world, account))


def _commit(call: Call, sha: str) -> Commit | None:
    """Find a commit by its hash or a beginning of it that is long enough and nobody else's."""
    wanted = sha.lower()
    found = [commit for sha, commit in call.world.commits_of[call.repository.id].items() if sha.startswith(wanted)]
    return found[0] if len(wanted) >= 7 and len(found) == 1 else None


def _pull(call: Call) -> PullRequest:
    pull = call.world.pulls_of[call.repository.id].get(call.number("number"))
    if pull is None:
        raise not_found()
    return pull
