"""The operator's page: how the installation stands, behind a token, and what failed for good sent to work again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from aiohttp import web
from aiohttp.web_protocol import RequestPayloadError

from bot.clock import Clock
from bot.queue import DATABASE_AWAY
from bot.settings import Settings
from bot.store.database import Database
from bot.upkeep.opening import UpkeepError
from bot.upkeep.retrying import retry_in, retry_jobs_in
from bot.web.bodies import Bodies, BodyTooLongError, BodyTooSlowError, NoRoomError
from bot.web.entry import Admitted, Entry
from bot.web.kindly import said_kindly
from bot.web.markdown import markdown
from bot.web.pages import HEADERS, answer, write_page
from bot.web.standing import ago, ask, facts, worries

PATH = "/status"
_FORM = "application/x-www-form-urlencoded"
_LONGEST_FORM = 4096
_MOST_FIELDS = 10
_MOST_DIGITS = 9
_JOBS = {"job", "jobs"}
"""What a form says it is about where that is no delivery: one job, or every one that failed."""

_NOT_SET = "No token is set, so nobody gets in: set ROOTCAUSE_STATUS_TOKEN and restart."
_REFUSED = "Send the token of ROOTCAUSE_STATUS_TOKEN as Authorization: Bearer."


@dataclass(frozen=True)
class StatusPages:
    """Answers `/status`, its forms, and `/status.json` for scripts; the queue of jobs is open."""

    settings: Settings
    database: Database
    clock: Clock
    entry: Entry
    bodies: Bodies = field(default_factory=lambda: Bodies(limit=_LONGEST_FORM, seconds=5.0))

    def add_routes(self, app: web.Application) -> None:
        """Put the pages into an application."""
        app.router.add_get(PATH, said_kindly(self._show), allow_head=False)
        app.router.add_get(f"{PATH}.json", self._as_json, allow_head=False)
        app.router.add_post(PATH, said_kindly(self._sign_in))
        app.router.add_post(f"{PATH}/retry", said_kindly(self._retry))

    async def _show(self, request: web.Request) -> web.Response:
        admitted = self.entry.admit(request)
        if admitted is None:
            return self._closed(request)
        return await self._standing(request, admitted, told=_told(request.query))

    async def _as_json(self, request: web.Request) -> web.Response:
        if self.entry.token is None:
            return web.json_response({"error": _NOT_SET}, status=404)
        if self.entry.admit(request) is None:
            return web.json_response({"error": _REFUSED}, status=403)
        try:
            standing = await ask(self.database, self.settings, self.clock)
        except DATABASE_AWAY:
            return web.json_response({"error": "The database does not answer."}, status=503)
        return web.json_response(facts(standing))

    async def _sign_in(self, request: web.Request) -> web.Response:
        form = await self._form(request)
        if self.entry.token is None or not self.entry.opens(form.get("token", "").strip()):
            return self._closed(request, wrong=True)
        return self.entry.let_in(request, _to(PATH))

    async def _retry(self, request: web.Request) -> web.Response:
        admitted = self.entry.admit(request)
        if admitted is None:
            return self._closed(request)
        form = await self._form(request)
        if not self.entry.may_act(admitted, form.get("mark", "")):
            mistake = "This form is not of this page: load the page again, then retry."
            return await self._standing(request, admitted, mistake=mistake, status=403)
        which = form.get("which")
        try:
            if which in _JOBS:
                jobs = await retry_jobs_in(self.database, form.get("job", "") if which == "job" else None)
                return _to(f"{PATH}?jobs={len(jobs)}")
            retried = await retry_in(self.database, None if which == "all" else form.get("guid", ""))
        except UpkeepError as error:
            return await self._standing(request, admitted, mistake=str(error), status=409)
        return _to(f"{PATH}?retried={len(retried)}")

    async def _standing(
        self,
        request: web.Request,
        admitted: Admitted,
        *,
        status: int = 200,
        told: str | None = None,
        mistake: str | None = None,
    ) -> web.Response:
        standing = await ask(self.database, self.settings, self.clock)
        return self._page(
            request,
            "status.html",
            status,
            now=standing,
            worries=[markdown(one) for one in worries(standing)],
            ago=lambda moment: ago(moment, standing.at),
            mark=admitted.mark,
            told=told,
            mistake=mistake,
        )

    def _closed(self, request: web.Request, *, wrong: bool = False) -> web.Response:
        is_set = self.entry.token is not None
        return self._page(request, "status_closed.html", 403 if is_set else 404, is_set=is_set, wrong=wrong)

    def _page(self, request: web.Request, template: str, status: int, **values: object) -> web.Response:
        policy = HEADERS["Content-Security-Policy"].replace("form-action 'none'", "form-action 'self'")
        headers = {"Content-Security-Policy": policy}
        page = write_page(template, **values)
        return answer(request, page, "text/html", status=status, cached="no-store", headers=headers)

    async def _form(self, request: web.Request) -> dict[str, str]:
        """Return the fields of a small form, each once."""
        if request.content_type != _FORM:
            raise web.HTTPUnsupportedMediaType
        try:
            async with self.bodies.read(request) as body:
                form = parse_qs(body.decode(), max_num_fields=_MOST_FIELDS)
        except BodyTooLongError:
            raise web.HTTPRequestEntityTooLarge(_LONGEST_FORM) from None
        except BodyTooSlowError:
            raise web.HTTPRequestTimeout from None
        except NoRoomError:
            raise web.HTTPServiceUnavailable from None
        except (RequestPayloadError, ConnectionError, ValueError):  # the last: no UTF-8, or too many fields
            raise web.HTTPBadRequest from None
        return {name: values[0] for name, values in form.items()}


def _told(query: Mapping[str, str]) -> str | None:
    """Return what to say after a form was sent; None where none was."""
    for name, one, several in (("retried", "delivery", "deliveries"), ("jobs", "job", "jobs")):
        text = query.get(name, "")
        if text.isdecimal() and len(text) <= _MOST_DIGITS:
            count = int(text)
            return f"{f'One {one} waits' if count == 1 else f'{count} {several} wait'} for a worker again."
    return None


def _to(path: str) -> web.Response:
    return web.Response(status=303, headers={"Location": path})
