"""What people do while everything breaks: they close issues, write commands, and edit; each act is one delivery."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime

from bot.features.label_setup import labels_to_make
from bot.sandbox.sandbox import Sandbox
from tests.support.made_issues import made_issues

REPOSITORIES = {
    "facebook/react": "propose: label\n",
    "grafana/grafana": "propose: comment\n",
    "keras-team/keras": "",
    "pytorch/pytorch": "",
}
"""The repositories, each with its configuration."""

CATEGORIES = ("memory-leak", "data-race", "none")
MAINTAINER = "triager"


@dataclass
class People:
    """Acts in the seeded order, and remembers what must come of them."""

    sandbox: Sandbox
    generator: random.Random
    acts: int
    closed: list[tuple[str, int]] = field(default_factory=list)
    decided: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    """The category, and the comment it was said in, of each issue."""

    helped: dict[tuple[str, int], int] = field(default_factory=dict)
    """The comment in which help was asked for, of each issue."""

    _undecided: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the repositories, with the App at home in them and its labels there."""
        each = self.acts // len(REPOSITORIES) + 20
        self._issues = made_issues(tuple(REPOSITORIES), each, self.generator.randrange(2**32))
        self.generator.shuffle(self._issues)
        for name, configuration in REPOSITORIES.items():
            owner, _, short = name.partition("/")
            self.sandbox.add_owner(owner)
            self.sandbox.add_repository(owner, short)
            self.sandbox.grant(name, MAINTAINER, "triage")
            if configuration:
                self.sandbox.put_file(name, ".github/rootcause.yml", configuration)
            self.sandbox.install(owner, [name])
        # All are there from the start, open, or what the App opens would get the numbers of their fixes.
        for record in self._issues:
            self.sandbox.seed_issue(str(record["repository"]), record, close=False)
        for name in REPOSITORIES:
            labels = tuple(action.name for action in labels_to_make(1, name, "root-cause/"))
            self.sandbox.open_issue(name, MAINTAINER, "Labels", labels=labels, emit=False)

    def act(self) -> None:
        """Do the next thing; GitHub then has one delivery more to send."""
        luck = self.generator.random()
        if luck < 0.45 or len(self._undecided) < 3:
            self._close()
        elif luck < 0.65:
            self._decide()
        elif luck < 0.75:
            self._ask_for_help()
        elif luck < 0.85:
            self._talk_and_decide_later()
        else:
            name, number = self.generator.choice(self.closed)
            title = f"A better title, number {self.generator.randrange(10**6)}"
            self.sandbox.edit_issue(name, number, MAINTAINER, title=title)

    def unspoken(self) -> tuple[str, int]:
        """Close one issue more, in which nobody writes anything, and return it."""
        self._close()
        return self._undecided.pop()

    def _close(self) -> None:
        record = self._issues.pop()
        name, number = str(record["repository"]), int(record["number"])
        closed_at = datetime.fromisoformat(record["closed_at"])
        fix = self.sandbox.fix_of(name, number)
        self.sandbox.close(name, number, MAINTAINER, closer=fix, at=closed_at)
        self.closed.append((name, number))
        self._undecided.append((name, number))

    def _decide(self) -> None:
        name, number = self._take()
        category = self.generator.choice(CATEGORIES)
        comment = self.sandbox.comment(name, number, MAINTAINER, f"/rootcause {category}")
        self.decided[name, number] = category, comment.id

    def _ask_for_help(self) -> None:
        name, number = self.generator.choice([issue for issue in self.closed if issue not in self.helped])
        comment = self.sandbox.comment(name, number, MAINTAINER, "/rootcause help")
        self.helped[name, number] = comment.id

    def _talk_and_decide_later(self) -> None:
        """Write a comment without a command, which the App does not keep, and edit one into it."""
        name, number = self._take()
        comment = self.sandbox.comment(name, number, MAINTAINER, "I have seen this before.", emit=False)
        category = self.generator.choice(CATEGORIES)
        self.sandbox.edit_comment(comment.id, MAINTAINER, f"I have seen this before.\n\n/rootcause {category}")
        self.decided[name, number] = category, comment.id

    def _take(self) -> tuple[str, int]:
        return self._undecided.pop(self.generator.randrange(len(self._undecided)))
