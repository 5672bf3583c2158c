"""The set-up page: one button registers the App on GitHub; closed once that is done."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp
import structlog
from aiohttp import web

from bot.clock import Clock
from bot.doctor.finding import Finding
from bot.doctor.github_side import look_at_github
from bot.github.client import GitHubClient
from bot.github.registration import Registered, SetupFailed, convert
from bot.settings import Settings
from bot.setup.choosing import choose, form_address, is_host, pages_of
from bot.setup.desk import Choice, Desk
from bot.setup.manifest import manifest, out_of_reach, wanted
from bot.setup.settings_file import as_lines, settings_of, settings_with, write
from bot.texts.days import in_days
from bot.web.pages import HEADERS, answer, write_page

log = structlog.get_logger(__name__)

PATH = "/setup"
NAME = "Rootcause"
_COOKIE = "rootcause-setup"
_COOKIE_SECONDS = 3600
"""As long as GitHub's code is good."""

_LOOK_SECONDS = 10.0
"""How long the keys may wait for what GitHub says of them."""

_HALF_A_MINUTE = 30.0

_THIS_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})

Examine = Callable[[], Awaitable[Sequence[Finding]]]


@dataclass(frozen=True)
class SetupPages:
    """Answers `GET /setup`.

    `configured` is called once the settings are written; `examine` looks at what came of them.
    """

    settings: Settings
    clock: Clock
    desk: Desk
    configured: Callable[[], None]
    examine: Examine

    def add_routes(self, app: web.Application) -> None:
        """Put the page into an application."""
        app.router.add_get(PATH, self.show, allow_head=False)

    async def show(self, request: web.Request) -> web.Response:
        """Show the page that fits how far the set-up has come and who asks."""
        if not is_host(request.host):
            return self._failed(request, "The browser calls this page by an address that is none.", 400)
        mark = request.cookies.get(_COOKIE, "")
        if not self.settings.missing():
            return await self._done(request) if self.desk.owned_by(mark) else self._closed(request)
        if self.desk.owner is not None:
            return self._closed(request)
        if self.desk.admits(request.query.get("key", "")):
            # The key leaves the address line; the mark takes its place.
            return self._marked(
                request, web.Response(status=303, headers={"Location": PATH}), self._start(request, mark)
            )
        if mark not in self.desk.started and not _from_this_machine(request):
            return self._page(request, "setup_locked.html", 403)
        if "code" in request.query:
            return await self._register(request, mark)
        return self._form(request, mark)

    def _start(self, request: web.Request, mark: str) -> str:
        return self.desk.start(self.desk.started.get(mark, self._usual(request)), mark)

    def _form(self, request: web.Request, mark: str) -> web.Response:
        mistake = None
        choice = usual = self._usual(request)
        try:
            choice = choose(request.query, usual)
        except SetupFailed as error:
            mistake = str(error)
        mark = self.desk.start(choice, mark)
        permissions, events = wanted()
        response = self._page(
            request,
            "setup.html",
            400 if mistake else 200,
            form_to=pages_of(choice.api_url),
            choice=choice,
            fields={**_as_fields(choice), **request.query},
            changed=bool(request.query),
            mistake=mistake,
            action=form_address(choice, mark),
            manifest=json.dumps(manifest(choice.address, choice.name, f"{self._here(request)}{PATH}", choice.api_url)),
            pages=pages_of(choice.api_url),
            pulled=self._asked_every() if out_of_reach(choice.address, choice.api_url) else None,
            permissions=permissions,
            events=events,
        )
        return self._marked(request, response, mark)

    async def _register(self, request: web.Request, mark: str) -> web.Response:
        if not hmac.compare_digest(request.query.get("state", "").encode(), mark.encode()):
            return self._failed(request, "This is not the browser in which the set-up was begun. Start again.", 403)
        async with self.desk.turn:
            choice = self.desk.started.get(mark)
            if choice is None:
                return web.Response(status=303, headers={"Location": PATH})
            try:
                registered = await self._convert(request.query["code"], choice)
            except SetupFailed as error:
                return self._failed(request, str(error), 502)
            self.desk.close(mark, registered.page)
        log.info("the App is registered", app_id=registered.app_id, slug=registered.slug)
        return await self._keep(request, registered, choice)

    async def _convert(self, code: str, choice: Choice) -> Registered:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
            client = GitHubClient.with_token(
                None, api_url=choice.api_url, graphql_url=choice.api_url, session=session, clock=self.clock
            )
            return await convert(client, code)

    async def _keep(self, request: web.Request, registered: Registered, choice: Choice) -> web.Response:
        """Write the settings where the data folder lasts, beside the embedded database; else show them once."""
        found = settings_of(registered, choice.address, choice.api_url)
        refused = None
        if self.settings.database_url is None:
            try:
                path = write(self.settings.data_dir, found)
            except OSError as error:
                refused = f"{self.settings.data_dir} cannot be written: {error.strerror}."
            else:
                self.configured()
                return self._page(request, "setup_written.html", path=str(path), app=registered.page)
        return self._page(
            request,
            "setup_once.html",
            lines=as_lines(found),
            refused=refused,
            app=registered.page,
            findings=await self._look(found),
        )

    async def _look(self, found: Mapping[str, str]) -> Sequence[Finding]:
        """Return what GitHub says of settings with which nothing runs yet; nothing where that takes long or fails.

        Whatever becomes of it, the keys are shown: they can be shown only once.
        """

        async def look() -> Sequence[Finding]:
            return await look_at_github(settings_with(self.settings, found), self.clock)

        looking = asyncio.create_task(look(), name="set-up")
        await asyncio.wait([looking], timeout=_LOOK_SECONDS)
        if not looking.done():
            looking.cancel()
            return ()
        if (error := looking.exception()) is not None:
            told = {"message": "GitHub's side could not be looked at", "exception": error, "task": looking}
            asyncio.get_running_loop().call_exception_handler(told)
            return ()
        return looking.result()

    async def _done(self, request: web.Request) -> web.Response:
        findings = await self.examine()
        days = self.settings.observe_days
        return self._page(
            request,
            "setup_done.html",
            findings=findings,
            watching=in_days(days) if days > 0 else None,
            pulled=self._asked_every() if self.settings.pull else None,
            install=f"{self.desk.page}/installations/new",
        )

    def _asked_every(self) -> str:
        seconds = self.settings.pull_seconds
        return "half a minute" if seconds == _HALF_A_MINUTE else f"{seconds:g} s"

    def _closed(self, request: web.Request) -> web.Response:
        return self._page(request, "setup_closed.html", 410)

    def _failed(self, request: web.Request, sentence: str, status: int) -> web.Response:
        return self._page(request, "setup_failed.html", status, sentence=sentence)

    def _usual(self, request: web.Request) -> Choice:
        """Return what is set up where nothing else is chosen: at the address that the browser asked."""
        return Choice(self.settings.public_url or self._here(request), self.settings.github_api_url, NAME)

    def _here(self, request: web.Request) -> str:
        """Return the origin at which this browser sees the page; a proxy hides that it asked for https."""
        public = self.settings.public_url
        same = public is not None and urlsplit(public).netloc == request.host
        return public if public is not None and same else f"{request.scheme}://{request.host}"

    def _page(
        self, request: web.Request, template: str, status: int = 200, *, form_to: str = "", **values: object
    ) -> web.Response:
        policy = HEADERS["Content-Security-Policy"].replace(
            "form-action 'none'", f"form-action 'self' {form_to}".strip()
        )
        headers = {"Content-Security-Policy": policy}
        page = write_page(template, **values)
        return answer(request, page, "text/html", status=status, cached="no-store", headers=headers)

    def _marked(self, request: web.Request, response: web.Response, mark: str) -> web.Response:
        secure = self._here(request).startswith("https://")
        response.set_cookie(
            _COOKIE, mark, max_age=_COOKIE_SECONDS, path=PATH, httponly=True, samesite="Lax", secure=secure
        )
        return response


def _as_fields(choice: Choice) -> dict[str, str]:
    return {
        "organization": choice.organization or "",
        "name": choice.name,
        "address": choice.address,
        "server": pages_of(choice.api_url),
    }


def _from_this_machine(request: web.Request) -> bool:
    """Tell whether the browser runs here: a proxy on this machine says for whom it asks."""
    forwarded = any(name in request.headers for name in ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"))
    peer = request.transport.get_extra_info("peername") if request.transport is not None else None
    host = urlsplit(f"//{request.host}").hostname
    return not forwarded and peer is not None and peer[0] in _THIS_MACHINE and host in _THIS_MACHINE
