"""Made-up closed issues in the sandbox's schema, as many as a test wants, the same for the same seed."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

TROUBLES = (
    ("Memory leak when a session is closed", "Memory usage grows with every session until the process is killed."),
    ("Deadlock between two worker threads", "Both threads wait for each other's lock and nothing goes on."),
    ("Build fails with the newest compiler", "The compiler stops with an undefined reference while linking."),
    ("Connection refused after a restart", "The client gives up with a connection error and never tries again."),
    ("Twice as slow since the last release", "The same run takes twice the time it took before the upgrade."),
    ("The default configuration is refused", "Starting with the configuration from the guide ends in an error."),
)
LAST_CLOSING = datetime(2026, 5, 28, 12, 0, tzinfo=UTC)
_DAYS = 60


def made_issues(repositories: Sequence[str], each: int, seed: int, *, fixed: bool = True) -> list[dict[str, Any]]:
    """Return `each` closed issues of every repository; without a fix (`fixed=False`) none of them is eligible.

    The last one closes at `LAST_CLOSING`, the others in the sixty days before it.
    """
    generator = random.Random(seed)  # noqa: S311 - the same issues in every run are wanted
    made = [_issue(name, number, generator, fixed=fixed) for name in repositories for number in range(1, each + 1)]
    made[-1]["closed_at"] = LAST_CLOSING.isoformat()
    return made


def write_issues(path: Path, issues: Sequence[dict[str, Any]]) -> Path:
    """Write issues one JSON object a line, packed where the name ends in `.gz`, and return the path."""
    text = "".join(json.dumps(issue) + "\n" for issue in issues).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def _issue(repository: str, number: int, generator: random.Random, *, fixed: bool) -> dict[str, Any]:
    title, words = generator.choice(TROUBLES)
    closed = LAST_CLOSING - timedelta(minutes=generator.randrange(1, _DAYS * 24 * 60))
    created = closed - timedelta(hours=generator.randrange(2, 24 * 90))
    writers = ["reporter", *(f"person-{generator.randrange(20)}" for _ in range(3))]
    comments = [
        {
            "author": writer,
            "created_at": (created + (closed - created) * (index + 1) / 6).isoformat(),
            "body": f"I see the same here, on machine {generator.randrange(1000)}. {words}",
        }
        for index, writer in enumerate(writers)
    ]
    path = generator.choice(["src/core/loop.cpp", "lib/session.py", "pkg/server/main.go", "tests/test_session.py"])
    lines = {"additions": generator.randrange(1, 80), "deletions": generator.randrange(20)}
    fix = {
        "kind": "pull_request",
        "number": 10_000 + number,
        "sha": None,
        "merged_at": closed.isoformat(),
        "files": [{"path": path, "status": "modified", **lines}],
    }
    return {
        "repository": repository,
        "number": number,
        "title": f"{title} ({number})",
        "body": f"{words}\n\n```\nrun --case {number}\n```\nIt should go on working instead.",
        "author": "reporter",
        "labels": ["bug"],
        "created_at": created.isoformat(),
        "closed_at": closed.isoformat(),
        "comments": comments,
        "fix": fix if fixed else None,
    }
