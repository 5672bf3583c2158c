"""What is sent to the webhook endpoint: deliveries of every kind changed in places, headers, and bytes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from bot.deliveries import ACTIONS
from tests.hostile.mutations import CHANGES, changed, json_bytes
from tests.hostile.surface import forms
from tests.support.door import comment_event, headers, issue_event

EVENTS = (*ACTIONS, "pull_request", "ping", "an_event_of_tomorrow")
HEADERS_END = b"\n\n"


def request_of(lines: bytes, body: bytes) -> bytes:
    return b"POST /webhooks/github HTTP/1.1\r\nHost: a\r\n" + lines + b"\r\n\r\n" + body


def lines_of(body: bytes, event: str) -> bytes:
    sent = {**headers(body, event, "72d3162e-cc78-11e3-81ab-4c9367dc0958"), "Content-Length": str(len(body))}
    return "\r\n".join(f"{name}: {value}" for name, value in sent.items()).encode()


def _payloads() -> dict[str, list[dict[str, Any]]]:
    """Return a payload of every action of every event that is taken."""
    account = {"id": 3, "login": "acme", "type": "Organization"}
    place = {"id": 65_600_975, "full_name": "acme/frame", "private": False, "html_url": "https://github.com/acme/frame"}
    more: dict[str, Any] = {
        "installation": {"id": 31, "account": account, "repository_selection": "all", "suspended_at": None},
        "repositories": [place],
        "repositories_added": [place],
        "repositories_removed": [{**place, "id": 7}],
        "label": {"id": 1, "name": "root-cause/memory-leak"},
        "changes": {"body": {"from": "/rootcause confirm"}, "new_issue": {"number": 4}, "new_repository": place},
    }
    return {
        event: [
            comment_event("/rootcause undo\n\nThanks", action, **more)
            if event == "issue_comment"
            else issue_event(action, **more)
            for action in sorted(actions)
        ]
        for event, actions in ACTIONS.items()
    }


_PAYLOADS = _payloads()
_CAPTURED = lines_of(json.dumps(issue_event()).encode(), "issues")
SIGNED = _CAPTURED[_CAPTURED.index(b"sha256=") :][:71]


_ALL = [(event, payload) for event, payloads in _PAYLOADS.items() for payload in payloads]
_DELIVERIES = st.tuples(st.sampled_from(_ALL), CHANGES).map(
    lambda made: bytes([EVENTS.index(made[0][0])]) + json_bytes(changed(made[0][1], made[1]))
)
_CUT_UP = st.tuples(_DELIVERIES, st.integers(0, 2_000), st.binary(max_size=6)).map(
    lambda made: made[0][: made[1]] + made[2] + made[0][made[1] + len(made[2]) :]
)
_DEEP = st.tuples(st.sampled_from([b"[", b'{"a":', b"9", b'"\\u', b"1e", b"-"]), st.integers(0, 20_000)).map(
    lambda made: b"\0" + json.dumps(issue_event()).encode()[:-1] + b', "x": ' + made[0] * made[1]
)
_NAMES = ["X-GitHub-Event", "X-GitHub-Delivery", "X-Hub-Signature-256", "Content-Type", "Content-Encoding", "Expect"]
_NAMES += ["Transfer-Encoding", "Content-Length", "Connection", "Upgrade", "X-Forwarded-For", "Cookie", "Host"]
_VALUES = [
    "issues",
    "a" * 65,
    "application/json",
    "gzip",
    "chunked",
    "-1",
    "1e9",
    "100-continue",
    "websocket",
    "é",
    "\0",
]
_VALUES += [
    SIGNED.decode(),
    "sha256=" + "0" * 64,
    "close",
    "Upgrade",
    "127.0.0.1, [::1]:9",
    "application/json; q=",
    "",
]
_GIVEN = st.lists(
    st.tuples(st.sampled_from(_NAMES), st.one_of(st.sampled_from(_VALUES), st.text(max_size=20))), max_size=6
).map(lambda pairs: "\n".join(f"{name}: {value}" for name, value in pairs).encode("utf-8", "replace"))
_LINES = st.tuples(_GIVEN, st.binary(max_size=60)).map(HEADERS_END.join)
_HEADS = [
    "POST /webhooks/github HTTP/1.1\r\n",
    "GET /healthz HTTP/1.0\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "Host: a\r\n",
]
_HEADS += [
    "\r\n\r\n",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n\r\n",
    "5\r\nabcde\r\n",
    "0\r\n\r\n",
    "\r\n",
    "\0",
]
_HEADS += [
    "Connection: upgrade\r\nUpgrade: websocket\r\n",
    "OPTIONS * HTTP/1.1\r\n",
    "POST //a:b@[::1/ HTTP/1.1\r\n",
    "%",
]
_RAW = st.lists(st.one_of(st.sampled_from(_HEADS).map(str.encode), st.binary(max_size=12)), max_size=12).map(b"".join)

_EXAMPLE = json.dumps(issue_event()).encode()


SEEDS = (
    *(
        bytes([0, EVENTS.index(event)]) + json.dumps(payload).encode()
        for event, payloads in _PAYLOADS.items()
        for payload in payloads
    ),
    b"\1" + _CAPTURED.replace(b"\r\n", b"\n") + HEADERS_END + _EXAMPLE,
    b"\2" + request_of(_CAPTURED, _EXAMPLE),
    b"\2" + request_of(_CAPTURED.replace(b"Content-Length", b"X"), _EXAMPLE),
    b"\2" + request_of(b"Transfer-Encoding: chunked\r\n" + lines_of(b"", "issues"), b"5\r\nabcde\r\n0\r\n\r\n"),
    b"\2GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n",
    b"\2GET /help HTTP/1.1\r\nHost: a\r\n\r\nGET /config.schema.json HTTP/1.1\r\nHost: a\r\n\r\n",
)
WORDS = tuple(
    word.encode("utf-8", "replace")
    for word in (
        *_NAMES,
        *_VALUES,
        *_HEADS,
        '"action"',
        '"issue"',
        '"repository"',
        '"sender"',
        '"comment"',
        "null",
        "id",
    )
    if word
)
MADE = forms(st.one_of(_DELIVERIES, _CUT_UP, _DEEP), _LINES, _RAW)
