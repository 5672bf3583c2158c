"""The door from outside: what is answered, what is stored, and that nobody without the secret gets further."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import resource
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from prometheus_client import generate_latest

from bot.store.database import Database
from bot.web import webhook as webhook_module
from bot.web.bodies import BODY_LIMIT
from tests.support.door import (
    BOT_ID,
    REPOSITORY_ID,
    SECRET,
    Door,
    comment_event,
    headers,
    issue_event,
    new_guid,
    open_door,
    signature,
)

MEGABYTE = 1024 * 1024
ISSUE = f"issue:{REPOSITORY_ID}:7"


@pytest.fixture
async def door(database: Database) -> AsyncIterator[Door]:
    async with open_door(database) as opened:
        yield opened


@pytest.fixture(autouse=True)
def no_traceback(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing that anybody sends makes the program log an error of its own."""
    yield
    assert [one.getMessage() for one in caplog.get_records("call") if one.levelno >= logging.ERROR] == []
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Collect whatever the endpoint hands to its parser."""
    seen: list[bytes] = []
    parse = webhook_module._parse

    def note(body: bytearray) -> dict[str, Any]:
        seen.append(bytes(body))
        return parse(body)

    monkeypatch.setattr(webhook_module, "_parse", note)
    return seen


async def nothing_stored(door: Door) -> bool:
    return await door.deliveries() == [] and await door.jobs() == []


async def test_a_signed_closing_is_stored_with_its_job_before_the_202(door: Door) -> None:
    payload = issue_event()
    guid = new_guid()
    assert await door.send(payload, guid=guid) == (202, "stored")
    (row,) = await door.deliveries()
    assert (row["guid"], row["unit"], row["state"], row["number"], row["sender_id"]) == (guid, ISSUE, "waiting", 7, 5)
    del payload["issue"]["title"]
    assert json.loads(row["payload"]) == payload
    assert (row["not_before"] - row["received_at"]).total_seconds() == 25
    (job,) = await door.jobs()
    assert (job["lock"], job["args"], job["priority"]) == (ISSUE, {"unit": ISSUE}, 0)
    assert job["scheduled_at"] == row["not_before"]


async def test_a_command_waits_for_nothing(door: Door) -> None:
    assert await door.send(comment_event("/rootcause confirm"), "issue_comment") == (202, "stored")
    (row,) = await door.deliveries()
    assert row["not_before"] == row["received_at"]
    (job,) = await door.jobs()
    assert (job["lock"], job["priority"], job["scheduled_at"]) == (ISSUE, 10, None)


BODY = json.dumps(issue_event()).encode()
GOOD = signature(BODY)
OTHER_DIGEST = signature(BODY, "another-secret")

SIGNATURES: list[str | None] = [
    None,
    "",
    "sha256=",
    GOOD.removeprefix("sha256="),
    GOOD.upper(),
    "sha256=" + GOOD.removeprefix("sha256=").upper(),
    GOOD[:-1],
    GOOD + "0",
    GOOD + ", " + GOOD,
    GOOD.replace("sha256=", "sha1="),
    GOOD.replace("sha256=", "sha512="),
    GOOD[:-1] + "é",
    "sha256=" + "é" * 64,
    "sha256=" + "\u0663" * 64,
    "sha256=" + "0" * 64,
    OTHER_DIGEST,
    signature(BODY + b" "),
    signature(b""),
    signature(BODY, SECRET + "\n"),
    signature(BODY, ""),
]


async def test_a_signature_that_does_not_hold_is_refused_before_anything_is_parsed(
    door: Door, parsed: list[bytes]
) -> None:
    for value in SIGNATURES:
        status, text = await door.send(BODY, X_Hub_Signature_256=value)
        assert status == 401, value
        assert "signature" in text.lower()
    assert parsed == []
    assert await nothing_stored(door)


async def test_a_sha1_signature_alone_opens_nothing(door: Door, parsed: list[bytes]) -> None:
    sha1 = "sha1=" + hmac.new(SECRET.encode(), BODY, "sha1").hexdigest()
    status, _ = await door.send(BODY, X_Hub_Signature_256=None, X_Hub_Signature=sha1)
    assert status == 401
    assert parsed == []
    assert await nothing_stored(door)


async def test_a_bomb_is_parsed_with_the_secret_only(door: Door, parsed: list[bytes]) -> None:
    bomb = b"[" * 10 * MEGABYTE
    status, _ = await door.send(bomb, X_Hub_Signature_256=signature(bomb, "wrong"))
    assert status == 401
    assert parsed == []
    assert (await door.send(bomb))[0] == 400
    assert parsed == [bomb]


async def test_both_secrets_hold_while_one_is_rotated_and_an_empty_one_never(database: Database) -> None:
    async with open_door(database, secrets=("old", "new")) as door:
        for secret, expected in (("old", 202), ("new", 202), ("oldnew", 401), ("old,new", 401), ("", 401)):
            status, _ = await door.send(BODY, X_Hub_Signature_256=signature(BODY, secret))
            assert status == expected, secret
        assert len(await door.deliveries()) == 2


async def test_without_a_secret_nothing_is_ever_accepted(database: Database, parsed: list[bytes]) -> None:
    async with open_door(database, secrets=()) as door:
        for given in (None, signature(BODY, ""), signature(BODY)):
            status, text = await door.send(BODY, X_Hub_Signature_256=given)
            assert status == 503
            assert "ROOTCAUSE_WEBHOOK_SECRET" in text
        assert parsed == []
        assert await nothing_stored(door)


HEADERS = [
    ("X-GitHub-Event", None, 400),
    ("X-GitHub-Event", "", 400),
    ("X-GitHub-Event", "Issues", 400),
    ("X-GitHub-Event", "issues; drop table", 400),
    ("X-GitHub-Event", "issués", 400),
    ("X-GitHub-Event", "a" * 65, 400),
    ("X-GitHub-Delivery", None, 400),
    ("X-GitHub-Delivery", "", 400),
    ("X-GitHub-Delivery", "a" * 65, 400),
    ("X-GitHub-Delivery", "guid with spaces", 400),
    ("X-GitHub-Delivery", "72d3162é", 400),
    ("Content-Type", "application/x-www-form-urlencoded", 415),
    ("Content-Type", "text/plain", 415),
    ("Content-Type", "", 415),
    ("Content-Type", "application/json; charset=utf-8", 202),
    ("Content-Encoding", "gzip", 415),
    ("Content-Encoding", "br", 415),
    ("X-GitHub-Event", "projects_v2_item", 202),
    ("X-GitHub-Event", "an_event_of_tomorrow", 202),
    ("X-GitHub-Event", "ping", 202),
]


async def test_each_header_is_checked_before_the_body(door: Door, parsed: list[bytes]) -> None:
    for name, value, expected in HEADERS:
        changed = {name.replace("-", "_"): value}
        status, _ = await door.send(BODY, "issues", new_guid(), **changed)
        assert status == expected, (name, value)
        if expected != 202:
            assert parsed == [], (name, value)
        parsed.clear()
    stored = [row["event"] for row in await door.deliveries()]
    assert stored == ["issues"], "only the one with a charset is both good and for us"


async def test_an_event_that_nobody_knows_is_accepted_and_forgotten(door: Door) -> None:
    for event in ("ping", "star", "projects_v2_item", "an_event_of_tomorrow"):
        assert (await door.send({"action": "created", "zen": "Design for failure."}, event))[0] == 202
    assert (await door.send(issue_event("an_action_of_tomorrow")))[0] == 202
    assert (await door.send(comment_event("No command in here."), "issue_comment"))[0] == 202
    on_a_pull_request = comment_event("/rootcause confirm")
    on_a_pull_request["issue"]["pull_request"] = {"url": "https://..."}
    assert (await door.send(on_a_pull_request, "issue_comment"))[0] == 202
    own = issue_event("edited", sender={"id": BOT_ID, "login": "rootcause[bot]", "type": "Bot"})
    assert (await door.send(own))[0] == 202
    assert await nothing_stored(door)
    assert b"an_event_of_tomorrow" not in generate_latest(), "the header is not signed: names in it fill no memory"


def with_field(value: bytes) -> bytes:
    """Return a good body with one more field that is not."""
    return BODY[:-1] + b', "x": ' + value + b"}"


REFUSED_BODIES = {
    "empty": b"",
    "not JSON": b"{",
    "a list": b"[]",
    "a string": b'"closed"',
    "null": b"null",
    "100,000 brackets": b"[" * 100_000 + b"]" * 100_000,
    "100,000 objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep inside an object": with_field(b"[" * 100_000 + b"]" * 100_000),
    "a number of 5,000 digits": with_field(b"9" * 5_000),
    "NaN": with_field(b"NaN"),
    "-Infinity": with_field(b"-Infinity"),
    "not UTF-8": with_field(b'"\xff"'),
    "a surrogate in UTF-8": with_field(b'"\xed\xa0\x80"'),
    "a bare NUL": with_field(b'"\x00"'),
    "UTF-16": json.dumps(issue_event()).encode("utf-16-le"),
    "a byte order mark": b"\xef\xbb\xbf" + BODY,
    "two objects": BODY + BODY,
    "no issue": b'{"action": "closed", "repository": {"id": 1}}',
    "an issue number out of range": json.dumps(issue_event(number=2**31)).encode(),
    "a repository id out of range": json.dumps(issue_event(repository={"id": 2**63})).encode(),
    "a negative sender id": json.dumps(issue_event(sender={"id": -1})).encode(),
    "a huge sender id": json.dumps(issue_event(sender={"id": 10**40})).encode(),
}


async def test_a_signed_body_that_is_not_what_the_event_has_is_refused(door: Door) -> None:
    for name, body in REFUSED_BODIES.items():
        status, text = await door.send(body)
        assert status == 400, name
        assert "error" in json.loads(text)
    assert await nothing_stored(door)


async def test_characters_that_postgresql_cannot_hold_are_stored_as_they_came(door: Door) -> None:
    edited = json.dumps(issue_event("edited")).encode()
    body = edited.replace(b"Memory grows", b"\\u0000 \\ud800 \\udfff \\ud83d\\ude00 " + "é😀".encode())
    assert body != edited
    assert (await door.send(body))[0] == 202
    (row,) = await door.deliveries()
    assert json.loads(row["payload"]) == json.loads(body)


async def test_ten_times_the_same_delivery_at_once_is_one_row_and_one_job(door: Door) -> None:
    guid = new_guid()
    answers = await asyncio.gather(*(door.send(BODY, guid=guid) for _ in range(10)))
    assert {status for status, _ in answers} == {202}
    assert len(await door.deliveries()) == 1
    assert len(await door.jobs()) == 1


async def test_a_delivery_that_is_done_is_a_no_op_and_one_that_failed_runs_again(door: Door) -> None:
    guid = new_guid()
    await door.send(BODY, guid=guid)
    await door.rows("UPDATE delivery SET state = 'done', done_at = now() RETURNING guid")
    await door.rows("DELETE FROM procrastinate_jobs RETURNING id")
    assert (await door.send(BODY, guid=guid))[0] == 202
    (row,) = await door.deliveries()
    assert row["state"] == "done"
    assert await door.jobs() == []

    await door.rows("UPDATE delivery SET state = 'failed', attempts = 3, error = 'KeyError' RETURNING guid")
    assert (await door.send(BODY, guid=guid))[0] == 202
    (row,) = await door.deliveries()
    assert (row["state"], row["attempts"], row["error"]) == ("waiting", 0, None)
    (job,) = await door.jobs()
    assert (job["lock"], job["priority"], job["scheduled_at"]) == (ISSUE, 10, None)


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


async def thirty_megabytes() -> AsyncIterator[bytes]:
    for _ in range(30 * 16):
        yield bytes(MEGABYTE // 16)


async def test_thirty_megabytes_are_refused_by_their_length_alone(door: Door, parsed: list[bytes]) -> None:
    before = peak_memory()
    sent = {**headers(b""), "Content-Length": str(30 * MEGABYTE)}

    async def post() -> int:
        async with door.session.post(door.url(), data=thirty_megabytes(), headers=sent) as answer:
            assert "25 MB" in await answer.text()
            return answer.status

    assert await asyncio.gather(*(post() for _ in range(6))) == [413] * 6
    assert parsed == []
    assert peak_memory() - before < 60 * MEGABYTE, "bodies are kept although they are refused"
    assert (await door.send(BODY))[0] == 202, "and the next one is served"


async def test_thirty_megabytes_without_a_length_are_refused_when_they_pass_the_limit(
    door: Door, parsed: list[bytes]
) -> None:
    before = peak_memory()
    async with door.session.post(door.url(), data=thirty_megabytes(), headers=headers(b"")) as answer:
        assert answer.status == 413
        assert "25 MB" in await answer.text()
    assert parsed == []
    assert peak_memory() - before < 4 * BODY_LIMIT
    assert (await door.send(BODY))[0] == 202, "and the next one is served"


async def test_a_body_at_the_limit_is_accepted(door: Door) -> None:
    start, end = BODY[:-1] + b', "filler": "', b'"}'
    body = start + b"x" * (BODY_LIMIT - len(start) - len(end)) + end
    assert len(body) == BODY_LIMIT
    assert (await door.send(body))[0] == 202
    assert (await door.send(body + b" "))[0] == 413


async def raw(door: Door, request: bytes, *, hang_up: bool = False) -> bytes:
    """Send bytes over a connection of one's own and return what comes back until its end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(request)
    await writer.drain()
    if hang_up:
        writer.close()
        await asyncio.sleep(0.1)
        return b""
    async with asyncio.timeout(5):
        answer = await reader.read()
    writer.close()
    return answer


def head(**changed: str) -> bytes:
    lines = {**headers(BODY), "Host": "localhost", "Connection": "close", **changed}
    text = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    return b"POST /webhooks/github HTTP/1.1\r\n" + text.encode("latin-1") + b"\r\n"


async def test_a_sender_that_hangs_up_or_breaks_its_body_off_leaves_no_trace(door: Door, parsed: list[bytes]) -> None:
    await raw(door, head(Content_Length="1000") + BODY[:50], hang_up=True)
    await raw(door, head(Transfer_Encoding="chunked") + b"40\r\n" + BODY[:50], hang_up=True)
    answer = await raw(door, head(Transfer_Encoding="chunked") + b"not a length\r\n" + BODY)
    assert b" 400 " in answer.splitlines()[0]
    assert parsed == []
    assert await nothing_stored(door)


async def test_compression_is_refused_whatever_it_holds(door: Door, parsed: list[bytes]) -> None:
    for name, packed in (("gzip", b"no gzip at all"), ("deflate", zlib.compress(bytes(80 * MEGABYTE)))):
        before = peak_memory()
        answer = await raw(door, head(Content_Encoding=name, Content_Length=str(len(packed))) + packed)
        assert answer.startswith(b"HTTP/1.1 4"), answer[:80]
        assert peak_memory() - before < 60 * MEGABYTE
    assert parsed == []
    assert (await door.send(BODY))[0] == 202


async def test_only_post_has_an_answer_here(door: Door) -> None:
    for method in ("GET", "PUT", "DELETE"):
        async with door.session.request(method, door.url()) as answer:
            assert answer.status == 405


async def test_the_database_away_is_a_503_and_the_same_delivery_is_accepted_later(database: Database) -> None:
    guid = new_guid()
    async with open_door(database) as door:
        await door.pool.close()
        status, text = await door.send(BODY, guid=guid)
        assert status == 503
        assert "deliver again" in text
        async with door.session.get(door.url("/readyz")) as answer:
            assert answer.status == 503
        async with door.session.get(door.url("/healthz")) as answer:
            assert answer.status == 200
    async with open_door(database) as door:
        assert (await door.send(BODY, guid=guid))[0] == 202
        assert [row["guid"] for row in await door.deliveries()] == [guid]
