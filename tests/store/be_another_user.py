"""A process for the tests, started as root: it becomes the user `nobody` and tries what an ordinary user would.

Usage: be_another_user.py connect CONNINFO   prints how the server answers
       be_another_user.py embed ROOTS OWN    uses ROOTS as root, then OWN as nobody, then ROOTS as nobody
"""

from __future__ import annotations

import os
import pwd
import sys
from pathlib import Path
from unittest.mock import patch

import psycopg

from bot.store.embedded import embedded_server
from bot.store.embedded_programs import find_programs
from bot.store.errors import DatabaseUnavailable

NOBODY = pwd.getpwnam("nobody")


def become_nobody() -> None:
    os.setgroups([])
    os.setgid(NOBODY.pw_gid)
    os.setuid(NOBODY.pw_uid)


def connect(conninfo: str) -> str:
    try:
        with psycopg.connect(conninfo) as connection:
            return f"connected: {connection.execute('SELECT current_user').fetchone()}"
    except psycopg.OperationalError as error:
        return str(error)


def use(folder: str) -> str:
    try:
        with embedded_server(Path(folder)) as server:
            return connect(server.conninfo)
    except DatabaseUnavailable as error:
        return str(error)


def embed(roots: str, own: str) -> str:
    answers = [use(roots)]
    # An ordinary user has the programs where he can reach them; those of this run may lie in root's home.
    programs = find_programs(NOBODY.pw_uid)
    become_nobody()
    with patch("bot.store.embedded_server.find_programs", return_value=programs):
        return "\n".join([*answers, use(own), use(roots)])


if sys.argv[1] == "embed":
    sys.stdout.write(embed(*sys.argv[2:]))
else:
    become_nobody()
    sys.stdout.write(connect(*sys.argv[2:]))
