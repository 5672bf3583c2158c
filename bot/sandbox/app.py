"""The HTTP side: one pipeline for every API request, from fault and caller to write-through, ETag and headers."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from typing import Any

from aiohttp import web

from bot.sandbox import registering, rest_app, rest_comments, rest_issues, rest_labels, rest_repositories
from bot.sandbox.callers import Caller
from bot.sandbox.calls import Call, Reply, Route, Routes, Services, check_access
from bot.sandbox.errors import ApiError, not_found
from bot.sandbox.faults import Fault, Faults
from bot.sandbox.graphql import GraphQL
from bot.sandbox.limits import Resource
from bot.sandbox.records import Write
from bot.sandbox.state import Repository

LARGEST_REQUEST = 16 * 1024**2
BY_NAME, BY_ID = "/repos/{owner}/{repo}", "/repositories/{repo_id}"
_TABLES: tuple[Routes, ...] = (
    rest_app.routes,
    registering.routes,
    rest_repositories.routes,
    rest_comments.routes,
    rest_issues.routes,
    rest_labels.routes,
)


class Api:
    """Serves the REST and GraphQL API of the local GitHub."""

    def __init__(self, services: Services, faults: Faults) -> None:
        self._services = services
        self._world = services.world
        self._faults = faults
        self._graphql = GraphQL(services)
        self._stopping = asyncio.Event()

    def application(self) -> web.Application:
        """Return the aiohttp application with every route of the API."""
        application = web.Application(client_max_size=LARGEST_REQUEST)
        graphql = Route("POST", "/graphql", self._graphql.handle, "any")
        for route in [graphql, *(row for table in _TABLES for row in table.rows)]:
            endpoint = self._endpoint(route)
            application.router.add_route(route.method, route.template, endpoint)
            if route.template.startswith(BY_NAME):
                application.router.add_route(route.method, route.template.replace(BY_NAME, BY_ID), endpoint)
        application.on_shutdown.append(self._stop)
        return application

    def missing(self) -> Any:
        """Return the handler of every path that is no endpoint."""
        return self._endpoint(Route("*", "", _missing, "any"))

    def _endpoint(self, route: Route) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            try:
                caller = self._services.callers.identify(request.headers.get("authorization"))
                with self._services.limits.at_once(caller, request.method, request.path):
                    return await self._carry_out(request, route, caller)
            except ApiError as refusal:
                return _refusal(refusal)
            finally:
                self._world.commit()

        return handle

    async def _carry_out(self, request: web.Request, route: Route, caller: Caller) -> web.StreamResponse:
        """Answer, or fail before or after the work where a fault was ordered."""
        fault = self._faults.strike(request.method, request.path)
        if fault is Fault.SLOW:
            await asyncio.sleep(self._faults.slow_seconds)
            fault = None
        if fault is not None and not fault.after:
            return await self._fail(request, fault)
        response = await self._answer(request, route, caller)
        return await self._fail(request, fault) if fault is not None else response

    async def _answer(self, request: web.Request, route: Route, caller: Caller) -> web.Response:
        if not request.headers.get("user-agent"):
            raise ApiError(403, "Request forbidden by administrative rules. Please send a User-Agent header.")
        body = await _read_body(request)
        limits = self._services.limits
        resource: Resource = "graphql" if request.path == "/graphql" else "core"
        try:
            limits.admit(caller, resource, request.method, request.path, content=route.creates_content)
            reply = self._reply(request, route, caller, body)
        except ApiError as refusal:
            refusal.headers = limits.headers(caller, resource) | refusal.headers
            raise
        headers = {**limits.headers(caller, resource), **reply.headers}
        if reply.body is None:
            return web.Response(status=reply.status, headers=headers)
        text = json.dumps(reply.body, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
        if request.method == "GET":
            headers["etag"] = f'W/"{hashlib.sha256(text).hexdigest()}"'
            if request.headers.get("if-none-match") == headers["etag"]:
                if request.path != "/rate_limit":  # which was free already
                    limits.refund(caller)
                headers.update(limits.headers(caller, resource))
                return web.Response(status=304, headers=headers)
        headers["x-github-media-type"] = "github.v3; format=json"
        return web.Response(
            body=text, status=reply.status, headers=headers, content_type="application/json", charset="utf-8"
        )

    def _reply(self, request: web.Request, route: Route, caller: Caller, body: dict[str, Any]) -> Reply:
        if route.needs == "app" and caller.kind != "app":
            raise ApiError(401, "A JSON web token could not be decoded")
        if route.needs == "installation" and caller.kind != "installation":
            raise ApiError(
                403, "You must authenticate with an installation access token in order to list repositories."
            )
        names_one = "owner" in request.match_info or "repo_id" in request.match_info
        repository = self._repository(request) if names_one else None
        call = Call(
            services=self._services,
            caller=caller,
            method=request.method,
            path=request.path,
            params=dict(request.match_info),
            query=dict(request.query),
            body=body,
            repository_found=repository,
        )
        if ":" in route.needs:
            check_access(call, route.needs)
        reply = route.handler(call)
        if request.method != "GET" and request.path != "/graphql":
            self._log_write(call, reply)
        return reply

    def _log_write(self, call: Call, reply: Reply) -> None:
        if call.caller.installation is not None:
            number = self._world.new_id("write")
            installation_id = call.caller.installation.id
            now = self._world.clock.now()
            self._world.add(Write(number, now, installation_id, call.method, call.path, call.body, reply.status))

    def _repository(self, request: web.Request) -> Repository:
        """Find the repository of a path; an old name answers 301 (307 for writes) with the address by id."""
        parts = request.match_info
        if "repo_id" in parts:
            number = parts["repo_id"]
            found = self._world.repositories.get(int(number)) if number.isascii() and number.isdigit() else None
            if found is None:
                raise not_found()
            return found
        named = self._world.find_repository(f"{parts['owner']}/{parts['repo']}")
        if named is None:
            raise not_found()
        repository, current = named
        if not current:
            rest = request.rel_url.raw_path.split("/", 4)[4:]
            address = "/".join([f"{self._world.base_url}/repositories/{repository.id}", *rest])
            if request.rel_url.raw_query_string:
                address += f"?{request.rel_url.raw_query_string}"
            permanent = request.method == "GET"
            message = "Moved Permanently" if permanent else "Temporary Redirect"
            raise ApiError(301 if permanent else 307, message, headers={"location": address})
        return repository

    async def _fail(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        if fault is Fault.HANG:
            await self._hang(request)
        if fault in (Fault.HANG, Fault.DROPPED, Fault.DROPPED_AFTER):
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        return _refusal(self._faults.refusal(fault))

    async def _hang(self, request: web.Request) -> None:
        """Keep silent until the client has gone or the server stops."""
        while request.transport is not None and not request.transport.is_closing():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), 0.05)
                return

    async def _stop(self, _: web.Application) -> None:
        self._stopping.set()


def _missing(_: Call) -> Reply:
    raise not_found()


def _refusal(refusal: ApiError) -> web.Response:
    return web.json_response(refusal.body(), status=refusal.status, headers=refusal.headers)


async def _read_body(request: web.Request) -> dict[str, Any]:
    raw = await request.read()
    if not raw:
        return {}
    try:
        body = json.loads(raw)
        if b"\\ud" in raw.lower():
            body = json.loads(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise ApiError(400, "Problems parsing JSON") from None
    if isinstance(body, list) and request.path.endswith("/labels"):
        return {"labels": body}
    if not isinstance(body, dict):
        raise ApiError(400, "Body should be a JSON object")
    return body
