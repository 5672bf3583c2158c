"""The local GitHub of the backfill benchmark, in a process of its own: real closed issues, and a log of queries.

Run by `backfill.py`: takes the file of issues and a folder, where it writes the App's key and one line a query.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.clock import SystemClock
from bot.sandbox.sandbox import Sandbox

_NAME = re.compile(r"\s*query (\w+)")


class LoggingSandbox(Sandbox):
    """Writes down which queries it answered, in order."""

    log: Any

    def application(self) -> web.Application:
        application = super().application()

        @web.middleware
        async def note(request: web.Request, handler: Any) -> web.StreamResponse:
            answer: web.StreamResponse = await handler(request)
            name, after = request.path, None
            if request.path == "/graphql":
                body = json.loads(await request.read())
                found = _NAME.match(body["query"])
                name, after = found.group(1) if found else "?", body["variables"].get("after")
            used = answer.headers.get("x-ratelimit-used")
            owner = body["variables"].get("owner") if request.path == "/graphql" else None
            self.log.write(json.dumps({"name": name, "owner": owner, "after": after, "used": used}) + "\n")
            self.log.flush()
            return answer

        application.middlewares.append(note)
        return application


def fill(sandbox: Sandbox, path: Path, only: str | None) -> dict[str, int]:
    """Take in the issues; return how many each repository got."""
    counts: dict[str, int] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            name = record["repository"]
            if only is not None and name != only:
                continue
            if name not in counts:
                sandbox.add_repository(name.partition("/")[0], name.partition("/")[2])
            sandbox.seed_issue(name, record)
            counts[name] = counts.get(name, 0) + 1
    for owner in sorted({name.partition("/")[0] for name in counts}):
        sandbox.install(owner, [name for name in counts if name.startswith(f"{owner}/")])
    return counts


async def serve(path: Path, folder: Path, only: str | None) -> None:
    sandbox = LoggingSandbox(SystemClock())
    sandbox.log = (folder / "asked.jsonl").open("a")
    counts = fill(sandbox, path, only)
    (folder / "app.pem").write_text(sandbox.private_key)
    async with sandbox.running() as address:
        ready = {"address": address, "app_id": sandbox.app.id, "repositories": counts}
        (folder / "ready.json.new").write_text(json.dumps(ready))
        (folder / "ready.json.new").rename(folder / "ready.json")
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None))
