"""Refusals in GitHub's own shapes."""

from __future__ import annotations

from typing import Any

DOCUMENTATION = "https://docs.github.com/rest"
NO_ACCESS = "Resource not accessible by integration"


class ApiError(Exception):
    """A refusal: HTTP status, message, and for 422 the list of errors; `headers` go into the answer."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: list[Any] | None = None,
        headers: dict[str, str] | None = None,
        documentation_url: str = DOCUMENTATION,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}
        self._errors = errors
        self._documentation_url = documentation_url

    def body(self) -> dict[str, Any]:
        """Return the JSON body."""
        body: dict[str, Any] = {"message": self.message, "documentation_url": self._documentation_url}
        if self._errors is not None:
            body["errors"] = self._errors
        return body | {"status": str(self.status)}


def not_found() -> ApiError:
    """Say that there is no such thing, or the caller may not know of it."""
    return ApiError(404, "Not Found")


def forbidden(message: str = NO_ACCESS) -> ApiError:
    """Say that the caller knows of it and may not do that."""
    return ApiError(403, message)


def bad_credentials() -> ApiError:
    """Say that the token is unknown or expired."""
    return ApiError(401, "Bad credentials")


def invalid(resource: str, field: str, code: str, message: str | None = None) -> ApiError:
    """Refuse a field."""
    error = {"resource": resource, "field": field, "code": code}
    return ApiError(422, "Validation Failed", errors=[error | ({"message": message} if message else {})])


def secondary_limit(retry_after: int | None) -> ApiError:
    """Refuse by a secondary rate limit; GitHub does not always say when to come back."""
    headers = {"retry-after": str(retry_after)} if retry_after is not None else {}
    return ApiError(
        403,
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
        headers=headers,
        documentation_url="https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api"
        "#about-secondary-rate-limits",
    )
