"""Everything that can happen to comments and reactions."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from bot.sandbox.outbox import Outbox
from bot.sandbox.state import Account, Comment, Issue, PullRequest, Reaction
from bot.sandbox.world import World


class CommentChanges:
    """Writes, edits and deletes comments and reactions; reactions send no webhook, as on GitHub."""

    def __init__(self, world: World, outbox: Outbox) -> None:
        self._world = world
        self._outbox = outbox

    def create(
        self,
        subject: Issue | PullRequest,
        author: Account | None,
        body: str,
        *,
        at: datetime | None = None,
        via_app: bool = False,
        emit: bool = True,
    ) -> Comment:
        """Write a comment on an issue or pull request; an author of None is a deleted account (never sent)."""
        moment = at or self._world.now()
        comment = self._world.add(
            Comment(
                id=self._world.new_id("comment"),
                repository_id=subject.repository_id,
                number=subject.number,
                author_id=author.id if author else None,
                body=body,
                created_at=moment,
                updated_at=moment,
                via_app=via_app,
            )
        )
        subject.updated_at = max(subject.updated_at, moment)
        self._world.touch(subject)
        if emit and author is not None:
            self._outbox.comment("created", comment, author)
        return comment

    def edit(self, comment: Comment, actor: Account, body: str, *, emit: bool = True) -> None:
        """Change the text of a comment."""
        before = comment.body
        comment.edit(body, actor.id, self._world.now())
        self._world.touch(comment)
        if emit and before != body:
            self._outbox.comment("edited", comment, actor, changes={"body": {"from": before}})

    def delete(self, comment: Comment, actor: Account, *, emit: bool = True) -> None:
        """Delete a comment for good."""
        if emit:
            self._outbox.comment("deleted", comment, actor)
        self._world.remove(comment)

    def react(
        self, subject: Literal["issue", "comment"], subject_id: int, account: Account, content: str
    ) -> tuple[Reaction, bool]:
        """React; the same reaction by the same account is returned as it is (False)."""
        for reaction in self._world.reactions_to.get((subject, subject_id), ()):
            if reaction.account_id == account.id and reaction.content == content:
                return reaction, False
        reaction = Reaction(self._world.new_id("reaction"), subject, subject_id, account.id, content, self._world.now())
        return self._world.add(reaction), True
