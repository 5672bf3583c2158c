"""The Sandbox's Python API, second part: what people do, each act sending the webhook GitHub would send."""

from __future__ import annotations

from datetime import datetime

from bot.sandbox.graphql_pins import MOST_PINNED
from bot.sandbox.sandbox_core import SandboxCore
from bot.sandbox.state import Account, Comment, Commit, EventKind, Issue, PullRequest, Repository, StateReason


class SandboxActs(SandboxCore):
    """Acts of people by login; `emit=False` does the same without a webhook."""

    def rename_user(self, login: str, new_login: str) -> Account:
        """Change a person's login; GitHub sends nothing of it."""
        account = self.account(login)
        self.world.rename_account(account, new_login)
        self.world.commit()
        return account

    def delete_user(self, login: str) -> None:
        """Delete a person's account; what it wrote stays, and belongs to nobody."""
        account = self.account(login)
        account.deleted = True
        self.world.touch(account)
        self.world.commit()

    def open_issue(
        self, repository: str, login: str, title: str, body: str = "", labels: tuple[str, ...] = (), *,
        at: datetime | None = None, emit: bool = True,
    ) -> Issue:  # fmt: skip
        """Open an issue; labels that do not exist are made."""
        kept = self.repository(repository)
        issue = self.services.issues.open(
            kept, self.account(login), title, body, self._labels(kept, labels), at=at, emit=emit
        )
        self.world.commit()
        return issue

    def close(
        self, repository: str, number: int, by: str, state_reason: StateReason = "completed",
        closer: PullRequest | Commit | None = None, *, at: datetime | None = None, emit: bool = True,
    ) -> Issue:  # fmt: skip
        """Close an issue, by hand or through `closer`."""
        issue = self.issue(repository, number)
        self.services.issues.close(issue, self.account(by), state_reason, closer, at=at, emit=emit)
        return self._done(issue)

    def reopen(self, repository: str, number: int, by: str, *, at: datetime | None = None, emit: bool = True) -> Issue:
        """Reopen an issue."""
        issue = self.issue(repository, number)
        self.services.issues.reopen(issue, self.account(by), at=at, emit=emit)
        return self._done(issue)

    def comment(
        self, repository: str, number: int, login: str | None, body: str, *, at: datetime | None = None,
        emit: bool = True,
    ) -> Comment:  # fmt: skip
        """Comment on an issue or pull request; a login of None is a deleted account."""
        subject = self._subject(repository, number)
        author = self.account(login) if login is not None else None
        comment = self.services.comments.create(subject, author, body, at=at, emit=emit)
        self.world.commit()
        return comment

    def edit_comment(self, comment_id: int, login: str, body: str, *, emit: bool = True) -> None:
        """Change a comment's text."""
        self.services.comments.edit(self.world.comments[comment_id], self.account(login), body, emit=emit)
        self.world.commit()

    def delete_comment(self, comment_id: int, login: str, *, emit: bool = True) -> None:
        """Delete a comment."""
        self.services.comments.delete(self.world.comments[comment_id], self.account(login), emit=emit)
        self.world.commit()

    def edit_issue(
        self, repository: str, number: int, login: str, *, title: str | None = None, body: str | None = None,
        at: datetime | None = None, emit: bool = True,
    ) -> Issue:  # fmt: skip
        """Change an issue's title or body (ticking a box is such a change)."""
        issue = self.issue(repository, number)
        self.services.issues.edit(issue, self.account(login), title=title, body=body, at=at, emit=emit)
        return self._done(issue)

    def label(self, repository: str, number: int, login: str, name: str, *, emit: bool = True) -> Issue:
        """Put a label on an issue; it is made where there is none."""
        issue, kept = self.issue(repository, number), self.repository(repository)
        self.services.issues.label(issue, self._seeder.label(kept, name), self.account(login), emit=emit)
        return self._done(issue)

    def unlabel(self, repository: str, number: int, login: str, name: str, *, emit: bool = True) -> Issue:
        """Take a label off an issue."""
        issue, kept = self.issue(repository, number), self.repository(repository)
        self.services.issues.unlabel(issue, self._seeder.label(kept, name), self.account(login), emit=emit)
        return self._done(issue)

    def lock(self, repository: str, number: int, by: str, reason: str | None = None, *, emit: bool = True) -> Issue:
        """Lock an issue's conversation."""
        issue = self.issue(repository, number)
        self.services.issues.lock(issue, self.account(by), reason, emit=emit)
        return self._done(issue)

    def unlock(self, repository: str, number: int, by: str, *, emit: bool = True) -> Issue:
        """Unlock an issue's conversation."""
        issue = self.issue(repository, number)
        self.services.issues.unlock(issue, self.account(by), emit=emit)
        return self._done(issue)

    def pin(self, repository: str, number: int, by: str) -> Issue:
        """Pin an issue above its repository's list; raise ValueError where three are pinned already."""
        issue = self.issue(repository, number)
        if len(self.world.pinned(self.repository(repository))) >= MOST_PINNED:
            raise ValueError(f"{repository} has {MOST_PINNED} pinned issues already.")
        issue.pinned_at, issue.pinned_by_id = self.world.now(), self.account(by).id
        self.world.touch(issue)
        return self._done(issue)

    def unpin(self, repository: str, number: int) -> Issue:
        """Unpin an issue."""
        issue = self.issue(repository, number)
        issue.pinned_at = issue.pinned_by_id = None
        self.world.touch(issue)
        return self._done(issue)

    def mark_duplicate(self, repository: str, number: int, of: int, by: str) -> Issue:
        """Mark an issue as the duplicate of another one of the same repository (it is closed by `close`)."""
        issue, canonical = self.issue(repository, number), self.issue(repository, of)
        self.services.issues.note(
            issue, "marked_as_duplicate", self.account(by), self.world.now(), source_issue_id=canonical.id
        )
        return self._done(issue)

    def cross_reference(
        self, repository: str, number: int, source: Issue | PullRequest, by: str, *, will_close: bool = False
    ) -> None:
        """Note that another issue or pull request mentions this issue or pull request."""
        self._link(repository, number, "cross-referenced", source, by, will_close=will_close)

    def connect(self, repository: str, number: int, pull: PullRequest, by: str) -> None:
        """Note that a person linked a pull request to this issue by hand."""
        issue = self.issue(repository, number)
        pull.linked_by_hand.append(issue.id)
        self.world.touch(pull)
        self.world.closing[issue.id].append(pull)
        self._link(repository, number, "connected", pull, by)

    def reference(self, repository: str, number: int, commit: Commit, by: str, *, at: datetime | None = None) -> None:
        """Note that a commit's message names this issue or pull request."""
        subject = self._subject(repository, number)
        self.services.issues.note(subject, "referenced", self.account(by), at or self.world.now(), commit_id=commit.id)
        self.world.commit()

    def react(self, repository: str, number: int, login: str, content: str, comment_id: int | None = None) -> None:
        """React to an issue's description or to one of its comments."""
        account = self.account(login)
        if comment_id is not None:
            self.services.comments.react("comment", comment_id, account, content)
        else:
            self.services.comments.react("issue", self.issue(repository, number).id, account, content)
        self.world.commit()

    def close_pull_request(
        self, repository: str, number: int, by: str, closer: Commit | None = None, *, at: datetime | None = None
    ) -> None:
        """Close a pull request without merging it, by hand or because a commit with its changes was pushed."""
        pull, moment = self.pull_request(repository, number), at or self.world.now()
        pull.closed_at = pull.updated_at = moment
        self.world.touch(pull)
        closer_id = closer.id if closer else None
        self.services.issues.note(pull, "closed", self.account(by), moment, closer_commit_id=closer_id)
        self.world.commit()

    def delete_issue(self, repository: str, number: int, by: str, *, emit: bool = True) -> None:
        """Delete an issue."""
        self.services.issues.delete(self.issue(repository, number), self.account(by), emit=emit)
        self.world.commit()

    def transfer_issue(self, repository: str, number: int, target: str, by: str) -> Issue:
        """Move an issue to another repository and return the new one."""
        issue = self.issue(repository, number)
        moved = self.services.repositories.transfer_issue(issue, self.repository(target), self.account(by))
        return self._done(moved)

    def rename_repository(self, repository: str, name: str) -> Repository:
        """Rename a repository; its old name redirects."""
        kept = self.repository(repository)
        self.services.repositories.rename(kept, name, self._owner(kept))
        return self._kept(kept)

    def transfer_repository(self, repository: str, owner: str) -> Repository:
        """Give a repository to another owner."""
        kept = self.repository(repository)
        self.services.repositories.transfer(kept, self.account(owner), self._owner(kept))
        return self._kept(kept)

    def archive(self, repository: str) -> Repository:
        """Make a repository read-only."""
        kept = self.repository(repository)
        self.services.repositories.archive(kept, self._owner(kept))
        return self._kept(kept)

    def privatize(self, repository: str) -> Repository:
        """Make a repository private."""
        kept = self.repository(repository)
        self.services.repositories.privatize(kept, self._owner(kept))
        return self._kept(kept)

    def unarchive(self, repository: str) -> Repository:
        """Let an archived repository be written to again."""
        kept = self.repository(repository)
        self.services.repositories.unarchive(kept, self._owner(kept))
        return self._kept(kept)

    def publicize(self, repository: str) -> Repository:
        """Make a private repository public."""
        kept = self.repository(repository)
        self.services.repositories.publicize(kept, self._owner(kept))
        return self._kept(kept)

    def delete_repository(self, repository: str) -> None:
        """Delete a repository."""
        kept = self.repository(repository)
        self.services.repositories.delete(kept, self._owner(kept))
        self.world.commit()

    def uninstall(self, owner: str) -> None:
        """Remove the App from an account."""
        self.services.repositories.uninstall(self.installation(owner))
        self.world.commit()

    def suspend(self, owner: str) -> None:
        """Suspend the App on an account."""
        self.services.repositories.suspend(self.installation(owner))
        self.world.commit()

    def unsuspend(self, owner: str) -> None:
        """End a suspension."""
        self.services.repositories.unsuspend(self.installation(owner))
        self.world.commit()

    def select_repositories(self, owner: str, add: tuple[str, ...] = (), remove: tuple[str, ...] = ()) -> None:
        """Add repositories (`owner/name`) to an installation with selected ones, or take some out."""
        added, removed = ([self.repository(name) for name in names] for names in (add, remove))
        self.services.repositories.select(self.installation(owner), added, removed)
        self.world.commit()

    def _subject(self, repository: str, number: int) -> Issue | PullRequest:
        pull = self.world.pulls_of[self.repository(repository).id].get(number)
        return pull if pull is not None else self.issue(repository, number)

    def _link(
        self, repository: str, number: int, kind: EventKind, source: Issue | PullRequest, by: str, **facts: bool
    ) -> None:
        key = "source_pull_request_id" if isinstance(source, PullRequest) else "source_issue_id"
        subject, account = self._subject(repository, number), self.account(by)
        self.services.issues.note(subject, kind, account, self.world.now(), **{key: source.id}, **facts)
        self.world.commit()

    def _owner(self, repository: Repository) -> Account:
        return self.world.accounts[repository.owner_id]

    def _done(self, issue: Issue) -> Issue:
        self.world.commit()
        return issue

    def _kept(self, repository: Repository) -> Repository:
        self.world.commit()
        return repository
