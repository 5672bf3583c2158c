"""Closed issues to seed the local GitHub with, in its schema."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

REPOSITORY = "pytorch/pytorch"


def leaking(number: int = 7, closed_at: datetime | None = None, **facts: Any) -> dict[str, Any]:
    """Return a closed issue about a leak, eligible for both studies, with a fix and three comments."""
    closed = closed_at or datetime.now(UTC) - timedelta(hours=1)
    created = closed - timedelta(days=12)
    comments = [
        ("Memory grows with every batch here too, about 40 MB an epoch, until the process is killed.", 1),
        ("I can reproduce this. The cache keeps a reference to every tensor and never frees it.", 3),
        ("Thanks, the leak is gone with the fix.", 11),
    ]
    record = {
        "repository": REPOSITORY,
        "number": number,
        "title": "Memory leak in the data loader: memory usage grows until it is killed",
        "body": "Training leaks memory. The resident size grows by 40 MB an epoch and is never released.\n\n"
        "```python\nfor batch in loader:\n    step(batch)\n```\n",
        "author": "reporter",
        "labels": ["bug"],
        "created_at": created.isoformat(),
        "closed_at": closed.isoformat(),
        "comments": [
            {"author": f"person-{days}", "created_at": (created + timedelta(days=days)).isoformat(), "body": body}
            for body, days in comments
        ],
        "fix": {
            "kind": "pull_request",
            "number": 1_000_000 - number,
            "sha": f"{number:040x}",
            "merged_at": closed.isoformat(),
            "files": [{"path": "torch/utils/data/loader.py", "status": "modified", "additions": 12, "deletions": 4}],
        },
    }
    return record | facts


def not_about_the_system(number: int, closed_at: datetime | None = None) -> dict[str, Any]:
    """Return a closed issue that is eligible, but about a wrong result."""
    return leaking(
        number,
        closed_at,
        title="Wrong rounding in `format_date` for the last day of February",
        body="The function returns March 1 where February 29 is expected. The documentation says otherwise.",
    )
