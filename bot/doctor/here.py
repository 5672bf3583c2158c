"""Looks at what this process was given: settings, private key, secret files, public address and data folder."""

from __future__ import annotations

import os
import stat
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
from bot.setup.manifest import only_here
from bot.setup.settings_file import NAME

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
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
    return [*found, *_files(settings), judge_public_url(settings), _data_folder(settings)]


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
    if only_here(address):
        if settings.pull or only_here(settings.github_api_url):
            return Finding(check, "fine", f"{address} is local, and so is GitHub, or deliveries are pulled.")
        cure = "Set ROOTCAUSE_PUBLIC_URL to an address on the internet; or ROOTCAUSE_PULL=true, to ask for deliveries."
        return Finding(check, "wrong", f"{address} leads to this machine or network, where GitHub is not.", cure)
    if parts.scheme == "http":
        cure = "Put a proxy with a certificate before it and set ROOTCAUSE_PUBLIC_URL to its https:// address."
        return Finding(check, "warning", f"{address} is not https: anybody on the way may read deliveries.", cure)
    return Finding(check, "fine", f"{address} is https.")


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
    open_ones = settings.files_open_to_others()
    written = settings.data_dir / NAME
    try:
        if written.stat().st_mode & _OTHERS:
            open_ones["The settings that the set-up page wrote"] = written
    except OSError:
        pass  # No such file is the usual case: the environment says all.
    if not open_ones:
        return [Finding("secret files", "fine", "No file with a secret is open to others.")]
    return [
        Finding("secret files", "warning", f"{name}: {path} is open to other users.", f"Run `chmod 600 {path}`.")
        for name, path in open_ones.items()
    ]


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
        with tempfile.TemporaryFile(dir=folder):
            return Finding("data folder", "fine", f"{folder} can be written.")
    except OSError as error:
        return Finding("data folder", state, f"{folder} cannot be written: {error.strerror}.", cure)


def _refusing(folder: Path) -> Path | None:
    """Return the folder in which this one cannot be made, None where it can."""
    above = next(parent for parent in folder.parents if parent.exists())
    return None if above.is_dir() and os.access(above, os.W_OK | os.X_OK) else above
