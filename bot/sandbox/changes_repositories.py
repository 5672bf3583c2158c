"""What happens to repositories and installations: renames, transfers, privacy, uninstalling, suspension."""

from __future__ import annotations

from typing import Literal

from bot.sandbox.changes_issues import IssueChanges
from bot.sandbox.identifiers import node_id
from bot.sandbox.outbox import Outbox, organization_json
from bot.sandbox.shapes import Json, installation_json, simple_user
from bot.sandbox.shapes_issue import issue_json
from bot.sandbox.shapes_repository import webhook_repository_json
from bot.sandbox.state import Account, Installation, Issue, Repository
from bot.sandbox.world import World


class RepositoryChanges:
    """Changes of repositories and of what the App is installed on."""

    def __init__(self, world: World, outbox: Outbox, issues: IssueChanges) -> None:
        self._world = world
        self._outbox = outbox
        self._issues = issues

    def install(self, account: Account, repositories: list[Repository] | Literal["all"]) -> Installation:
        """Install the App on all or some repositories of an account."""
        now = self._world.now()
        chosen = [] if repositories == "all" else repositories
        installation = self._world.add(
            Installation(
                id=self._world.new_id("installation"),
                account_id=account.id,
                selection="all" if repositories == "all" else "selected",
                created_at=now,
                updated_at=now,
                permissions=dict(self._world.app.permissions),
                events=list(self._world.app.events),
                repository_ids=[repository.id for repository in chosen],
            )
        )
        self._installation_event("created", installation, account, repositories=self._short(self.covered(installation)))
        return installation

    def uninstall(self, installation: Installation) -> None:
        """Remove the App; its tokens stop working."""
        account = self._world.accounts[installation.account_id]
        covered = self._short(self.covered(installation))
        self._world.drop_installation(installation)
        self._installation_event("deleted", installation, account, repositories=covered)

    def suspend(self, installation: Installation) -> None:
        """Suspend the App: its tokens are refused and no more webhooks are sent."""
        account = self._world.accounts[installation.account_id]
        installation.suspended_at, installation.suspended_by_id = self._world.now(), account.id
        self._changed(installation)
        self._installation_event("suspend", installation, account)

    def unsuspend(self, installation: Installation) -> None:
        """End a suspension."""
        installation.suspended_at, installation.suspended_by_id = None, None
        self._changed(installation)
        self._installation_event("unsuspend", installation, self._world.accounts[installation.account_id])

    def select(self, installation: Installation, added: list[Repository], removed: list[Repository]) -> None:
        """Add repositories to an installation with selected repositories, or take some out."""
        leaving = {repository.id for repository in removed}
        kept = [repository_id for repository_id in installation.repository_ids if repository_id not in leaving]
        installation.repository_ids = kept + [repository.id for repository in added]
        self._changed(installation)
        for action, some in (("added", added), ("removed", removed)):
            if some:
                self._selection_event(action, installation, some)

    def rename(self, repository: Repository, name: str, actor: Account) -> None:
        """Rename a repository; the old name redirects."""
        before = repository.name
        repository.previous_names.append(self._world.full_name(repository).lower())
        repository.name = name
        self._changed(repository)
        changes = {"repository": {"name": {"from": before}}}
        self._outbox.repository_event("repository", "renamed", repository, actor, changes=changes)

    def transfer(self, repository: Repository, owner: Account, actor: Account) -> None:
        """Give a repository to another owner: the App loses it at the one, and has it at the other if installed there.

        On all repositories, that is: who chose some gets no further one by a gift.
        """
        before, left = self._world.accounts[repository.owner_id], self._world.installation_of(repository)
        repository.previous_names.append(self._world.full_name(repository).lower())
        repository.owner_id = owner.id
        self._changed(repository)
        if left is not None and left.selection == "selected":
            self.select(left, [], [repository])
        elif left is not None:
            self._selection_event("removed", left, [repository])
        gained = self._world.installation_of(repository)
        if gained is not None:
            self._selection_event("added", gained, [repository])
        if before.kind == "Organization":
            giver = {"organization": organization_json(self._world, before)}
        else:
            giver = {"user": simple_user(self._world, before)}
        changes = {"owner": {"from": giver}}
        self._outbox.repository_event("repository", "transferred", repository, actor, changes=changes)

    def archive(self, repository: Repository, actor: Account) -> None:
        """Make a repository read-only."""
        repository.archived = True
        self._changed(repository)
        self._outbox.repository_event("repository", "archived", repository, actor)

    def unarchive(self, repository: Repository, actor: Account) -> None:
        """Let a repository be written to again."""
        repository.archived = False
        self._changed(repository)
        self._outbox.repository_event("repository", "unarchived", repository, actor)

    def privatize(self, repository: Repository, actor: Account) -> None:
        """Make a repository private."""
        repository.private = True
        self._changed(repository)
        self._outbox.repository_event("repository", "privatized", repository, actor)

    def publicize(self, repository: Repository, actor: Account) -> None:
        """Make a repository public."""
        repository.private = False
        self._changed(repository)
        self._outbox.repository_event("repository", "publicized", repository, actor)

    def delete(self, repository: Repository, actor: Account) -> None:
        """Delete a repository with everything in it."""
        self._outbox.repository_event("repository", "deleted", repository, actor)
        self._world.drop_repository(repository)

    def transfer_issue(self, issue: Issue, target: Repository, actor: Account) -> Issue:
        """Move an issue to another repository, where it is a new issue with a new id and number."""
        world = self._world
        source = world.repositories[issue.repository_id]
        author = world.accounts[issue.author_id] if issue.author_id is not None else actor
        moved = self._issues.open(target, author, issue.title, issue.body, [], at=issue.created_at, emit=False)
        for comment in list(world.comments_on[issue.repository_id, issue.number]):
            world.remove(comment)
            comment.repository_id, comment.number = target.id, moved.number
            world.add(comment)
        moved.closed_at, moved.closed_by_id = issue.closed_at, issue.closed_by_id
        moved.state_reason = issue.state_reason
        self._issues.note(moved, "transferred", actor, world.now(), from_repository_id=source.id)
        new = {"new_issue": issue_json(world, moved), "new_repository": webhook_repository_json(world, target)}
        self._outbox.issue("transferred", issue, actor, changes=new)
        issue.transferred_to = moved.id
        world.touch(issue)
        old = {"old_issue": issue_json(world, issue), "old_repository": webhook_repository_json(world, source)}
        self._outbox.issue("opened", moved, actor, changes=old)
        return moved

    def covered(self, installation: Installation) -> list[Repository]:
        """List the repositories an installation covers."""
        return [
            repository
            for repository in self._world.repositories.values()
            if repository.owner_id == installation.account_id
            and (installation.selection == "all" or repository.id in installation.repository_ids)
        ]

    def _changed(self, kept: Repository | Installation) -> None:
        kept.updated_at = max(kept.updated_at, self._world.now())
        self._world.touch(kept)

    def _short(self, repositories: list[Repository]) -> list[Json]:
        return [
            {
                "id": repository.id,
                "node_id": node_id("repository", repository.id),
                "name": repository.name,
                "full_name": self._world.full_name(repository),
                "private": repository.private,
            }
            for repository in repositories
        ]

    def _selection_event(self, action: str, installation: Installation, some: list[Repository]) -> None:
        payload = {
            "installation": installation_json(self._world, installation),
            "repository_selection": installation.selection,
            "repositories_added": self._short(some) if action == "added" else [],
            "repositories_removed": self._short(some) if action == "removed" else [],
            "requester": None,
            "sender": simple_user(self._world, self._world.accounts[installation.account_id]),
        }
        self._outbox.send("installation_repositories", action, payload, installation, None)

    def _installation_event(self, action: str, installation: Installation, sender: Account, **extra: object) -> None:
        payload = {
            "installation": installation_json(self._world, installation),
            "sender": simple_user(self._world, sender),
            **extra,
        }
        self._outbox.send("installation", action, payload, installation, None)
