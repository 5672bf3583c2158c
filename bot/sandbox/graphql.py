"""GraphQL: executes queries over the state with GitHub's names, costs and errors."""

from __future__ import annotations

import functools
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLResolveInfo,
    GraphQLSchema,
    GraphQLUnionType,
    OperationDefinitionNode,
    OperationType,
    build_schema,
    execute,
    get_named_type,
    parse,
    validate,
)

from bot.sandbox import graphql_code, graphql_issues, graphql_people, graphql_pins
from bot.sandbox.calls import Call, Reply, Services
from bot.sandbox.errors import ApiError
from bot.sandbox.graphql_context import Context, Resolvers, context, type_name
from bot.sandbox.graphql_cost import CostCounter, QueryError
from bot.sandbox.identifiers import node_id, read_node_id
from bot.sandbox.records import Write
from bot.sandbox.shapes import stamp
from bot.sandbox.state import Account, Repository

SCHEMA_FILE = Path(__file__).with_name("schema.graphql")


def _repository(_: None, info: GraphQLResolveInfo, owner: str, name: str, followRenames: bool = True) -> Repository:  # noqa: N803
    here = context(info)
    found = here.world.find_repository(f"{owner}/{name}")
    if found is None or not (found[1] or followRenames) or not here.readable(found[0]):
        raise QueryError("NOT_FOUND", f"Could not resolve to a Repository with the name '{owner}/{name}'.")
    return found[0]


def _node(_: None, info: GraphQLResolveInfo, id: str) -> Any:  # noqa: A002 - GitHub's name
    here, named = context(info), read_node_id(id)
    world = here.world
    kept: dict[str, dict[int, Any]] = {
        "issue": world.issues, "comment": world.comments, "pull_request": world.pull_requests,
        "commit": world.commits, "repository": world.repositories, "account": world.accounts,
    }  # fmt: skip
    found = kept.get(named[0], {}).get(named[1]) if named else None
    repository = found if isinstance(found, Repository) else world.repositories.get(getattr(found, "repository_id", 0))
    hidden = not isinstance(found, Account) and (repository is None or not here.readable(repository))
    if found is None or hidden or getattr(found, "deleted", False):
        raise QueryError("NOT_FOUND", f"Could not resolve to a node with the global id of '{id}'")
    return found


def _nodes(_: None, info: GraphQLResolveInfo, ids: list[str]) -> list[Any]:
    """Return the objects of node ids; one that is not there is null with an error of its own, beside the others."""
    found: list[Any] = []
    for one in ids:
        try:
            found.append(_node(None, info, one))
        except QueryError as missing:
            found.append(missing)
    return found


def _rate_limit(_: None, info: GraphQLResolveInfo) -> dict[str, Any]:
    here = context(info)
    status = here.limits.status(here.caller, "graphql")
    reset = stamp(datetime.fromtimestamp(status.pop("reset"), UTC))
    return {**status, "cost": here.cost.points, "nodeCount": here.cost.nodes, "resetAt": reset}


def _user(_: None, info: GraphQLResolveInfo, login: str) -> Account:
    found = context(info).world.account(login)
    if found is None or found.kind != "User" or found.deleted:
        raise QueryError("NOT_FOUND", f"Could not resolve to a User with the login of '{login}'.")
    return found


def _account_url(source: Account, info: GraphQLResolveInfo) -> str:
    return f"{context(info).world.base_url}/web/users/{source.login.removesuffix('[bot]')}"


_QUERY: Resolvers = {
    "repository": _repository,
    "node": _node,
    "nodes": _nodes,
    "rateLimit": _rate_limit,
    "user": _user,
    "search": graphql_people.search,
}
_ACCOUNT: Resolvers = {
    "id": lambda source, _: node_id("account", source.id),
    "databaseId": lambda source, _: source.id,
    "login": lambda source, _: source.login.removesuffix("[bot]"),
    "name": lambda source, _: source.name,
    "url": _account_url,
    "createdAt": lambda source, _: stamp(source.created_at),
    "followers": lambda source, _, **_page: {"totalCount": source.followers},
    "bio": lambda source, _: source.bio,
    "company": lambda source, _: source.company,
    "contributionsCollection": graphql_people.contributions,
}
_LABEL: Resolvers = {
    "id": lambda source, _: node_id("label", source.id),
    "name": lambda source, _: source.name,
    "color": lambda source, _: source.color,
    "description": lambda source, _: source.description,
    "isDefault": lambda _source, _: False,
}
_CONNECTION: Resolvers = {
    "nodes": lambda source, _: source.nodes,
    "edges": lambda source, _: source.edges,
    "totalCount": lambda source, _: len(source.rows),
    "filteredCount": lambda source, _: len(source.rows),
    "issueCount": lambda source, _: len(source.rows),
    "pageInfo": lambda source, _: source.info,
    "updatedAt": lambda source, _: stamp(max((row.created_at for row in source.rows), default=datetime.now(UTC))),
}
RESOLVERS: dict[str, Resolvers] = {
    "Query": _QUERY,
    "Mutation": graphql_pins.MUTATIONS,
    "User": _ACCOUNT,
    "Bot": _ACCOUNT,
    "Mannequin": _ACCOUNT,
    "Organization": _ACCOUNT,
    "Label": _LABEL,
    "Repository": graphql_code.REPOSITORY,
    "Issue": graphql_issues.ISSUE,
    "PinnedIssue": graphql_pins.PINNED,
    "IssueComment": graphql_issues.COMMENT,
    "UserContentEdit": graphql_issues.EDIT,
    "PullRequest": graphql_code.PULL_REQUEST,
    "PullRequestChangedFile": graphql_code.FILE,
    "PullRequestReview": graphql_code.REVIEW,
    "PullRequestReviewComment": graphql_code.REMARK,
    "PullRequestReviewThread": graphql_code.THREAD,
    "Commit": graphql_code.COMMIT,
    "ContributionsCollection": graphql_people.CONTRIBUTIONS,
    **graphql_issues.EVENTS,
}
PLAIN_TYPES = frozenset({
    "RateLimit", "PageInfo", "IssueEdge", "IssueType", "Ref", "GitActor", "PullRequestCommit", "ProjectV2",
    "FollowerConnection", "UserConnection", "PinIssuePayload", "UnpinIssuePayload",
})  # fmt: skip
"""Types whose sources are dictionaries with GitHub's own names (or that never occur here)."""


@functools.cache
def load_schema() -> GraphQLSchema:
    """Read the schema and give every field its resolver (0.1 s, hence once a process)."""
    schema = build_schema(SCHEMA_FILE.read_text())
    for name, kind in schema.type_map.items():
        if isinstance(kind, GraphQLInterfaceType | GraphQLUnionType):
            kind.resolve_type = type_name
        if not isinstance(kind, GraphQLObjectType) or name.startswith("__") or name in PLAIN_TYPES:
            continue
        resolvers = _CONNECTION if name.endswith("Connection") else RESOLVERS[name]
        for field_name, field in kind.fields.items():
            field.resolve = resolvers[field_name]
    return schema


class GraphQL:
    """Answers `POST /graphql`; every distinct text is parsed and validated once a process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._schema = load_schema()
        self._connections = frozenset(
            field_name
            for kind in self._schema.type_map.values()
            if isinstance(kind, GraphQLObjectType)
            for field_name, field in kind.fields.items()
            if get_named_type(field.type).name.endswith("Connection")
        )

    def handle(self, call: Call) -> Reply:
        """Execute a query; what is wrong with it is told in a body of `errors` with status 200, as on GitHub."""
        if call.caller.kind == "anonymous":
            raise ApiError(401, "This endpoint requires you to be authenticated.")
        text, variables = call.body.get("query"), call.body.get("variables") or {}
        if not isinstance(text, str) or not isinstance(variables, dict):
            raise ApiError(400, "A query attribute must be specified and must be a string.")
        try:
            document, problems = _read(text)
            if problems:
                return Reply({"errors": [_error_json(problem) for problem in problems]})
            return self._execute(call, document, variables)
        except GraphQLError as problem:
            return Reply({"errors": [_error_json(problem)]})

    def _execute(self, call: Call, document: DocumentNode, variables: dict[str, Any]) -> Reply:
        operation = _operation(document, call.body.get("operationName"))
        limits = self._services.limits
        cost = CostCounter(document, variables, self._connections).count(operation)
        if operation.operation is OperationType.MUTATION:
            limits.admit_mutation(call.caller)
        if not limits.charge(call.caller, cost.points):
            message = f"API rate limit exceeded for {call.caller.key}."
            headers = limits.headers(call.caller, "graphql") | {"x-ratelimit-remaining": "0"}
            return Reply({"errors": [{"type": "RATE_LIMITED", "message": message}]}, headers=headers)
        here = Context(call.world, call.caller, limits, cost)
        installation = call.caller.installation
        if operation.operation is OperationType.MUTATION and installation is not None:
            number, now = call.world.new_id("write"), call.world.clock.now()
            call.world.add(Write(number, now, installation.id, call.method, call.path, call.body, 200))
        result = execute(
            self._schema, document, context_value=here, variable_values=variables,
            operation_name=operation.name.value if operation.name else None,
        )  # fmt: skip
        if not isinstance(result, ExecutionResult):
            raise TypeError("Every resolver answers at once, so a query cannot be waiting.")
        rows = _rows(result.data)
        if rows > 2 * limits.limits.rows_a_query:
            raise ApiError(502, "We couldn't respond to your request in time. Sorry about that.")
        if rows > limits.limits.rows_a_query:
            message = "Resource limits for this query exceeded."
            refusal = {"type": "RESOURCE_LIMITS_EXCEEDED", "path": ["repository"], "message": message}
            return Reply(
                {"data": {"repository": None}, "errors": [refusal]}, headers=limits.headers(call.caller, "graphql")
            )
        body: dict[str, Any] = {"data": result.data}
        if result.errors:
            for problem in result.errors:
                if problem.original_error is not None and not isinstance(problem.original_error, GraphQLError):
                    raise problem.original_error
            body["errors"] = [_error_json(problem) for problem in result.errors]
        return Reply(body, headers=limits.headers(call.caller, "graphql"))


@functools.lru_cache(maxsize=256)
def _read(text: str) -> tuple[DocumentNode, list[GraphQLError]]:
    document = parse(text)
    return document, validate(load_schema(), document)


def _rows(data: Any) -> int:
    """Count the rows of all lists in an answer."""
    if isinstance(data, dict):
        return sum(map(_rows, data.values()))
    return sum(1 + _rows(row) for row in data) if isinstance(data, list) else 0


def _operation(document: DocumentNode, name: str | None) -> OperationDefinitionNode:
    operations = [row for row in document.definitions if isinstance(row, OperationDefinitionNode)]
    for operation in operations:
        if operation.operation is OperationType.SUBSCRIPTION:
            raise GraphQLError("The local GitHub has no subscriptions.")
        if (name is None and len(operations) == 1) or (operation.name is not None and operation.name.value == name):
            return operation
    raise GraphQLError("An operation name is required")


def _error_json(problem: GraphQLError) -> dict[str, Any]:
    """Write an error as GitHub does: with a `type` where it is one of its own."""
    kind = getattr(problem.original_error if problem.original_error is not None else problem, "kind", None)
    body: dict[str, Any] = {"type": kind} if kind else {}
    if problem.path:
        body["path"] = problem.path
    if problem.locations:
        body["locations"] = [{"line": place.line, "column": place.column} for place in problem.locations]
    return body | {"message": problem.message}
