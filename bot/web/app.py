"""The web process's application: the webhook endpoint, health, metrics, the pages of words and those of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST
from psycopg_pool import AsyncConnectionPool

from bot.config.published import published_schema
from bot.settings import Settings
from bot.store.counted import Counts
from bot.web.bodies import BODY_LIMIT
from bot.web.health import Readiness
from bot.web.help import WordPages
from bot.web.kindly import lost_kindly
from bot.web.limits import Addresses, RateLimit
from bot.web.protection import WEBHOOK_PATH, protect
from bot.web.reports.routes import ReportPages
from bot.web.shared_metrics import Metrics
from bot.web.webhook import Webhook


class Pages(Protocol):
    """Pages that bring their own addresses."""

    def add_routes(self, app: web.Application) -> None:
        """Put the pages into an application."""


def create_app(
    settings: Settings,
    webhook: Webhook,
    pool: AsyncConnectionPool,
    reports: ReportPages,
    limit: RateLimit | None = None,
    counts: Counts | None = None,
    more: Sequence[Pages] = (),
) -> web.Application:
    """Return the application; it starts nothing by itself. `counts` are the process's own where it has some already."""
    readiness = Readiness(pool)
    told = Metrics(pool, counts or Counts(), settings.stalled_after_seconds)

    async def alive(_: web.Request) -> web.Response:
        return web.Response(text="alive")

    async def ready(_: web.Request) -> web.Response:
        lacking = await readiness.lacking()
        if lacking is not None:
            return web.Response(status=503, text=f"not ready: {lacking}")
        missing = settings.missing()
        if missing:
            return web.Response(status=503, text="not ready: missing settings\n" + "\n".join(missing))
        return web.Response(text="ready")

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=await told.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def schema(_: web.Request) -> web.Response:
        return web.json_response(published_schema(), content_type="application/schema+json")

    app = web.Application(client_max_size=BODY_LIMIT)
    protect(app, RateLimit() if limit is None else limit, Addresses(settings.trusted_proxies))
    app.middlewares.append(lost_kindly)
    app.on_shutdown.append(readiness.stop)
    app.router.add_post(WEBHOOK_PATH, webhook.handle)
    app.router.add_get("/healthz", alive)
    app.router.add_get("/readyz", ready)
    app.router.add_get("/metrics", metrics)
    app.router.add_get("/config.schema.json", schema)
    each: tuple[Pages, ...] = (WordPages(settings, webhook.identity), reports, *more)
    for pages in each:
        pages.add_routes(app)
    return app
