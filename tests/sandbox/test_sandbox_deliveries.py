"""Webhooks arrive over HTTP, signed, once, and can be asked for again."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import aiohttp
import pytest
from aiohttp import web

from bot.sandbox.sandbox import Sandbox
from tests.sandbox.support import Client, app_jwt, connected
from tests.support.clock import VirtualClock


@dataclass
class Receiver:
    """What arrived at the App's webhook address, and what it answers."""

    status: int = 202
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    async def receive(self, request: web.Request) -> web.Response:
        self.requests.append(({name.lower(): value for name, value in request.headers.items()}, await request.read()))
        return web.Response(status=self.status)


@pytest.fixture
async def receiver(sandbox: Sandbox) -> AsyncIterator[Receiver]:
    """A server that takes the App's webhooks."""
    found = Receiver()
    application = web.Application()
    application.router.add_post("/webhooks/github", found.receive)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    sandbox.courier.url = f"http://127.0.0.1:{runner.addresses[0][1]}/webhooks/github"
    yield found
    await runner.cleanup()


async def test_a_delivery_is_signed_and_told_apart(sandbox: Sandbox, receiver: Receiver) -> None:
    sandbox.open_issue("acme/frame", "stranger", "Ünïcode \U0001f41b")
    installed, opened = await sandbox.deliver_pending(concurrency=1)
    headers, body = receiver.requests[1]
    assert (
        headers["x-hub-signature-256"]
        == f"sha256={hmac.new(b'sandbox-support-secret', body, hashlib.sha256).hexdigest()}"
    )
    assert (headers["x-github-event"], headers["x-github-delivery"]) == ("issues", opened.guid)
    assert headers["x-github-hook-installation-target-type"] == "integration"
    assert headers["x-github-hook-installation-target-id"] == str(sandbox.app.id)
    assert headers["user-agent"].startswith("GitHub-Hookshot/")
    payload = json.loads(body)
    assert payload["issue"]["title"] == "Ünïcode \U0001f41b"
    assert payload["installation"]["id"] == sandbox.installation("acme").id
    assert (installed.status_code, opened.status_code, installed.guid != opened.guid) == (202, 202, True)
    assert await sandbox.deliver_pending() == []


async def test_failed_deliveries_are_listed_and_sent_again_with_the_same_guid(
    sandbox: Sandbox, receiver: Receiver, clock: VirtualClock
) -> None:
    receiver.status = 500
    sandbox.open_issue("acme/frame", "stranger", "x")
    await sandbox.deliver_pending()
    receiver.status = 202
    async with connected(sandbox) as client:
        app = client.acting(f"Bearer {app_jwt(sandbox)}")
        rows = (await app.send("GET", "/app/hook/deliveries")).body
        assert [(row["event"], row["status_code"]) for row in rows] == [("issues", 500), ("installation", 500)]
        assert (await app.send("POST", f"/app/hook/deliveries/{rows[0]['id']}/attempts")).status == 202
        (again,) = await sandbox.deliver_pending()
        assert (again.guid, again.redelivery, again.id != rows[0]["id"]) == (rows[0]["guid"], True, True)
    assert [row.event for row in sandbox.redeliver_failed()] == ["installation"]
    await sandbox.deliver_pending()
    assert sandbox.redeliver_failed() == []
    assert receiver.requests[0][1] == receiver.requests[3][1]


async def test_deliveries_are_paged_by_cursor(sandbox: Sandbox, receiver: Receiver) -> None:
    for number in range(4):
        sandbox.open_issue("acme/frame", "stranger", str(number))
    await sandbox.deliver_pending()
    seen: list[int] = []
    async with sandbox.running() as base_url, aiohttp.ClientSession() as session:
        app = Client(session, base_url, f"Bearer {app_jwt(sandbox)}")
        path: str | None = "/app/hook/deliveries?per_page=2"
        while path is not None:
            answer = await app.send("GET", path)
            seen += [row["id"] for row in answer.body]
            link = answer.headers.get("link")
            path = link.split(";")[0].strip("<>") if link else None
    assert seen == sorted((row.id for row in sandbox.deliveries), reverse=True)


async def test_nobody_listening_is_a_failed_delivery(sandbox: Sandbox) -> None:
    sandbox.courier.url = "http://127.0.0.1:9/webhooks/github"
    (delivery,) = await sandbox.deliver_pending()
    assert (delivery.status_code, delivery.status) == (502, "failed to connect to host")


async def test_webhooks_go_out_by_themselves_while_it_runs(sandbox: Sandbox, receiver: Receiver) -> None:
    async with sandbox.running(deliver=True), asyncio.timeout(5):
        sandbox.open_issue("acme/frame", "stranger", "x")
        while len(receiver.requests) < 2:  # noqa: ASYNC110 - the other side is this very loop
            await asyncio.sleep(0.01)
        sandbox.comment("acme/frame", 1, "tess", "y")
        while len(receiver.requests) < 3:  # noqa: ASYNC110 - the other side is this very loop
            await asyncio.sleep(0.01)


async def test_nothing_is_sent_where_the_app_is_not_or_is_suspended(sandbox: Sandbox) -> None:
    before = len(sandbox.deliveries)
    sandbox.open_issue("other/public", "stranger", "x")
    sandbox.open_issue("acme/hidden", "ada", "x")
    sandbox.suspend("acme")
    sandbox.open_issue("acme/frame", "stranger", "x")
    sandbox.open_issue("acme/frame", "stranger", "y", emit=False)
    assert [(row.event, row.action) for row in sandbox.deliveries[before:]] == [("installation", "suspend")]
