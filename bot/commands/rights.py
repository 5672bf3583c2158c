"""What a person may do in a repository, read from GitHub's answer about one collaborator."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum


class Rights(IntEnum):
    """A person's rights in one repository, weakest first, so that `>=` compares them.

    `UNKNOWN` means that GitHub could not be asked or answered something unreadable. It is the weakest of all, so that
    a comparison with a needed right fails; who asks must still tell it apart from `NONE`, since the person is told.
    """

    UNKNOWN = -1
    NONE = 0
    READ = 1
    TRIAGE = 2
    WRITE = 3
    MAINTAIN = 4
    ADMIN = 5

    @classmethod
    def from_permission_answer(cls, payload: object) -> Rights:
        """Read the decoded answer of `GET /repos/{owner}/{repo}/collaborators/{login}/permission`.

        The booleans of `user.permissions` count. Only where there are none is `role_name` looked at, since in an
        organisation it may be the name of a custom role, which says nothing of what the role allows: `UNKNOWN`. The
        field `permission` is never used: it knows neither triage nor maintain. Never raises.
        """
        answer = _mapping(payload)
        permissions = _mapping(_mapping(answer.get("user")).get("permissions"))
        told = {right: permissions[name] for name, right in _OF_BOOLEAN.items() if name in permissions}
        if any(isinstance(given, bool) for given in told.values()):
            return max((right for right, given in told.items() if given is True), default=cls.NONE)
        role = answer.get("role_name")
        return _OF_ROLE.get(role, cls.UNKNOWN) if isinstance(role, str) else cls.UNKNOWN


_OF_BOOLEAN = {
    "pull": Rights.READ,
    "triage": Rights.TRIAGE,
    "push": Rights.WRITE,
    "maintain": Rights.MAINTAIN,
    "admin": Rights.ADMIN,
}
_OF_ROLE = {
    "none": Rights.NONE,
    "read": Rights.READ,
    "triage": Rights.TRIAGE,
    "write": Rights.WRITE,
    "maintain": Rights.MAINTAIN,
    "admin": Rights.ADMIN,
}


def _mapping(value: object) -> Mapping[str, object]:
    """Return the value where it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}
