"""REST: the App itself, its installations and tokens, its webhook deliveries, limits and meta."""

from __future__ import annotations

from bot.sandbox.calls import Call, Reply, Routes
from bot.sandbox.errors import ApiError, invalid, not_found
from bot.sandbox.rights import permission_flags
from bot.sandbox.shapes import app_json, delivery_json, installation_json, stamp
from bot.sandbox.shapes_repository import repository_json
from bot.sandbox.state import Installation

routes = Routes()


@routes.add("GET", "/app", "app")
def get_app(call: Call) -> Reply:
    """Return the App."""
    return Reply(app_json(call.world))


@routes.add("GET", "/app/installations", "app")
def list_installations(call: Call) -> Reply:
    """List the installations."""
    return call.rows(list(call.world.installations.values()), lambda row: installation_json(call.world, row))


@routes.add("GET", "/app/installations/{installation_id}", "app")
def get_installation(call: Call) -> Reply:
    """Return one installation."""
    return Reply(installation_json(call.world, _installation(call)))


@routes.add("POST", "/app/installations/{installation_id}/access_tokens", "app")
def create_token(call: Call) -> Reply:
    """Make a token, on request for fewer permissions or repositories."""
    call.services.limits.admit_token(call.caller, call.path)
    installation = _installation(call)
    if installation.suspended_at is not None:
        raise ApiError(403, "This installation has been suspended")
    wanted = call.body.get("permissions") or installation.permissions
    granted = installation.permissions
    if any(granted.get(name) not in (level, "write") for name, level in wanted.items()):
        raise ApiError(422, "The permissions requested are not granted to this installation.")
    covered = call.services.repositories.covered(installation)
    names = call.body.get("repositories")
    ids = call.body.get("repository_ids")
    if names is not None:
        ids = [*(ids or ()), *(repository.id for repository in covered if repository.name in names)]
    if ids is not None and not {repository.id for repository in covered}.issuperset(ids):
        raise ApiError(422, "There is at least one repository that does not exist or is not accessible.")
    token = call.services.callers.installation_token(installation, dict(wanted), ids)
    expires = stamp(token.expires_at) if token.expires_at else None
    body = {
        "token": token.value,
        "expires_at": expires,
        "permissions": token.permissions,
        "repository_selection": "selected" if ids is not None else installation.selection,
    }
    return Reply(body, 201)


@routes.add("GET", "/app/hook/config", "app")
def get_hook_config(call: Call) -> Reply:
    """Return where webhooks go."""
    return Reply({"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": call.world.hook_url or ""})


@routes.add("GET", "/app/hook/deliveries", "app")
def list_deliveries(call: Call) -> Reply:
    """List the deliveries already sent, the newest first; the cursor is the id of the first row wanted."""
    _, size = call.page()
    cursor = call.query.get("cursor", "")
    if cursor and not cursor.isdigit():
        raise invalid("HookDelivery", "cursor", "invalid")
    sent = [row for row in call.world.deliveries.values() if row.delivered_at is not None]
    sent.sort(key=lambda row: row.id, reverse=True)
    rows = [row for row in sent if not cursor or row.id <= int(cursor)]
    headers = {}
    if len(rows) > size:
        address = f"{call.world.base_url}{call.path}?per_page={size}&cursor={rows[size].id}"
        headers["link"] = f'<{address}>; rel="next"'
    return Reply([delivery_json(row, full=False) for row in rows[:size]], headers=headers)


@routes.add("GET", "/app/hook/deliveries/{delivery_id}", "app")
def get_delivery(call: Call) -> Reply:
    """Return one delivery with what was sent and answered."""
    delivery = call.world.deliveries.get(call.number("delivery_id"))
    if delivery is None or delivery.delivered_at is None:
        raise not_found()
    return Reply(delivery_json(delivery, full=True))


@routes.add("POST", "/app/hook/deliveries/{delivery_id}/attempts", "app")
def redeliver(call: Call) -> Reply:
    """Queue a delivery again."""
    delivery = call.world.deliveries.get(call.number("delivery_id"))
    if delivery is None:
        raise not_found()
    call.services.outbox.again(delivery)
    return Reply({}, 202)


@routes.add("GET", "/installation/repositories", "installation")
def list_repositories(call: Call) -> Reply:
    """List what the installation's token reaches."""
    installation = call.caller.installation
    if installation is None:
        raise not_found()
    covered = [row for row in call.services.repositories.covered(installation) if call.caller.covers(row)]
    permissions = {"permissions": permission_flags("read")}
    reply = call.rows(covered, lambda row: repository_json(call.world, row) | permissions)
    body = {
        "total_count": len(covered),
        "repository_selection": installation.selection,
        "repositories": reply.body,
    }
    return Reply(body, headers=reply.headers)


@routes.add("GET", "/repos/{owner}/{repo}/installation", "app")
def get_repository_installation(call: Call) -> Reply:
    """Return the installation that covers a repository."""
    installation = call.world.installation_of(call.repository)
    if installation is None:
        raise not_found()
    return Reply(installation_json(call.world, installation))


@routes.add("GET", "/rate_limit", "any")
def get_rate_limit(call: Call) -> Reply:
    """Return what is left of the primary limits; asking is free."""
    limits = call.services.limits
    limits.refund(call.caller)
    core, graphql = limits.status(call.caller, "core"), limits.status(call.caller, "graphql")
    search = {"limit": 30, "used": 0, "remaining": 30, "reset": core["reset"]}
    return Reply({"resources": {"core": core, "graphql": graphql, "search": search}, "rate": core})


@routes.add("GET", "/meta", "any")
def get_meta(_: Call) -> Reply:
    """Return the little of GitHub's meta data that a client may look at."""
    return Reply({"verifiable_password_authentication": False, "hooks": ["127.0.0.0/8"]})


def _installation(call: Call) -> Installation:
    installation = call.world.installations.get(call.number("installation_id"))
    if installation is None:
        raise not_found()
    return installation
