"""Settings as containers and platforms hand them on: quotes kept as part of a value, line breaks as two signs."""

from __future__ import annotations

import os

import pytest
import typer
from pydantic import SecretStr

from bot.cli_common import read_settings
from bot.doctor.here import judge_key
from bot.github.registration import Registered
from bot.sandbox.app_identity import new_private_key
from bot.settings import Settings
from bot.setup.settings_file import as_lines, settings_of

KEY = new_private_key()


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ROOTCAUSE_") or name in {"DATABASE_URL", "PORT"}:
            monkeypatch.delenv(name)


def as_docker_reads(lines: str) -> dict[str, str]:
    """Read a file as `--env-file` does: up to the first `=` the name, and all that follows, as it is, the value."""
    return {name: value for name, _, value in (line.partition("=") for line in lines.splitlines())}


@pytest.mark.parametrize("address", ["https://rootcause.acme.dev", "http://localhost:8080"])
def test_what_the_set_up_page_shows_once_can_be_read_as_it_stands(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    page = "https://github.com/apps/rootcause"
    made = Registered(4711, "rootcause", page, SecretStr(KEY), SecretStr("0f9d3a77c2"))
    written = settings_of(made, address, "https://api.github.com")
    handed_on = as_docker_reads(as_lines(written))
    assert handed_on.keys() == written.keys()
    assert handed_on != written
    found = []
    for surroundings in (written, handed_on):
        for name, value in surroundings.items():
            monkeypatch.setenv(name, value)
        found.append(Settings())
    assert found[0] == found[1]
    assert found[1].missing() == []
    assert found[1].private_key == SecretStr(KEY)


def test_one_pair_of_quotes_around_any_value_is_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "DATABASE_URL": '"postgresql://ann:word@db/rootcause"',
        "PORT": "'9000'",
        "ROOTCAUSE_PULL": '"true"',
        "ROOTCAUSE_BOT_LOGINS": '"one-bot,other-bot"',
        "ROOTCAUSE_WEBHOOK_SECRET": "''quoted''",
        "ROOTCAUSE_READ_TOKEN": '"open',
        "ROOTCAUSE_STATUS_TOKEN": '""',
        "ROOTCAUSE_PUBLIC_URL": '"',
        "ROOTCAUSE_DATA_DIR": r"'\new'",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    found = Settings()
    assert found.database_url == SecretStr("postgresql://ann:word@db/rootcause")
    assert (found.port, found.pull, found.bot_logins) == (9000, True, frozenset({"one-bot", "other-bot"}))
    assert found.webhook_secret == (SecretStr("'quoted'"),), "one pair only"
    assert found.read_token == SecretStr('"open'), "one quote alone is no pair"
    assert (found.status_token, found.public_url) == (None, '"')
    assert str(found.data_dir) == r"\new", "only a key has line breaks"


@pytest.mark.parametrize("line_break", ["\n", "\\n", "\r\n", "\\r\\n"])
def test_a_key_can_sign_however_its_line_breaks_are_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, line_break: str
) -> None:
    written = KEY.replace("\n", line_break)
    monkeypatch.setenv("ROOTCAUSE_PRIVATE_KEY", written)
    file = tmp_path_factory.mktemp("mounted") / "key"
    file.write_text(written, newline="")
    for found in (Settings(), Settings.model_validate({"private_key": None, "private_key_file": str(file)})):
        assert found.private_key is not None
        assert judge_key(found.private_key.get_secret_value()).state == "fine"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ROOTCAUSE_APP_ID", "a-name", "ROOTCAUSE_APP_ID: "),
        ("ROOTCAUSE_STATUS_TOKEN", "too-short", "ROOTCAUSE_STATUS_TOKEN needs at least 16 characters"),
        (
            "ROOTCAUSE_READ_TOKEN",
            "too-short\ntoken",
            "ROOTCAUSE_READ_TOKEN holds signs that no token has: give the token alone",
        ),
        ("PORT", "99999", "PORT: Input should be less than or equal to 65535"),
        (
            "ROOTCAUSE_WORKER_CONCURRENCY",
            "0",
            "ROOTCAUSE_WORKER_CONCURRENCY: Input should be greater",
        ),
        ("ROOTCAUSE_PULL_SECONDS", "0", "ROOTCAUSE_PULL_SECONDS: Input should be greater than 0"),
        ("ROOTCAUSE_PUBLIC_URL", "https://[", "ROOTCAUSE_PUBLIC_URL: "),
        ("ROOTCAUSE_GITHUB_API_URL", "https://host:port", "ROOTCAUSE_GITHUB_API_URL: "),
    ],
)
def test_a_setting_that_cannot_be_used_is_one_sentence_that_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(typer.Exit) as ended:
        read_settings()
    assert ended.value.exit_code == 2
    told = capsys.readouterr().err
    assert told.startswith(said)
    assert told.count("\n") == 1
    assert "too-short" not in told
