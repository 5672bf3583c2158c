"""Looks at the App from GitHub's side: clock, key, permissions, installations, webhook address and deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
from pydantic import ValidationError

from bot.clock import Clock
from bot.doctor.answers import app_of, deliveries_of, hook_of, installations_of
from bot.doctor.finding import Finding
from bot.doctor.github_judging import (
    UNKNOWN_APP,
    judge_app,
    judge_clock,
    judge_deliveries,
    judge_hook,
    judge_installations,
    judge_read_token,
    judge_refusal,
)
from bot.doctor.here import judge_key
from bot.github.app import GitHubApp
from bot.github.errors import GitHubError, NotFound, Unauthorized
from bot.github.links import web_address
from bot.services import open_github
from bot.settings import Settings

_SECONDS = aiohttp.ClientTimeout(total=10)


async def look_at_github(settings: Settings, clock: Clock) -> list[Finding]:
    """Return what GitHub says about the App; no error of GitHub's leaves it."""
    found = await _clock(settings, clock)
    if any(one.check == "GitHub" for one in found):
        return found
    if settings.app_id is None or settings.private_key is None:
        said = "Without the App's number and key GitHub tells nothing about it."
        return [*found, Finding("key", "unknown", said, "See to *settings* first.")]
    if judge_key(settings.private_key.get_secret_value()).state != "fine":
        said = "The private key cannot sign, so GitHub tells nothing about the App."
        return [*found, Finding("key", "unknown", said, "See to *private key* first.")]
    async with open_github(settings, clock) as github:
        try:
            await _app(github, settings, found)
        except GitHubError as error:
            found.append(Finding("GitHub", "unknown", f"It did not answer: {error}.", "Try again later."))
        except ValidationError:
            found.append(_no_github(settings))
    return found


def _no_github(settings: Settings) -> Finding:
    cure = "See that ROOTCAUSE_GITHUB_API_URL is https://api.github.com, or https://HOST/api/v3 of your server."
    return Finding("GitHub", "wrong", f"{settings.github_api_url} answers as no GitHub does.", cure)


async def _clock(settings: Settings, clock: Clock) -> list[Finding]:
    """Compare the clocks and try the token for reading, by a question that costs nothing.

    Where GitHub was not reached, say that instead.
    """
    address, token = settings.github_api_url, settings.read_token
    headers = {} if token is None else {"Authorization": f"Bearer {token.get_secret_value()}"}
    try:
        async with (
            aiohttp.ClientSession(timeout=_SECONDS) as session,
            session.get(f"{address}/rate_limit", headers=headers, allow_redirects=False) as answer,
        ):
            date, status = answer.headers.get("Date", ""), answer.status
    except (aiohttp.ClientError, TimeoutError) as error:
        cure = f"Let this machine reach {address} (proxy, firewall, DNS), and see that it is the right address."
        return [Finding("GitHub", "wrong", f"{address} was not reached ({type(error).__name__}).", cure)]
    found = [] if token is None else [judge_read_token(status)]
    try:
        return [judge_clock(clock.now(), parsedate_to_datetime(date)), *found]
    except (ValueError, TypeError):  # no date, or one without its time zone
        cure = f"See that {address} is GitHub's address: every answer of GitHub's is dated."
        return [Finding("clock", "unknown", "The answer had no date to compare with.", cure), *found]


async def _app(github: GitHubApp, settings: Settings, found: list[Finding]) -> None:
    """Add to what was found, finding by finding, so that an error takes none of the earlier ones away.

    Raises ValidationError for an answer that is none of GitHub's.
    """
    try:
        app = app_of(await github.app_get("/app"))
    except (Unauthorized, NotFound) as error:
        if isinstance(error, NotFound) and UNKNOWN_APP not in str(error):
            found.append(_no_github(settings))
            return
        in_time = not any(one.check == "clock" and one.state == "wrong" for one in found)
        refused = judge_refusal(settings.app_id, str(error), in_time=in_time)
        # What GitHub says of our time goes before what its answer's date seemed to say.
        found[:] = [*(one for one in found if one.check != refused.check), refused]
        return
    page = _settings_page(web_address(settings.github_api_url), app)
    found += [Finding("key", "fine", f"GitHub knows the App as {app['slug']}."), *judge_app(app, page)]
    found += judge_installations(app, installations_of(await github.app_get_all("/app/installations")))
    if settings.pull:
        found.append(
            Finding("webhook address", "fine", "Deliveries are pulled, so GitHub need not reach this machine.")
        )
        return
    try:
        hook = hook_of(await github.app_get("/app/hook/config"))
    except NotFound:  # an App that was registered without a webhook
        hook = {}
    found += judge_hook(hook, settings.public_url, page)
    if hook:
        found.append(judge_deliveries(deliveries_of(await github.app_get("/app/hook/deliveries")), page))


def _settings_page(web: str, app: Mapping[str, Any]) -> str:
    """Return where the App's owner changes it on GitHub."""
    owner = app["owner"] or {}
    path = f"/organizations/{owner['login']}" if owner.get("type") == "Organization" else ""
    return f"{web}{path}/settings/apps/{app['slug']}"
