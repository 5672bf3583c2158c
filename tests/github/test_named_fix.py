"""A change that a person named: whether it is there, what is read of it, and whether it counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import pytest
from pydantic import SecretStr

from bot.clock import SystemClock
from bot.evidence.model import Evidence
from bot.github.client import GitHubClient
from bot.github.gather import gather
from bot.github.linking import ManualFix
from bot.github.presence import presence
from bot.sandbox.app_identity import new_private_key
from bot.sandbox.sandbox import Sandbox

KEY = new_private_key()
PLACE, OTHER = "acme/frame", "acme/tools"
FILES = [{"path": "src/a.py", "status": "modified", "additions": 3, "deletions": 1}]
LANDED, SIDE, REVERTED, SQUASHED, ELSEWHERE = (each * 40 for each in "abcde")
NOW = datetime.now(UTC)


def furnish(sandbox: Sandbox) -> dict[str, int]:
    """Make an issue that was closed by hand, and changes of all kinds; return the pull requests' numbers."""
    sandbox.add_owner("acme")
    sandbox.add_owner("secret")
    for owner, name in (("acme", "frame"), ("acme", "tools"), ("secret", "vault")):
        sandbox.add_repository(owner, name, private=owner == "secret")
    for login in ("ann", "bob"):
        sandbox.add_user(login)
    sandbox.open_issue(PLACE, "ann", "It leaks", "Memory grows.", ("bug",), at=NOW - timedelta(days=9))
    at = NOW - timedelta(days=5)
    for sha, message in ((LANDED, "Free it"), (REVERTED, "Free it wrongly"), (SQUASHED, "Free it (#2)")):
        sandbox.add_commit(PLACE, sha, message, login="bob", at=at, files=FILES)
    sandbox.add_commit(PLACE, SIDE, "Free it there", login="bob", at=at, files=FILES, branch="side")
    sandbox.add_commit(OTHER, ELSEWHERE, "Free it here", login="bob", at=at, files=FILES)
    pulls = {}
    facts_of: dict[str, dict[str, Any]] = {
        "squashed": {"merged_at": at, "merge_commit_sha": SQUASHED},
        "merged": {"merged_at": at},
        "open": {},
        "aside": {"merged_at": at, "base_branch": "side"},
        "closed": {},
    }
    for name, facts in facts_of.items():
        pulls[name] = sandbox.add_pull_request(PLACE, f"Free it, {name}", "bob", files=FILES, **facts).number
    assert pulls["squashed"] == 2
    pulls["elsewhere"] = sandbox.add_pull_request(OTHER, "Free it", "bob", files=FILES, merged_at=at).number
    for revert, sha in (("1" * 40, REVERTED), ("2" * 40, SQUASHED)):
        reverting = sandbox.add_commit(PLACE, revert, f"Undo\n\nThis reverts commit {sha}.", at=NOW - timedelta(days=4))
        sandbox.reference(PLACE, 1 if sha == REVERTED else 2, reverting, "bob", at=NOW - timedelta(days=4))
    landed = sandbox.add_commit(PLACE, "3" * 40, f"Free it (#{pulls['closed']})", at=at)
    sandbox.reference(PLACE, 1, landed, "bob", at=at)
    sandbox.close_pull_request(PLACE, pulls["closed"], "bob", closer=landed, at=at)
    sandbox.close(PLACE, 1, "ann", at=NOW - timedelta(days=2))
    return pulls


async def asked(name: str, *, sha: str | None = None, repository: str = PLACE) -> tuple[Evidence, str]:
    """Name a change as the fix of issue 1; return the evidence and whether the change was found to be there."""
    sandbox = Sandbox(SystemClock(), private_key=KEY)
    pulls = furnish(sandbox)
    fix = ManualFix(repository, None if sha else pulls.get(name, 4040), sha)
    sandbox.add_user("reader")
    token = SecretStr(sandbox.personal_token("reader"))
    async with sandbox.running() as url, aiohttp.ClientSession() as session:
        client = GitHubClient.with_token(
            token, api_url=url, graphql_url=f"{url}/graphql", session=session, clock=SystemClock()
        )
        return await gather(client, PLACE, 1, fix), await presence(client, fix, PLACE)


@pytest.mark.parametrize(
    ("name", "repository", "there", "landed"),
    [
        ("merged", PLACE, "there", True),
        ("merged", "ACME/Frame", "there", True),
        ("open", PLACE, "there", False),
        ("aside", PLACE, "there", False),
        ("squashed", PLACE, "there", False),
        ("closed", PLACE, "there", True),
        ("elsewhere", OTHER, "there", True),
        ("nothing", PLACE, "absent", None),
        ("nothing", OTHER, "absent", None),
        ("nothing", "secret/vault", "hidden", None),
        ("nothing", "nobody/nowhere", "hidden", None),
    ],
)
async def test_a_pull_request(name: str, repository: str, there: str, landed: bool | None) -> None:
    evidence, found = await asked(name, repository=repository)
    assert found == there
    assert evidence.fix_link == ("private" if landed is None else "manual")
    assert (evidence.fix.landed if evidence.fix else None) is landed
    if evidence.fix is not None:
        assert (evidence.fix.additions, evidence.fix.deletions, len(evidence.fix.files)) == (3, 1, 1)
        assert (evidence.fix.merged_at is not None) is landed


@pytest.mark.parametrize(
    ("sha", "repository", "there", "landed"),
    [
        (LANDED, PLACE, "there", True),
        (LANDED[:7], PLACE, "there", True),
        (SIDE, PLACE, "there", False),
        (REVERTED[:9], PLACE, "there", False),
        (SQUASHED, PLACE, "there", False),
        (ELSEWHERE, OTHER, "there", True),
        ("f" * 40, PLACE, "absent", None),
        ("f" * 40, OTHER, "absent", None),
        ("f" * 40, "secret/vault", "hidden", None),
    ],
)
async def test_a_commit(sha: str, repository: str, there: str, landed: bool | None) -> None:
    evidence, found = await asked("", sha=sha, repository=repository)
    assert found == there
    assert (evidence.fix.landed if evidence.fix else None) is landed
    if evidence.fix is not None:
        assert (evidence.fix.sha, evidence.fix.additions, evidence.fix.comments) == (sha[0] * 40, 3, 0)
