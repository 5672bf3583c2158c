"""The search for secrets in all that the suite writes finds them: a run that shows one fails and does not repeat it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.support.subprocesses import ROOT, surroundings

WEBHOOK, PASSWORD, READ, PIPED, FILED = (f"made-up-secret-of-part-{number}" for number in range(5))
LEAKS = f'''
import logging, subprocess, sys
import structlog
from pydantic import SecretStr
from bot.clock import SystemClock
from bot.logs import configure_logs
from bot.sandbox.sandbox import Sandbox
from bot.settings import Settings

def settings():
    return Settings(webhook_secret="{WEBHOOK}", database_url="postgresql://me:{PASSWORD}@host/x", read_token="{READ}")

def test_a_library_logs_one():
    logging.getLogger("library").warning("signed with %s", settings().webhook_secret[0].get_secret_value())

def test_an_event_holds_one():
    settings()
    structlog.get_logger().info("connected", to="me:{PASSWORD}@host")

def test_a_test_catches_one(capsys):
    settings()
    print("{READ}")
    capsys.readouterr()

def test_a_process_writes_one_into_a_pipe():
    code = "import os; print(os.environ['ROOTCAUSE_READ_TOKEN'])"
    subprocess.run([sys.executable, "-S", "-c", code], env={{"ROOTCAUSE_READ_TOKEN": "{PIPED}"}}, capture_output=True)

def test_a_process_writes_one_into_a_file(tmp_path):
    code = "import os, sys; sys.stderr.write(os.environ['ROOTCAUSE_WEBHOOK_SECRET'])"
    with (tmp_path / "log").open("wb") as log:
        subprocess.run([sys.executable, "-S", "-c", code], env={{"ROOTCAUSE_WEBHOOK_SECRET": "x,{FILED}"}}, stderr=log)
    (tmp_path / "log").unlink()

def test_the_keys_and_tokens_of_a_sandbox():
    sandbox = Sandbox(SystemClock(), secret="x")
    sandbox.add_user("ann")
    logging.getLogger().warning(sandbox.private_key.splitlines()[2] + sandbox.personal_token("ann"))

def test_what_is_masked_is_no_find(capsys):
    configure_logs(json_lines=True)
    structlog.get_logger().info("signed", by=settings().webhook_secret[0].get_secret_value())
    assert "***" in capsys.readouterr().err
'''


def test_a_run_that_shows_a_secret_fails(tmp_path: Path) -> None:
    path = tmp_path / "test_leaks.py"
    path.write_text(LEAKS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:xdist",
        "-p",
        "tests.support.secrecy",
        "-p",
        "no:cacheprovider",
        "-rN",
    ]
    done = subprocess.run(
        [*command, "-c", "/dev/null", "--rootdir", str(tmp_path), str(path)],
        cwd=ROOT, env=surroundings(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert re.search(r"6 failed, 1 passed", done.stdout), done.stdout
    assert done.stdout.count("<A SECRET OF ") == 7
    for secret in (WEBHOOK, PASSWORD, READ, PIPED, FILED):
        shown = [line for line in done.stdout.splitlines() if secret in line]
        assert shown == [], "the run's own words do not repeat it"
