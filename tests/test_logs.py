"""What the logs show: one JSON object a line, and no secret wherever it hides."""

from __future__ import annotations

import json
import logging
import threading
from urllib.parse import quote, quote_plus

import pytest
import structlog
from pydantic import SecretStr

from bot.logs import configure_logs
from bot.secrecy import SECRECY, show_error_of_thread, show_last_error
from bot.settings import Settings

TOKEN = "ghs_" + "a1B2" * 9


@pytest.mark.parametrize(
    "value",
    [
        TOKEN,
        [TOKEN],
        {"answer": {"token": TOKEN}},
        ValueError(TOKEN),
        f"postgresql://name:{TOKEN}@host/name",
        f"-----BEGIN RSA PRIVATE KEY-----\n{TOKEN}\n-----END RSA PRIVATE KEY-----",
    ],
    ids=["text", "list", "mapping", "error", "address", "key"],
)
def test_a_secret_is_masked_wherever_it_hides(capsys: pytest.CaptureFixture[str], value: object) -> None:
    configure_logs(json_lines=True)
    structlog.get_logger("rootcause").info("something", value=value)
    (line,) = capsys.readouterr().err.splitlines()
    assert TOKEN not in line
    assert "***" in line
    assert json.loads(line)["event"] == "something"


def test_a_traceback_and_a_library_are_masked_too(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(json_lines=True)
    try:
        int(TOKEN)
    except ValueError:
        structlog.get_logger("rootcause").exception("failed")
    logging.getLogger("library").warning("asked with %s", TOKEN)
    shown = capsys.readouterr().err
    assert TOKEN not in shown
    assert [json.loads(line)["level"] for line in shown.splitlines()] == ["error", "warning"]


ODD = 'p@ss/w\u00f6rd\n"it\'s" 100%\\'
KEY = (
    "-----BEGIN PRIVATE KEY-----\n"
    + "\n".join(f"{number}aB+/" * 12 for number in range(4))
    + "\n-----END PRIVATE KEY-----"
)


@pytest.mark.parametrize("secret", ["correct-horse-battery", ODD, KEY, "s3cret"], ids=["usual", "odd", "key", "short"])
def test_the_value_of_a_setting_is_masked_in_every_form(capsys: pytest.CaptureFixture[str], secret: str) -> None:
    Settings(webhook_secret=(SecretStr(secret),))
    configure_logs(json_lines=True)
    log, secret = structlog.get_logger("rootcause"), secret.strip()
    forms = [secret, json.dumps(secret), repr(secret), quote(secret), quote(secret, safe=""), quote_plus(secret)]
    for form in [*forms, repr([secret]), json.dumps({"a": repr(secret)}), str(secret.encode()), {"deep": [secret]}]:
        log.info("asked", given=form)
    try:
        int(f"{secret} {secret}")
    except ValueError:
        log.exception("failed")
        logging.getLogger("library").exception("failed with %s", secret)
    shown = capsys.readouterr().err
    for line in secret.splitlines():
        core = line.strip('"\\')
        if not line.startswith("-----"):
            for form in (core, json.dumps(core)[1:-1], quote(core), quote_plus(core), quote(core, safe="")):
                assert form not in shown
    assert len([json.loads(one) for one in shown.splitlines()]) == 12
    assert shown.count("***") >= 12


def test_every_secret_setting_is_hidden_in_errors_too(capsys: pytest.CaptureFixture[str]) -> None:
    Settings(
        private_key=SecretStr(KEY),
        webhook_secret=(SecretStr("first-of-two"), SecretStr("second-of-two")),
        database_url=SecretStr("postgresql://me:pass%40word%2Fof-db@host/name?sslpassword=of-the-key"),
    )
    for secret in (
        "first-of-two",
        "second-of-two",
        "pass%40word%2Fof-db",
        "pass@word/of-db",
        "of-the-key",
        KEY.splitlines()[1],
    ):
        assert SECRECY.mask(f"before {secret} after") != f"before {secret} after"
    try:
        int("second-of-two")
    except ValueError as error:
        show_last_error(ValueError, error, error.__traceback__)
    shown = capsys.readouterr().err
    assert "invalid literal for int() with base 10: '***'" in shown
    assert "Traceback" in shown


def test_words_that_only_hold_a_short_secret_stay_readable() -> None:
    Settings(read_token=SecretStr("cache"))
    assert SECRECY.mask("cached caches: cache") == "cached caches: ***"


def test_a_private_repository_is_named_by_its_number_until_it_is_public() -> None:
    SECRECY.hide_repository(5, "Acme/Vault")
    for text, masked in (
        ("GET /repos/acme/vault/issues/7: 404", "GET /repos/private-repository-5/issues/7: 404"),
        ("https://github.com/acme/VAULT.", "https://github.com/private-repository-5."),
        ("clone acme/vault.git", "clone private-repository-5.git"),
        ("q=repo%3Aacme%2Fvault", "q=repo%3Aprivate-repository-5"),
        ("'acme/vault#7'", "'private-repository-5#7'"),
        ('{"error": "a\\nacme/vault"}', '{"error": "a\\nprivate-repository-5"}'),
        ("acme/vault-public, other/acme, acme/.github", "acme/vault-public, other/acme, private-repository-5"),
    ):
        assert SECRECY.mask(text) == masked
    SECRECY.show_repository("acme/vault")
    assert SECRECY.mask("acme/vault") == "acme/vault"


def test_a_token_that_is_a_signed_text_and_the_login_in_an_address_are_masked() -> None:
    text = "ghs_12_eyJhbGciOi.eyJpc3MiOi.c2lnbmF0dXJl and /repos/a/b/collaborators/ann/permission"
    assert SECRECY.mask(text) == "*** and /repos/a/b/collaborators/***/permission"


def test_a_line_that_its_caller_spelled_wrongly_tells_its_place_alone(capsys: pytest.CaptureFixture[str]) -> None:
    SECRECY.hide(["misspelled-secret"])
    configure_logs(json_lines=True)
    logging.getLogger("library").error("%d bytes", "misspelled-secret")
    said = capsys.readouterr().err
    assert "misspelled-secret" not in said
    assert f"could not be written: {__file__}:" in said


def test_the_error_of_a_thread_is_masked(capsys: pytest.CaptureFixture[str]) -> None:
    SECRECY.hide(["thread-secret"])
    error = ValueError("it is thread-secret")
    show_error_of_thread(threading.ExceptHookArgs((ValueError, error, None, None)))
    said = capsys.readouterr().err
    assert "ValueError: it is ***" in said
