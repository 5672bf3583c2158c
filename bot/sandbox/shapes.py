"""JSON of accounts, the App, installations, labels, reactions and deliveries, as the REST API gives them."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from typing import Any
from urllib.parse import quote

from bot.sandbox.identifiers import node_id
from bot.sandbox.records import Delivery
from bot.sandbox.rights import permission_flags
from bot.sandbox.state import Account, Installation, Label, Reaction, Repository, Role
from bot.sandbox.world import World

Json = dict[str, Any]
REACTIONS = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


def stamp(moment: datetime) -> str:
    """Write a moment as GitHub does: whole seconds, `Z`."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def stamp_or_none(moment: datetime | None) -> str | None:
    """Write a moment, or null."""
    return stamp(moment) if moment else None


def simple_user(world: World, account: Account) -> Json:
    """Write the short form of an account that stands inside every other object."""
    url = f"{world.base_url}/users/{quote(account.login)}"
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id("account", account.id),
        "avatar_url": f"{world.base_url}/web/avatars/{account.id}.svg",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{world.base_url}/web/users/{quote(account.login)}",
        "followers_url": f"{url}/followers",
        "following_url": f"{url}/following{{/other_user}}",
        "gists_url": f"{url}/gists{{/gist_id}}",
        "starred_url": f"{url}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{url}/subscriptions",
        "organizations_url": f"{url}/orgs",
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events{{/privacy}}",
        "received_events_url": f"{url}/received_events",
        "type": account.kind,
        "user_view_type": "public",
        "site_admin": False,
    }


def user_or_none(world: World, account_id: int | None) -> Json | None:
    """Write the short form of an account, or null where the account was deleted."""
    account = world.accounts[account_id] if account_id is not None else None
    return None if account is None or account.deleted else simple_user(world, account)


def full_user(world: World, account: Account) -> Json:
    """Write the public profile of an account."""
    repositories = sum(repository.owner_id == account.id for repository in world.repositories.values())
    return simple_user(world, account) | {
        "name": account.name,
        "company": account.company,
        "blog": "",
        "location": None,
        "email": None,
        "hireable": None,
        "bio": account.bio,
        "twitter_username": None,
        "public_repos": repositories,
        "public_gists": 0,
        "followers": account.followers,
        "following": 0,
        "created_at": stamp(account.created_at),
        "updated_at": stamp(account.created_at),
    }


def collaborator_permission(world: World, account: Account, role: Role | None, legacy: str) -> Json:
    """Answer what a person may do in a repository."""
    person = simple_user(world, account) | {"permissions": permission_flags(role), "role_name": role or "none"}
    return {"permission": legacy, "role_name": role or "none", "user": person}


def app_json(world: World) -> Json:
    """Write the App itself."""
    app = world.app
    created = stamp(world.accounts[app.bot_id].created_at)
    return {
        "id": app.id,
        "slug": app.slug,
        "client_id": f"Iv1.{app.id:016x}",
        "node_id": node_id("app", app.id),
        "owner": simple_user(world, world.accounts[app.owner_id]),
        "name": app.name,
        "description": None,
        "external_url": f"{world.base_url}/web",
        "html_url": f"{world.base_url}/web/apps/{app.slug}",
        "created_at": created,
        "updated_at": created,
        "permissions": dict(app.permissions),
        "events": list(app.events),
    }


def installation_json(world: World, installation: Installation) -> Json:
    """Write one installation of the App."""
    account = world.accounts[installation.account_id]
    url = f"{world.base_url}/app/installations/{installation.id}"
    return {
        "id": installation.id,
        "client_id": f"Iv1.{world.app.id:016x}",
        "account": simple_user(world, account),
        "repository_selection": installation.selection,
        "access_tokens_url": f"{url}/access_tokens",
        "repositories_url": f"{world.base_url}/installation/repositories",
        "html_url": f"{world.base_url}/web/users/{quote(account.login)}",
        "app_id": world.app.id,
        "app_slug": world.app.slug,
        "target_id": account.id,
        "target_type": account.kind,
        "permissions": installation.permissions,
        "events": installation.events,
        "created_at": stamp(installation.created_at),
        "updated_at": stamp(installation.updated_at),
        "single_file_name": None,
        "has_multiple_single_files": False,
        "single_file_paths": [],
        "suspended_by": user_or_none(world, installation.suspended_by_id),
        "suspended_at": stamp_or_none(installation.suspended_at),
    }


def label_json(world: World, repository: Repository, label: Label) -> Json:
    """Write one label."""
    url = f"{world.base_url}/repos/{world.full_name(repository)}/labels/{quote(label.name)}"
    return {
        "id": label.id,
        "node_id": node_id("label", label.id),
        "url": url,
        "name": label.name,
        "color": label.color,
        "default": False,
        "description": label.description,
        "archived_at": None,
        "archived_by": None,
    }


def reaction_json(world: World, reaction: Reaction) -> Json:
    """Write one reaction."""
    return {
        "id": reaction.id,
        "node_id": node_id("reaction", reaction.id),
        "user": user_or_none(world, reaction.account_id),
        "content": reaction.content,
        "created_at": stamp(reaction.created_at),
    }


def reaction_summary(world: World, subject: str, subject_id: int, url: str) -> Json:
    """Write the counts of reactions that stand in an issue or comment."""
    counts = Counter(reaction.content for reaction in world.reactions_to.get((subject, subject_id), ()))
    return {"url": f"{url}/reactions", "total_count": counts.total()} | {name: counts[name] for name in REACTIONS}


def delivery_json(delivery: Delivery, *, full: bool) -> Json:
    """Write one webhook delivery; `full` adds what was sent and answered."""
    moment = delivery.delivered_at or delivery.created_at
    item: Json = {
        "id": delivery.id,
        "guid": delivery.guid,
        "delivered_at": stamp(moment),
        "redelivery": delivery.redelivery,
        "duration": round(delivery.duration, 2),
        "status": delivery.status,
        "status_code": delivery.status_code,
        "event": delivery.event,
        "action": delivery.action,
        "installation_id": delivery.installation_id,
        "repository_id": delivery.repository_id,
        "throttled_at": None,
    }
    if full:
        item["url"] = ""
        item["request"] = {"headers": delivery.request_headers, "payload": json.loads(delivery.payload)}
        item["response"] = {"headers": delivery.response_headers, "payload": delivery.response_body}
    return item
