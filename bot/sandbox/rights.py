"""Who may do what: roles in a repository and the association GitHub prints beside an author's name."""

from __future__ import annotations

from bot.sandbox.state import Account, Repository, Role
from bot.sandbox.world import World

ROLES: tuple[Role, ...] = ("read", "triage", "write", "maintain", "admin")


def role_of(world: World, repository: Repository, account: Account) -> Role | None:
    """Return an account's role; everybody reads a public repository, nobody else a private one (None)."""
    if account.id == repository.owner_id:
        return "admin"
    granted = repository.collaborators.get(account.id)
    if granted is not None:
        return granted
    if account.id in world.accounts[repository.owner_id].members:
        return "read"
    return None if repository.private else "read"


def at_least(role: Role | None, wanted: Role) -> bool:
    """Tell whether a role includes another."""
    return role is not None and ROLES.index(role) >= ROLES.index(wanted)


def legacy_permission(role: Role | None) -> str:
    """Return the old four-word permission: triage counts as read, maintain as write."""
    return {None: "none", "triage": "read", "maintain": "write"}.get(role, role or "none")


def permission_flags(role: Role | None) -> dict[str, bool]:
    """Return the five booleans that GitHub puts into `permissions`."""
    return {
        "admin": role == "admin",
        "maintain": at_least(role, "maintain"),
        "push": at_least(role, "write"),
        "triage": at_least(role, "triage"),
        "pull": at_least(role, "read"),
    }


def association(world: World, repository: Repository, account_id: int | None) -> str:
    """Return `author_association`: private members look like anybody else, which is GitHub's known trap."""
    if account_id is None:
        return "NONE"
    if account_id == repository.owner_id:
        return "OWNER"
    member_publicly = world.accounts[repository.owner_id].members.get(account_id)
    if member_publicly:
        return "MEMBER"
    if account_id in repository.collaborators and member_publicly is None:
        return "COLLABORATOR"
    if account_id in world.contributors_of[repository.id]:
        return "CONTRIBUTOR"
    return "NONE"
