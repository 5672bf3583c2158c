"""The door under pressure: slow and greedy senders are cut, strangers are put off, and every answer has its headers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from prometheus_client import REGISTRY

from bot.store.database import Database
from bot.web.bodies import Bodies
from bot.web.connections import Patience
from bot.web.limits import Addresses, RateLimit
from tests.support.door import Door, headers, issue_event, open_door, signature

KILOBYTE = 1024
FIRST_LINE = b"POST /webhooks/github HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture
async def door(database: Database) -> AsyncIterator[Door]:
    """A door that waits for no more than a fraction of a second, with room for four connections and few bytes."""
    patience = Patience(head=0.3, reading=0.3, rest=0.2, most=4)
    bodies = Bodies(limit=400 * KILOBYTE, seconds=0.3, most=400 * KILOBYTE)
    async with open_door(database, patience=patience, bodies=bodies) as opened:
        yield opened


def cut(reason: str) -> float:
    found = REGISTRY.get_sample_value("rootcause_requests_cut_total", {"reason": reason})
    return found or 0.0


async def rest(reader: asyncio.StreamReader, seconds: float = 2.0) -> bytes:
    """Return what comes until the other side ends the connection, which it must."""
    async with asyncio.timeout(seconds):
        try:
            return await reader.read()
        except ConnectionError:
            return b""


@asynccontextmanager
async def connected(door: Door, start: bytes = b"") -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(start)
    yield reader, writer
    writer.close()


def signed_head(body: bytes, **changed: str) -> bytes:
    sent = {
        **headers(body),
        "Connection": "close",
        **{name.replace("_", "-"): value for name, value in changed.items()},
    }
    return FIRST_LINE + "".join(f"{name}: {value}\r\n" for name, value in sent.items()).encode() + b"\r\n"


async def test_a_head_that_never_ends_is_cut(door: Door) -> None:
    before = cut("slow_head")

    async def trickle(start: bytes, more: bytes) -> bytes:
        async with connected(door, start) as (reader, writer):
            for _ in range(5):
                await asyncio.sleep(0.1)
                writer.write(more)
            return await rest(reader)

    starts = ((b"", b""), (b"GET /", b"a"), (FIRST_LINE, b"X-More: 1\r\n"))
    assert await asyncio.gather(*(trickle(*one) for one in starts)) == [b""] * 3
    async with connected(door, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") as (reader, writer):
        assert b"alive" in await reader.read(1000)
        await asyncio.sleep(0.4)
        writer.write(b"GET /healthz HTTP/1.1\r\n")  # an idle connection may wait; a started head may not
        assert await rest(reader) == b""
    assert cut("slow_head") - before == 4


async def test_a_body_that_never_ends_is_cut_and_the_next_one_served(door: Door) -> None:
    before = cut("slow_body")
    body = b"x" * 100
    for head in (signed_head(body, Content_Length="100"), signed_head(body, Transfer_Encoding="chunked")):
        part = b"x" * 50 if b"Content-Length" in head else b"a\r\nxxxxxxxxxx\r\n"
        async with connected(door, head + part) as (reader, _):
            assert b" 408 " in await rest(reader)
    assert cut("slow_body") - before == 2
    assert (await door.send(issue_event()))[0] == 202


async def test_a_body_without_a_length_is_cut_as_it_passes_the_limit(door: Door) -> None:
    chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
    async with connected(door, signed_head(b"", Transfer_Encoding="chunked")) as (reader, writer):
        sent = 0
        try:
            async with asyncio.timeout(2):
                for _ in range(2000):
                    writer.write(chunk)
                    await writer.drain()
                    sent += len(chunk)
        except ConnectionError:
            pass
        assert sent < 64 * 1024 * KILOBYTE
        answer = await rest(reader)
    assert b" 413 " in answer or answer == b"", "the rest of it is not read"
    assert (await door.send(issue_event()))[0] == 202


async def test_many_bodies_at_once_share_bounded_memory_and_usual_deliveries_come_through(door: Door) -> None:
    before = cut("no_room")
    big = b"x" * (300 * KILOBYTE)
    head = signed_head(big, Content_Length=str(len(big)))
    async with connected(door, head + big[: 200 * KILOBYTE]) as (_, _), connected(door, head) as (reader, _):
        assert b" 503 " in await rest(reader), "the first one's room is taken"
        assert (await door.send(issue_event()))[0] == 202
    assert cut("no_room") - before == 1
    await asyncio.sleep(0.4)
    assert (await door.send(b'{"x": "' + big + b'"}', "ping"))[0] == 202, "and there is room again"


async def test_a_reader_who_takes_nothing_is_cut(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.web.app.published_schema", lambda: {"much": "x" * 20 * KILOBYTE * KILOBYTE})
    before = cut("slow_reader")
    async with connected(door, b"GET /config.schema.json HTTP/1.1\r\nHost: localhost\r\n\r\n") as (_, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of a socket can
        for _ in range(100):
            await asyncio.sleep(0.0 if cut("slow_reader") > before else 0.05)
    assert cut("slow_reader") - before == 1


async def test_too_many_connections_cost_the_longest_waiting_one_its_place(door: Door) -> None:
    before = cut("crowded")
    async with connected(door) as (oldest, _), connected(door), connected(door), connected(door):
        await asyncio.sleep(0.05)
        async with connected(door, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") as (newest, _):
            assert b"alive" in await newest.read(1000)
        assert await rest(oldest) == b""
    assert cut("crowded") - before == 1


async def test_slow_bodies_on_every_connection_keep_no_delivery_out(door: Door) -> None:
    begun = signed_head(b"", Content_Length="100") + b"x"
    async with connected(door, begun) as (oldest, _), connected(door, begun), connected(door, begun) as (_, trickling):
        async with connected(door, begun):
            await asyncio.sleep(0.05)
            trickling.write(b"x")
            assert (await door.send(issue_event()))[0] == 202
        assert await rest(oldest) == b""


async def test_an_address_that_asks_too_often_is_put_off_but_never_with_a_signature(database: Database) -> None:
    limit = RateLimit(burst=5, per_second=0.5, now=lambda: 0.0)
    async with open_door(database, limit=limit) as door:
        asked = [await _get(door, "/help") for _ in range(6)]
        assert [status for status, _ in asked] == [200] * 5 + [429]
        assert 1 <= int(asked[5][1]["Retry-After"]) <= 2
        assert asked[5][1]["X-Content-Type-Options"] == "nosniff"
        for path in ("/reports", "/nothing/here", "/metrics", "/webhooks/github", "/assets/x.css"):
            assert (await _get(door, path))[0] == 429, path
        wrong = signature(b"{}", "not-the-secret")
        assert (await door.send(b"{}", X_Hub_Signature_256=wrong))[0] == 429
        assert (await door.send(b"{}", X_Hub_Signature_256=None))[0] == 429
        for _ in range(20):
            assert (await door.send(issue_event()))[0] == 202
            assert (await _get(door, "/healthz"))[0] == 200
            assert (await _get(door, "/readyz"))[0] in {200, 503}
        assert (await door.send(b"no JSON"))[0] == 400, "a signed one is told what is wrong with it"


async def _get(door: Door, path: str, method: str = "GET", **sent: str) -> tuple[int, dict[str, str]]:
    named = {name.replace("_", "-"): value for name, value in sent.items()}
    async with door.session.request(method, door.url(path), headers=named, allow_redirects=False) as answer:
        return answer.status, dict(answer.headers)


async def test_behind_proxies_of_ours_each_asker_counts_apart(database: Database) -> None:
    async with open_door(database, trusted_proxies=1, limit=RateLimit(burst=1, per_second=0.1)) as door:
        asked = [("9.9.9.9", 200), ("9.9.9.9", 429), ("1.1.1.1, 8.8.8.8", 200), ("2.2.2.2, 8.8.8.8", 429)]
        for forwarded, status in asked:
            assert (await _get(door, "/help", X_Forwarded_For=forwarded))[0] == status, forwarded


def test_the_buckets_fill_again_and_forget_the_oldest() -> None:
    now = 0.0
    limit = RateLimit(burst=2, per_second=2.0, most=3, now=lambda: now)
    assert [limit.wait("a") for _ in range(4)] == [0, 0, 1, 1]
    now = 0.5
    assert [limit.wait("a"), limit.wait("a")] == [0, 1]
    for number in range(1000):
        limit.wait(f"b{number}")
    assert limit.known == 3
    assert [limit.wait("a"), limit.wait("a"), limit.wait("a")] == [0, 0, 1], "forgotten, so it may ask anew"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, None, "192.0.2.1"),
        (0, "9.9.9.9", "192.0.2.1"),
        (1, None, "192.0.2.1"),
        (1, "9.9.9.9", "9.9.9.9"),
        (1, "6.6.6.6, 9.9.9.9", "9.9.9.9"),
        (2, "6.6.6.6, 9.9.9.9, 10.0.0.1", "9.9.9.9"),
        (2, "9.9.9.9", "192.0.2.1"),
        (1, "9.9.9.9:4711", "9.9.9.9"),
        (1, "[2001:db8:1:2:3:4:5:6]:4711", "2001:db8:1:2::/64"),
        (1, "2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        (1, "::ffff:9.9.9.9", "9.9.9.9"),
        (1, "fe80::1%eth0", "fe80::/64"),
        (1, "unknown", "192.0.2.1"),
        (1, "'; DROP TABLE", "192.0.2.1"),
        (1, ",", "192.0.2.1"),
    ],
)
def test_who_asks_is_said_by_the_peer_or_by_our_own_proxies(proxies: int, forwarded: str | None, address: str) -> None:
    sent = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    request = make_mocked_request("GET", "/help", headers=sent).clone(remote="192.0.2.1")
    assert Addresses(proxies).of(request) == address


async def test_every_answer_has_the_strict_headers(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: web.Request) -> web.Response:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr("bot.web.reports.routes.ReportPages._list", lambda *_: broken(*_[1:]))
    too_long = {name.replace("-", "_"): value for name, value in headers(b"").items()}
    async with open_door(database, bodies=Bodies(limit=-1)) as door:
        answers = {}
        for method, path in (
            ("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/metrics"), ("GET", "/help"), ("GET", "/welcome"),
            ("GET", "/config.schema.json"), ("GET", "/definitions"), ("GET", "/reports"), ("GET", "/no/such"),
            ("GET", "/reports/no/such"), ("GET", "/reports/1/2026-01"), ("GET", "/figures/none.svg"),
            ("GET", "/assets/none.css"), ("PUT", "/help"), ("GET", "/webhooks/github"), ("POST", "/webhooks/github"),
            ("HEAD", "/help"), ("OPTIONS", "/help"), ("GET", "/help/../help"), ("GET", "/%00"),
        ):  # fmt: skip
            answers[f"{method} {path}"] = await _get(door, path, method)
        answers["Expect"] = await _get(door, "/help", Expect="nothing")
        answers["too long"] = await _get(door, "/webhooks/github", "POST", **too_long)
        async with connected(door, b"GET / HTTP/1.1\r\nno header\r\n\r\n") as (reader, _):
            lines = (await rest(reader)).decode().split("\r\n\r\n")[0].split("\r\n")
            answers["no HTTP"] = (int(lines[0].split()[1]), dict(line.split(": ", 1) for line in lines[1:]))
    assert {status for status, _ in answers.values()} >= {200, 400, 404, 405, 413, 417, 500, 503}
    for asked, (status, sent) in answers.items():
        policy = sent["Content-Security-Policy"]
        assert "default-src 'none'" in policy, asked
        assert "frame-ancestors 'none'" in policy, asked
        assert "unsafe" not in policy, asked
        assert "http" not in policy, asked
        assert sent["X-Content-Type-Options"] == "nosniff", asked
        assert sent["Referrer-Policy"] == "no-referrer", asked
        assert "aiohttp" not in sent.get("Server", ""), asked
        assert "public" not in sent.get("Cache-Control", ""), asked
        assert status in {200, 302} or "Last-Modified" not in sent, asked


async def test_an_address_that_nothing_is_at_has_a_page_for_readers(database: Database) -> None:
    async with open_door(database) as door:

        async def asked(path: str, method: str = "GET") -> tuple[int, str, str]:
            async with door.session.request(method, door.url(path)) as answer:
                assert answer.headers["Cache-Control"] == (
                    "private, no-cache" if "html" in answer.content_type else "no-store"
                )
                return answer.status, answer.content_type, await answer.text()

        absent = await asked("/reports/no/such")
        assert "Nothing here" in absent[2]
        for path in ("/no/such", "/help/", "/reports/no/such/2026-1", "/%00", "/" + "x" * 3000):
            assert await asked(path) == absent, path
        assert await asked("/no/such", "HEAD") == (404, "text/html", "")
        bare = (404, "text/plain", "404: Not Found")
        for path, method in (
            ("/no/such", "POST"),
            ("/webhooks", "GET"),
            ("/webhooks/gitlab", "GET"),
            ("/webhooks/gitlab", "POST"),
            ("/none.json", "GET"),
        ):
            assert await asked(path, method) == bare, path
        assert (await asked("/webhooks/github"))[0] == (await asked("/help", "POST"))[0] == 405


async def test_pages_of_words_fetch_nothing_from_anybody_else(database: Database) -> None:
    async with open_door(database) as door:
        for path in ("/help", "/welcome", "/definitions", "/reports", "/no/such"):
            async with door.session.get(door.url(path)) as answer:
                page = await answer.text()
            fetched = re.findall(
                r"<(?:script|img|link|iframe|source|object|embed)\b[^>]*?(?:src|href|srcset)=\"([^\"]*)\"", page
            )
            assert all(re.match(r"/[^/]", one) for one in fetched), path
            links = re.findall(r"<a\b[^>]*?href=\"([^\"]*)\"", page)
            own = (r"/[^/]", r"#", r"https://github\.com/", r"https://arxiv\.org/", r"/$")
            assert all(re.match("|".join(own), one) for one in links), path
            assert not re.search(r"<style|<script(?![^>]*\bsrc=)|<[^>]*\s(?:style|on\w+)=|<form|<iframe|<base", page), (
                path
            )
