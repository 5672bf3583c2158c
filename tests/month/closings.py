"""The issues that are closed in the month: made up, the same for the same seed."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

from tests.month.stage import STRANGERS

_TROUBLES = (
    ("Memory leak when a session is closed", "Memory usage grows with every session until the process is killed."),
    ("Deadlock between two worker threads", "Both threads wait for each other's lock and nothing goes on."),
    ("Build fails with the newest compiler", "The compiler stops with an undefined reference while linking."),
    ("Connection refused after a restart", "The client gives up with a connection error and never tries again."),
    ("Twice as slow since the last release", "The same run takes twice the time it took before the upgrade."),
    ("The default configuration is refused", "Starting with the configuration from the guide ends in an error."),
    ("Wrong rounding of the last day", "The function returns March 1 where February 29 is expected."),
    ("Segmentation fault while freeing a buffer", "It crashes with a segmentation fault as the buffer is freed twice."),
)
_PATHS = ("src/core/loop.cpp", "lib/session.py", "pkg/server/main.go", "tests/test_session.py")
_WORDS = ("I see the same here.", "This is how to reproduce it: run the example twice.", "Thanks, it works again.")


def closing(repository: str, number: int, closed_at: datetime, generator: random.Random) -> dict[str, Any]:
    """Return a record of the sandbox's schema that closes at the moment given."""
    title, words = generator.choice(_TROUBLES)
    created = closed_at - timedelta(hours=generator.randrange(30, 24 * 60))
    step = (closed_at - created) / 6
    writers = generator.sample(STRANGERS, 4)
    comments = [
        {"author": writer, "created_at": (created + step * (index + 1)).isoformat(), "body": f"{said} {words}"}
        for index, (writer, said) in enumerate(zip(writers[1:], _WORDS, strict=True))
    ]
    fixes = generator.choice(("pull_request", "commit", "commit"))
    lines = {"additions": generator.randrange(1, 80), "deletions": generator.randrange(20)}
    fix = {
        "kind": fixes,
        "number": number + 1 if fixes == "pull_request" else None,
        "sha": f"{hash_of(repository)}{number:036x}",
        "merged_at": closed_at.isoformat(),
        "files": [{"path": generator.choice(_PATHS), "status": "modified", **lines}],
    }
    return {
        "repository": repository,
        "number": number,
        "title": f"{title} ({number})",
        "body": f"{words}\n\n```\nrun --case {number}\n```\nIt should go on working instead.",
        "author": writers[0],
        "labels": ["bug"],
        "created_at": created.isoformat(),
        "closed_at": closed_at.isoformat(),
        "comments": comments,
        "fix": fix if generator.random() < 0.96 else None,
    }


def hash_of(repository: str) -> str:
    """Return four hexadecimal digits that differ between the month's repositories."""
    return repository.partition("/")[2].encode().hex()[:4]
