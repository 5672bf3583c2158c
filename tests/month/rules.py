"""What must hold of everything the App wrote in the month; each rule returns its breaches in words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from bot.sandbox.records import Write
from bot.sandbox.sandbox import Sandbox
from tests.month.ledger import created, pings, too_fast
from tests.month.stage import ATTIC, CHARTS, ENGINE, MAINTAINERS, NEW_ENGINE

STICKY = "rootcause:proposal"
"""What the marker of a sticky comment holds, which a repository gets that asked for one by `propose: comment`."""

_COMMAND = re.compile(r"^(?:/|@)rootcause\b", re.MULTILINE)


def breaches(sandbox: Sandbox, observed_until: datetime, left_at: datetime) -> list[str]:
    """Return whatever is not as the App promises, in one list."""
    writes = sandbox.writes
    found = [f"a ping: {one}" for one in pings(writes)]
    found += too_fast([one.at for one in writes])
    found += [f"over the limit: {one.limit} {one.method} {one.path}" for one in sandbox.violations]
    found += _inboxes(writes)
    found += _comments(sandbox)
    found += _answers_to_bots(sandbox)
    found += _labels(sandbox)
    found += _silence(writes, sandbox, observed_until, left_at)
    return found


def _inboxes(writes: list[Write]) -> Iterator[str]:
    """One inbox a repository, told by the hidden first line, which names the repository whatever it is called."""
    firsts = [one.body["body"].partition("\n")[0] for one, kind in created(writes) if kind == "issue"]
    made = Counter(first for first in firsts if "rootcause:inbox" in first)
    yield from (f"{count} inboxes {first}" for first, count in made.items() if count > 1)
    if not made:
        yield "no inbox at all"


def _comments(sandbox: Sandbox) -> Iterator[str]:
    """Comments stand only where somebody with a right to it typed a command, one a thread; a sticky one where wished.

    A thread is told by where a comment was written: with its issue it may have moved since.
    """
    threads: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    typed = _threads_with_commands(sandbox)
    for write, kind in created(sandbox.writes):
        if kind != "comment":
            continue
        _, _, owner, name, _, number, _ = write.path.split("/")
        thread = sandbox.repository(f"{owner}/{name}").id, int(number)
        is_sticky = STICKY in write.body["body"]
        if is_sticky and f"{owner}/{name}" != CHARTS:
            yield f"a sticky comment by {write.path}"
        if not is_sticky and _is_ours(sandbox, *thread):
            continue  # in the inbox every command may be answered
        if not is_sticky and thread not in typed:
            yield f"an answer to nobody with rights by {write.path}"
        threads[is_sticky].append(thread)
    for of_a_kind in threads.values():
        yield from (
            f"{count} comments of one kind in {thread}" for thread, count in Counter(of_a_kind).items() if count > 1
        )


def _threads_with_commands(sandbox: Sandbox) -> set[tuple[int, int]]:
    """Return the issues in which somebody with a right to it ever typed a command.

    It is told by the deliveries, since comments are edited and deleted.
    """
    found = set()
    for delivery in sandbox.deliveries:
        if delivery.event == "issue_comment":
            payload = json.loads(delivery.payload)
            sender, body = payload["sender"], payload["comment"]["body"]
            if sender["login"] in MAINTAINERS and _COMMAND.search(body):
                found.add((payload["repository"]["id"], payload["issue"]["number"]))
    return found


def _is_ours(sandbox: Sandbox, repository_id: int, number: int) -> bool:
    issue = sandbox.world.issues_of[repository_id].get(number)
    return issue is not None and issue.author_id == sandbox.app.bot_id


def _answers_to_bots(sandbox: Sandbox) -> Iterator[str]:
    world = sandbox.world
    for reaction in world.reactions.values():
        comment = world.comments.get(reaction.subject_id) if reaction.subject == "comment" else None
        if reaction.account_id != sandbox.app.bot_id or comment is None or comment.author_id is None:
            continue
        if world.accounts[comment.author_id].kind == "Bot":
            yield f"a reaction to a bot in #{comment.number}"


def _labels(sandbox: Sandbox) -> Iterator[str]:
    """Only our own names are touched, and what a person took off never comes back by us."""
    rejected: set[tuple[int, int, str]] = set()
    for events in sandbox.world.events_on.values():
        for event in events:
            name = getattr(event, "label", None)
            if event.kind not in ("labeled", "unlabeled") or name is None:
                continue
            key = (event.repository_id, event.number, name)
            if event.actor_id == sandbox.app.bot_id:
                if not name.startswith("root-cause/"):
                    yield f"{event.kind} {name} in #{event.number}"
                if event.kind == "labeled" and key in rejected:
                    yield f"{name} came back in #{event.number}"
            elif event.kind == "unlabeled" and not str(sandbox.world.accounts[event.actor_id or 0].login).endswith(
                "[bot]"
            ):
                rejected.add(key)


def _silence(writes: list[Write], sandbox: Sandbox, observed_until: datetime, left_at: datetime) -> Iterator[str]:
    for one in writes:
        repository = sandbox.world.find_repository("/".join(one.path.split("/")[2:4]))
        name = sandbox.world.full_name(repository[0]) if repository else one.path
        if name == ATTIC:
            yield f"{one.path} was written though the App only observes there"
        if name in (ENGINE, NEW_ENGINE) and one.at < observed_until:
            yield f"{one.path} was written while the App still observed"
        if one.at >= left_at:
            yield f"{one.path} was written though the App had gone"
