"""A client that costs little: signed closings of 12 KB over plain sockets, as fast as they are answered or in time."""

from __future__ import annotations

import hashlib
import hmac
import json
import selectors
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.sandbox.app_identity import new_private_key
from bot.sandbox.sandbox import Sandbox
from tests.support.clock import VirtualClock

BODY_BYTES = 12 * 1024
_TEXT = "for batch in loader: step(batch)  # grows\n"
_END = b"\r\n\r\n"
_LENGTH = b"content-length:"


def bodies(issues: int) -> list[bytes]:
    """Return closings of so many issues, each of 12 KB: half addresses, half the issue's text."""
    sandbox = Sandbox(VirtualClock(datetime(2027, 3, 1, tzinfo=UTC)), secret="", private_key=new_private_key())
    sandbox.add_owner("pytorch")
    sandbox.add_repository("pytorch", "pytorch")
    sandbox.install("pytorch", ["pytorch"])
    sandbox.add_user("ann")
    sandbox.open_issue("pytorch/pytorch", "ann", "Memory grows", "")
    sandbox.close("pytorch/pytorch", 1, "ann")
    payload = json.loads(sandbox.deliveries[-1].payload)
    short = len(json.dumps(payload, separators=(",", ":")))
    payload["issue"]["body"] = (_TEXT * BODY_BYTES)[: BODY_BYTES - short - 300]
    made = []
    for number in range(1, issues + 1):
        payload["issue"] |= {"number": number, "id": 10_000 + number}
        made.append(json.dumps(payload, separators=(",", ":")).encode())
    return made


class Requests:
    """Signed requests without end: one issue after the other, each under a GUID of its own."""

    def __init__(self, secret: str, issues: int) -> None:
        self._ends = []
        for body in bodies(issues):
            digest = hmac.digest(secret.encode(), body, hashlib.sha256).hex()
            head = f"\r\nX-Hub-Signature-256: sha256={digest}\r\nContent-Length: {len(body)}\r\n\r\n"
            self._ends.append(head.encode() + body)
        self.bytes = len(body)
        self._begin = (
            b"POST /webhooks/github HTTP/1.1\r\nHost: localhost\r\nUser-Agent: GitHub-Hookshot/0\r\nAccept: */*\r\n"
            b"Content-Type: application/json\r\nX-GitHub-Event: issues\r\nX-GitHub-Hook-ID: 1\r\n"
            b"X-GitHub-Hook-Installation-Target-ID: 1\r\nX-GitHub-Hook-Installation-Target-Type: integration\r\n"
            b"X-GitHub-Delivery: "
        )
        self._sent = 0

    def next(self) -> bytes:
        """Return the next request as it goes over the wire."""
        self._sent += 1
        guid = b"72d3162e-cc78-11e3-81ab-%012x" % self._sent
        return self._begin + guid + self._ends[self._sent % len(self._ends)]


@dataclass
class _Line:
    """One connection: since when it waits for its answer, and what came of that."""

    socket: socket.socket
    since: float = 0.0
    came: bytearray = field(default_factory=bytearray)


class Client:
    """A number of open connections to one server, all in one thread."""

    def __init__(self, port: int, connections: int, requests: Requests) -> None:
        self.late: list[float] = []
        """By how many seconds this process itself woke late, each time that it slept until the next was due."""
        self._requests = requests
        self._lines = [_Line(socket.create_connection(("127.0.0.1", port))) for _ in range(connections)]
        self._selector = selectors.DefaultSelector()
        for line in self._lines:
            line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._selector.register(line.socket, selectors.EVENT_READ, line)

    def as_fast_as_answered(self, seconds: float, most: int) -> list[float]:
        """Send the next over each connection as soon as the last is answered; return the waits in seconds, sorted."""
        end, waits = time.perf_counter() + seconds, list[float]()
        for line in self._lines:
            self._send(line, time.perf_counter())
        open_lines = len(self._lines)
        while open_lines:
            for line in self._answered(None):
                now = time.perf_counter()
                waits.append(now - line.since)
                if now < end and len(waits) + open_lines <= most:
                    self._send(line, now)
                else:
                    open_lines -= 1
        return sorted(waits)

    def in_time(self, rate: float, seconds: float) -> list[float]:
        """Send so many a second whatever the answers; each wait counts from when it was due, also for a connection."""
        free, waits = list(self._lines), list[float]()
        start, number, sent = time.perf_counter(), int(rate * seconds), 0
        while len(waits) < number:
            due = start + sent / rate
            while sent < number and free and due <= time.perf_counter():
                self._send(free.pop(0), due)
                sent += 1
                due = start + sent / rate
            pause = max(due - time.perf_counter(), 0.0) if free and sent < number else None
            answered = self._answered(pause)
            if pause and not answered:
                self.late.append(max(time.perf_counter() - due, 0.0))
            for line in answered:
                waits.append(time.perf_counter() - line.since)
                free.append(line)
        return sorted(waits)

    def close(self) -> None:
        """Close all connections."""
        for line in self._lines:
            line.socket.close()
        self._selector.close()

    def _send(self, line: _Line, since: float) -> None:
        line.since = since
        line.socket.sendall(self._requests.next())

    def _answered(self, seconds: float | None) -> Sequence[_Line]:
        """Return the connections whose answer has come whole; raises SystemExit where one is not 202."""
        found = []
        for key, _ in self._selector.select(seconds):
            line: _Line = key.data
            came = line.socket.recv(65_536)
            if not came:
                raise SystemExit("the server closed a connection without an answer")
            line.came += came
            head, end, rest = line.came.partition(_END)
            if not end:
                continue
            lowered = head.lower()
            place = lowered.index(_LENGTH) + len(_LENGTH)
            if len(rest) < int(lowered[place:].split(b"\r\n", 1)[0]):
                continue
            if not head.startswith(b"HTTP/1.1 202"):
                raise SystemExit(f"refused: {bytes(line.came).decode()}")
            line.came.clear()
            found.append(line)
        return found
