"""What the door keeps is what somebody handles, no more and no less."""

from __future__ import annotations

from bot.deliveries import ACTIONS
from bot.dispatch import ISSUE_HANDLERS


def test_every_event_that_is_kept_has_a_handler_and_every_handler_an_event() -> None:
    kept = {(event, action) for event, actions in ACTIONS.items() for action in actions}
    elsewhere = {event for event, _ in kept} - {event for event, _ in ISSUE_HANDLERS}
    assert {one for one in kept if one[0] not in elsewhere} == set(ISSUE_HANDLERS)
    assert elsewhere <= {"repository", "installation", "installation_repositories"}
