"""The settings that the set-up page wrote: a JSON object in the data folder, for its owner's eyes only."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter

from bot.environment import unquoted
from bot.github.registration import Registered
from bot.settings import Settings
from bot.setup.manifest import out_of_reach

NAME = "settings.json"
_PREFIX = "ROOTCAUSE_"
_KEPT = TypeAdapter(dict[str, str])


class UnreadableSettings(Exception):  # noqa: N818  the name says what happened
    """The file is there and cannot be used; the message says what to do."""


def settings_of(registered: Registered, address: str, api_url: str) -> dict[str, str]:
    """Return the environment of an App that was just registered; the App is pulled where GitHub cannot reach it."""
    found = {
        "ROOTCAUSE_APP_ID": str(registered.app_id),
        "ROOTCAUSE_PRIVATE_KEY": registered.private_key.get_secret_value(),
        "ROOTCAUSE_WEBHOOK_SECRET": registered.webhook_secret.get_secret_value(),
        "ROOTCAUSE_GITHUB_API_URL": api_url,
    }
    pulled = out_of_reach(address, api_url)
    return {**found, "ROOTCAUSE_PULL": "true"} if pulled else {**found, "ROOTCAUSE_PUBLIC_URL": address}


def settings_with(settings: Settings, found: Mapping[str, str]) -> Settings:
    """Return the settings of a process whose environment holds these as well."""
    present = {name: getattr(settings, name) for name in settings.model_fields_set}
    return Settings.model_validate(present | _as_fields(found))


def as_lines(settings: Mapping[str, str]) -> str:
    """Write settings the way `.env` files hold them: a line each, with line breaks inside a value escaped."""
    return "".join(f'{name}="{_escaped(value)}"\n' for name, value in settings.items())


def read() -> Settings:
    """Read the settings of this process: the environment, and what it does not say from the file.

    Raises pydantic's ValidationError where a setting cannot be used, and UnreadableSettings.
    """
    settings = Settings()
    path = settings.data_dir / NAME
    try:
        kept = _KEPT.validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return settings
    except OSError as error:
        said = f"{path} cannot be read ({error.strerror}): let it be a file that this user may read"
        raise UnreadableSettings(said) from error
    except ValueError as error:
        said = f"{path} cannot be read (it is no JSON object of texts): restore or remove it"
        raise UnreadableSettings(said) from error
    set_now = {name.upper() for name, value in os.environ.items() if unquoted(value)}
    missing = {name: value for name, value in kept.items() if not {name, f"{name}_FILE"} & set_now}
    return Settings.model_validate(_as_fields(missing))


def open_to_others(settings: Settings) -> dict[str, Path]:
    """Return by their names the files with secrets that other users of this machine may read or change."""
    found = settings.files_open_to_others()
    written = settings.data_dir / NAME
    try:
        if written.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            found["The settings that the set-up page wrote"] = written
    except OSError:
        pass  # No such file is the usual case: the environment says all.
    return found


def write(folder: Path, settings: Mapping[str, str]) -> Path:
    """Write the file, readable by its owner alone, whole or not at all; raises OSError where the folder refuses."""
    folder.mkdir(parents=True, exist_ok=True)
    path, fresh = folder / NAME, folder / f"{NAME}.new"
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(dict(settings), file, indent=2)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    return path


def _as_fields(found: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(_PREFIX).lower(): value for name, value in found.items()}


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
