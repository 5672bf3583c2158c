"""Where a tried repository is kept: a folder and a database of its own, apart from the operator's data."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from bot.backfill.access import NoAccessError
from bot.settings import Settings


def folder_for(settings: Settings, full_name: str) -> Path:
    """Return the folder of a repository on one GitHub, whatever the case of its name."""
    host = re.sub(r"[^\w.-]", "_", urlsplit(settings.github_api_url).netloc) or "github"
    owner, _, name = full_name.lower().partition("/")
    return settings.data_dir.absolute() / "try" / host / owner / name


def by_token_alone(settings: Settings) -> Settings:
    """Return settings of somebody who has no App; raise `NoAccessError` where no token is set either."""
    if settings.read_token is None:
        raise NoAccessError(
            "rootcause try reads GitHub with a personal token, and none is set: make one that may read public "
            "repositories (GitHub, Settings, Developer settings) and set ROOTCAUSE_READ_TOKEN to it."
        )
    return settings.model_copy(update={"app_id": None, "private_key": None})


def apart(settings: Settings, folder: Path) -> Settings:
    """Return settings with which nothing is stored but in that folder."""
    return settings.model_copy(update={"data_dir": folder, "database_url": None})
