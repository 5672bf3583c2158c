"""What every part of the Sandbox's Python API stands on: the state, and how names are looked up."""

from __future__ import annotations

from pathlib import Path

from bot.clock import Clock
from bot.sandbox.app_identity import AppIdentity, new_private_key
from bot.sandbox.callers import Callers
from bot.sandbox.calls import Services
from bot.sandbox.changes_comments import CommentChanges
from bot.sandbox.changes_issues import IssueChanges
from bot.sandbox.changes_repositories import RepositoryChanges
from bot.sandbox.limits import LimitKeeper, Limits
from bot.sandbox.outbox import Outbox
from bot.sandbox.seeding import Seeder
from bot.sandbox.shapes_issue import issue_page
from bot.sandbox.state import Account, Comment, Commit, Installation, Issue, Label, PullRequest, Repository
from bot.sandbox.storage import Storage
from bot.sandbox.world import World


class SandboxCore:
    """Builds the state, loading what an earlier process left behind."""

    def __init__(
        self, clock: Clock, storage_path: Path | None, app_id: int, slug: str, limits: Limits, private_key: str | None
    ) -> None:
        self.world = World(clock, Storage(storage_path), "http://127.0.0.1")
        self._make_app(app_id, slug, private_key)
        outbox = Outbox(self.world)
        issues, comments = IssueChanges(self.world, outbox), CommentChanges(self.world, outbox)
        self.services = Services(
            world=self.world,
            callers=Callers(self.world),
            outbox=outbox,
            issues=issues,
            comments=comments,
            repositories=RepositoryChanges(self.world, outbox, issues),
            limits=LimitKeeper(self.world, limits),
        )
        self._seeder = Seeder(self.services)
        self.world.commit()

    @property
    def app(self) -> AppIdentity:
        """The App's number, slug and key pair."""
        return self.world.app

    def account(self, login: str) -> Account:
        """Return an account; raise KeyError where there is none."""
        found = self.world.account(login)
        if found is None:
            raise KeyError(f"There is no account {login!r} in the local GitHub.")
        return found

    def repository(self, name: str) -> Repository:
        """Return a repository by `owner/name`, an old name included; raise KeyError where there is none."""
        found = self.world.find_repository(name)
        if found is None:
            raise KeyError(f"There is no repository {name!r} in the local GitHub.")
        return found[0]

    def issue(self, repository: str, number: int) -> Issue:
        """Return an issue; raise KeyError where there is none."""
        return self.world.issue(self.repository(repository), number)

    def issues(self, repository: str) -> list[Issue]:
        """Return a repository's issues that were neither deleted nor transferred, in the order they came."""
        rows = self.world.issues_of[self.repository(repository).id].values()
        return [row for row in rows if not row.deleted and row.transferred_to is None]

    def pull_request(self, repository: str, number: int) -> PullRequest:
        """Return a pull request; raise KeyError where there is none."""
        return self.world.pulls_of[self.repository(repository).id][number]

    def fix_of(self, repository: str, number: int) -> PullRequest | Commit | None:
        """Return the pull request linked to an issue, else the commit that names it as fixed, else None."""
        issue = self.issue(repository, number)
        linked = self.world.closing.get(issue.id)
        if linked:
            return linked[0]
        commits = self.world.commits_of[issue.repository_id].values()
        return next((commit for commit in commits if issue.id in commit.closes), None)

    def page_url(self, repository: str, number: int) -> str:
        """Return the address of an issue's page."""
        return issue_page(self.world, self.issue(repository, number))

    def comments(self, repository: str, number: int) -> list[Comment]:
        """Return the comments of an issue or pull request in the order they were written."""
        return list(self.world.comments_on.get((self.repository(repository).id, number), ()))

    def reactions(self, repository: str, number: int, comment_id: int | None = None) -> list[tuple[str, str]]:
        """Return (login, content) of the reactions to an issue's description or to one of its comments."""
        subject = ("comment", comment_id) if comment_id is not None else ("issue", self.issue(repository, number).id)
        rows = self.world.reactions_to.get(subject, ())
        return [(self.world.accounts[row.account_id].login, row.content) for row in rows]

    def labels(self, repository: str, number: int) -> list[str]:
        """Return the names of an issue's labels."""
        return [self.world.labels[label_id].name for label_id in self.issue(repository, number).label_ids]

    def installation(self, owner: str) -> Installation:
        """Return the App's installation on an account; raise KeyError where there is none."""
        account = self.account(owner)
        for row in self.world.installations.values():
            if row.account_id == account.id:
                return row
        raise KeyError(f"The App is not installed on {owner!r}.")

    def _labels(self, repository: Repository, names: tuple[str, ...]) -> list[Label]:
        return [self._seeder.label(repository, name) for name in names]

    def _make_app(self, app_id: int, slug: str, private_key: str | None) -> None:
        """Make the App's owner, its bot and its key once; later processes find them in the storage."""
        world = self.world
        owner = world.account(f"{slug}-operator") or world.add(
            Account(world.new_id("account"), f"{slug}-operator", "User", world.now())
        )
        bot = world.account(f"{slug}[bot]") or world.add(
            Account(world.new_id("account"), f"{slug}[bot]", "Bot", world.now())
        )
        if "private_key" not in world.values:
            world.values["private_key"] = private_key or new_private_key()
        world.app = AppIdentity(
            id=app_id,
            slug=slug,
            name=slug.capitalize(),
            owner_id=owner.id,
            bot_id=bot.id,
            private_key=world.values["private_key"],
        )
