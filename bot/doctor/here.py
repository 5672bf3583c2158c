"""Looks at what this process was given: settings, private key, secret files, public address and data folder."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bot.doctor.finding import Finding, State
from bot.settings import Settings
from bot.setup.manifest import in_private_network, on_this_machine, out_of_reach
from bot.setup.settings_file import open_to_others

_LEAST_FREE_MB = 512
"""Twice what the embedded database keeps of its log, before what it stores."""

_BLOCK = 8192
"""Bytes that are written to see that the disk takes any: an empty file fits on a full one."""

_FULL = (errno.ENOSPC, errno.EDQUOT)
_MORE_ROOM = "delete what is not needed, give the disk more, or set ROOTCAUSE_DATA_DIR to a folder on another"
_LOCAL_GITHUB = "github.sqlite"
_NEW_KEY = (
    "Give ROOTCAUSE_PRIVATE_KEY_FILE the whole .pem file that GitHub let you download, or ROOTCAUSE_PRIVATE_KEY its "
    "text with the line breaks; a new one is made on the App's settings page on GitHub under *Private keys*."
)


def look_here(settings: Settings) -> list[Finding]:
    """Return what the settings and the files that they name say by themselves; nothing is asked over a network."""
    found = [_missing(sentence, settings) for sentence in settings.missing()]
    if not found:
        found.append(Finding("settings", "fine", "All that the App needs is set."))
    if settings.private_key is not None:
        found.append(judge_key(settings.private_key.get_secret_value()))
    return [*found, *_files(settings), judge_public_url(settings), _status_page(settings), _data_folder(settings)]


def of_a_demo(settings: Settings) -> Finding | None:
    """Say where the data folder is one of a demo, which is no installation; None elsewhere, or with an App set."""
    folder = settings.data_dir.absolute()
    if settings.app_id is not None or not (folder / _LOCAL_GITHUB).exists():
        return None
    return Finding(
        "settings",
        "wrong",
        f"{folder} belongs to `rootcause demo` or `dev`, whose App only the local GitHub kept there knows.",
        "There is nothing to mend. To look at a real installation, run this with its settings: `unset "
        "ROOTCAUSE_DATA_DIR`, or set it to that installation's folder.",
    )


@lru_cache(maxsize=4)
def judge_key(pem: str) -> Finding:
    """Judge whether a text is a private key that can sign for an App."""
    # Asked twice by an examination: reading the PEM text takes far longer than all else about it.
    try:
        key: Any = load_pem_private_key(pem.encode(), password=None)
    except TypeError:
        return Finding(
            "private key", "wrong", "It is locked with a passphrase, which GitHub's own keys never are.", _NEW_KEY
        )
    except (ValueError, UnsupportedAlgorithm):
        return Finding("private key", "wrong", "ROOTCAUSE_PRIVATE_KEY is no private key in PEM form.", _NEW_KEY)
    if not isinstance(key, RSAPrivateKey):
        return Finding("private key", "wrong", "It is no RSA key, and GitHub makes no others.", _NEW_KEY)
    return Finding("private key", "fine", "It is an RSA key in PEM form.")


def judge_public_url(settings: Settings) -> Finding:
    """Judge the address under which GitHub and readers are to reach the web process."""
    address, check = settings.public_url, "public address"
    if address is None:
        if settings.pull:
            return Finding(check, "fine", "None is set, and none is needed: deliveries are pulled.")
        cure = "Set ROOTCAUSE_PUBLIC_URL to https://HOST as GitHub reaches the web process; or ROOTCAUSE_PULL=true."
        return Finding(check, "warning", "None is set, so that it cannot be tried and no comment links to help.", cure)
    parts = urlsplit(address)
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.query or parts.fragment:
        cure = "Set ROOTCAUSE_PUBLIC_URL to an address such as https://rootcause.example.org."
        return Finding(check, "wrong", "ROOTCAUSE_PUBLIC_URL is no address of a web server.", cure)
    private = in_private_network(address)
    if private and (settings.pull or on_this_machine(settings.github_api_url)):
        return Finding(check, "fine", f"{address} is local, and so is GitHub, or deliveries are pulled.")
    if out_of_reach(address, settings.github_api_url):
        cure = "Set ROOTCAUSE_PUBLIC_URL to an address on the internet; or ROOTCAUSE_PULL=true, to ask for deliveries."
        return Finding(check, "wrong", f"{address} leads to this machine or network, where GitHub is not.", cure)
    server = urlsplit(settings.github_api_url).hostname
    within = f" It is private: {server} is taken to be in that network." if private else ""
    if parts.scheme == "http":
        cure = "Put a proxy with a certificate before it and set ROOTCAUSE_PUBLIC_URL to its https:// address."
        return Finding(
            check, "warning", f"{address} is not https: anybody on the way may read deliveries.{within}", cure
        )
    return Finding(check, "fine", f"{address} is https.{within}")


def _missing(sentence: str, settings: Settings) -> Finding:
    name, _, what = sentence.partition(": ")
    cure = f"Set {name} (to {what})"
    if name.startswith("ROOTCAUSE_WEBHOOK_SECRET"):
        cure += ", or ROOTCAUSE_PULL=true where `rootcause serve --pull` asks for deliveries"
    elif settings.app_id is None and settings.private_key is None:
        cure += ", or register the App on /setup of the web process, whose address stands in its log"
    return Finding("settings", "wrong", f"{name} is missing.", f"{cure}; then start again.")


def _files(settings: Settings) -> list[Finding]:
    """Name the files with secrets that more people can open than should."""
    open_ones = open_to_others(settings)
    if not open_ones:
        return [Finding("secret files", "fine", "No file with a secret is open to others.")]
    return [
        Finding("secret files", "warning", f"{name}: {path} is open to other users.", f"Run `chmod 600 {path}`.")
        for name, path in open_ones.items()
    ]


def _status_page(settings: Settings) -> Finding:
    if settings.status_token is not None:
        return Finding("status page", "fine", "It opens to whoever has the token.")
    said = "It is closed to everybody: a ROOTCAUSE_STATUS_TOKEN of 16 characters or more would open it."
    return Finding("status page", "fine", said)


def _data_folder(settings: Settings) -> Finding:
    folder = settings.data_dir.absolute()
    cure = "Let the user that runs Rootcause write in it (`chown`), or set ROOTCAUSE_DATA_DIR to a folder that may be."
    # With a database elsewhere only a model or settings of one's own would lie there.
    state: State = "warning" if settings.database_url is not None else "wrong"
    try:
        if not folder.exists():
            refused = _refusing(folder)
            if refused is None:
                return Finding("data folder", "fine", f"{folder} is made when it is needed.")
            return Finding("data folder", state, f"{folder} cannot be made: {refused} does not let it.", cure)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_BLOCK))
            file.flush()
        free = shutil.disk_usage(folder).free // 2**20
        if free < _LEAST_FREE_MB:
            said, room = f"{folder} can be written, but its disk has only {free} MB left.", f"Make room: {_MORE_ROOM}."
            return Finding("data folder", "warning", said, room)
        return Finding("data folder", "fine", f"{folder} can be written.")
    except OSError as error:
        if error.errno in _FULL:
            cure = f"Make room on its disk: {_MORE_ROOM}."
        return Finding("data folder", state, f"{folder} cannot be written: {error.strerror}.", cure)


def _refusing(folder: Path) -> Path | None:
    """Return the folder in which this one cannot be made, None where it can."""
    above = next(parent for parent in folder.parents if parent.exists())
    return None if above.is_dir() and os.access(above, os.W_OK | os.X_OK) else above
