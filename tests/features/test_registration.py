"""A feature is found by what its own module says; no list elsewhere names it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from apscheduler.triggers.cron import CronTrigger

import bot.features
from bot.features.lifecycle import on_issue_closed
from bot.features.registration import Entry, handlers, modules, timetable
from bot.services import Services

NEW_FEATURE = '''
"""Greets a closed issue.

Purpose: a test. Trigger: an issue is closed. Effects: none.
"""

from apscheduler.triggers.cron import CronTrigger

from bot.features.registration import Entry


async def greet(services, event): ...


async def greet_daily(services): ...


HANDLES = {("issues", "closed"): greet}
TIMES = (Entry("greetings", greet_daily, CronTrigger(hour=1)),)
'''


@pytest.fixture
def greeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module more in the folder of features, as far as Python can tell."""
    (tmp_path / "zz_greeting.py").write_text(NEW_FEATURE)
    monkeypatch.setattr(bot.features, "__path__", [*bot.features.__path__, str(tmp_path)])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delitem(sys.modules, "bot.features.zz_greeting", raising=False)


@pytest.mark.usefixtures("greeting")
def test_a_new_file_is_enough_for_a_feature_to_hear_of_an_event_and_of_the_hour() -> None:
    found = modules()
    try:
        new = sys.modules["bot.features.zz_greeting"]
        assert handlers(found)["issues", "closed"] == (on_issue_closed, new.greet)
        assert [entry.ask for entry in timetable(found) if entry.name == "greetings"] == [new.greet_daily]
    finally:
        sys.modules.pop("bot.features.zz_greeting", None)


async def _nothing(services: Services) -> None:
    """What the clock asks for here."""


def test_a_feature_for_an_event_that_the_door_drops_is_told_where_to_let_it_in() -> None:
    module = ModuleType("bot.features.pinned")
    module.__dict__["HANDLES"] = {("issues", "pinned"): on_issue_closed}
    with pytest.raises(ValueError, match=r"issues\.pinned.*ACTIONS in bot/deliveries\.py"):
        handlers([module])


def test_two_entries_of_the_timetable_cannot_have_one_name() -> None:
    one, other = ModuleType("one"), ModuleType("other")
    for module in (one, other):
        module.__dict__["TIMES"] = (Entry("round", _nothing, CronTrigger(hour=1)),)
    with pytest.raises(ValueError, match="'round'"):
        timetable([one, other])
