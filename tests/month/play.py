"""Plays the month: every act at its virtual moment, the bot as in production."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from typing import Any

from pydantic import SecretStr

from bot.features.label_setup import set_up
from bot.settings import Settings
from tests.month.closings import closing
from tests.month.daily import daily_cues
from tests.month.stage import PLACES, START, Stage, day, prepare
from tests.month.stories import stories
from tests.support.passing_time import PassingTime
from tests.support.running import Running, running_bot
from tests.support.turned_clock import turned_database

SEED = 2027
END, UNINSTALLED = day(32), day(31, 7)
_HISTORY = 8


@dataclass
class Played:
    """The bot and its world after some of an owner's month."""

    owner: str
    bot: Running
    stage: Stage
    time: PassingTime


@asynccontextmanager
async def opened_month(address: str, owner: str) -> AsyncIterator[Played]:
    """Start the bot with its settings' own delays, before anything has happened to an owner's repositories."""
    fields = Settings.model_fields.items()
    delays: dict[str, Any] = {name: field.default for name, field in fields if name.endswith(("_seconds", "_days"))}
    async with turned_database(address, START) as (database, clock), running_bot(database, clock, **delays) as bot:

        async def set_up_labels(repository: str) -> None:
            settings = bot.services.settings.model_copy(update={"database_url": SecretStr(address)})
            await set_up(settings, clock, repository, lambda _: None)

        stage = Stage(bot.sandbox, clock, set_up_labels)
        prepare(bot.sandbox, owner)
        history = random.Random(SEED)  # noqa: S311 - the same month at every run is wanted
        for name, number in product(PLACES[owner], range(1, 2 * _HISTORY, 2)):
            bot.sandbox.seed_issue(name, closing(name, number, START - timedelta(days=number), history))
        yield Played(owner, bot, stage, PassingTime(bot, clock))


async def play(played: Played, until: datetime) -> None:
    """Let everything happen that the script has for the time up to a moment."""
    begin = played.stage.clock.now()
    for cue in sorted([*daily_cues(SEED), *stories()], key=lambda cue: cue.at):
        if begin <= cue.at < until and cue.place in PLACES[played.owner]:
            await played.time.until(cue.at)
            done = cue.act(played.stage)
            if done is not None:
                await done
    await played.time.until(until)
