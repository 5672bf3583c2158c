"""Issues, comments and reactions of one repository on the scripted GitHub, with failures on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.scripted_github import Answer, Script, Seen, Stage

BOT, PERSON = 4242, 7
REPOSITORY = "o/r"
ROOT = f"/repos/{REPOSITORY}/issues"


class ScriptedRepository:
    """Keeps what is written to it. `fail_next` makes the next writes answer so, after or without being kept."""

    def __init__(self, stage: Stage) -> None:
        self._github = stage.github
        self.issues: list[dict[str, Any]] = []
        self.comments: list[dict[str, Any]] = []
        self.reactions: list[dict[str, Any]] = []
        self.longest_kept_body = 65_536
        self._failures: list[tuple[Answer, bool]] = []
        self._github.on("GET", "/repositories/1", Answer(200, {"id": 1, "full_name": REPOSITORY}))
        self._github.on("GET", ROOT, self._list_issues)
        self._github.on("POST", ROOT, self._failing(self._create_issue))

    def fail_next(self, answer: Answer, *, kept: bool) -> None:
        """Answer the next write so; with `kept` it happens all the same."""
        self._failures.append((answer, kept))

    def add_issue(self, body: str, user: int = BOT, **more: Any) -> dict[str, Any]:
        """Put an issue there, as if it had always been."""
        number = len(self.issues) + 1
        issue = {"id": 1000 + number, "number": number, "title": "t", "body": body, "state": "open", "locked": False}
        issue |= {"user": {"id": user}, "comments": 0, "html_url": f"https://github.com/{REPOSITORY}/issues/{number}"}
        issue |= {"repository_url": f"{self._github.url}/repos/{REPOSITORY}"}
        self.issues.append(issue | more)
        path = f"{ROOT}/{number}"
        self._github.on("GET", path, lambda _: Answer(200, self._with_count(number)))
        self._github.on("PATCH", path, self._failing(lambda seen: self._patch(self.issues[number - 1], seen)))
        self._github.on("GET", f"{path}/comments", lambda seen: self._list_comments(number, seen))
        self._github.on("POST", f"{path}/comments", self._failing(lambda seen: self._create_comment(number, seen)))
        self._reactions_at(path)
        return self.issues[-1]

    def add_comment(self, number: int, body: str, user: int = BOT) -> dict[str, Any]:
        """Put a comment there, as if it had always been."""
        identity = 5000 + len(self.comments)
        url = f"https://github.com/{REPOSITORY}/issues/{number}#issuecomment-{identity}"
        comment = {"id": identity, "body": body, "user": {"id": user}, "html_url": url, "on": number}
        self.comments.append(comment)
        path = f"{ROOT}/comments/{identity}"
        self._github.on("GET", path, lambda _: Answer(200, comment))
        self._github.on("PATCH", path, self._failing(lambda seen: self._patch(comment, seen)))
        self._reactions_at(path)
        return comment

    def _reactions_at(self, path: str) -> None:
        def listed(seen: Seen) -> Answer:
            return Answer(200, [r for r in self.reactions if (r["at"], r["content"]) == (path, seen.query["content"])])

        def give(seen: Seen) -> Answer:
            reaction = {"id": len(self.reactions) + 1, "content": seen.body["content"], "user": {"id": BOT}, "at": path}
            self.reactions.append(reaction)
            return Answer(201, reaction)

        self._github.on("GET", f"{path}/reactions", listed)
        self._github.on("POST", f"{path}/reactions", self._failing(give))

    def _failing(self, write: Callable[[Seen], Answer]) -> Script:
        def answer(seen: Seen) -> Answer:
            if not self._failures:
                return write(seen)
            failure, kept = self._failures.pop(0)
            if kept:
                write(seen)
            return failure

        return answer

    def _list_issues(self, seen: Seen) -> Answer:
        assert seen.query["creator"] == "rootcause[bot]"
        assert seen.query["state"] == "all"
        return Answer(200, list(reversed(self.issues))[: int(seen.query["per_page"])])

    def _create_issue(self, seen: Seen) -> Answer:
        return Answer(201, self.add_issue(seen.body["body"], title=seen.body["title"]))

    def _with_count(self, number: int) -> dict[str, Any]:
        return self.issues[number - 1] | {"comments": sum(comment["on"] == number for comment in self.comments)}

    def _list_comments(self, number: int, seen: Seen) -> Answer:
        mine = [comment for comment in self.comments if comment["on"] == number]
        size, page = int(seen.query["per_page"]), int(seen.query["page"])
        return Answer(200, mine[(page - 1) * size : page * size])

    def _create_comment(self, number: int, seen: Seen) -> Answer:
        return Answer(201, self.add_comment(number, seen.body["body"]))

    def _patch(self, item: dict[str, Any], seen: Seen) -> Answer:
        changes = dict(seen.body)
        if len(changes.get("body", "")) > self.longest_kept_body:
            del changes["body"]
        item |= {name: value.replace("\n", "\r\n") for name, value in changes.items()}
        return Answer(200, item)
