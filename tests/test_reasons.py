"""Why something failed, as it is stored and shown: in one line, without secrets, and without what a database quotes."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from bot.github.errors import Forbidden
from bot.reasons import reason_of
from bot.secrecy import SECRECY


def test_a_reason_is_one_short_line_without_secrets() -> None:
    SECRECY.hide(["wobbling-lighthouse"])
    error = Forbidden("refused\n  wobbling-lighthouse and ghs_0123456789abcdef \x00", "permission", status=403)
    error.request = "GET /repos/a/b"
    assert reason_of(error) == "Forbidden: GET /repos/a/b: refused *** and *** \ufffd"
    assert reason_of(KeyError()) == "KeyError"
    assert len(reason_of(ValueError("long " * 1_000))) == 500


def test_of_a_databases_error_only_the_name_is_kept() -> None:
    original = ValueError('Key (login)=(ann) of INSERT INTO "person"')
    assert reason_of(DBAPIError("INSERT ...", {"login": "ann"}, original)) == "ValueError"
