"""The model that a process predicts with: the database's champion, else the data folder's own, else the shipped one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import structlog

from bot.services import Services
from bot.store.database import Database
from bot.store.models import ModelError, champion_version, model_file
from classifier import Classifier, load_classifier
from classifier.loading import open_model
from classifier.model_file import ModelFileError
from classifier.trained_model import TrainedModel

log = structlog.get_logger(__name__)

OWN_FILE = "model.npz"
"""A file of this name in `ROOTCAUSE_DATA_DIR` stands in for the shipped model (`rootcause train` writes one)."""


def open_named(packed: bytes, version: str) -> TrainedModel:
    """Make a stored model ready; raises ModelFileError where its file may not be used, or is another model's."""
    model = open_model(packed)
    if model.version != version:
        raise ModelFileError(f"the model file calls itself {model.version}")
    return model


class RunningModel:
    """Knows which model is to be used; a file that must not be used changes nothing."""

    def __init__(self, database: Database, data_dir: Path) -> None:
        self.model: Classifier = load_classifier()
        self._database = database
        self._path = data_dir / OWN_FILE
        self._own: Classifier | None = None
        self._own_seen: tuple[int, int] | None = None
        self._refused: str | None = None

    async def follow(self, services: Services) -> None:
        """Look at every heartbeat, as long as the process lives, so that no replica needs a restart.

        The exchange is one assignment: what is being predicted at that moment ends with the model it began with.
        """
        while True:
            services.classifier = await self.look()
            await services.clock.sleep(services.settings.heartbeat_seconds)

    async def look(self) -> Classifier:
        """Return the model to be used now; raises where the database is away."""
        await asyncio.to_thread(self._look_at_own)
        async with self._database.sessions() as session:
            champion = await champion_version(session)
        if champion is None:
            self._use(self._own or load_classifier())
        elif champion not in (self.model.version, self._refused):
            await self._load(champion)
        return self.model

    async def _load(self, version: str) -> None:
        try:
            async with self._database.sessions() as session:
                packed = await model_file(session, version)
            model = await asyncio.to_thread(open_named, packed, version)
        except (ModelFileError, ModelError) as error:
            self._refused = version
            self._complain("the champion in the database", version, str(error))
        else:
            self._refused = None
            self._use(model)

    def _look_at_own(self) -> None:
        try:
            facts = self._path.stat()
        except OSError:
            self._own, self._own_seen = None, None
            return
        seen = (facts.st_mtime_ns, facts.st_size)
        if seen == self._own_seen:
            return
        self._own_seen = seen
        try:
            self._own = open_model(self._path)
        except ModelFileError as error:
            self._complain("the model in the data folder", OWN_FILE, str(error))

    def _complain(self, what: str, name: str, reason: str) -> None:
        log.error(f"{what} is refused and the running one stays", file=name, reason=reason, running=self.model.version)

    def _use(self, model: Classifier) -> None:
        if model.version != self.model.version:
            log.info("another model predicts from now on", model=model.version, before=self.model.version)
            self.model = model
