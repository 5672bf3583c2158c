"""Builds the webhooks of what happened and queues them as deliveries that wait to be sent."""

from __future__ import annotations

import asyncio
import json
import uuid

from bot.sandbox.identifiers import node_id
from bot.sandbox.records import Delivery
from bot.sandbox.shapes import Json, simple_user
from bot.sandbox.shapes_issue import comment_json, issue_json, pull_request_as_issue_json
from bot.sandbox.shapes_repository import webhook_repository_json
from bot.sandbox.state import Account, Comment, Installation, Issue, Repository
from bot.sandbox.world import World

ALWAYS_SENT = ("installation", "installation_repositories", "ping")


class Outbox:
    """Queues webhooks for the App; `waiting` is set whenever something is to be sent."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.waiting = asyncio.Event()

    def issue(self, action: str, issue: Issue, sender: Account, **extra: Json) -> Delivery | None:
        """Queue an `issues` event; `extra` holds `changes` or `label`."""
        repository = self._world.repositories[issue.repository_id]
        return self.repository_event(
            "issues", action, repository, sender, issue=issue_json(self._world, issue), **extra
        )

    def comment(self, action: str, comment: Comment, sender: Account, **extra: Json) -> Delivery | None:
        """Queue an `issue_comment` event, on an issue or on a pull request."""
        world = self._world
        repository = world.repositories[comment.repository_id]
        pull = world.pulls_of[repository.id].get(comment.number)
        if pull is not None:
            subject = pull_request_as_issue_json(world, pull)
        else:
            subject = issue_json(world, world.issue(repository, comment.number))
        body = {"issue": subject, "comment": comment_json(world, comment), **extra}
        return self.repository_event("issue_comment", action, repository, sender, **body)

    def repository_event(
        self, event: str, action: str, repository: Repository, sender: Account, **body: Json
    ) -> Delivery | None:
        """Queue an event of a repository, if the App is installed there, not suspended and subscribed to it."""
        installation = self._world.installation_of(repository)
        if installation is None:
            return None
        owner = self._world.accounts[repository.owner_id]
        payload: Json = {**body, "repository": webhook_repository_json(self._world, repository)}
        if owner.kind == "Organization":
            payload["organization"] = organization_json(self._world, owner)
        payload["sender"] = simple_user(self._world, sender)
        payload["installation"] = {"id": installation.id, "node_id": node_id("installation", installation.id)}
        return self.send(event, action, payload, installation, repository.id)

    def send(
        self,
        event: str,
        action: str | None,
        payload: Json,
        installation: Installation | None,
        repository_id: int | None,
    ) -> Delivery | None:
        """Queue any event with its payload; None where GitHub would not send it."""
        if event not in ALWAYS_SENT and (
            installation is None or installation.suspended_at is not None or event not in installation.events
        ):
            return None
        body = {"action": action, **payload} if action is not None else payload
        return self._queue(
            Delivery(
                id=self._world.new_id("delivery"),
                guid=str(uuid.uuid4()),
                event=event,
                action=action,
                created_at=self._world.now(),
                payload=json.dumps(body, separators=(",", ":"), ensure_ascii=False),
                installation_id=installation.id if installation else None,
                repository_id=repository_id,
            )
        )

    def again(self, delivery: Delivery) -> Delivery:
        """Queue a new attempt at an old delivery: same GUID, same payload, a new id."""
        return self._queue(
            Delivery(
                id=self._world.new_id("delivery"),
                guid=delivery.guid,
                event=delivery.event,
                action=delivery.action,
                created_at=self._world.now(),
                payload=delivery.payload,
                installation_id=delivery.installation_id,
                repository_id=delivery.repository_id,
                redelivery=True,
            )
        )

    def _queue(self, delivery: Delivery) -> Delivery:
        self._world.add(delivery)
        self.waiting.set()
        return delivery


def organization_json(world: World, account: Account) -> Json:
    """Write the organization that stands beside the repository in a webhook."""
    url = f"{world.base_url}/orgs/{account.login}"
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id("account", account.id),
        "url": url,
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events",
        "hooks_url": f"{url}/hooks",
        "issues_url": f"{url}/issues",
        "members_url": f"{url}/members{{/member}}",
        "public_members_url": f"{url}/public_members{{/member}}",
        "avatar_url": f"{world.base_url}/web/avatars/{account.id}.svg",
        "description": None,
    }
