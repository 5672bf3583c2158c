"""The HTML pages: what a person sees of the local GitHub, and forms to act in it as somebody."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jinja2
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.markdown.render import tick
from bot.sandbox.calls import Services
from bot.sandbox.page_views import STRANGER, home_view, people, repository_view, subject_view
from bot.sandbox.rights import at_least, role_of
from bot.sandbox.seeding import Seeder, clean
from bot.sandbox.state import Account, Issue, PullRequest, Repository
from bot.sandbox.texts import too_long

_FOLDER = Path(__file__).with_name("templates")
_COOKIE = "acting-as"
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src * data:; base-uri 'none'; "
    "form-action 'self' http://127.0.0.1:* http://localhost:*"
)


class Pages:
    """Serves the pages below `/web`; who acts is kept in a cookie."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._world = services.world
        self._seeder = Seeder(services)
        loader = jinja2.FileSystemLoader(_FOLDER)
        self._templates = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True)
        self._style = (_FOLDER / "style.css").read_text()

    def add_routes(self, application: web.Application) -> None:
        """Put the pages into an application."""
        issue = "/web/{owner}/{repo}/issues/{number:[0-9]{1,9}}"
        application.router.add_get("/web", self._home)
        application.router.add_get("/", self._to_home)
        application.router.add_get("/web/", self._to_home)
        application.router.add_post("/web/act-as", self._act_as)
        application.router.add_get("/web/avatars/{name}", self._avatar)
        application.router.add_get("/web/{owner}/{repo}", self._repository)
        application.router.add_get(issue, self._subject)
        application.router.add_get("/web/{owner}/{repo}/pull/{number:[0-9]{1,9}}", self._subject)
        for name, act in (("comment", self._comment), ("tick", self._tick), ("label", self._label)):
            application.router.add_post(f"{issue}/{name}", self._or_why_not(act))

    async def _to_home(self, _: web.Request) -> web.Response:
        raise web.HTTPFound("/web")

    async def _home(self, request: web.Request) -> web.Response:
        return self.show(request, "home.html", None, home_view(self._world))

    async def _avatar(self, _: web.Request) -> web.Response:
        picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1"/></svg>'
        return web.Response(text=picture, content_type="image/svg+xml")

    async def _repository(self, request: web.Request) -> web.Response:
        repository = self._find(request)
        shown, page = request.query.get("state", "open"), request.query.get("page", "1")
        shown = shown if shown in ("open", "closed", "all") else "open"
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 9 else 1
        view = repository_view(self._world, repository, shown, max(1, number))
        return self.show(request, "repository.html", repository, view)

    async def _subject(self, request: web.Request) -> web.Response:
        repository, subject = self._find(request), self._find_subject(request)
        view = await asyncio.to_thread(subject_view, self._world, subject)
        return self.show(request, "issue.html", repository, view)

    async def _act_as(self, request: web.Request) -> web.Response:
        form = await self.form(request)
        back = form.get("back", "/web")
        response = web.Response(status=303, headers={"location": back if back.startswith("/web") else "/web"})
        response.set_cookie(_COOKIE, form.get("login", STRANGER), path="/web", httponly=True, samesite="Strict")
        return response

    async def _comment(self, request: web.Request) -> web.Response:
        """Write a comment, close or reopen, in the order GitHub's own button does it: the comment comes first."""
        form = await self.form(request)
        issue, account = self._writable(request), self._actor(request)
        body, then = clean(form.get("body", "").replace("\r\n", "\n")), form.get("then", "")
        if too_long(body):
            raise web.HTTPBadRequest(text="The comment is too long.")
        if then and not self._may_close(issue, account):
            raise web.HTTPForbidden(
                text=f"{account.login} may not close or reopen it: only people with triage rights and its author may."
            )
        if body.strip():
            self._services.comments.create(issue, account, body)
        if then == "close" and issue.closed_at is None:
            self._services.issues.close(issue, account)
        if then == "reopen" and issue.closed_at is not None:
            self._services.issues.reopen(issue, account)
        return self._back(issue)

    async def _tick(self, request: web.Request) -> web.Response:
        """Set one box of a task list, which edits the description; it needs the right to write."""
        form = await self.form(request)
        issue, account = self._writable(request), self._actor(request)
        repository = self._world.repositories[issue.repository_id]
        if account.id != issue.author_id and not at_least(role_of(self._world, repository, account), "write"):
            raise web.HTTPForbidden(
                text=f"{account.login} may not tick boxes here: only people with write permission and its author may."
            )
        try:
            body = tick(issue.body or "", int(form.get("line", "")), form.get("ticked") == "1")
        except ValueError as problem:
            raise web.HTTPBadRequest(text=str(problem)) from None
        self._services.issues.edit(issue, account, body=body)
        return self._back(issue)

    async def _label(self, request: web.Request) -> web.Response:
        """Put a label of the repository on an issue, or take it off where it is; a locked issue takes labels too."""
        form = await self.form(request)
        issue, account = self._find_subject(request), self._actor(request)
        repository = self._find(request)
        if not isinstance(issue, Issue) or repository.archived:
            raise web.HTTPForbidden(text="Only issues take labels here, and none of an archived repository.")
        if not at_least(role_of(self._world, repository, account), "triage"):
            raise web.HTTPForbidden(text=f"{account.login} may not change labels: only people with triage rights may.")
        label = self._world.labels_of[repository.id].get(form.get("label", "").lower())
        if label is None:
            raise web.HTTPBadRequest(text="There is no such label.")
        if label.id in issue.label_ids:
            self._services.issues.unlabel(issue, label, account)
        else:
            self._services.issues.label(issue, label, account)
        return self._back(issue)

    def _or_why_not(self, act: Handler) -> Handler:
        """Let somebody act in an issue; a refusal is a page that says why and leads back to the issue."""

        async def handle(request: web.Request) -> web.StreamResponse:
            try:
                return await act(request)
            except (web.HTTPBadRequest, web.HTTPForbidden) as refusal:
                view = {"status": f"{refusal.status} {refusal.reason}", "said": refusal.text}
                issue, _, _ = request.path.rpartition("/")
                page = self.show(request, "refused.html", self._find(request), view, here=issue)
                page.set_status(refusal.status)
                return page

        return handle

    def _back(self, issue: Issue) -> web.Response:
        self._world.commit()
        name = self._world.full_name(self._world.repositories[issue.repository_id])
        return web.Response(status=303, headers={"location": f"/web/{name}/issues/{issue.number}"})

    def _find(self, request: web.Request) -> Repository:
        found = self._world.find_repository("{owner}/{repo}".format(**request.match_info))
        if found is None:
            raise web.HTTPNotFound(text="There is no such repository.")
        return found[0]

    def _find_subject(self, request: web.Request) -> Issue | PullRequest:
        repository, number = self._find(request), int(request.match_info["number"])
        pull = self._world.pulls_of[repository.id].get(number)
        issue = self._world.issues_of[repository.id].get(number)
        if pull is not None:
            return pull
        if issue is None or issue.deleted:
            raise web.HTTPNotFound(text="There is no such issue.")
        if issue.transferred_to is not None:
            moved = self._world.issues[issue.transferred_to]
            name = self._world.full_name(self._world.repositories[moved.repository_id])
            raise web.HTTPFound(f"/web/{name}/issues/{moved.number}")
        return issue

    def _writable(self, request: web.Request) -> Issue:
        subject = self._find_subject(request)
        if not isinstance(subject, Issue):
            raise web.HTTPForbidden(text="Pull requests are only shown here.")
        if subject.locked or self._world.repositories[subject.repository_id].archived:
            raise web.HTTPForbidden(text="Nobody can write here: the repository is archived or the issue is locked.")
        return subject

    def _actor(self, request: web.Request) -> Account:
        """Return who acts: the person of the cookie, by default the first who could be chosen."""
        chosen = self._world.account(self._acting(request, self._find(request)))
        if chosen is None:
            return self._seeder.account(STRANGER)
        if chosen.kind != "User":
            raise web.HTTPForbidden(text="Only people can be acted as.")
        return chosen

    def _acting(self, request: web.Request, repository: Repository | None) -> str:
        logins = [row["login"] for row in people(self._world, repository)]
        chosen = request.cookies.get(_COOKIE, "")
        return chosen if chosen in logins else logins[0]

    def _may_close(self, issue: Issue, account: Account) -> bool:
        repository = self._world.repositories[issue.repository_id]
        return account.id == issue.author_id or at_least(role_of(self._world, repository, account), "triage")

    async def form(self, request: web.Request) -> dict[str, str]:
        """Read a form; one sent from another site is refused."""
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise web.HTTPForbidden(text="This form was sent from another site.")
        return {name: value for name, value in (await request.post()).items() if isinstance(value, str)}

    def show(
        self,
        request: web.Request,
        template: str,
        repository: Repository | None,
        view: dict[str, Any],
        here: str | None = None,
    ) -> web.Response:
        """Return a page; `here` is where one comes after acting as somebody else, where it is not this address."""
        text = self._templates.get_template(template).render(
            view,
            style=self._style,
            people=people(self._world, repository),
            acting=self._acting(request, repository),
            here=here or request.path_qs,
        )
        headers = {"content-security-policy": _POLICY, "x-content-type-options": "nosniff"}
        return web.Response(text=text, content_type="text/html", headers=headers)
