"""Secrets in files, as platforms mount them: `NAME_FILE` names a file that holds what `NAME` would."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, SecretStr
from pydantic_settings import NoDecode

_OTHERS = stat.S_IROTH | stat.S_IWOTH


@dataclass(frozen=True)
class ReadFile:
    """A file as it was read at the start; `open_to_others` where any user of the machine may read or change it."""

    path: Path
    text: SecretStr
    open_to_others: bool


def read_secret_file(value: Any) -> Any:
    """Read the file that a setting names, once, so that a pipe can be one; raises ValueError with a sentence."""
    if not isinstance(value, str | Path):
        return value
    path = Path(value)
    try:
        with path.open("rb") as file:
            mode = path.stat().st_mode
            text = file.read().decode()
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8") from None
    if not text.strip():
        raise ValueError(f"{path} is empty")
    return ReadFile(path, SecretStr(text.strip()), bool(mode & _OTHERS))


SecretFile = Annotated[ReadFile | None, NoDecode, BeforeValidator(read_secret_file)]


def split_secrets(text: str) -> tuple[str, ...]:
    """Return several secrets, comma-separated or one a line, so that one can be rotated; empty ones do not count."""
    return tuple(part.strip() for part in re.split(r"[,\r\n]", text) if part.strip())
