"""Which accounts the operator says are bots."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.event import is_bot_account
from bot.settings import Settings


@pytest.mark.parametrize(
    ("written", "logins"),
    [("", set()), (" , ", set()), ("stale-bot", {"stale-bot"}), ("@ci-user, Merge-Bot,,", {"ci-user", "Merge-Bot"})],
)
def test_logins_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch, written: str, logins: set[str]) -> None:
    monkeypatch.setenv("ROOTCAUSE_BOT_LOGINS", written)
    assert Settings().bot_logins == logins


@pytest.mark.parametrize(
    ("facts", "is_bot"),
    [
        ({"login": "ann", "type": "User"}, False),
        ({"login": "CI-User", "type": "User"}, True),
        ({"login": "helper[bot]", "type": "Bot"}, True),
        ({"login": "helper[bot]"}, True),
        ({}, False),
    ],
)
def test_an_account_is_a_bot_by_type_or_by_name(facts: dict[str, Any], is_bot: bool) -> None:
    assert is_bot_account(facts, frozenset({"ci-user"})) is is_bot
