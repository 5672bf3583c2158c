"""The web process's application: the webhook endpoint, health, metrics, the pages of words and those of reports."""

from __future__ import annotations

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from psycopg import Error as DatabaseError
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from bot.config.published import published_schema
from bot.settings import Settings
from bot.web.help import help_page, welcome_page
from bot.web.pages import answer
from bot.web.reports.routes import ReportPages
from bot.web.shared_metrics import shared_metrics
from bot.web.webhook import BODY_LIMIT, Webhook


def create_app(
    settings: Settings, webhook: Webhook, pool: AsyncConnectionPool, reports: ReportPages
) -> web.Application:
    """Return the application; it starts nothing by itself."""

    async def alive(_: web.Request) -> web.Response:
        return web.Response(text="alive")

    async def ready(_: web.Request) -> web.Response:
        try:
            async with pool.connection(timeout=2) as connection:
                await connection.execute("SELECT 1")
        except (DatabaseError, PoolTimeout):
            return web.Response(status=503, text="not ready: the database does not answer")
        missing = settings.missing()
        if missing:
            return web.Response(status=503, text="not ready: missing settings\n" + "\n".join(missing))
        return web.Response(text="ready")

    async def metrics(_: web.Request) -> web.Response:
        body = generate_latest() + await shared_metrics(pool)
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def help_(request: web.Request) -> web.Response:
        return answer(request, help_page(), "text/html")

    async def welcome(request: web.Request) -> web.Response:
        return answer(request, welcome_page(), "text/html")

    async def schema(_: web.Request) -> web.Response:
        return web.json_response(published_schema(), content_type="application/schema+json")

    app = web.Application(client_max_size=BODY_LIMIT)
    app.router.add_post("/webhooks/github", webhook.handle)
    app.router.add_get("/healthz", alive)
    app.router.add_get("/readyz", ready)
    app.router.add_get("/metrics", metrics)
    app.router.add_get("/help", help_)
    app.router.add_get("/welcome", welcome)
    app.router.add_get("/config.schema.json", schema)
    reports.add_routes(app)
    return app
