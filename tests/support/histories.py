"""Issues' lives on the sandbox, drawn at random: everything that may happen to them, one act after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Commit, Issue, PullRequest, Review
from tests.support.clock import VirtualClock

FRAME, OTHER, HIDDEN = "acme/frame", "acme/other", "secret/vault"
PEOPLE = ("ann", "bob", "cy", "helper[bot]", None)
LABELS = ("bug", "question", "stale", "duplicate", "status: reproduced", "enhancement")
BODIES = (
    "It crashes.",
    "The process grows by 40 MB an epoch and is never released, until the machine has no memory left at all.",
    "Steps:\n\n```python\nfor batch in loader:\n    step(batch)\n```\n\n[log.txt](https://github.com/user-attachments/files/1/log.txt)",
    "### Feature request\n\nPlease add another way to load images from disk, since this one is slow.",
    "",
)
TITLES = ("It crashes at start", "[Feature request] Crash less", "Crash", "It crashes when it starts")
SAYINGS = ("Me too.", "I can reproduce this.", "Closing because of no activity.", "Thanks, it works now.")

ACTS = (
    "comment", "comment", "comment", "label", "unlabel", "edit_body", "edit_title", "close", "close", "close_by_pull",
    "close_by_commit", "close_by_hidden", "reopen", "lock", "delete_comment", "delete_issue", "transfer",
    "merge_linked", "revert", "link_late", "talk_on_fix", "commit_says_so",
)  # fmt: skip
"""What may happen; some more often."""


@dataclass(frozen=True)
class Act:
    """One act on one of the issues, with the choices it needs."""

    kind: str
    issue: int
    choice: int
    hours: int


lives = st.lists(
    st.builds(Act, st.sampled_from(ACTS), st.integers(0, 2), st.integers(0, 59), st.integers(1, 40)),
    min_size=4,
    max_size=30,
)
"""Acts on three issues."""


@dataclass
class History:
    """Carries acts out. `late` are issues whose fix showed only after their closing: those are looked up again."""

    sandbox: Sandbox
    clock: VirtualClock
    issues: list[Issue] = field(default_factory=list)
    late: set[int] = field(default_factory=set)
    fixes: dict[int, list[PullRequest]] = field(default_factory=dict)
    _shas: int = 0

    def begin(self) -> None:
        """Make the places and three open issues, the second one by nobody that is left."""
        sandbox = self.sandbox
        for name in (FRAME, OTHER, HIDDEN):
            owner, _, short = name.partition("/")
            sandbox.add_owner(owner)
            sandbox.add_repository(owner, short, private=name == HIDDEN)
        for login in PEOPLE:
            if login is not None:
                sandbox.add_user(login)
        sandbox.add_member("acme", "bob")
        sandbox.grant(FRAME, "cy", "write")
        for body in BODIES[:3]:
            self.issues.append(sandbox.open_issue(FRAME, "ann", "It crashes at the start", body, ("bug",)))
            self.clock.advance(hours=1)
        self.issues[1].author_id = None

    def do(self, act: Act) -> None:
        """Carry out an act where it is possible now."""
        self.clock.advance(hours=act.hours)
        issue = self.issues[act.issue]
        if issue.deleted:
            return
        name = self.sandbox.world.full_name(self.sandbox.world.repositories[issue.repository_id])
        acts: dict[str, Callable[[str, Issue, int], Any]] = {kind: getattr(self, f"_{kind}") for kind in set(ACTS)}
        acts[act.kind](name, issue, act.choice)

    def _comment(self, name: str, issue: Issue, choice: int) -> None:
        login = PEOPLE[choice % len(PEOPLE)]
        if not issue.locked:
            self.sandbox.comment(name, issue.number, login, SAYINGS[choice % len(SAYINGS)], at=self.clock.now())

    def _label(self, name: str, issue: Issue, choice: int) -> None:
        self.sandbox.label(name, issue.number, "bob", LABELS[choice % len(LABELS)])

    def _unlabel(self, name: str, issue: Issue, choice: int) -> None:
        on = self.sandbox.labels(name, issue.number)
        if on:
            self.sandbox.unlabel(name, issue.number, "bob", on[choice % len(on)])

    def _edit_body(self, name: str, issue: Issue, choice: int) -> None:
        self.sandbox.edit_issue(name, issue.number, "cy", body=BODIES[choice % len(BODIES)])

    def _edit_title(self, name: str, issue: Issue, choice: int) -> None:
        self.sandbox.edit_issue(name, issue.number, "cy", title=TITLES[choice % len(TITLES)])

    def _close(self, name: str, issue: Issue, choice: int) -> None:
        if issue.closed_at is None:
            by = ("ann", "bob", "helper[bot]")[choice % 3]
            reason: Any = ("completed", "completed", "not_planned", "duplicate")[choice % 4]
            self.sandbox.close(name, issue.number, by, reason)

    def _close_by_pull(self, name: str, issue: Issue, choice: int) -> None:
        if issue.closed_at is None:
            pull = self._pull(name, issue, choice, merged=True)
            self.sandbox.close(name, issue.number, "bob", closer=pull)

    def _close_by_commit(self, name: str, issue: Issue, choice: int) -> None:
        if issue.closed_at is None:
            commit = self._commit(name, f"Fix #{issue.number}", choice)
            self.sandbox.close(name, issue.number, "cy", closer=commit)

    def _close_by_hidden(self, name: str, issue: Issue, choice: int) -> None:
        if issue.closed_at is None:
            pull = self.sandbox.add_pull_request(HIDDEN, "Secret fix", "cy", merged_at=self.clock.now())
            self.sandbox.close(name, issue.number, "cy", closer=pull)

    def _reopen(self, name: str, issue: Issue, _: int) -> None:
        if issue.closed_at is not None:
            self.sandbox.reopen(name, issue.number, "ann")

    def _lock(self, name: str, issue: Issue, _: int) -> None:
        (self.sandbox.unlock if issue.locked else self.sandbox.lock)(name, issue.number, "bob")

    def _delete_comment(self, name: str, issue: Issue, choice: int) -> None:
        """GitHub tells of it only where it happens before the closing: nothing says when the comment was written."""
        there = self.sandbox.comments(name, issue.number)
        if issue.closed_at is None and there:
            self.sandbox.delete_comment(there[choice % len(there)].id, "bob")

    def _delete_issue(self, name: str, issue: Issue, choice: int) -> None:
        if choice % 4 == 0:
            self.sandbox.delete_issue(name, issue.number, "bob")

    def _transfer(self, name: str, issue: Issue, _: int) -> None:
        """An open one: of one that was closed already nothing is heard at its new place until it is closed there."""
        if issue.closed_at is None and name == FRAME:
            self.issues[self.issues.index(issue)] = self.sandbox.transfer_issue(name, issue.number, OTHER, "bob")

    def _merge_linked(self, name: str, issue: Issue, choice: int) -> None:
        self._pull(name, issue, choice, merged=choice % 3 > 0)
        self._note_late(issue)

    def _link_late(self, name: str, issue: Issue, choice: int) -> None:
        pull = self._pull(name, issue, choice, merged=True, links=False)
        self.sandbox.connect(name, issue.number, pull, "bob")
        self._note_late(issue)

    def _commit_says_so(self, name: str, issue: Issue, choice: int) -> None:
        commit = self._commit(name, f"Make it stop\n\nFixes #{issue.number}", choice)
        self.sandbox.reference(name, issue.number, commit, "cy", at=self.clock.now())
        self._note_late(issue)

    def _revert(self, name: str, issue: Issue, _: int) -> None:
        for pull in self.fixes.get(issue.id, ()):
            if pull.merge_commit_sha is not None:
                commit = self._commit(name, f'Revert "Fix it"\n\nThis reverts commit {pull.merge_commit_sha}.', 0)
                self.sandbox.reference(name, pull.number, commit, "cy", at=self.clock.now())
                return

    def _talk_on_fix(self, name: str, issue: Issue, choice: int) -> None:
        for pull in self.fixes.get(issue.id, ())[-1:]:
            login = PEOPLE[choice % len(PEOPLE)]
            self.sandbox.comment(name, pull.number, login, "Looks right.", at=self.clock.now(), emit=False)
            reviewer = self.sandbox.account("bob").id
            pull.reviews.append(Review(reviewer, "COMMENTED", "Why?" if choice % 2 else "", self.clock.now()))

    def _pull(self, name: str, issue: Issue, choice: int, *, merged: bool, links: bool = True) -> PullRequest:
        files = [
            {"path": path, "status": "modified", "additions": choice + 1, "deletions": 1}
            for path in ("src/core.cc", "python/core.py", "tests/test_core.py")[: choice % 3 + 1]
        ]
        sha = self._commit(name, f"Fix it (#{issue.number})", choice).sha if merged else None
        pull = self.sandbox.add_pull_request(
            name, "Fix it", ("cy", "bob", None)[choice % 3], at=self.clock.now(), files=files,
            closes=[issue.number] if links else [], merged_at=self.clock.now() if merged else None,
            merge_commit_sha=sha,
        )  # fmt: skip
        self.fixes.setdefault(issue.id, []).append(pull)
        return pull

    def _commit(self, name: str, message: str, choice: int) -> Commit:
        self._shas += 1
        files = [{"path": "core.py", "status": "modified", "additions": choice, "deletions": 1}]
        return self.sandbox.add_commit(
            name, f"{self._shas:040x}", message, login="cy", at=self.clock.now(), files=files
        )

    def _note_late(self, issue: Issue) -> None:
        if issue.closed_at is not None:
            self.late.add(issue.id)
