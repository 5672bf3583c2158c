"""The local GitHub as tests and the demo use it: a Python API whose acts send webhooks, and an HTTP server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from aiohttp import web

from bot.clock import Clock
from bot.sandbox.app import Api
from bot.sandbox.deliveries import HOOK_ID, Courier
from bot.sandbox.faults import Faults
from bot.sandbox.limits import Limits
from bot.sandbox.pages import Pages
from bot.sandbox.records import Delivery, Violation, Write
from bot.sandbox.registering_pages import RegisteringPages
from bot.sandbox.sandbox_acts import SandboxActs
from bot.sandbox.sandbox_setup import SandboxSetup
from bot.sandbox.shapes import stamp


class Sandbox(SandboxSetup, SandboxActs):
    """A stateful GitHub on this machine; repositories are named `owner/name`, people by their logins.

    With a `storage_path` everything outlives the process, the App's key included; a new one is made (0.2 s of
    work) unless `private_key` gives one as PEM. Acts queue the webhook GitHub
    would send; it waits until `deliver_pending` is called, or is sent at once while `running(deliver=True)`.
    """

    def __init__(
        self,
        clock: Clock,
        storage_path: Path | None = None,
        webhook_url: str | None = None,
        secret: str = "sandbox-secret",  # noqa: S107 - the default of a GitHub that only listens on this machine
        app_id: int = 4711,
        slug: str = "rootcause",
        limits: Limits | None = None,
        private_key: str | None = None,
    ) -> None:
        super().__init__(clock, storage_path, app_id, slug, limits or Limits(), private_key)
        self.faults = Faults()
        self.courier = Courier(self.world, self.services.outbox, webhook_url, secret)

    @property
    def base_url(self) -> str:
        """The address of the API while the server runs."""
        return self.world.base_url

    @property
    def private_key(self) -> str:
        """The App's private key as PEM text."""
        return self.world.app.private_key

    @property
    def writes(self) -> list[Write]:
        """Every write the App made, in order."""
        return list(self.world.writes.values())

    @property
    def violations(self) -> list[Violation]:
        """Every request of the App that went over a limit."""
        return list(self.world.violations.values())

    @property
    def deliveries(self) -> list[Delivery]:
        """Every delivery and redelivery, waiting ones included, in order."""
        return list(self.world.deliveries.values())

    def ping(self) -> Delivery | None:
        """Queue the `ping` that GitHub sends when a webhook is set up."""
        moment = stamp(self.world.accounts[self.app.bot_id].created_at)
        hook = {
            "type": "App",
            "id": HOOK_ID,
            "name": "web",
            "active": True,
            "events": list(self.app.events),
            "app_id": self.app.id,
            "config": {"content_type": "json", "insecure_ssl": "0", "url": self.courier.url or ""},
            "deliveries_url": f"{self.base_url}/app/hook/deliveries",
            "created_at": moment,
            "updated_at": moment,
        }
        payload = {"zen": "Plain words last.", "hook_id": HOOK_ID, "hook": hook}
        delivery = self.services.outbox.send("ping", None, payload, None, None)
        self.world.commit()
        return delivery

    async def deliver_pending(self, concurrency: int = 10) -> list[Delivery]:
        """Send every webhook that waits and return the deliveries with their answers."""
        return await self.courier.deliver(concurrency)

    def redeliver_failed(self) -> list[Delivery]:
        """Queue again every delivery whose last attempt failed, as the App could ask for by the API."""
        again = self.courier.redeliver_failed()
        self.world.commit()
        return again

    def application(self) -> web.Application:
        """Return the aiohttp application: the API at the root, the pages below `/web`."""
        api = Api(self.services, self.faults)
        application = api.application()
        pages = Pages(self.services)
        pages.add_routes(application)
        RegisteringPages(self.services, self.courier, pages).add_routes(application)
        application.router.add_route("*", "/{tail:.*}", api.missing())
        return application

    @contextlib.asynccontextmanager
    async def running(self, port: int = 0, *, host: str = "127.0.0.1", deliver: bool = False) -> AsyncIterator[str]:
        """Serve on a port (0: any free one) and yield the base URL; with `deliver` webhooks go out at once."""
        runner = web.AppRunner(self.application(), access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        courier: asyncio.Task[None] | None = None
        try:
            site = web.TCPSite(runner, host, port)
            await site.start()
            self.world.base_url = f"http://{host}:{runner.addresses[0][1]}"
            if deliver:
                courier = asyncio.create_task(self.courier.run())
            yield self.world.base_url
        finally:
            if courier is not None:
                courier.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await courier
            await runner.cleanup()
            self.world.commit()

    def close_storage(self) -> None:
        """Write what is left and close the storage file."""
        self.world.close()
