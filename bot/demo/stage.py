"""What the demo and `rootcause dev` stand on: the local GitHub on its usual port, and the settings of an App on it."""

from __future__ import annotations

import errno
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bot.clock import SystemClock
from bot.demo.outcome import say
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox

_USUAL_PORT = 8474

UNPACED = {
    "ROOTCAUSE_SETTLE_SECONDS": "0.2",
    "ROOTCAUSE_WRITE_INTERVAL_SECONDS": "0",
    "ROOTCAUSE_WRITES_PER_MINUTE": "100000",
    "ROOTCAUSE_WRITES_PER_HOUR": "100000",
    "ROOTCAUSE_OBSERVE_DAYS": "0",
    "ROOTCAUSE_BACKFILL_DAYS": "0",
}
"""The settings of an App that waits for nothing: a local GitHub has no limits to keep and nobody to observe first."""


def local_github(folder: Path, app_port: int, secret: str) -> Sandbox:
    """Open the local GitHub kept in a folder, whose webhooks go to an App on this machine."""
    return Sandbox(
        SystemClock(),
        storage_path=folder / "github.sqlite",
        webhook_url=f"http://127.0.0.1:{app_port}/webhooks/github",
        secret=secret,
        limits=Limits(enforce=False),
    )


@asynccontextmanager
async def served(sandbox: Sandbox) -> AsyncIterator[str]:
    """Serve the local GitHub on its usual port, or, where that is taken, on any free one; yield its address."""
    async with AsyncExitStack() as stack:
        try:
            address = await stack.enter_async_context(sandbox.running(_USUAL_PORT))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            address = await stack.enter_async_context(sandbox.running())
            say(f"Port {_USUAL_PORT} is in use; the local GitHub is at {address}/web.", as_json=True)
        yield address


def environment(folder: Path, sandbox: Sandbox, address: str, secret: str, port: int) -> dict[str, str]:
    """Return the settings of an App on the local GitHub that waits for nothing; its key is written to the folder."""
    key = folder / "app.pem"
    key.touch(mode=0o600)
    key.write_text(sandbox.private_key)
    return {
        "ROOTCAUSE_APP_ID": str(sandbox.app.id),
        "ROOTCAUSE_PRIVATE_KEY_FILE": str(key),
        "ROOTCAUSE_WEBHOOK_SECRET": secret,
        "ROOTCAUSE_GITHUB_API_URL": address,
        "ROOTCAUSE_DATA_DIR": str(folder),
        "ROOTCAUSE_HOST": "127.0.0.1",
        **UNPACED,
        "ROOTCAUSE_INBOX_DELAY_SECONDS": "3",
        "ROOTCAUSE_INBOX_QUIET_SECONDS": "10",
        "PORT": str(port),
    }


def free_port(wanted: int = 0) -> int:
    """Return the wanted port where nobody listens on it, else any free one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError:
            return free_port()
        chosen: int = probe.getsockname()[1]
        return chosen
