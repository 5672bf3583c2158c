"""How a feature is found: its module says itself which events about issues and which hours it is for.

A module in `bot/features` may hold two constants, `HANDLES` and `TIMES`; nothing else lists it.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TypeAlias

from apscheduler.triggers.cron import CronTrigger

import bot.features
from bot.deliveries import ACTIONS
from bot.features.event import IssueEvent
from bot.services import Services

Handler: TypeAlias = Callable[[Services, IssueEvent], Awaitable[str | None]]
"""Acts on an event; returns why there was nothing to do, None where something was done."""

Handles: TypeAlias = Mapping[tuple[str, str], Handler]
"""What a module's `HANDLES` is: by an event of an issue and its action, `("issues", "closed")`, who acts on it."""


@dataclass(frozen=True)
class Entry:
    """One line of the timetable: what is asked, by its name, and when."""

    name: str
    ask: Callable[[Services], Awaitable[None]]
    when: CronTrigger


Times: TypeAlias = tuple[Entry, ...]
"""What a module's `TIMES` is."""


def modules() -> list[ModuleType]:
    """Import every module in `bot/features` and return them in the order of their names."""
    return [import_module(f"bot.features.{found.name}") for found in pkgutil.iter_modules(bot.features.__path__)]


def handlers(found: Iterable[ModuleType]) -> dict[tuple[str, str], tuple[Handler, ...]]:
    """Return who acts on each event, in the order of the modules.

    Raises ValueError for an event that the door drops, of which the module would never hear.
    """
    by_event: dict[tuple[str, str], tuple[Handler, ...]] = {}
    for module in found:
        handles: Handles = getattr(module, "HANDLES", {})
        for (event, action), handler in handles.items():
            if action not in ACTIONS.get(event, ()):
                raise ValueError(
                    f"{module.__name__} handles {event}.{action}, which is dropped at the door: "
                    "add it to ACTIONS in bot/deliveries.py"
                )
            by_event[event, action] = (*by_event.get((event, action), ()), handler)
    return by_event


def timetable(found: Iterable[ModuleType]) -> Times:
    """Return all that is asked by the clock; raises ValueError where two entries have one name."""
    entries: Times = tuple(entry for module in found for entry in getattr(module, "TIMES", ()))
    names = [entry.name for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two features ask for {name!r} by the clock")
    return entries
