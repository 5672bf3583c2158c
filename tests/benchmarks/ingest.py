"""How many signed deliveries a second the web process accepts durably, and how long each waits.

Run `python tests/benchmarks/ingest.py`: it starts `rootcause web` on an embedded database of its own, posts signed
closings of 12 KB over ten connections for ten seconds (at most 30,000 of them), and prints what was accepted. The web
process's own processor time does not depend on what else the machine does.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
SECRET = "the-secret-of-this-benchmark"
CONNECTIONS = 10
SECONDS = 10.0
MOST = 30_000
_TEXT = ("for batch in loader: step(batch)  # grows " * 400)[: 12 * 1024 - 300]
ISSUES = 2_000
START_SECONDS = 60.0


def body(number: int) -> bytes:
    """Return a closing of about 12 KB, most of it the issue's text, as on GitHub."""
    issue = {"id": 10_000 + number, "number": number, "title": "Memory grows", "user": {"id": 5}, "body": _TEXT}
    payload = {
        "action": "closed",
        "issue": issue,
        "repository": {"id": 65_600_975, "full_name": "pytorch/pytorch"},
        "installation": {"id": 31},
        "sender": {"id": 5, "login": "ann", "type": "User"},
    }
    return json.dumps(payload).encode()


def request(number: int, guid: str) -> bytes:
    """Return a whole HTTP request, signed."""
    content = body(number)
    digest = hmac.digest(SECRET.encode(), content, hashlib.sha256).hex()
    head = (
        "POST /webhooks/github HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"X-GitHub-Event: issues\r\nX-GitHub-Delivery: {guid}\r\nX-Hub-Signature-256: sha256={digest}\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


async def post(port: int, numbers: Iterator[int], end: float, waits: list[float]) -> None:
    """Post one delivery after the other over one connection until the time or the numbers are used up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number in numbers:
        if time.monotonic() >= end or number > MOST:
            break
        sent = request(number % ISSUES + 1, f"benchmark-{number}")
        started = time.perf_counter()
        writer.write(sent)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.partition(b":")[2]))
        waits.append(time.perf_counter() - started)
        if not head.startswith(b"HTTP/1.1 202"):
            raise SystemExit(f"refused: {head.splitlines()[0].decode()}")
    writer.close()


@contextmanager
def web_process(folder: Path) -> Iterator[tuple[int, psutil.Process]]:
    """Run `rootcause web` on a database in the folder, and yield its port and itself once it listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | {
        "ROOTCAUSE_DATA_DIR": str(folder / "data"),
        "ROOTCAUSE_WEBHOOK_SECRET": SECRET,
        "ROOTCAUSE_HOST": "127.0.0.1",
        "PORT": str(port),
    }
    with (folder / "web.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "bot", "web"], cwd=ROOT, env=environment, stderr=log)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit((folder / "web.log").read_text())
            time.sleep(0.1)
        yield port, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(15)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def measure(port: int) -> tuple[list[float], float]:
    """Return every delivery's wait and the whole time, both in seconds."""
    waits: list[float] = []
    numbers = iter(count(1))
    started = time.monotonic()
    await asyncio.gather(*(post(port, numbers, started + SECONDS, waits) for _ in range(CONNECTIONS)))
    return sorted(waits), time.monotonic() - started


def main() -> None:
    """Measure once and print a line."""
    with tempfile.TemporaryDirectory(prefix="rootcause-benchmark-") as folder, web_process(Path(folder)) as (port, web):
        before = web.cpu_times()
        waits, seconds = asyncio.run(measure(port))
        after = web.cpu_times()
    busy = after.user + after.system - before.user - before.system
    middle, slow = (1000 * waits[int(len(waits) * share)] for share in (0.5, 0.99))
    sys.stdout.write(
        f"{len(waits)} deliveries of {len(body(1)) / 1024:.1f} KB over {CONNECTIONS} connections in {seconds:.1f} s: "
        f"{len(waits) / seconds:.0f} accepted/s, p50 {middle:.1f} ms, p99 {slow:.1f} ms, "
        f"{1000 * busy / len(waits):.2f} ms of processor time each\n"
    )


if __name__ == "__main__":
    main()
