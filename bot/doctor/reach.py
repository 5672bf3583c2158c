"""Tries the webhook address as GitHub would: a signed ping that the running web process has to take."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass

import aiohttp

from bot.doctor.finding import Finding
from bot.settings import Settings
from bot.webhook_headers import signed_headers

_SECONDS = aiohttp.ClientTimeout(total=10)
"""As long as GitHub waits for an answer."""

_TAKEN = 202
_MOST_BYTES = 4096
_REDIRECTS = range(300, 400)
_CHECK = "webhook"


@dataclass(frozen=True)
class Answer:
    """What came back: `status` is None where nothing did, and `text` then says why."""

    status: int | None
    text: str
    location: str = ""


async def look_at_reach(settings: Settings) -> list[Finding]:
    """Send a ping signed with each webhook secret to the public address; nothing where deliveries are pulled."""
    if settings.pull:
        return []
    if settings.public_url is None or not settings.webhook_secret:
        cure = "See to *settings* and *public address* first."
        return [Finding(_CHECK, "unknown", "Without a public address and a secret it cannot be tried.", cure)]
    address = f"{settings.public_url}/webhooks/github"
    answers = [await _ping(address, secret.get_secret_value()) for secret in settings.webhook_secret]
    return [judge_answers(address, answers)]


def judge_answers(address: str, answers: list[Answer]) -> Finding:
    """Judge the answers to pings signed with each of our secrets in turn."""
    other = next((answer for answer in answers if answer.status not in (_TAKEN, 401)), None)
    if other is not None:
        return _judge_other(address, other)
    refused = [place for place, answer in enumerate(answers, 1) if answer.status == 401]
    if not refused:
        return Finding(_CHECK, "fine", f"{address} takes a ping signed with our secret.")
    which = "our secret" if len(answers) == 1 else f"our secret number {' and '.join(map(str, refused))}"
    cure = (
        "Give the web process the ROOTCAUSE_WEBHOOK_SECRET that is set here, the same as in the App's settings on "
        "GitHub, and start it again."
    )
    return Finding("webhook secret", "wrong", f"{address} does not know {which}: the web process has another.", cure)


def _judge_other(address: str, answer: Answer) -> Finding:
    if answer.status is None:
        cure = (
            "Start `rootcause web` (or `serve`), and let the proxy, the firewall and DNS lead ROOTCAUSE_PUBLIC_URL to "
            "its PORT with a certificate that is valid."
        )
        return Finding(_CHECK, "wrong", f"{address} is not reached from here: {answer.text}.", cure)
    if answer.status in _REDIRECTS:
        cure = "GitHub follows no redirects: set ROOTCAUSE_PUBLIC_URL and the App's webhook URL to where it leads."
        return Finding(_CHECK, "wrong", f"{address} redirects to {answer.location or 'elsewhere'}.", cure)
    if answer.status == 503 and "webhook secret" in answer.text:
        cure = "Set ROOTCAUSE_WEBHOOK_SECRET for the web process too, and start it again."
        return Finding("webhook secret", "wrong", f"The web process at {address} has none.", cure)
    if answer.status >= 500:
        cure = "See that `rootcause web` runs behind the proxy, what its log says, and what *database* says here."
        return Finding(_CHECK, "wrong", f"{address} answers {answer.status}.", cure)
    cure = (
        "Something else answers there: let the proxy pass POST /webhooks/github, unchanged and without a login, to "
        "the PORT of `rootcause web`, or correct ROOTCAUSE_PUBLIC_URL."
    )
    return Finding(_CHECK, "wrong", f"{address} answers {answer.status} to a ping, not {_TAKEN}.", cure)


async def _ping(address: str, secret: str) -> Answer:
    body = json.dumps({"zen": "Is anybody there?", "hook_id": 0}).encode()
    headers = signed_headers("ping", str(uuid.uuid4()), body, secret)
    try:
        async with (
            aiohttp.ClientSession(timeout=_SECONDS, cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.post(address, data=body, headers=headers, allow_redirects=False) as answer,
        ):
            text = (await answer.content.read(_MOST_BYTES)).decode(errors="replace")
            return Answer(answer.status, text, answer.headers.get("Location", ""))
    except aiohttp.InvalidURL:
        return Answer(None, "it is no address")
    except aiohttp.ClientConnectorCertificateError:
        return Answer(None, "its certificate is not valid")
    except aiohttp.ClientConnectorDNSError:
        return Answer(None, "no such host is known")
    except TimeoutError:
        return Answer(None, f"it did not answer within {_SECONDS.total:.0f} s")
    except aiohttp.ClientError as error:
        return Answer(None, f"nobody answers ({type(error).__name__})")
