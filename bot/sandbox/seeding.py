"""Puts recorded issues into the local GitHub: their dates are kept, their nameless people are made up."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from bot.sandbox.calls import Services
from bot.sandbox.state import Account, AccountKind, Commit, FileChange, Issue, Label, PullRequest, Repository

_STATUSES = ("added", "removed", "modified", "renamed")


class Seeder:
    """Turns records of the sandbox schema into issues, comments, pull requests and commits."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._world = services.world

    def account(self, login: str, kind: AccountKind = "User", *, created_at: datetime | None = None) -> Account:
        """Return the account of a login; make it where there is none."""
        known = self._world.account(login)
        if known is not None:
            return known
        moment = created_at or self._world.now()
        if login.endswith("[bot]"):
            kind = "Bot"
        return self._world.add(Account(self._world.new_id("account"), login, kind, moment))

    def label(self, repository: Repository, name: str) -> Label:
        """Return a label of a repository; make it where there is none."""
        known = self._world.labels_of[repository.id].get(name.lower())
        if known is not None:
            return known
        color = hashlib.sha256(name.encode()).hexdigest()[:6]
        return self._world.add(Label(self._world.new_id("label"), repository.id, name, color))

    def issue(self, repository: Repository, record: Mapping[str, Any]) -> tuple[Issue, PullRequest | Commit | None]:
        """Take in one record, still open, with all its comments; return it and its fix.

        A null author is the issue's own made-up person, the same one for every null in that issue. Raise
        ValueError where the number is taken.
        """
        number, created = int(record["number"]), read_moment(record["created_at"])
        if number in self._world.issues_of[repository.id] or number in self._world.pulls_of[repository.id]:
            raise ValueError(f"{self._world.full_name(repository)} already has a number {number}.")
        nameless = f"reporter-{repository.id}-{number}"
        author = self.account(record["author"] or nameless, created_at=created)
        labels = [self.label(repository, name) for name in dict.fromkeys(record["labels"])]
        issue = self._services.issues.open(
            repository, author, clean(record["title"])[:256] or "(no title)", clean(record["body"] or ""), labels,
            number=number, at=created, emit=False,
        )  # fmt: skip
        for comment in record["comments"]:
            moment = read_moment(comment["created_at"])
            writer = self.account(comment["author"] or nameless, created_at=created)
            self._services.comments.create(issue, writer, clean(comment["body"]), at=moment, emit=False)
        fix = record["fix"]
        return issue, self._fix(repository, issue, fix) if fix is not None else None

    def _fix(self, repository: Repository, issue: Issue, fix: Mapping[str, Any]) -> PullRequest | Commit:
        files = [read_file(row) for row in fix["files"] or ()]
        merged = read_moment(fix["merged_at"]) if fix["merged_at"] else None
        message = f"Fix #{issue.number}"
        if fix["kind"] == "commit":
            pushed = self._commit(repository, fix["sha"], message, merged or issue.created_at, files)
            pushed.closes.append(issue.id)
            return pushed
        number = int(fix["number"])
        known = self._world.pulls_of[repository.id].get(number)
        if known is not None:
            known.closes.append(issue.id)
            self._world.closing[issue.id].append(known)
            self._world.touch(known)
            return known
        if number in self._world.issues_of[repository.id]:
            raise ValueError(f"{self._world.full_name(repository)} already has an issue {number}.")
        moment = merged or issue.created_at
        author = self.account(f"contributor-{repository.id}-{number}", created_at=moment)
        sha = fix["sha"] or hashlib.sha1(f"{repository.id}:{number}".encode(), usedforsecurity=False).hexdigest()
        commit = self._commit(repository, sha, f"{message} (#{number})", moment, files, author) if merged else None
        repository.last_number = max(repository.last_number, number)
        pull = PullRequest(
            id=self._world.new_id("pull_request"), repository_id=repository.id, number=number, title=message,
            body=f"Fixes #{issue.number}.", author_id=author.id, created_at=moment, updated_at=moment,
            merged_at=merged, merged_by_id=author.id if merged else None, closed_at=merged,
            base_branch=repository.default_branch, files=files, changed_files=len(files),
            additions=sum(row.additions for row in files), deletions=sum(row.deletions for row in files),
            merge_commit_sha=commit.sha if commit else None, commit_shas=[sha], closes=[issue.id],
        )  # fmt: skip
        self._world.add(pull)
        if commit is not None:
            commit.pull_request_ids.append(pull.id)
        return pull

    def _commit(
        self,
        repository: Repository,
        sha: str,
        message: str,
        moment: datetime,
        files: list[FileChange],
        author: Account | None = None,
    ) -> Commit:
        known = self._world.commits_of[repository.id].get(sha)
        if known is not None:
            return known
        author = author or self.account(f"committer-{repository.id}-{sha[:12]}", created_at=moment)
        return self._world.add(
            Commit(
                id=self._world.new_id("commit"),
                repository_id=repository.id,
                sha=sha,
                message=message,
                committed_at=moment,
                author_id=author.id,
                author_name=author.login,
                files=files,
                additions=sum(row.additions for row in files),
                deletions=sum(row.deletions for row in files),
            )
        )


def read_moment(text: str) -> datetime:
    """Read a date and time with its zone and return it in UTC; raise ValueError where the zone is missing."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone.")
    return moment.astimezone(UTC).replace(microsecond=0)


def read_file(row: Mapping[str, Any]) -> FileChange:
    """Read one changed file; a status that GitHub does not know counts as modified."""
    status = row.get("status")
    return FileChange(
        path=clean(row["path"]),
        status=status if status in _STATUSES else "modified",
        additions=int(row["additions"] or 0),
        deletions=int(row["deletions"] or 0),
    )


def clean(text: str) -> str:
    """Replace lone surrogates, which no text on GitHub can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
