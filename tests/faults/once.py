"""What must hold afterwards: nothing that was accepted is lost, and nothing is there, or was written, twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote

from bot.sandbox.records import Write
from bot.sandbox.sandbox import Sandbox
from tests.faults.injuries import FOR_GOOD
from tests.faults.people import People
from tests.faults.place import Place

_MARKER = re.compile(r"<!-- rootcause:[^>]*-->")
_INBOX = "<!-- rootcause:inbox "
_QUESTION = re.compile(r"^- (?:\[[ xX]\] <!-- [^>]* --> )?\[#(\d+)\]", re.MULTILINE)
_LABELS = re.compile(r"(/repos/.+/issues/\d+)/labels(?:/(.+))?")

_REFUSED = ("rootcause[bot]", "-1")
"""What tells the writer of a command that it was not carried out, as where their rights could not be checked."""

_ROWS = {
    "record of an issue": "SELECT issue_id FROM record GROUP BY 1 HAVING count(*) > 1",
    "record of a number": "SELECT repository_id, number FROM record GROUP BY 1, 2 HAVING count(*) > 1",
    "proposal": "SELECT issue_id, model FROM proposal GROUP BY 1, 2 HAVING count(*) > 1",
    "decision": "SELECT source FROM decision GROUP BY 1 HAVING count(*) > 1",
    "report": "SELECT repository_id, period FROM report GROUP BY 1, 2 HAVING count(*) > 1",
}


async def lost(place: Place, people: People) -> list[str]:
    """Name every accepted delivery and job that came to nothing without a reason, and every outcome that is missing."""
    states = {
        guid: (state, error) for guid, state, error in await place.query("SELECT guid, state, error FROM delivery")
    }
    found = []
    for one in place.accepted():
        state, error = states.get(one.guid, ("missing", None))
        if state != "done" and not (state in {"failed", "ignored"} and error):
            found.append(f"{one.event}.{one.action} {one.guid} is {state}")
    found += [
        f"job {task} {number} is {state}, and nobody knows why"
        for number, task, state, error in await place.query(_DEAD_JOBS)
        if not error
    ]
    dead = {tuple(row) for row in await place.query(_DEAD)}
    recorded = {(name, number): row for name, number, *row in await place.query(_RECORDS)}
    found += [
        f"record of {issue}, where GitHub failed so: {_failures(place, '/graphql')}"
        for issue in people.closed
        if issue not in dead and issue not in recorded
    ]
    for issue, (category, comment_id) in people.decided.items():
        was_told = _REFUSED in place.sandbox.reactions(*issue, comment_id)
        if issue not in dead and recorded.get(issue) != [category] and not was_told:
            found.append(f"decision {category} on {issue}: {recorded.get(issue)}")
    refused = {path for _, path, fault in place.sandbox.faults.struck if fault in FOR_GOOD}
    for (name, number), comment_id in people.helped.items():
        answered = any("rootcause:answer" in body for body in said_by_us(place.sandbox, name, number))
        path = f"/repos/{name}/issues/{number}"
        if not answered and (name, number) not in dead and not refused & {path, f"{path}/comments"}:
            reactions = place.sandbox.reactions(name, number, comment_id)
            found.append(
                f"answer in {name}#{number}, there is {reactions}, and GitHub failed so: {_failures(place, path)}"
            )
    return found


def _failures(place: Place, path: str) -> list[str]:
    return [f"{method} {fault.value}" for method, at, fault in place.sandbox.faults.struck if at.startswith(path)]


_DEAD = """
SELECT full_name, number FROM delivery JOIN repository ON repository.id = repository_id
WHERE delivery.state = 'failed' OR delivery.state = 'ignored' AND delivery.action = 'closed'
"""
"""Issues of which a delivery was given up, or whose closing came to nothing, each with its reason in the row."""

_DEAD_JOBS = """
SELECT job.id, job.task_name, job.status::text, failed_job.error FROM procrastinate_jobs AS job
LEFT JOIN failed_job ON failed_job.job_id = job.id WHERE job.status IN ('failed', 'aborted')
"""

_RECORDS = """
SELECT full_name, number, category FROM record JOIN repository ON repository.id = repository_id
WHERE gathered_at IS NOT NULL
"""


async def doubled(place: Place) -> list[str]:
    """Name everything that is there twice, in the database or on GitHub, and every write that was made twice."""
    found = [f"{what} {row}" for what, query in _ROWS.items() for row in await place.query(query)]
    sandbox = place.sandbox
    found += [f"inbox of {name}" for name, times in inboxes(sandbox).items() if times > 1]
    found += [f"question {question}" for question in doubled_questions(sandbox)]
    return found + doubled_creations(sandbox) + list(doubled_writes(sandbox.writes))


async def dead_letters(place: Place) -> Counter[str]:
    """Count what was given up, by its reason."""
    letters = [error for (error,) in await place.query("SELECT error FROM delivery WHERE state = 'failed'")]
    letters += [f"job {task}: {error}" for _, task, _, error in await place.query(_DEAD_JOBS)]
    return Counter(re.sub(r"/\S+", "…", reason) for reason in letters)


async def reports_not_once(place: Place) -> list[str]:
    """Name every report of a period that is there twice or not at all, and every repository with two live ones."""
    due = await place.query("SELECT repository_id, period FROM report")
    found = []
    for repository_id, period in due:
        times = issues_with(place.sandbox, f"<!-- rootcause:report repository={repository_id} period={period} -->")
        if times != 1:
            found.append(f"report of {repository_id} for {period}: {times}")
    live = Counter(
        issue.repository_id
        for issue in place.sandbox.world.issues.values()
        if issue.closed_at is None and (issue.body or "").startswith("<!-- rootcause:report ")
    )
    return found + [f"{times} live reports in {repository}" for repository, times in live.items() if times > 1]


def said_by_us(sandbox: Sandbox, name: str, number: int) -> list[str]:
    """Return the App's own comments in an issue."""
    return [one.body for one in sandbox.comments(name, number) if one.author_id == sandbox.app.bot_id]


def issues_with(sandbox: Sandbox, marker: str) -> int:
    """Count the issues that hold a hidden marker."""
    return sum(marker in (issue.body or "") for issue in sandbox.world.issues.values())


def inboxes(sandbox: Sandbox) -> Counter[str]:
    """Count the inbox issues of each repository."""
    return Counter(
        sandbox.world.full_name(sandbox.world.repositories[issue.repository_id])
        for issue in sandbox.world.issues.values()
        if (issue.body or "").startswith(_INBOX)
    )


def doubled_questions(sandbox: Sandbox) -> list[str]:
    """Name every issue that an inbox asks about twice."""
    found = []
    for issue in sandbox.world.issues.values():
        if (issue.body or "").startswith(_INBOX):
            numbers = Counter(_QUESTION.findall(issue.body or ""))
            found += [f"{issue.repository_id}#{number}" for number, times in numbers.items() if times > 1]
    return found


def doubled_creations(sandbox: Sandbox) -> list[str]:
    """Name every issue or comment that the App created twice, by where and under which hidden marker."""
    made = Counter(
        f"{write.path} {marker[0]}"
        for write in sandbox.writes
        if write.method == "POST" and (marker := _MARKER.search(str(write.body.get("body", ""))))
    )
    return [where for where, times in made.items() if times > 1]


def doubled_writes(writes: list[Write]) -> Iterator[str]:
    """Yield every edit that says what the one before it said already, and every label put on where it was."""
    said: dict[str, object] = {}
    put: set[tuple[str, str]] = set()
    for write in writes:
        if write.method == "PATCH":
            if said.get(write.path) == write.body:
                yield f"PATCH {write.path}"
            said[write.path] = write.body
        elif labels := _LABELS.fullmatch(write.path):
            issue, taken = labels[1], unquote(labels[2] or "")
            if write.method == "DELETE":
                put.discard((issue, taken))
            for name in write.body.get("labels", []):
                if (issue, name) in put:
                    yield f"label {name} on {issue}"
                put.add((issue, name))
