"""The pages on which an App is registered and installed, by whoever sits at the browser."""

from __future__ import annotations

from urllib.parse import urlencode

from aiohttp import web

from bot.sandbox.calls import Services
from bot.sandbox.deliveries import Courier
from bot.sandbox.pages import Pages
from bot.sandbox.registering import BadManifest, Manifest, read_manifest, register
from bot.sandbox.seeding import Seeder
from bot.sandbox.state import Account, Repository

OPERATOR = "operator"
"""Who registers an App that belongs to no organisation."""


class RegisteringPages:
    """Plays the part of GitHub in the manifest flow, and in the installation that follows."""

    def __init__(self, services: Services, courier: Courier, pages: Pages) -> None:
        self._services = services
        self._world = services.world
        self._courier = courier
        self._pages = pages
        self._seeder = Seeder(services)
        self._setup_url = ""

    def add_routes(self, application: web.Application) -> None:
        """Put the pages into an application, at the addresses that GitHub has."""
        for owner in ("", "/organizations/{organization}"):
            application.router.add_post(f"{owner}/settings/apps/new", self._confirm)
            application.router.add_post(f"{owner}/settings/apps/create", self._create)
        application.router.add_get("/web/apps/{slug}", self._to_installing)
        application.router.add_get("/web/apps/{slug}/installations/new", self._installing)
        application.router.add_post("/web/apps/{slug}/installations/new", self._install)

    async def _confirm(self, request: web.Request) -> web.Response:
        """Show what the App asks for; the manifest comes from another site, so nothing is made yet."""
        text = str((await request.post()).get("manifest", ""))
        view = {
            "manifest": self._read(text),
            "text": text,
            "state": request.query.get("state", ""),
            "owner": self._owner(request).login,
            "action": request.path.removesuffix("new") + "create",
        }
        return self._pages.show(request, "register.html", None, view)

    async def _create(self, request: web.Request) -> web.Response:
        form = await self._pages.form(request)
        manifest = self._read(form.get("manifest", ""))
        code, secret = register(self._world, manifest, self._owner(request))
        self._courier.url, self._courier.secret, self._setup_url = manifest.hook_url, secret, manifest.setup_url
        self._world.commit()
        query = urlencode({"code": code, "state": form.get("state", "")})
        return web.Response(status=302, headers={"location": f"{manifest.redirect_url}?{query}"})

    async def _to_installing(self, request: web.Request) -> web.Response:
        raise web.HTTPFound(f"{request.path}/installations/new")

    async def _installing(self, request: web.Request) -> web.Response:
        rows = [
            {"login": account.login, "repositories": [row.name for row in self._owned(account)]}
            for account in self._world.accounts.values()
            if self._owned(account)
        ]
        return self._pages.show(request, "install.html", None, {"app": self._world.app, "owners": rows})

    async def _install(self, request: web.Request) -> web.Response:
        owner, _, name = (await self._pages.form(request)).get("on", "").partition("/")
        account = self._world.account(owner)
        chosen = [] if account is None else [row for row in self._owned(account) if name in ("", row.name)]
        if account is None or not chosen:
            raise web.HTTPBadRequest(text="Choose an account or a repository.")
        installation = self._services.repositories.install(account, chosen if name else "all")
        self._world.commit()
        query = urlencode({"installation_id": installation.id, "setup_action": "install"})
        address = f"{self._setup_url}?{query}" if self._setup_url else "/web"
        return web.Response(status=302, headers={"location": address})

    def _owned(self, account: Account) -> list[Repository]:
        return [row for row in self._world.repositories.values() if row.owner_id == account.id]

    def _owner(self, request: web.Request) -> Account:
        organization = request.match_info.get("organization")
        account = self._world.account(organization) if organization else self._seeder.account(OPERATOR)
        if account is None:
            raise web.HTTPNotFound(text="There is no such organization.")
        return account

    def _read(self, text: str) -> Manifest:
        try:
            return read_manifest(text)
        except BadManifest as error:
            raise web.HTTPUnprocessableEntity(text=str(error)) from error
