"""Where the month plays: its repositories, its people and bots, and what the script remembers between two acts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Comment, Issue
from bot.texts.inbox import TITLE
from tests.support.turned_clock import TurnedClock

START = datetime(2027, 11, 1, 8, 0, tzinfo=UTC)
"""A Monday. The virtual month is not the real one, so that nothing of it can be right by accident."""

FILE = ".github/rootcause.yml"
HARBOR, QUAY, ELSEWHERE = "harbor", "quay", "lagoon"
ENGINE, NEW_ENGINE, ATTIC = f"{HARBOR}/engine", f"{HARBOR}/engine-room", f"{HARBOR}/attic"
LIGHTS, CHARTS = f"{QUAY}/lights", f"{QUAY}/charts"
PLACES = {HARBOR: (ENGINE, ATTIC), QUAY: (LIGHTS, CHARTS)}
"""The repositories by owner. Each owner has an installation of its own and its month is a test of its own."""

CONFIGURATIONS = {
    LIGHTS: "mode: active\npropose: label\nlabels:\n  map:\n    'topic: memory': memory-leak\n",
    CHARTS: "mode: active\npropose: comment\ninbox:\n  labels: [pinned]\n",
    ATTIC: "mode: observe\n",
}
"""The engine has no file: its questions stand in its inbox, once it was observed for seven days."""

MAINTAINERS = {"maint-admin": "admin", "maint-lead": "maintain", "maint-core": "write", "maint-docs": "triage",
               "maint-night": "triage"}  # fmt: skip
TRIAGERS = tuple(MAINTAINERS)
WRITERS = ("maint-admin", "maint-lead", "maint-core")
STRANGERS = tuple(f"stranger-{number:02}" for number in range(1, 41))
STALE, LOCKER, GREETER = "stale[bot]", "lock[bot]", "greeter[bot]"


@dataclass
class Stage:
    """The sandbox as acts see it; `names` holds each repository's name as it is now."""

    sandbox: Sandbox
    clock: TurnedClock
    set_up_labels: Callable[[str], Awaitable[None]]
    names: dict[str, str] = field(default_factory=lambda: {name: name for name in (ENGINE, LIGHTS, CHARTS, ATTIC)})
    comments: dict[str, Comment] = field(default_factory=dict)
    open_issues: dict[str, int] = field(default_factory=dict)
    closed: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in (ENGINE, LIGHTS, CHARTS, ATTIC)})

    def inbox(self, repository: str) -> Issue | None:
        """Return the inbox of a repository as GitHub holds it."""
        for issue in self.sandbox.issues(self.names[repository]):
            if issue.author_id == self.sandbox.app.bot_id and issue.title == TITLE:
                return issue
        return None

    def say(self, repository: str, number: int, login: str, body: str, key: str | None = None) -> None:
        """Comment on an issue, unless it is locked against this person or gone; `key` names the comment for later."""
        issue = self.find(repository, number)
        if issue is None or (issue.locked and login not in WRITERS):
            return
        comment = self.sandbox.comment(self.names[repository], number, login, body)
        if key is not None:
            self.comments[key] = comment

    def find(self, repository: str, number: int) -> Issue | None:
        """Return an issue that is still there."""
        issue = self.sandbox.world.issues_of[self.sandbox.repository(self.names[repository]).id].get(number)
        return None if issue is None or issue.deleted or issue.transferred_to is not None else issue

    def recent(self, repository: str, back: int = 1) -> int:
        """Return the number of the issue that was closed last, or so many before it; 0 where nothing was closed yet."""
        numbers = self.closed[repository]
        return numbers[max(0, len(numbers) - max(back, 1))] if numbers else 0


def day(number: int, hour: int = 12, minute: int = 0) -> datetime:
    """Return a moment of a day of the month, the first being 0."""
    return START.replace(hour=hour, minute=minute) + timedelta(days=number)


Act = Callable[[Stage], Awaitable[None] | None]


@dataclass(frozen=True)
class Cue:
    """One act, its moment and its place; acts of one moment happen together, before the bot hears of any of them."""

    at: datetime
    place: str
    act: Act


def prepare(sandbox: Sandbox, owner: str) -> None:
    """Make an owner with its repositories, and everybody who will speak in the month."""
    sandbox.add_owner(ELSEWHERE)
    for login in (*STRANGERS, STALE, LOCKER, GREETER):
        sandbox.add_user(login)
    for name in PLACES[owner]:
        sandbox.add_repository(owner, name.partition("/")[2])
        for login, role in MAINTAINERS.items():
            sandbox.grant(name, login, role)  # type: ignore[arg-type]  # the roles are literals in the table above
        for login in (STALE, LOCKER, GREETER):
            sandbox.grant(name, login, "write")
        if name in CONFIGURATIONS:
            sandbox.put_file(name, FILE, CONFIGURATIONS[name])
