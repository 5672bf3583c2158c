"""`rootcause replay`: a payload from a file is signed and sent to the web process, as GitHub would send it."""

from __future__ import annotations

import io
import json
import uuid
from dataclasses import dataclass
from pathlib import Path

import aiohttp
from yarl import URL

from bot.settings import Settings
from bot.upkeep.opening import FailedError, UpkeepError
from bot.webhook_headers import signed_headers

_TIMEOUT = aiohttp.ClientTimeout(total=15)


@dataclass(frozen=True)
class Replayed:
    """What was sent and what the web process answered."""

    guid: str
    event: str
    url: str
    status: int
    answer: str

    @property
    def taken(self) -> bool:
        """Whether the answer counts as arrived at GitHub."""
        return 200 <= self.status < 300


async def replay(settings: Settings, file: Path, event: str, url: str | None) -> Replayed:
    """Send a payload under a new GUID.

    Raises `UpkeepError` where the file or a setting cannot be used, `FailedError` where nobody answers.
    """
    body = _payload(file)
    if not settings.webhook_secret:
        raise UpkeepError("ROOTCAUSE_WEBHOOK_SECRET is not set: set it to what the web process has, to sign with.")
    url = _checked(url or f"http://127.0.0.1:{settings.port}/webhooks/github")
    secret = settings.webhook_secret[0].get_secret_value()
    guid = str(uuid.uuid4())
    headers = signed_headers(event, guid, body, secret)
    try:
        async with (
            aiohttp.ClientSession(timeout=_TIMEOUT) as session,
            session.post(url, data=io.BytesIO(body), headers=headers, allow_redirects=False) as answer,
        ):
            return Replayed(guid, event, url, answer.status, (await answer.text(errors="replace")).strip())
    except (aiohttp.ClientError, TimeoutError) as error:
        raise FailedError(
            f"Nobody answers at {url} ({type(error).__name__}): start `rootcause serve` or `rootcause web`, or name "
            "its address with --url."
        ) from None


def _checked(url: str) -> str:
    """Return an address that can be asked; raises `UpkeepError` for any other text."""
    mistake = UpkeepError(f"{url!r} is no address; write one such as http://127.0.0.1:8080/webhooks/github.")
    try:
        found = URL(url)
        # What is no name of a host would fail only as it is looked up.
        whole = found.scheme in ("http", "https") and bool((found.host or "").encode("idna"))
    except ValueError:
        raise mistake from None
    if not whole:
        raise mistake
    return url


def _payload(file: Path) -> bytes:
    try:
        body = file.read_bytes()
    except OSError as error:
        raise UpkeepError(f"cannot read {file}: {error.strerror}") from None
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        payload = None
    if not isinstance(payload, dict):
        raise UpkeepError(f"{file} is no payload: it must hold one JSON object, as GitHub sends it.")
    return body
