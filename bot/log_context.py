"""What every log line says while a delivery is handled or a job runs: which one, and about which repository and issue.

It lasts as long as the block it is bound in, and no other job sees it: each runs in a context of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from procrastinate.jobs import Job
from structlog.contextvars import bind_contextvars, bound_contextvars, unbind_contextvars

from bot.deliveries import Arrival
from bot.store.tables import Delivery

_KINDS = {"issue": ("repository_id", "issue"), "repository": ("repository_id",), "installation": ("installation_id",)}


@contextmanager
def job_bound(job: Job) -> Iterator[None]:
    """Bind a job's number and task, and what it is about as far as its arguments tell."""
    names = {"repository_id": "repository_id", "installation_id": "installation_id", "number": "issue"}
    told = {name: job.task_kwargs[given] for given, name in names.items() if given in job.task_kwargs}
    of_unit = _of_unit(str(job.task_kwargs.get("unit", "")))
    with bound_contextvars(job=job.id, task=job.task_name, **told, **of_unit):
        yield


@contextmanager
def delivery_bound(delivery: Delivery | Arrival) -> Iterator[None]:
    """Bind a delivery's GUID, event and action, and what it is about; `name_repository` may add to it."""
    about = {
        "installation_id": delivery.installation_id,
        "repository_id": delivery.repository_id,
        "issue": delivery.number,
    }
    known = {name: value for name, value in about.items() if value is not None}
    with bound_contextvars(
        delivery=delivery.guid, github_event=delivery.event, action=delivery.action, unit=delivery.unit, **known
    ):
        try:
            yield
        finally:
            unbind_contextvars("repository")


def name_repository(payload: Mapping[str, Any]) -> None:
    """Bind the name of the repository that an event is about; a private one's must be hidden already."""
    facts = payload.get("repository")
    if facts:
        bind_contextvars(repository=facts["full_name"])


def _of_unit(unit: str) -> dict[str, int]:
    """Return the numbers in the name of a unit of work; none where there are none."""
    kind, _, rest = unit.partition(":")
    numbers = rest.split(":")
    names = _KINDS.get(kind, ())
    if len(numbers) != len(names) or not all(one.isdecimal() for one in numbers):
        return {}
    return dict(zip(names, map(int, numbers), strict=True))
