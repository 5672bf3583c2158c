"""Who may call the local GitHub: the App's JWT, installation tokens, personal tokens, nobody."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from bot.sandbox.sandbox import Sandbox
from tests.sandbox.support import Client, app_jwt, connected
from tests.support.clock import VirtualClock


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, 200),
        ({"iss": 4711}, 200),
        ({"iss": "4712"}, 401),
        ({"issued": -30, "life": 630}, 200),
        ({"issued": -30, "life": 640}, 401),
        ({"issued": -700, "life": 600}, 401),
        ({"issued": 59, "life": 300}, 200),
        ({"issued": 61, "life": 300}, 401),
        ({"exp": "soon"}, 401),
    ],
)
async def test_a_jwt_is_judged_by_githubs_rules(sandbox: Sandbox, changes: dict[str, Any], status: int) -> None:
    claims = {name: changes.pop(name) for name in ("iss", "exp") if name in changes}
    async with sandbox.running() as base_url, aiohttp.ClientSession() as session:
        app = Client(session, base_url, f"Bearer {app_jwt(sandbox, **changes, **claims)}")
        assert (await app.send("GET", "/app")).status == status


async def test_a_jwt_signed_by_another_key_or_algorithm_is_refused(sandbox: Sandbox) -> None:
    good = app_jwt(sandbox)
    forged = good[:-8] + ("A" * 8)
    unsigned = ".".join([good.split(".")[0], good.split(".")[1], ""])
    async with sandbox.running() as base_url, aiohttp.ClientSession() as session:
        for value in (forged, unsigned, "a.b.c", "ghs_unknown"):
            assert (await Client(session, base_url, f"Bearer {value}").send("GET", "/app")).status == 401
        assert (await Client(session, base_url, None).send("GET", "/app")).status == 401


async def test_an_installation_token_lives_one_hour(sandbox: Sandbox, clock: VirtualClock) -> None:
    async with connected(sandbox) as client:
        assert (await client.send("GET", "/repos/acme/frame")).status == 200
        clock.advance(minutes=59)
        assert (await client.send("GET", "/repos/acme/frame")).status == 200
        clock.advance(minutes=1)
        refused = await client.send("GET", "/repos/acme/frame")
    assert (refused.status, refused.body["message"]) == (401, "Bad credentials")


async def test_a_token_reaches_what_the_installation_covers(sandbox: Sandbox) -> None:
    async with connected(sandbox) as client:
        assert (await client.send("GET", "/repos/acme/hidden")).status == 404
        assert (await client.send("GET", "/repos/other/public/issues")).status == 200
        write = await client.send("POST", "/repos/other/public/issues", {"title": "x"})
        assert (write.status, write.body["message"]) == (403, "Resource not accessible by integration")
        listed = await client.send("GET", "/installation/repositories")
        assert [row["full_name"] for row in listed.body["repositories"]] == ["acme/frame"]
        sandbox.select_repositories("acme", add=("acme/hidden",))
        assert (await client.send("GET", "/repos/acme/hidden")).status == 200
        sandbox.suspend("acme")
        assert (await client.send("GET", "/repos/acme/frame")).status == 403
        sandbox.unsuspend("acme")
        sandbox.uninstall("acme")
        assert (await client.send("GET", "/repos/acme/frame")).status == 401


async def test_a_missing_permission_is_a_refusal(sandbox: Sandbox) -> None:
    sandbox.open_issue("acme/frame", "stranger", "x")
    sandbox.permit("acme", issues="read")
    async with connected(sandbox) as client:
        assert (await client.send("GET", "/repos/acme/frame/issues/1")).status == 200
        refused = await client.send("POST", "/repos/acme/frame/issues/1/comments", {"body": "x"})
    assert (refused.status, refused.body["message"]) == (403, "Resource not accessible by integration")
    assert sandbox.writes == []


async def test_a_person_reads_and_nobody_reads_less(sandbox: Sandbox) -> None:
    sandbox.grant("acme/hidden", "tess", "read")
    async with sandbox.running() as base_url, aiohttp.ClientSession() as session:
        tess = Client(session, base_url, f"token {sandbox.personal_token('tess')}")
        stranger = Client(session, base_url, f"token {sandbox.personal_token('stranger')}")
        nobody = Client(session, base_url, None)
        for client, public, private in ((tess, 200, 200), (stranger, 200, 404), (nobody, 200, 404)):
            assert (await client.send("GET", "/repos/acme/frame/issues")).status == public
            assert (await client.send("GET", "/repos/acme/hidden/issues")).status == private
        assert (await nobody.send("POST", "/graphql", {"query": "{ rateLimit { limit } }"})).status == 401
        assert (await tess.send("POST", "/repos/acme/frame/issues", {"title": "x"})).status == 403
        assert (await nobody.send("POST", "/repos/acme/frame/issues", {"title": "x"})).status == 401


async def test_an_old_name_redirects_to_the_address_by_id(sandbox: Sandbox) -> None:
    sandbox.open_issue("acme/frame", "stranger", "It leaks")
    number = sandbox.rename_repository("acme/frame", "framework").id
    async with connected(sandbox) as client:
        moved = await client.send("GET", "/repos/acme/frame/issues/1?per_page=5")
        assert moved.status == 301
        assert moved.headers["location"].endswith(f"/repositories/{number}/issues/1?per_page=5")
        assert (await client.send("GET", moved.headers["location"])).body["title"] == "It leaks"
        assert (await client.send("POST", "/repos/acme/frame/issues/1/comments", {"body": "x"})).status == 307
        query = '{ repository(owner: "acme", name: "frame") { nameWithOwner } }'
        assert (await client.graphql(query))["data"]["repository"]["nameWithOwner"] == "acme/framework"


async def test_an_answer_that_did_not_change_costs_nothing(sandbox: Sandbox) -> None:
    sandbox.put_file("acme/frame", ".github/rootcause.yml", "mode: active\n")
    path = "/repos/acme/frame/contents/.github/rootcause.yml"
    async with connected(sandbox) as client:
        first = await client.send("GET", path)
        second = await client.send("GET", path, if_none_match=first.headers["etag"])
        assert (second.status, second.body) == (304, "")
        assert second.headers["x-ratelimit-remaining"] == first.headers["x-ratelimit-remaining"]
        sandbox.put_file("acme/frame", ".github/rootcause.yml", "mode: observe\n")
        assert (await client.send("GET", path, if_none_match=first.headers["etag"])).status == 200
        sandbox.put_file("acme/frame", ".github/rootcause.yml", None)
        assert (await client.send("GET", path)).status == 404


async def test_a_path_that_is_no_endpoint_is_404_in_json(sandbox: Sandbox) -> None:
    async with connected(sandbox) as client:
        answer = await client.send("GET", "/repos/acme/frame/actions/runs")
    assert (answer.status, answer.body["message"]) == (404, "Not Found")
