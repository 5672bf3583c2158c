"""JSON of repositories, their files and their changes, as the REST API gives them."""

from __future__ import annotations

import base64
import hashlib
from typing import Any
from urllib.parse import quote

from bot.sandbox.identifiers import node_id, small_id
from bot.sandbox.rights import association, permission_flags
from bot.sandbox.shapes import Json, simple_user, stamp, stamp_or_none, user_or_none
from bot.sandbox.state import Account, Commit, FileChange, PullRequest, Repository, Role
from bot.sandbox.world import World

# name of the key, path below the repository's own address
_LINKS = {
    "archive_url": "/{archive_format}{/ref}", "assignees_url": "/assignees{/user}", "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}", "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}", "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}", "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors", "deployments_url": "/deployments", "downloads_url": "/downloads",
    "events_url": "/events", "forks_url": "/forks", "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}", "git_tags_url": "/git/tags{/sha}", "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}", "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}", "keys_url": "/keys{/key_id}", "labels_url": "/labels{/name}",
    "languages_url": "/languages", "merges_url": "/merges", "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}", "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}", "stargazers_url": "/stargazers", "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers", "subscription_url": "/subscription", "tags_url": "/tags", "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}  # fmt: skip


def api_url(world: World, repository: Repository) -> str:
    """Return the address of a repository in the API."""
    return f"{world.base_url}/repos/{world.full_name(repository)}"


def html_url(world: World, repository: Repository) -> str:
    """Return the address of a repository's page."""
    return f"{world.base_url}/web/{world.full_name(repository)}"


def open_issues(world: World, repository: Repository) -> int:
    """Count the open issues and pull requests, as GitHub does."""
    issues = world.issues_of[repository.id].values()
    pulls = world.pulls_of[repository.id].values()
    return sum(i.closed_at is None and not i.deleted for i in issues) + sum(p.closed_at is None for p in pulls)


def repository_json(world: World, repository: Repository) -> Json:
    """Write the form of a repository in lists; webhooks and single answers add to it."""
    url, page = api_url(world, repository), html_url(world, repository)
    count = open_issues(world, repository)
    return {
        "id": repository.id,
        "node_id": node_id("repository", repository.id),
        "name": repository.name,
        "full_name": world.full_name(repository),
        "private": repository.private,
        "owner": simple_user(world, world.accounts[repository.owner_id]),
        "html_url": page,
        "description": repository.description,
        "fork": repository.fork,
        "url": url,
        **{key: url + path for key, path in _LINKS.items()},
        "git_url": page.replace("http:", "git:") + ".git",
        "ssh_url": f"git@localhost:{world.full_name(repository)}.git",
        "clone_url": f"{page}.git",
        "svn_url": page,
        "mirror_url": None,
        "homepage": None,
        "language": repository.language,
        "license": None,
        "topics": [],
        "visibility": "private" if repository.private else "public",
        "is_template": False,
        "web_commit_signoff_required": False,
        "allow_forking": True,
        "size": 0,
        "default_branch": repository.default_branch,
        "has_issues": repository.has_issues,
        "has_projects": False,
        "has_downloads": True,
        "has_wiki": False,
        "has_pages": False,
        "has_discussions": False,
        "archived": repository.archived,
        "disabled": False,
        "stargazers_count": repository.stars,
        "watchers_count": repository.stars,
        "forks_count": repository.forks,
        "open_issues_count": count,
        "forks": repository.forks,
        "watchers": repository.stars,
        "open_issues": count,
        "pushed_at": stamp(repository.updated_at),
        "created_at": stamp(repository.created_at),
        "updated_at": stamp(repository.updated_at),
    }


def webhook_repository_json(world: World, repository: Repository) -> Json:
    """Write the form of a repository in webhooks."""
    return repository_json(world, repository) | {"custom_properties": {}}


def full_repository_json(world: World, repository: Repository, role: Role | None) -> Json:
    """Write the form of a repository asked for by itself; `subscribers_count` is what GitHub's page calls watches."""
    return repository_json(world, repository) | {
        "permissions": permission_flags(role),
        "subscribers_count": repository.watches,
        "network_count": repository.forks,
    }


def file_json(world: World, repository: Repository, path: str, text: str) -> Json:
    """Write one file of the default branch, its text in Base64."""
    raw = text.encode()
    sha = hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()
    url = f"{api_url(world, repository)}/contents/{quote(path)}?ref={quote(repository.default_branch)}"
    git = f"{api_url(world, repository)}/git/blobs/{sha}"
    page = f"{html_url(world, repository)}/blob/{repository.default_branch}/{quote(path)}"
    return {
        "type": "file",
        "encoding": "base64",
        "size": len(raw),
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "content": base64.encodebytes(raw).decode(),
        "sha": sha,
        "url": url,
        "git_url": git,
        "html_url": page,
        "download_url": f"{page}?raw=true",
        "_links": {"self": url, "git": git, "html": page},
    }


def change_json(world: World, repository: Repository, sha: str, change: FileChange) -> Json:
    """Write one changed file of a pull request or commit."""
    blob = hashlib.sha1(f"{sha}:{change.path}".encode(), usedforsecurity=False).hexdigest()
    path = quote(change.path)
    return {
        "sha": blob,
        "filename": change.path,
        "status": change.status,
        "additions": change.additions,
        "deletions": change.deletions,
        "changes": change.additions + change.deletions,
        "blob_url": f"{html_url(world, repository)}/blob/{sha}/{path}",
        "raw_url": f"{html_url(world, repository)}/raw/{sha}/{path}",
        "contents_url": f"{api_url(world, repository)}/contents/{path}?ref={sha}",
    }


def commit_json(world: World, repository: Repository, commit: Commit) -> Json:
    """Write one commit with its totals and all its files."""
    url = f"{api_url(world, repository)}/commits/{commit.sha}"
    signature = {"name": commit.author_name, "email": commit.author_email, "date": stamp(commit.committed_at)}
    tree = hashlib.sha1(f"tree {commit.sha}".encode(), usedforsecurity=False).hexdigest()
    verification = {
        "verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None,
    }  # fmt: skip
    return {
        "sha": commit.sha,
        "node_id": node_id("commit", commit.id),
        "url": url,
        "html_url": f"{html_url(world, repository)}/commit/{commit.sha}",
        "comments_url": f"{url}/comments",
        "commit": {
            "author": signature,
            "committer": signature,
            "message": commit.message,
            "tree": {"sha": tree, "url": f"{api_url(world, repository)}/git/trees/{tree}"},
            "url": f"{api_url(world, repository)}/git/commits/{commit.sha}",
            "comment_count": 0,
            "verification": verification,
        },
        "author": user_or_none(world, commit.author_id),
        "committer": user_or_none(world, commit.author_id),
        "parents": [],
        "stats": {
            "additions": commit.additions,
            "deletions": commit.deletions,
            "total": commit.additions + commit.deletions,
        },
        "files": [change_json(world, repository, commit.sha, change) for change in commit.files],
    }


def _branch(world: World, repository: Repository, owner: Account, name: str, sha: str) -> Json:
    return {
        "label": f"{owner.login}:{name}",
        "ref": name,
        "sha": sha,
        "user": simple_user(world, owner),
        "repo": repository_json(world, repository),
    }


def pull_request_json(world: World, repository: Repository, pull: PullRequest) -> Json:
    """Write one pull request asked for by itself."""
    url = f"{api_url(world, repository)}/pulls/{pull.number}"
    issue_url = f"{api_url(world, repository)}/issues/{pull.number}"
    page = f"{html_url(world, repository)}/pull/{pull.number}"
    owner = world.accounts[repository.owner_id]
    head_sha = pull.commit_shas[-1] if pull.commit_shas else "0" * 40
    statuses = f"{api_url(world, repository)}/statuses/{head_sha}"
    links: dict[str, Any] = {
        "self": url, "html": page, "issue": issue_url, "comments": f"{issue_url}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": f"{api_url(world, repository)}/pulls/comments{{/number}}",
        "commits": f"{url}/commits", "statuses": statuses,
    }  # fmt: skip
    return {
        "id": pull.id,
        "node_id": node_id("pull_request", pull.id),
        "url": url,
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": issue_url,
        "commits_url": links["commits"],
        "review_comments_url": links["review_comments"],
        "review_comment_url": links["review_comment"],
        "comments_url": links["comments"],
        "statuses_url": statuses,
        "number": pull.number,
        "state": "closed" if pull.closed_at else "open",
        "locked": False,
        "title": pull.title,
        "user": simple_user(world, world.accounts[pull.author_id if pull.author_id is not None else owner.id]),
        "body": pull.body,
        "labels": [],
        "milestone": None,
        "assignee": None,
        "assignees": [],
        "requested_reviewers": [],
        "requested_teams": [],
        "created_at": stamp(pull.created_at),
        "updated_at": stamp(pull.updated_at),
        "closed_at": stamp_or_none(pull.closed_at),
        "merged_at": stamp_or_none(pull.merged_at),
        "merge_commit_sha": pull.merge_commit_sha,
        "head": _branch(world, repository, owner, pull.head_branch, head_sha),
        "base": _branch(world, repository, owner, pull.base_branch, pull.merge_commit_sha or "0" * 40),
        "_links": {name: {"href": address} for name, address in links.items()},
        "author_association": association(world, repository, pull.author_id),
        "auto_merge": None,
        "draft": False,
        "merged": pull.merged_at is not None,
        "mergeable": None,
        "rebaseable": None,
        "mergeable_state": "unknown",
        "merged_by": user_or_none(world, pull.merged_by_id),
        "comments": len(world.comments_on.get((repository.id, pull.number), ())),
        "review_comments": sum(len(review.comments) for review in pull.reviews),
        "maintainer_can_modify": False,
        "commits": len(pull.commit_shas),
        "additions": pull.additions,
        "deletions": pull.deletions,
        "changed_files": pull.changed_files,
    }


def review_json(world: World, repository: Repository, pull: PullRequest, position: int) -> Json:
    """Write one review of a pull request."""
    review, url = pull.reviews[position], f"{api_url(world, repository)}/pulls/{pull.number}"
    identity = small_id("review", pull.id, position)
    page = f"{html_url(world, repository)}/pull/{pull.number}#pullrequestreview-{identity}"
    return {
        "id": identity,
        "node_id": node_id("review", pull.id, str(position)),
        "user": user_or_none(world, review.author_id),
        "body": review.body,
        "state": review.state,
        "html_url": page,
        "pull_request_url": url,
        "_links": {"html": {"href": page}, "pull_request": {"href": url}},
        "submitted_at": stamp(review.submitted_at),
        "commit_id": pull.commit_shas[-1] if pull.commit_shas else None,
        "author_association": association(world, repository, review.author_id),
    }
