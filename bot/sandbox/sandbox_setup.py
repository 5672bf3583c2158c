"""The Sandbox's Python API, first part: owners, people, repositories, installations, and recorded issues."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Literal

from bot.sandbox.sandbox_core import SandboxCore
from bot.sandbox.seeding import read_file, read_moment
from bot.sandbox.state import (
    Account,
    AccountKind,
    Commit,
    Installation,
    Issue,
    PullRequest,
    Repository,
    Review,
    Role,
)

_FACTS = {field.name for field in fields(Repository)} - {"id", "owner_id", "name", "last_number", "previous_names"}
_PROFILE = {"bio", "company", "followers", "created_at"}


class SandboxSetup(SandboxCore):
    """Fills the local GitHub; what exists already is returned as it is, so that a second run adds nothing."""

    def add_owner(self, login: str, kind: Literal["User", "Organization"] = "Organization") -> Account:
        """Return the owner of repositories; make it where there is none."""
        return self.add_user(login, kind)

    def add_user(self, login: str, kind: AccountKind = "User") -> Account:
        """Return an account; make it where there is none."""
        account = self._seeder.account(login, kind)
        self.world.commit()
        return account

    def describe_user(self, login: str, **facts: Any) -> Account:
        """Set facts of a person's profile: `bio`, `company`, `followers`, `created_at`; TypeError for any other."""
        if not facts.keys() <= _PROFILE:
            raise TypeError(f"A profile has no {', '.join(sorted(facts.keys() - _PROFILE))}.")
        account = self.add_user(login)
        for name, value in facts.items():
            setattr(account, name, value)
        self.world.touch(account)
        self.world.commit()
        return account

    def add_member(self, organization: str, login: str, *, public: bool = True) -> None:
        """Make a person a member of an organization; a private member's association does not show it."""
        owner = self.account(organization)
        owner.members[self.add_user(login).id] = public
        self.world.touch(owner)
        self.world.commit()

    def add_repository(self, owner: str, name: str, **facts: Any) -> Repository:
        """Return a repository; make it where there is none, with facts named as in `state.Repository`.

        Raise TypeError for a fact that a repository has not.
        """
        if not facts.keys() <= _FACTS:
            raise TypeError(f"A repository has no {', '.join(sorted(facts.keys() - _FACTS))}.")
        known = self.world.find_repository(f"{owner}/{name}")
        if known is not None and known[1]:
            return known[0]
        moment = facts.pop("created_at", self.world.now())
        repository = Repository(
            id=self.world.new_id("repository"),
            owner_id=self.add_owner(owner).id,
            name=name,
            created_at=moment,
            updated_at=facts.pop("updated_at", moment),
            **facts,
        )
        self.world.add(repository)
        self.world.commit()
        return repository

    def put_file(self, repository: str, path: str, text: str | None) -> None:
        """Write a file of the default branch, or delete it with None."""
        kept = self.repository(repository)
        if text is None:
            kept.files.pop(path, None)
        else:
            kept.files[path] = text
        self.world.touch(kept)
        self.world.commit()

    def grant(self, repository: str, login: str, role: Role) -> None:
        """Give a person a role in a repository."""
        kept = self.repository(repository)
        kept.collaborators[self.add_user(login).id] = role
        self.world.touch(kept)
        self.world.commit()

    def install(self, owner: str, repositories: Literal["all"] | Iterable[str] = "all") -> Installation:
        """Install the App on all repositories of an owner, or on some named `owner/name` or `name`."""
        account = self.account(owner)
        for installation in self.world.installations.values():
            if installation.account_id == account.id:
                return installation
        chosen: list[Repository] | Literal["all"] = "all"
        if repositories != "all":
            chosen = [self.repository(name if "/" in name else f"{owner}/{name}") for name in repositories]
        installation = self.services.repositories.install(account, chosen)
        self.world.commit()
        return installation

    def permit(self, owner: str, **permissions: str | None) -> None:
        """Change what an installation was granted (`issues="read"`); None takes a permission away."""
        installation = self.installation(owner)
        for name, level in permissions.items():
            if level is None:
                installation.permissions.pop(name, None)
            else:
                installation.permissions[name] = level
        self.world.touch(installation)
        self.world.commit()

    def personal_token(self, login: str) -> str:
        """Make a token with which a person may read what that person can see."""
        token = self.services.callers.personal_token(self.account(login))
        self.world.commit()
        return token.value

    def seed_issue(
        self,
        repository: str,
        record: Mapping[str, Any],
        *,
        close: bool = True,
        closed_by: str | None = None,
        emit: bool = False,
    ) -> Issue:
        """Take in one record of the sandbox schema with its comments and fix; all dates are kept.

        It is closed at its `closed_at` by `closed_by` (default: the repository's owner) through its fix, unless
        `close` is False; only that closing sends a webhook, and only with `emit`. Beyond the schema a record may
        name its `state_reason`. An issue that is there already is returned as it is.
        """
        kept = self.repository(repository)
        known = self.world.issues_of[kept.id].get(int(record["number"]))
        if known is not None:
            return known
        issue, fix = self._seeder.issue(kept, record)
        if close and record["closed_at"]:
            actor = self.account(closed_by) if closed_by else self.world.accounts[kept.owner_id]
            closed = read_moment(record["closed_at"])
            self.services.issues.close(
                issue, actor, record.get("state_reason") or "completed", fix, at=closed, emit=emit
            )
        self.world.commit()
        return issue

    def add_commit(
        self, repository: str, sha: str, message: str, *, login: str | None = None, at: datetime | None = None,
        files: Iterable[Mapping[str, Any]] = (), branch: str | None = None,
    ) -> Commit:  # fmt: skip
        """Push a commit, to the default branch unless another is named; `files` as in the sandbox schema."""
        changes = [read_file(row) for row in files]
        commit = self.world.add(
            Commit(
                id=self.world.new_id("commit"),
                repository_id=self.repository(repository).id,
                sha=sha,
                message=message,
                committed_at=at or self.world.now(),
                author_id=self.account(login).id if login else None,
                author_name=login or "somebody",
                files=changes,
                additions=sum(row.additions for row in changes),
                deletions=sum(row.deletions for row in changes),
                branch=branch,
            )
        )
        self.world.commit()
        return commit

    def add_pull_request(
        self, repository: str, title: str, login: str | None, *, body: str = "", at: datetime | None = None,
        files: Iterable[Mapping[str, Any]] = (), closes: Iterable[int] = (), linked_by_hand: Iterable[int] = (),
        merged_at: datetime | None = None, merged_by: str | None = None, base_branch: str | None = None,
        merge_commit_sha: str | None = None, reviews: Iterable[Review] = (),
    ) -> PullRequest:  # fmt: skip
        """Open a pull request, merged where `merged_at` is given; it closes nothing by itself: call `close`."""
        kept, moment = self.repository(repository), at or self.world.now()
        changes = [read_file(row) for row in files]
        kept.last_number += 1
        pull = PullRequest(
            id=self.world.new_id("pull_request"), repository_id=kept.id, number=kept.last_number, title=title,
            body=body, author_id=self.account(login).id if login else None, created_at=moment,
            updated_at=merged_at or moment, merged_at=merged_at, closed_at=merged_at,
            merged_by_id=self.account(merged_by).id if merged_by else None,
            base_branch=base_branch or kept.default_branch, files=changes, changed_files=len(changes),
            additions=sum(row.additions for row in changes), deletions=sum(row.deletions for row in changes),
            merge_commit_sha=merge_commit_sha, reviews=list(reviews),
            closes=[self.world.issue(kept, number).id for number in closes],
            linked_by_hand=[self.world.issue(kept, number).id for number in linked_by_hand],
        )  # fmt: skip
        commit = self.world.commits_of[kept.id].get(merge_commit_sha or "")
        if commit is not None:
            commit.pull_request_ids.append(pull.id)
            pull.commit_shas.append(commit.sha)
            self.world.touch(commit)
        self.world.touch(kept)
        self.world.add(pull)
        self.world.commit()
        return pull
