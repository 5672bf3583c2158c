"""Each action happens once, is kept, is paced, and is left alone where it cannot be."""

from __future__ import annotations

from datetime import timedelta

import pytest
import structlog
from prometheus_client import REGISTRY

from bot.github.actions import Action, CreateComment, CreateIssue, React, UpdateComment, UpdateIssue
from bot.github.errors import BodyTooLong, Forbidden, NotFound, NotOurs, RateLimited, Transient, WriteNotKept
from bot.github.limits import LATE, WriteBudget
from bot.github.writer import Outcome, Writer
from tests.support.clock import START
from tests.support.scripted_github import Answer, Stage
from tests.support.scripted_repository import BOT, PERSON, REPOSITORY, ROOT, ScriptedRepository
from tests.support.writing import MemoryPacer, MemoryWritten

MARKER = "<!-- rootcause:report:2026-10 -->"
BODY = f"{MARKER}\nThe report.\n\n| a | b |\n"


@pytest.fixture
def repository(stage: Stage) -> ScriptedRepository:
    return ScriptedRepository(stage)


def _writer(stage: Stage, written: MemoryWritten | None = None, observe: bool = False, timeout: float = 10) -> Writer:
    return Writer(
        client=stage.client(timeout),
        pacer=MemoryPacer(stage.clock),
        clock=stage.clock,
        written=MemoryWritten() if written is None else written,
        installation_id=5,
        bot_user_id=BOT,
        slug="rootcause",
        observe=observe,
    )


def _issue(body: str = BODY) -> CreateIssue:
    return CreateIssue(1, REPOSITORY, "Report", body, MARKER, labels=("report",), assignees=("ada",))


def _comment(number: int = 1, body: str = BODY) -> CreateComment:
    return CreateComment(1, REPOSITORY, number, body, MARKER)


async def test_an_issue_is_created_once(stage: Stage, repository: ScriptedRepository) -> None:
    written = MemoryWritten()
    first = await _writer(stage, written).perform(_issue())
    assert first == Outcome("done", None, 1, 1001, "https://github.com/o/r/issues/1")
    (sent,) = stage.github.writes()
    assert sent.body == {"title": "Report", "body": BODY, "labels": ["report"], "assignees": ["ada"]}
    again = await _writer(stage, written).perform(_issue())
    assert (again.status, again.number) == ("unchanged", 1)
    forgotten = MemoryWritten()
    found = await _writer(stage, forgotten).perform(_issue())
    assert (found.status, found.number, found.github_id) == ("unchanged", 1, 1001)
    assert forgotten == written
    assert len(repository.issues) == 1


async def test_writes_are_counted_by_kind_and_outcome(stage: Stage, repository: ScriptedRepository) -> None:
    def counted(outcome: str) -> float:
        labels = {"kind": "CreateIssue", "outcome": outcome}
        return REGISTRY.get_sample_value("rootcause_github_writes_total", labels) or 0.0

    before = {outcome: counted(outcome) for outcome in ("done", "unchanged")}
    for _ in range(3):
        await _writer(stage).perform(_issue())
    assert {outcome: counted(outcome) - before[outcome] for outcome in before} == {"done": 1, "unchanged": 2}


async def test_only_our_own_marker_counts(stage: Stage, repository: ScriptedRepository) -> None:
    repository.add_issue(BODY, user=PERSON)
    repository.add_issue(BODY, pull_request={})
    repository.add_issue("")
    repository.issues[2]["body"] = None
    repository.issues[2]["user"] = None
    assert (await _writer(stage).perform(_issue())).number == 4


@pytest.mark.parametrize(
    "failure", [Answer(500), Answer(502, raw=b"<html>"), Answer(dropped=True), Answer(silent=True)]
)
async def test_a_failure_after_the_write_makes_exactly_one_issue(
    stage: Stage, repository: ScriptedRepository, failure: Answer
) -> None:
    repository.fail_next(failure, kept=True)
    outcome = await _writer(stage, timeout=0.2).perform(_issue())
    assert (outcome.status, outcome.number) == ("done", 1)
    assert len(repository.issues) == 1
    assert len(stage.github.writes()) == 1


async def test_a_failure_without_the_write_is_sent_once_more(stage: Stage, repository: ScriptedRepository) -> None:
    repository.fail_next(Answer(500), kept=False)
    assert (await _writer(stage).perform(_issue())).status == "done"
    assert len(repository.issues) == 1


async def test_two_failures_end_it_and_the_second_may_have_succeeded(
    stage: Stage, repository: ScriptedRepository
) -> None:
    repository.fail_next(Answer(500), kept=False)
    repository.fail_next(Answer(500), kept=True)
    assert (await _writer(stage).perform(_issue())).number == 1
    repository.issues.clear()
    for _ in range(2):
        repository.fail_next(Answer(500), kept=False)
    with pytest.raises(Transient):
        await _writer(stage).perform(_issue())
    assert len(stage.github.writes()) == 4


@pytest.mark.parametrize("failure", [Answer(silent=True), Answer(500)])
async def test_a_failure_after_a_comment_makes_exactly_one(
    stage: Stage, repository: ScriptedRepository, failure: Answer
) -> None:
    repository.add_issue("")
    repository.fail_next(failure, kept=True)
    outcome = await _writer(stage, timeout=0.2).perform(_comment())
    assert (outcome.status, outcome.number, outcome.github_id) == ("done", 1, 5000)
    assert len(repository.comments) == 1


async def test_the_same_marker_in_two_issues_is_two_comments(stage: Stage, repository: ScriptedRepository) -> None:
    repository.add_issue("")
    repository.add_issue("")
    writer = _writer(stage)
    assert [(await writer.perform(_comment(n))).status for n in (1, 2, 1)] == ["done", "done", "unchanged"]
    assert [comment["on"] for comment in repository.comments] == [1, 2]


@pytest.mark.parametrize("before", [0, 99, 100, 101, 199, 250])
async def test_our_comment_is_found_at_the_end_of_a_long_thread(
    stage: Stage, repository: ScriptedRepository, before: int
) -> None:
    repository.add_issue("")
    for _ in range(before):
        repository.add_comment(1, "me too", user=PERSON)
    repository.add_comment(1, BODY)
    repository.add_comment(1, BODY, user=PERSON)
    outcome = await _writer(stage).perform(_comment())
    assert (outcome.status, outcome.github_id) == ("unchanged", 5000 + before)
    assert stage.github.writes() == []


async def test_an_update_is_sent_read_back_and_not_repeated(stage: Stage, repository: ScriptedRepository) -> None:
    repository.add_issue("old")
    writer = _writer(stage)
    update = UpdateIssue(1, REPOSITORY, 1, body=BODY)
    outcome = await writer.perform(update)
    assert (outcome.status, outcome.number) == ("done", 1)
    assert repository.issues[0]["body"] == BODY.replace("\n", "\r\n")
    assert (await writer.perform(update)).status == "unchanged"
    (sent,) = stage.github.writes()
    assert sent.body == {"body": BODY}
    assert (await writer.perform(UpdateIssue(1, REPOSITORY, 1, state="closed"))).status == "done"
    assert (await writer.perform(UpdateIssue(1, REPOSITORY, 1, state="closed"))).status == "unchanged"
    assert repository.issues[0]["state"] == "closed"


async def test_a_comment_is_edited_in_place(stage: Stage, repository: ScriptedRepository) -> None:
    comment = repository.add_comment(1, "old")
    update = UpdateComment(1, REPOSITORY, comment["id"], "new")
    writer = _writer(stage)
    assert [(await writer.perform(update)).status for _ in range(2)] == ["done", "unchanged"]
    assert comment["body"] == "new"


async def test_a_body_that_github_did_not_keep_is_told(stage: Stage, repository: ScriptedRepository) -> None:
    repository.add_issue("old")
    repository.longest_kept_body = 100
    with pytest.raises(WriteNotKept, match="body: 101 characters"):
        await _writer(stage).perform(UpdateIssue(1, REPOSITORY, 1, body="x" * 101))
    assert repository.issues[0]["body"] == "old"
    assert len(stage.github.writes()) == 1


async def test_an_update_after_a_failure_is_looked_at_before_it_is_repeated(
    stage: Stage, repository: ScriptedRepository
) -> None:
    repository.add_issue("old")
    repository.fail_next(Answer(500), kept=True)
    assert (await _writer(stage).perform(UpdateIssue(1, REPOSITORY, 1, body="new"))).status == "done"
    assert len(stage.github.writes()) == 1
    repository.fail_next(Answer(500), kept=False)
    assert (await _writer(stage).perform(UpdateIssue(1, REPOSITORY, 1, body="newer"))).status == "done"
    assert len(stage.github.writes()) == 3


async def test_what_somebody_else_wrote_is_never_rewritten(stage: Stage, repository: ScriptedRepository) -> None:
    repository.add_issue("theirs", user=PERSON)
    comment = repository.add_comment(1, "theirs", user=PERSON)
    for action in (UpdateIssue(1, REPOSITORY, 1, state="closed"), UpdateComment(1, REPOSITORY, comment["id"], "x")):
        with pytest.raises(NotOurs):
            await _writer(stage).perform(action)
    assert stage.github.writes() == []


async def test_reactions_on_issues_and_comments(stage: Stage, repository: ScriptedRepository) -> None:
    repository.add_issue("", user=PERSON)
    comment = repository.add_comment(1, "/rootcause confirm", user=PERSON)
    writer = _writer(stage)
    assert (await writer.perform(React(1, REPOSITORY, 1, None, "eyes"))).status == "done"
    repository.fail_next(Answer(500), kept=True)
    assert (await writer.perform(React(1, REPOSITORY, 1, comment["id"], "+1"))).status == "done"
    assert [(r["at"], r["content"]) for r in repository.reactions] == [
        (f"{ROOT}/1", "eyes"),
        (f"{ROOT}/comments/{comment['id']}", "+1"),
    ]


ALL: list[Action] = [
    _issue(),
    _comment(),
    UpdateIssue(1, REPOSITORY, 1, body="new"),
    UpdateComment(1, REPOSITORY, 5000, "new"),
    React(1, REPOSITORY, 1, None, "+1"),
    React(1, REPOSITORY, 1, 5000, "+1"),
]


@pytest.mark.parametrize("action", ALL)
async def test_observing_asks_and_writes_nothing(stage: Stage, action: Action) -> None:
    assert await _writer(stage, observe=True).perform(action) == Outcome("observed")
    assert stage.github.seen == []


@pytest.mark.parametrize("action", ALL)
@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Unable to create comment because issue is locked.", "locked"),
        ("Repository was archived so is read-only.", "archived"),
    ],
)
async def test_locked_and_archived_are_skipped(
    stage: Stage, repository: ScriptedRepository, action: Action, message: str, reason: str
) -> None:
    repository.add_issue("old")
    repository.add_comment(1, "old")
    repository.fail_next(Answer(403, {"message": message}), kept=False)
    outcome = await _writer(stage).perform(action)
    assert (outcome.status, outcome.reason) == ("skipped", reason)


async def test_a_locked_issue_gets_no_comment_even_where_github_would_take_one(
    stage: Stage, repository: ScriptedRepository
) -> None:
    repository.add_issue("", locked=True)
    assert await _writer(stage).perform(_comment()) == Outcome("skipped", "locked")
    assert stage.github.writes() == []


@pytest.mark.parametrize("action", ALL[1:])
async def test_a_deleted_target_is_skipped(stage: Stage, repository: ScriptedRepository, action: Action) -> None:
    assert await _writer(stage).perform(action) == Outcome("skipped", "deleted")


@pytest.mark.parametrize("action", ALL)
async def test_nothing_is_written_to_a_repository_that_took_the_name_over(stage: Stage, action: Action) -> None:
    """The repository itself is found by its number, under the name it has now."""
    foreign, mine = ScriptedRepository(stage), "/repos/o/moved/issues"
    foreign.add_issue(BODY)
    foreign.add_comment(1, BODY)
    before = [dict(one) for one in (*foreign.issues, *foreign.comments)]
    stage.github.on("GET", "/repositories/1", Answer(200, {"id": 1, "full_name": "o/moved"}))
    stage.github.on("GET", mine, Answer(200, []))
    stage.github.on(
        "POST", mine, Answer(201, {"id": 5, "number": 9, "html_url": "https://github.com/o/moved/issues/9"})
    )
    outcome = await _writer(stage).perform(action)
    assert [dict(one) for one in (*foreign.issues, *foreign.comments)] == before
    assert all("/repos/o/r" not in one.path for one in stage.github.writes())
    assert outcome.status == ("done" if isinstance(action, CreateIssue) else "skipped")


async def test_a_repository_that_is_gone_is_skipped(stage: Stage) -> None:
    assert await _writer(stage).perform(_issue()) == Outcome("skipped", "repository gone")


async def test_issues_switched_off_are_skipped_and_a_missing_repository_is_not(
    stage: Stage, repository: ScriptedRepository
) -> None:
    repository.fail_next(Answer(410, {"message": "Issues are disabled for this repo"}), kept=False)
    assert await _writer(stage).perform(_issue()) == Outcome("skipped", "issues disabled")
    repository.fail_next(Answer(404, {"message": "Not Found"}), kept=False)
    with pytest.raises(NotFound):
        await _writer(stage).perform(_issue())


async def test_missing_rights_are_an_error(stage: Stage, repository: ScriptedRepository) -> None:
    repository.fail_next(Answer(403, {"message": "Resource not accessible by integration"}), kept=False)
    with pytest.raises(Forbidden):
        await _writer(stage).perform(_issue())


async def test_a_renamed_repository_is_written_to_a_transferred_issue_is_not(
    stage: Stage, repository: ScriptedRepository
) -> None:
    repository.add_issue("")
    moved = Answer(307, {}, {"location": f"{stage.github.url}/repositories/1/issues/1/comments"})
    created = {"id": 9, "html_url": "https://github.com/o/new/issues/1#issuecomment-9"}
    stage.github.on("POST", "/repositories/1/issues/1/comments", Answer(201, created))
    repository.fail_next(moved, kept=False)
    assert (await _writer(stage).perform(_comment())).github_id == 9
    elsewhere = Answer(307, {}, {"location": f"{stage.github.url}/repositories/12/issues/1/comments"})
    repository.fail_next(elsewhere, kept=False)
    assert await _writer(stage).perform(_comment()) == Outcome("skipped", "transferred")
    repository.issues[0]["repository_url"] = f"{stage.github.url}/repos/o/other"
    stage.github.on("GET", "/repos/o/other", Answer(200, {"id": 12}), Answer(200, {"id": 1}))
    assert await _writer(stage).perform(_comment()) == Outcome("skipped", "transferred")
    assert repository.comments == []
    assert (await _writer(stage).perform(_comment())).status == "done"


async def test_writes_are_a_second_apart_and_a_used_up_hour_puts_the_job_off(
    stage: Stage, repository: ScriptedRepository
) -> None:
    repository.add_issue("")
    writer = _writer(stage)
    for content in ("eyes", "+1", "-1"):
        await writer.perform(React(1, REPOSITORY, 1, None, content))
    assert stage.clock.slept == [1.0, 1.0]
    pacer = MemoryPacer(stage.clock, WriteBudget(tuple(START for _ in range(500))))
    full = Writer(
        client=stage.client(),
        pacer=pacer,
        clock=stage.clock,
        written=MemoryWritten(),
        installation_id=5,
        bot_user_id=BOT,
        slug="rootcause",
        observe=False,
    )
    with pytest.raises(RateLimited) as caught:
        await full.perform(React(1, REPOSITORY, 1, None, "confused"))
    assert caught.value.retry_at == START + timedelta(hours=1) + LATE
    assert len(stage.github.writes()) == 3


@pytest.mark.parametrize(
    "action",
    [_issue(MARKER + "x" * 60_000), _comment(1, MARKER + "x" * 60_000), UpdateIssue(1, REPOSITORY, 1, title="t" * 257)],
)
async def test_a_text_too_long_is_our_bug(stage: Stage, action: Action) -> None:
    with pytest.raises(BodyTooLong):
        await _writer(stage, observe=True).perform(action)


async def test_a_body_must_hold_its_marker(stage: Stage) -> None:
    for action in (_issue("no marker"), CreateComment(1, REPOSITORY, 1, "text", "")):
        with pytest.raises(ValueError, match="marker"):
            await _writer(stage).perform(action)


async def test_the_log_names_the_action_and_holds_no_body(stage: Stage, repository: ScriptedRepository) -> None:
    with structlog.testing.capture_logs() as logs:
        await _writer(stage).perform(_issue())
    (line,) = [entry for entry in logs if entry["event"] == "github.write"]
    assert (line["action"], line["repository"], line["number"], line["status"]) == ("CreateIssue", "o/r", 1, "done")
    assert "The report" not in repr(logs)
    assert "ghs_" not in repr(logs)
