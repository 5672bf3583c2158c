"""What GitHub's own answers about the App mean: pure judgements, each with its cure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from bot.doctor.finding import Finding
from bot.setup.manifest import wanted

MOST_DRIFT_SECONDS = 60.0
"""By how much the clocks may differ: a JWT is issued a minute early and ends a minute before GitHub's ten."""

LOOKED_AT = 20
"""The latest deliveries that tell whether the webhook works now."""

UNKNOWN_APP = "Integration not found"
"""What GitHub says where no App has that number; a 404 without it is of something else."""

_STRONGER = {"read": ("read", "write", "admin"), "write": ("write", "admin"), "admin": ("admin",)}
_MOST_NAMED = 5
_KEEP_TIME = (
    "Let the machine keep its time by NTP (`timedatectl set-ntp true`, or chrony); otherwise GitHub refuses the App."
)


def judge_clock(ours: datetime, githubs: datetime) -> Finding:
    """Judge by how much this machine's clock differs from GitHub's."""
    drift = (ours - githubs).total_seconds()
    if abs(drift) <= MOST_DRIFT_SECONDS:
        return Finding("clock", "fine", f"It agrees with GitHub's to within {max(1, round(abs(drift)))} s.")
    way = "ahead of" if drift > 0 else "behind"
    return Finding("clock", "wrong", f"It is {abs(drift):.0f} s {way} GitHub's.", _KEEP_TIME)


def judge_read_token(status: int) -> Finding:
    """Judge a personal token by what a free question with it was answered."""
    if status == 200:
        return Finding("read token", "fine", "GitHub takes it.")
    if status != 401:
        said = f"GitHub answered {status} to a question with it, which says nothing of the token."
        return Finding("read token", "unknown", said, "Try again later.")
    cure = "Make a new one on GitHub under *Developer settings*, without any scope, and set ROOTCAUSE_READ_TOKEN to it."
    return Finding("read token", "warning", "GitHub refuses it: it has expired, was revoked, or is none.", cure)


def judge_refusal(app_id: int | None, said: str, *, in_time: bool) -> Finding:
    """Judge why GitHub would not say who the App is; `in_time` is False where the clock alone explains it."""
    if not in_time:
        return Finding("key", "unknown", "GitHub refuses whatever is signed by this clock.", "See to *clock* first.")
    if "'Expiration time' claim" in said or "'Issued at' claim" in said:
        return Finding("clock", "wrong", "GitHub says that what is signed here is not of its time.", _KEEP_TIME)
    if UNKNOWN_APP in said:
        cure = "Set ROOTCAUSE_APP_ID to the *App ID* on the App's settings page on GitHub, and its key with it."
        return Finding("key", "wrong", f"GitHub knows no App {app_id}.", cure)
    cure = (
        "Make a private key on the App's settings page on GitHub under *Private keys*, set ROOTCAUSE_PRIVATE_KEY_FILE "
        "to it, and see that ROOTCAUSE_APP_ID is that App's."
    )
    return Finding("key", "wrong", f"The private key is none of App {app_id}'s: GitHub refuses it.", cure)


def judge_app(app: Mapping[str, Any], settings_page: str) -> list[Finding]:
    """Judge whether the App asks for the permissions and events that it needs."""
    permissions, events = wanted()
    held = app.get("permissions", {})
    lacking = [f"{name}: {level}" for name, level in permissions.items() if held.get(name) not in _STRONGER[level]]
    more = sorted(
        f"{name}: {level}"
        for name, level in held.items()
        if name not in permissions or level in _STRONGER[permissions[name]][1:]
    )
    found = []
    if lacking:
        cure = f"Grant it on {settings_page}/permissions; each account that installed the App then has to approve."
        found.append(Finding("permissions", "wrong", f"The App lacks {', '.join(lacking)}.", cure))
    elif more:
        cure = f"Take it away on {settings_page}/permissions: each more is a reason not to install the App."
        found.append(Finding("permissions", "warning", f"The App asks for {', '.join(more)}, unneeded.", cure))
    else:
        found.append(Finding("permissions", "fine", "The App asks for what it needs and no more."))
    missing = [event for event in events if event not in app.get("events", ())]
    if missing:
        cure = f"Subscribe to it under *Subscribe to events* on {settings_page}/permissions."
        found.append(Finding("events", "wrong", f"GitHub does not send {', '.join(missing)}.", cure))
    else:
        found.append(Finding("events", "fine", "GitHub sends the events that the App follows."))
    return found


def judge_installations(app: Mapping[str, Any], installations: Sequence[Mapping[str, Any]]) -> list[Finding]:
    """Judge whether those who installed the App approved the permissions that it asks for by now, and let it work."""
    asked = {name: level for name, level in wanted()[0].items() if app.get("permissions", {}).get(name)}
    waiting = {
        _account(one): f"{_account(one)} at {one['html_url']}"
        for one in installations
        if any(one.get("permissions", {}).get(name) not in _STRONGER[level] for name, level in asked.items())
    }
    if not installations:
        return [Finding("installations", "fine", "Nobody has installed the App yet.")]
    asleep = {
        _account(one): f"{_account(one)} at {one['html_url']}" for one in installations if one.get("suspended_at")
    }
    found = []
    if waiting:
        said = f"New permissions await approval by {_some(list(waiting))}."
        cure = f"Ask an owner to approve them: {_some(list(waiting.values()))}; until then the App cannot work there."
        found.append(Finding("installations", "wrong", said, cure))
    if asleep:
        said = f"Suspended by {_some(list(asleep))}: what comes from there waits."
        cure = f"Ask an owner to unsuspend the App, or to uninstall it: {_some(list(asleep.values()))}."
        found.append(Finding("suspended", "warning", said, cure))
    return found or [Finding("installations", "fine", f"{len(installations)} with all permissions.")]


def judge_hook(config: Mapping[str, Any], public_url: str | None, settings_page: str) -> list[Finding]:
    """Judge whether GitHub sends deliveries to this installation, signed, and in the form that is read here."""
    url = str(config.get("url") or "")
    found = [_judge_address(url, public_url, settings_page)]
    if not url:
        return found
    if config.get("content_type") == "form":
        cure = f"Set the webhook's content type on {settings_page} to application/json."
        found.append(Finding("webhook form", "wrong", "GitHub sends deliveries as a form, which is refused.", cure))
    if not config.get("secret"):
        cure = f"Set the webhook secret on {settings_page} to what ROOTCAUSE_WEBHOOK_SECRET is."
        found.append(Finding("webhook secret", "wrong", "GitHub has none, so it signs no delivery.", cure))
    if str(config.get("insecure_ssl", "0")) == "1":
        cure = f"Enable SSL verification on {settings_page}."
        found.append(Finding("webhook form", "warning", "GitHub does not look at the certificate.", cure))
    return found


def _judge_address(url: str, public_url: str | None, settings_page: str) -> Finding:
    check = "webhook address"
    if public_url is None:
        cure = (
            f"Set ROOTCAUSE_PUBLIC_URL, and the webhook URL on {settings_page} to it with /webhooks/github at its end."
        )
        said = f"GitHub sends to {url}; whether that is here cannot be told." if url else "GitHub sends nowhere."
        return Finding(check, "unknown" if url else "wrong", said, cure)
    expected = f"{public_url}/webhooks/github"
    if url.rstrip("/") == expected:
        return Finding(check, "fine", f"GitHub sends to {url}.")
    cure = f"Set the webhook URL on {settings_page} to {expected}, or correct ROOTCAUSE_PUBLIC_URL."
    return Finding(check, "wrong", f"GitHub sends to {url or 'nowhere'}, not here.", cure)


def judge_deliveries(rows: Sequence[Mapping[str, Any]], settings_page: str) -> Finding:
    """Judge the latest deliveries, the newest first, by how they were answered."""
    latest = rows[:LOOKED_AT]
    if not latest:
        cure = (
            f"See that the webhook is *Active* on {settings_page}; then close an issue in a repository that has the "
            f"App, and see what was sent on {settings_page}/advanced."
        )
        return Finding("deliveries", "unknown", "GitHub has sent nothing in the last days.", cure)
    failed = [row for row in latest if not 200 <= int(row.get("status_code") or 0) < 300]
    if not failed or failed[0] is not latest[0]:
        return Finding("deliveries", "fine", f"{len(latest) - len(failed)} of the latest {len(latest)} arrived.")
    code, status = int(failed[0].get("status_code") or 0), str(failed[0].get("status") or "")
    what = f"{code} {status}".strip() if code else status or "no answer"
    when = f" at {failed[0]['delivered_at']}" if failed[0].get("delivered_at") else ""
    said = f"{len(failed)} of the latest {len(latest)} failed, the newest{when} with {what}."
    again = " Then have what was missed sent again: `rootcause redeliver`."
    if code == 401:
        cure = f"Set a new secret on {settings_page} and the same as ROOTCAUSE_WEBHOOK_SECRET; GitHub shows no old one."
        return Finding("webhook secret", "wrong", said, cure + again)
    if code == 503:
        cure = "The web process answers, its database did not: see *database*."
    elif 300 <= code < 500:
        cure = f"Something else answers there: see that the webhook URL on {settings_page} leads to the web process."
    else:
        cure = "Make the address reachable from the internet with a certificate that is valid: proxy, firewall, DNS."
    return Finding("deliveries", "wrong", said, cure + again)


def _account(installation: Mapping[str, Any]) -> str:
    return str((installation["account"] or {}).get("login", "an account that is gone"))


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
