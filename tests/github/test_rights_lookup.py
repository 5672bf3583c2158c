"""What a person may do is asked of GitHub, remembered for a minute, and refused where it cannot be told."""

from __future__ import annotations

from typing import Any

import pytest

from bot.commands.rights import Rights
from bot.github.errors import RateLimited
from bot.github.rights import RightsLookup
from tests.support.scripted_github import Answer, Stage

PATH = "/repos/o/r/collaborators/ada/permission"


def _may(user_id: int = 7, **booleans: bool) -> dict[str, Any]:
    return {"permission": "read", "role_name": "custom", "user": {"id": user_id, "permissions": booleans}}


async def _ask(stage: Stage, *answers: Answer, login: str = "ada") -> Rights:
    stage.github.on("GET", PATH, *answers)
    return await RightsLookup(stage.client(), stage.clock).of(1, "o/r", 7, login)


async def test_the_booleans_decide(stage: Stage) -> None:
    assert await _ask(stage, Answer(200, _may(pull=True, triage=True, push=False))) is Rights.TRIAGE


async def test_an_unknown_login_has_none(stage: Stage) -> None:
    assert await _ask(stage, Answer(404, {"message": "ada is not a user"})) is Rights.NONE


async def test_a_login_is_quoted(stage: Stage) -> None:
    stage.github.on("GET", "/repos/o/r/collaborators/a/../b?c[bot]/permission", Answer(200, _may(admin=True)))
    assert await _ask(stage, Answer(404), login="a/../b?c[bot]") is Rights.ADMIN


@pytest.mark.parametrize("status", [401, 403, 500])
async def test_what_cannot_be_told_is_refused_and_asked_again(stage: Stage, status: int) -> None:
    stage.github.on("GET", PATH, Answer(status, {"message": "no"}))
    lookup = RightsLookup(stage.client(), stage.clock)
    assert await lookup.of(1, "o/r", 7, "ada") is Rights.UNKNOWN
    stage.github.on("GET", PATH, Answer(200, _may(admin=True)))
    assert await lookup.of(1, "o/r", 7, "ada") is Rights.ADMIN


async def test_a_limit_puts_the_question_off(stage: Stage) -> None:
    with pytest.raises(RateLimited):
        await _ask(stage, Answer(429, {"message": "slow down"}))


async def test_an_answer_is_good_for_a_minute(stage: Stage) -> None:
    stage.github.on("GET", PATH, Answer(200, _may(admin=True)), Answer(200, _may(pull=True)))
    lookup = RightsLookup(stage.client(), stage.clock)
    assert await lookup.of(1, "o/r", 7, "ada") is Rights.ADMIN
    stage.clock.advance(seconds=59)
    assert await lookup.of(1, "o/r", 7, "ada") is Rights.ADMIN
    stage.clock.advance(seconds=1)
    assert await lookup.of(1, "o/r", 7, "ada") is Rights.READ
    assert len(stage.github.seen) == 2


async def test_people_and_repositories_are_apart(stage: Stage) -> None:
    stage.github.on("GET", PATH, Answer(200, _may(admin=True)))
    stage.github.on("GET", "/repos/o/r/collaborators/eve/permission", Answer(200, _may(8, pull=True)))
    stage.github.on("GET", "/repos/o/s/collaborators/ada/permission", Answer(200, _may(pull=True)))
    lookup = RightsLookup(stage.client(), stage.clock)
    asked = [(1, "o/r", 7, "ada"), (1, "o/r", 8, "eve"), (2, "o/s", 7, "ada")]
    assert [await lookup.of(*who) for who in asked] == [Rights.ADMIN, Rights.READ, Rights.READ]


async def test_a_login_that_somebody_else_took_gives_no_rights(stage: Stage) -> None:
    stage.github.on("GET", PATH, Answer(200, _may(admin=True)))
    assert await RightsLookup(stage.client(), stage.clock).of(1, "o/r", 8, "ada") is Rights.NONE
