"""The whole state in memory with its indexes; every change is noted and written through by `commit`."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from typing import Any, TypeVar

from bot.clock import Clock
from bot.sandbox.app_identity import AppIdentity
from bot.sandbox.identifiers import FIRST_ID
from bot.sandbox.records import Delivery, Token, Violation, Write
from bot.sandbox.state import (
    Account,
    Comment,
    Commit,
    Installation,
    Issue,
    Label,
    PullRequest,
    Reaction,
    Repository,
    TimelineEvent,
)
from bot.sandbox.storage import KIND_OF, KINDS, Storage

Kept = TypeVar("Kept")
Thread = tuple[int, int]
Work = tuple[str, int, datetime]


class World:
    """Objects by id and the look-ups that the rest needs.

    `hook_url` is where webhooks go. `codes` are those of Apps just registered, each with its webhook's secret and the
    moment until which it is good.
    `Thread` is (repository id, issue number); `Work` is (commit, issue, pull_request or review; repository id; when).
    """

    app: AppIdentity

    def __init__(self, clock: Clock, storage: Storage, base_url: str) -> None:
        self.clock = clock
        self.base_url = base_url
        self._storage = storage
        self.codes: dict[str, tuple[str, datetime]] = {}
        self.hook_url: str | None = None
        self._kept: dict[str, dict[int, Any]] = {kind: {} for kind in KINDS}
        self._changed: dict[int, Any] = {}
        self._gone: list[tuple[str, int]] = []
        self.values = storage.values()
        self._values_saved = dict(self.values)
        self._last_ids = {kind: int(self.values.get(f"last_id:{kind}", first)) for kind, first in FIRST_ID.items()}
        self.accounts: dict[int, Account] = self._kept["account"]
        self.installations: dict[int, Installation] = self._kept["installation"]
        self.repositories: dict[int, Repository] = self._kept["repository"]
        self.labels: dict[int, Label] = self._kept["label"]
        self.issues: dict[int, Issue] = self._kept["issue"]
        self.comments: dict[int, Comment] = self._kept["comment"]
        self.reactions: dict[int, Reaction] = self._kept["reaction"]
        self.pull_requests: dict[int, PullRequest] = self._kept["pull_request"]
        self.commits: dict[int, Commit] = self._kept["commit"]
        self.tokens: dict[int, Token] = self._kept["token"]
        self.deliveries: dict[int, Delivery] = self._kept["delivery"]
        self.writes: dict[int, Write] = self._kept["write"]
        self.violations: dict[int, Violation] = self._kept["violation"]
        self._account_by_login: dict[str, Account] = {}
        self._token_by_value: dict[str, Token] = {}
        self.issues_of: dict[int, dict[int, Issue]] = defaultdict(dict)
        self.pulls_of: dict[int, dict[int, PullRequest]] = defaultdict(dict)
        self.labels_of: dict[int, dict[str, Label]] = defaultdict(dict)
        self.commits_of: dict[int, dict[str, Commit]] = defaultdict(dict)
        self.comments_on: dict[Thread, list[Comment]] = defaultdict(list)
        self.events_on: dict[Thread, list[TimelineEvent]] = defaultdict(list)
        self.reactions_to: dict[tuple[str, int], list[Reaction]] = defaultdict(list)
        self.closing: dict[int, list[PullRequest]] = defaultdict(list)
        self.contributors_of: dict[int, set[int]] = defaultdict(set)
        self.work_of: dict[int, list[Work]] = defaultdict(list)
        for kept in storage.load():
            self._kept[KIND_OF[type(kept)]][kept.id] = kept
            self._index(kept)

    def now(self) -> datetime:
        """Return the clock's moment in whole seconds, as GitHub stamps everything."""
        return self.clock.now().astimezone(UTC).replace(microsecond=0)

    def new_id(self, kind: str) -> int:
        """Return the next id of a kind; ids are never used twice."""
        self._last_ids[kind] += 1
        self.values[f"last_id:{kind}"] = str(self._last_ids[kind])
        return self._last_ids[kind]

    def add(self, kept: Kept) -> Kept:
        """Take in a new object."""
        number: int = kept.id  # type: ignore[attr-defined]  # every class in KINDS has an id
        self._kept[KIND_OF[type(kept)]][number] = kept
        self._index(kept)
        self._changed[number] = kept
        return kept

    def touch(self, kept: Any) -> None:
        """Note that an object was changed, so that `commit` writes it."""
        self._changed[kept.id] = kept

    def remove(self, kept: Comment | Reaction) -> None:
        """Forget a comment or a reaction."""
        kind = KIND_OF[type(kept)]
        del self._kept[kind][kept.id]
        self._changed.pop(kept.id, None)
        self._gone.append((kind, kept.id))
        if isinstance(kept, Comment):
            self.comments_on[kept.repository_id, kept.number].remove(kept)
        else:
            self.reactions_to[kept.subject, kept.subject_id].remove(kept)

    def commit(self) -> None:
        """Write all changes since the last time in one transaction."""
        values = {name: value for name, value in self.values.items() if self._values_saved.get(name) != value}
        if self._changed or self._gone or values:
            self._storage.save(self._changed.values(), self._gone, values)
            self._changed, self._gone = {}, []
            self._values_saved.update(values)

    def close(self) -> None:
        """Write what is left and close the file."""
        self.commit()
        self._storage.close()

    def account(self, login: str) -> Account | None:
        """Return the account of a login (in any case), or None."""
        return self._account_by_login.get(login.lower())

    def token(self, value: str) -> Token | None:
        """Return a token by its value, or None."""
        return self._token_by_value.get(value)

    def tip(self, repository: Repository) -> Commit | None:
        """Return the newest commit of a repository's default branch; None where there is none."""
        landed = [
            row for row in self.commits_of[repository.id].values() if row.branch in (None, repository.default_branch)
        ]
        return max(landed, key=lambda row: (row.committed_at, row.id), default=None)

    def full_name(self, repository: Repository) -> str:
        """Return `owner/name` as it is now."""
        return f"{self.accounts[repository.owner_id].login}/{repository.name}"

    def find_repository(self, full_name: str) -> tuple[Repository, bool] | None:
        """Return the repository of a name and whether that is its name today (else it moved), or None."""
        wanted = full_name.lower()
        moved = None
        for repository in self.repositories.values():
            if self.full_name(repository).lower() == wanted:
                return repository, True
            if wanted in repository.previous_names:
                moved = repository
        return (moved, False) if moved else None

    def issue(self, repository: Repository, number: int) -> Issue:
        """Return an issue that must exist; a KeyError means that the caller was wrong."""
        return self.issues_of[repository.id][number]

    def pinned(self, repository: Repository) -> list[Issue]:
        """Return a repository's pinned issues, the one that was pinned first before the others."""
        found = [(row.pinned_at, row) for row in self.issues_of[repository.id].values() if row.pinned_at is not None]
        found.sort(key=lambda one: (one[0], one[1].id))
        return [row for _, row in found if not row.deleted and row.transferred_to is None]

    def installation_of(self, repository: Repository) -> Installation | None:
        """Return the App's installation that covers a repository, suspended or not, or None."""
        for installation in self.installations.values():
            if installation.account_id == repository.owner_id and (
                installation.selection == "all" or repository.id in installation.repository_ids
            ):
                return installation
        return None

    def rename_account(self, account: Account, login: str) -> None:
        """Give an account another login; the old one is free for anybody."""
        del self._account_by_login[account.login.lower()]
        account.login = login
        self._account_by_login[login.lower()] = account
        self.touch(account)

    def drop_installation(self, installation: Installation) -> None:
        """Forget an installation; its tokens die with it."""
        del self.installations[installation.id]
        self._changed.pop(installation.id, None)
        self._gone.append(("installation", installation.id))

    def drop_repository(self, repository: Repository) -> None:
        """Forget a repository; what was in it can no longer be reached."""
        del self.repositories[repository.id]
        self._changed.pop(repository.id, None)
        self._gone.append(("repository", repository.id))

    def _index(self, kept: Any) -> None:
        match kept:
            case Account():
                self._account_by_login[kept.login.lower()] = kept
            case Token():
                self._token_by_value[kept.value] = kept
            case Issue():
                self.issues_of[kept.repository_id][kept.number] = kept
                self._note_work("issue", kept.repository_id, kept.author_id, kept.created_at)
            case PullRequest():
                self.pulls_of[kept.repository_id][kept.number] = kept
                for issue_id in (*kept.closes, *kept.linked_by_hand):
                    self.closing[issue_id].append(kept)
                if kept.merged_at is not None and kept.author_id is not None:
                    self.contributors_of[kept.repository_id].add(kept.author_id)
                self._note_work("pull_request", kept.repository_id, kept.author_id, kept.created_at)
                for review in kept.reviews:
                    self._note_work("review", kept.repository_id, review.author_id, review.submitted_at)
            case Label():
                self.labels_of[kept.repository_id][kept.name.lower()] = kept
            case Commit():
                self.commits_of[kept.repository_id][kept.sha] = kept
                self._note_work("commit", kept.repository_id, kept.author_id, kept.committed_at)
            case Comment():
                self.comments_on[kept.repository_id, kept.number].append(kept)
            case TimelineEvent():
                self.events_on[kept.repository_id, kept.number].append(kept)
            case Reaction():
                self.reactions_to[kept.subject, kept.subject_id].append(kept)
            case _:
                pass

    def _note_work(self, kind: str, repository_id: int, account_id: int | None, moment: datetime) -> None:
        if account_id is not None:
            self.work_of[account_id].append((kind, repository_id, moment))
