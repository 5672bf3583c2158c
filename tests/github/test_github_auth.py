"""The App's JWT and installation tokens: one request for many callers, renewed in time, never shown."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import jwt
import pytest
import structlog

from bot.github.app import GitHubApp
from bot.github.auth import InstallationTokens
from bot.github.errors import Suspended, Transient, Unauthorized
from tests.support.clock import START
from tests.support.scripted_github import PUBLIC_KEY, Answer, Seen, Stage

TOKENS = "/app/installations/5/access_tokens"


def _issuing(stage: Stage) -> None:
    """Issue ghs_secret1, ghs_secret2 ..., each good for an hour of the stage's clock."""
    issued = 0

    def issue(seen: Seen) -> Answer:
        nonlocal issued
        issued += 1
        expires = (stage.clock.now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Answer(201, {"token": f"ghs_secret{issued}", "expires_at": expires})

    stage.github.on("POST", TOKENS, issue)


def _used(seen: Seen) -> str:
    return seen.headers["authorization"]


async def test_the_jwt_says_who_and_for_how_long(stage: Stage) -> None:
    stage.github.on("GET", "/app", Answer(200, {"slug": "rootcause"}))
    assert await stage.app().slug() == "rootcause"
    (seen,) = stage.github.asked("GET", "/app")
    scheme, token = _used(seen).split(" ")
    assert scheme == "Bearer"
    claims = jwt.decode(token, PUBLIC_KEY, algorithms=["RS256"], options={"verify_exp": False, "verify_iat": False})
    now = int(START.timestamp())
    assert claims == {"iss": "77", "iat": now - 60, "exp": now + 540}
    assert seen.headers["user-agent"].startswith("rootcause-bot/")
    assert seen.headers["accept"] == "application/vnd.github.v3+json"
    assert seen.headers["x-github-api-version"] == "2022-11-28"


async def test_twenty_callers_share_one_token_request(stage: Stage) -> None:
    _issuing(stage)
    stage.github.on("GET", "/repos/o/r", Answer(200, {"id": 1}))
    client = stage.app().installation(5)
    await asyncio.gather(*(client.get("/repos/o/r") for _ in range(20)))
    assert len(stage.github.asked("POST", TOKENS)) == 1
    assert {_used(seen) for seen in stage.github.asked("GET", "/repos/o/r")} == {"Bearer ghs_secret1"}


async def test_a_failed_request_fails_for_all_and_is_made_again_later(stage: Stage) -> None:
    stage.github.on("POST", TOKENS, Answer(403, {"message": "This installation has been suspended"}))
    client = stage.app().installation(5)
    results = await asyncio.gather(*(client.get("/x") for _ in range(10)), return_exceptions=True)
    assert all(isinstance(result, Suspended) for result in results)
    assert len(stage.github.asked("POST", TOKENS)) == 1
    _issuing(stage)
    stage.github.on("GET", "/x", Answer(200, {}))
    assert await client.get("/x") == {}


async def test_a_cancelled_caller_does_not_take_the_token_from_the_others(stage: Stage) -> None:
    _issuing(stage)
    stage.github.on("GET", "/x", Answer(200, {"ok": True}))
    client = stage.app().installation(5)
    first, second = asyncio.create_task(client.get("/x")), asyncio.create_task(client.get("/x"))
    await asyncio.sleep(0)
    first.cancel()
    assert await second == {"ok": True}
    assert first.cancelled() or (await asyncio.gather(first, return_exceptions=True))
    assert len(stage.github.asked("POST", TOKENS)) == 1


async def test_a_token_is_renewed_five_minutes_early(stage: Stage) -> None:
    _issuing(stage)
    stage.github.on("GET", "/x", Answer(200, {}))
    client = stage.app().installation(5)
    await client.get("/x")
    stage.clock.advance(minutes=54, seconds=59)
    await client.get("/x")
    assert len(stage.github.asked("POST", TOKENS)) == 1
    stage.clock.advance(seconds=1)
    await client.get("/x")
    assert [_used(seen) for seen in stage.github.asked("GET", "/x")] == ["Bearer ghs_secret1"] * 2 + [
        "Bearer ghs_secret2"
    ]


async def test_tokens_of_installations_are_apart(stage: Stage) -> None:
    app = stage.app()
    for number in (5, 6):
        body = {"token": f"ghs_of{number}", "expires_at": "2026-11-02T10:00:00Z"}
        stage.github.on("POST", f"/app/installations/{number}/access_tokens", Answer(201, body))
    stage.github.on("GET", "/x", Answer(200, {}))
    await app.installation(5).get("/x")
    await app.installation(6).get("/x")
    assert app.installation(5) is app.installation(5)
    assert [_used(seen) for seen in stage.github.asked("GET", "/x")] == ["Bearer ghs_of5", "Bearer ghs_of6"]


BAD = Answer(401, {"message": "Bad credentials"})


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_token_that_expires_in_the_middle_is_renewed_once(stage: Stage, method: str) -> None:
    _issuing(stage)
    stage.github.on(method, "/x", Answer(200, {"n": 1}), BAD, Answer(200, {"n": 2}))
    client = stage.app().installation(5)
    ask = client.get if method == "GET" else client.post
    assert await ask("/x") == {"n": 1}
    assert await ask("/x") == {"n": 2}
    assert [_used(seen)[-1] for seen in stage.github.asked(method, "/x")] == ["1", "1", "2"]


@pytest.mark.parametrize("first", ["limit", "token"])
async def test_a_limit_of_a_second_and_an_expired_token_in_one_request_are_both_got_over(
    stage: Stage, first: str
) -> None:
    _issuing(stage)
    limit = Answer(429, {"message": "You have exceeded a secondary rate limit."}, {"retry-after": "1"})
    refusals = (limit, BAD) if first == "limit" else (BAD, limit)
    stage.github.on("GET", "/x", *refusals, Answer(200, {"n": 1}))
    assert await stage.app().installation(5).get("/x") == {"n": 1}
    assert [_used(seen)[-1] for seen in stage.github.asked("GET", "/x")][-1] == "2"


async def test_callers_refused_together_renew_once(stage: Stage) -> None:
    _issuing(stage)

    def only_the_second(seen: Seen) -> Answer:
        return Answer(200, {}) if _used(seen).endswith("secret2") else BAD

    stage.github.on("GET", "/x", only_the_second)
    client = stage.app().installation(5)
    await asyncio.gather(*(client.get("/x") for _ in range(10)))
    assert len(stage.github.asked("POST", TOKENS)) == 2


async def test_a_refusal_that_arrives_late_does_not_discard_the_new_token(stage: Stage) -> None:
    issued: list[str] = []

    async def fetch() -> dict[str, str]:
        issued.append(f"ghs_secret{len(issued)}")
        return {"token": issued[-1], "expires_at": (stage.clock.now() + timedelta(hours=1)).isoformat()}

    tokens = InstallationTokens(5, fetch, stage.clock)
    old = await tokens.current()
    new = await tokens.renew(old)
    assert new != old
    assert await tokens.renew(old) == new
    assert len(issued) == 2


async def test_a_second_refusal_is_final(stage: Stage) -> None:
    _issuing(stage)
    stage.github.on("GET", "/x", BAD)
    with pytest.raises(Unauthorized):
        await stage.app().installation(5).get("/x")
    assert len(stage.github.asked("GET", "/x")) == 2


async def test_a_fixed_token_cannot_be_renewed(stage: Stage) -> None:
    stage.github.on("GET", "/x", BAD)
    with pytest.raises(Unauthorized):
        await stage.client().get("/x")
    assert len(stage.github.asked("GET", "/x")) == 1


async def test_a_removed_installation_is_not_a_404_of_the_question(stage: Stage) -> None:
    with pytest.raises(Unauthorized, match="does not exist any more"):
        await stage.app().installation(5).get("/repos/o/r")


async def test_the_token_request_survives_a_passing_failure(stage: Stage) -> None:
    good = Answer(201, {"token": "ghs_late", "expires_at": "2026-11-02T10:00:00Z"})
    stage.github.on("POST", TOKENS, Answer(502), good)
    stage.github.on("GET", "/x", Answer(200, {}))
    assert await stage.app().installation(5).get("/x") == {}


async def test_no_token_or_key_is_ever_shown(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    _issuing(stage)
    stage.github.on("GET", "/good", Answer(200, {}))
    stage.github.on("GET", "/bad", Answer(500))
    app = stage.app()
    client = app.installation(5)
    with structlog.testing.capture_logs() as logs:
        await client.get("/good")
        with pytest.raises(Transient) as caught:
            await client.get("/bad")
    shown = [repr(logs), repr(caught.value), str(caught.value), *map(repr, _reachable(app)), *capsys.readouterr()]
    assert any("github.token" in text for text in shown)
    for text in shown:
        assert "ghs_secret" not in text
        assert "PRIVATE KEY" not in text
        assert "eyJ" not in text


async def test_a_lost_connection_is_told_without_the_request(stage: Stage) -> None:
    stage.github.on("POST", "/x", Answer(dropped=True))
    with pytest.raises(Transient) as caught:
        await stage.client().post("/x", {})
    assert "ServerDisconnectedError" in str(caught.value)
    assert caught.value.__cause__ is None


def _reachable(app: GitHubApp) -> list[Any]:
    """Return the App and everything of ours that hangs on it."""
    found: list[Any] = [app]
    for thing in found:
        for value in [*vars(thing).values()] if hasattr(thing, "__dict__") else []:
            inner = list(value.values()) if isinstance(value, dict) else [value]
            found.extend(i for i in inner if type(i).__module__.startswith("bot.") and all(i is not f for f in found))
    return found
