"""What is found means what it should: judgements that no whole installation is needed for."""

from __future__ import annotations

import ast
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

import bot.doctor
from bot.clock import SystemClock
from bot.doctor.answers import installations_of
from bot.doctor.database_judging import (
    Queue,
    judge_connection,
    judge_migrations,
    judge_pooler,
    judge_queue,
    judge_version,
)
from bot.doctor.examination import examine
from bot.doctor.finding import Finding
from bot.doctor.github_judging import judge_app, judge_deliveries, judge_hook, judge_installations, judge_refusal
from bot.doctor.github_side import look_at_github
from bot.doctor.here import judge_key, judge_public_url, look_here
from bot.doctor.reach import Answer, judge_answers
from bot.settings import Settings
from bot.setup.manifest import wanted
from bot.setup.settings_file import NAME
from tests.support.scripted_github import PRIVATE_KEY, open_stage
from tests.support.scripted_github import Answer as Scripted

PAGE = "https://github.com/settings/apps/rootcause"
PUBLIC = "https://rootcause.acme.dev"
HOOK = {"url": f"{PUBLIC}/webhooks/github", "content_type": "json", "secret": "********", "insecure_ssl": "0"}


def settings(**given: Any) -> Settings:
    return Settings.model_validate({"github_api_url": "https://api.github.com", **given})


@pytest.mark.parametrize(
    ("reason", "check", "cure"),
    [
        ('FATAL:  password authentication failed for user "rootcause"', "database", "user and password"),
        ("fe_sendauth: no password supplied", "database", "user and password"),
        ('FATAL:  database "absent" does not exist', "database", "CREATE DATABASE"),
        ('FATAL:  no pg_hba.conf entry for host "1.2.3.4", no encryption', "database", "sslmode=require"),
        ("FATAL:  sorry, too many clients already", "database", "max_connections"),
        ("Connection refused\n\tIs the server running on that host?", "database", "host and port"),
        ("FATAL:  unsupported startup parameter: options", "pooler", "pool_mode = session"),
    ],
)
def test_why_no_connection_came_about(reason: str, check: str, cure: str) -> None:
    found = judge_connection(reason)
    assert (found.check, found.state) == (check, "wrong")
    assert cure in (found.cure or "")
    assert "?" not in found.said


@pytest.mark.parametrize(("number", "state"), [(90603, "wrong"), (130022, "wrong"), (140000, "fine"), (180001, "fine")])
def test_the_least_version(number: int, state: str) -> None:
    assert judge_version(number).state == state


def test_a_database_that_keeps_its_session_and_is_up_to_date_is_fine() -> None:
    assert judge_pooler(changed=False).state == judge_migrations([], embedded=False).state == "fine"
    assert "rootcause serve" in (judge_migrations(["0001"], embedded=True).cure or "")


def states(queue: Queue) -> list[str]:
    return [one.state for one in judge_queue(queue, embedded=False)]


def test_who_works_and_what_waits() -> None:
    assert states(Queue(1, 3, 5.0, 0, None)) == ["fine", "fine", "fine", "fine", "fine"]
    assert states(Queue(0, 0, None, 0, None)) == ["warning", "fine", "fine", "fine", "fine"]
    assert states(Queue(0, 1, 700.0, 0, None)) == ["wrong", "warning", "fine", "fine", "fine"]
    assert states(Queue(2, 9, 600.0, 4, None)) == ["fine", "warning", "fine", "warning", "fine"]
    assert states(Queue(2, 0, None, 0, None, 1, 47)) == ["fine", "fine", "fine", "fine", "warning"]
    assert states(Queue(2, 0, None, 0, None, 0, None, 3, 3600.0)) == ["fine", "fine", "warning", "fine", "fine"]


@pytest.mark.parametrize(
    ("given", "state"),
    [
        ({}, "warning"),
        ({"pull": True}, "fine"),
        ({"public_url": PUBLIC}, "fine"),
        ({"public_url": "rootcause.acme.dev"}, "wrong"),
        ({"public_url": "http://rootcause.acme.dev"}, "warning"),
        ({"public_url": "http://localhost:8080"}, "wrong"),
        ({"public_url": "http://localhost:8080", "pull": True}, "fine"),
        ({"public_url": "http://localhost:8080", "github_api_url": "http://127.0.0.1:9000"}, "fine"),
        ({"public_url": "https://10.1.2.3"}, "wrong"),
        ({"public_url": "https://10.1.2.3", "github_api_url": "https://api.acme.ghe.com"}, "wrong"),
        ({"public_url": "https://10.1.2.3", "github_api_url": "https://git.acme.dev/api/v3"}, "fine"),
        ({"public_url": "https://rootcause.internal", "github_api_url": "https://git.acme.dev/api/v3"}, "fine"),
        ({"public_url": "http://10.1.2.3", "github_api_url": "https://git.acme.dev/api/v3"}, "warning"),
        ({"public_url": "https://localhost", "github_api_url": "https://git.acme.dev/api/v3"}, "wrong"),
    ],
)
def test_the_public_address(given: dict[str, Any], state: str) -> None:
    assert judge_public_url(settings(**given)).state == state


def pem(key: Any, *, locked: bool = False) -> str:
    lock = serialization.BestAvailableEncryption(b"word") if locked else serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    return str(key.private_bytes(serialization.Encoding.PEM, form, lock).decode())


def test_only_an_unlocked_rsa_key_can_sign() -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    assert judge_key(pem(key)).state == "fine"
    assert "passphrase" in judge_key(pem(key, locked=True)).said
    assert "RSA" in judge_key(pem(ec.generate_private_key(ec.SECP256R1()))).said
    assert judge_key("no key at all").state == "wrong"


def test_files_that_others_may_open_are_named_with_their_cure(tmp_path: Path) -> None:
    secret, written = tmp_path / "secret", tmp_path / NAME
    for path in (secret, written):
        path.write_text("a-secret")
        path.chmod(0o644)
    found = look_here(settings(webhook_secret_file=str(secret), data_dir=tmp_path))
    cures = {one.cure for one in found if one.check == "secret files"}
    assert cures == {f"Run `chmod 600 {secret}`.", f"Run `chmod 600 {written}`."}
    assert "a-secret" not in str(found)


def test_a_data_folder_that_refuses_is_wrong_where_the_database_lies_in_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "data"):
        for given, state in (({}, "wrong"), ({"database_url": "postgresql://db/rootcause"}, "warning")):
            found = {one.check: one for one in look_here(settings(data_dir=folder, **given))}["data folder"]
            assert found.state == state
            assert "ROOTCAUSE_DATA_DIR" in (found.cure or "")


@pytest.mark.parametrize(
    ("changed", "check", "state"),
    [
        ({}, None, None),
        ({"url": ""}, "webhook address", "wrong"),
        ({"content_type": "form"}, "webhook form", "wrong"),
        ({"secret": None}, "webhook secret", "wrong"),
        ({"insecure_ssl": "1"}, "webhook form", "warning"),
    ],
)
def test_how_github_sends(changed: dict[str, Any], check: str | None, state: str | None) -> None:
    found = [one for one in judge_hook({**HOOK, **changed}, PUBLIC, PAGE) if one.state != "fine"]
    assert [(one.check, one.state) for one in found] == ([] if check is None else [(check, state)])
    assert all(PAGE in (one.cure or "") for one in found)


def test_without_a_public_address_nobody_knows_whether_github_sends_here() -> None:
    assert [one.state for one in judge_hook(HOOK, None, PAGE)] == ["unknown"]


@pytest.mark.parametrize(
    ("code", "status", "check", "cure"),
    [
        (401, "Unauthorized", "webhook secret", "ROOTCAUSE_WEBHOOK_SECRET"),
        (503, "Service Unavailable", "deliveries", "*database*"),
        (404, "Not Found", "deliveries", "Something else answers"),
        (502, "failed to connect to host", "deliveries", "reachable from the internet"),
        (None, "timed out", "deliveries", "reachable from the internet"),
    ],
)
def test_how_the_newest_delivery_was_answered(code: int | None, status: str, check: str, cure: str) -> None:
    failed, fine = {"status_code": code, "status": status}, {"status_code": 202, "status": "OK"}
    found = judge_deliveries([failed, fine], PAGE)
    assert (found.check, found.state) == (check, "wrong")
    assert status in found.said
    assert cure in (found.cure or "")
    assert "rootcause redeliver" in (found.cure or "")
    assert judge_deliveries([fine, failed], PAGE).state == "fine"


@pytest.mark.parametrize(
    ("answers", "check", "said"),
    [
        ([Answer(202, "")], "webhook", "takes a ping"),
        ([Answer(202, ""), Answer(401, "")], "webhook secret", "number 2"),
        ([Answer(301, "", "https://b/")], "webhook", "redirects to https://b/"),
        ([Answer(503, "no webhook secret is set")], "webhook secret", "has none"),
        ([Answer(502, "")], "webhook", "answers 502"),
        ([Answer(200, "hello")], "webhook", "answers 200"),
        ([Answer(None, "its certificate is not valid")], "webhook", "certificate"),
    ],
)
def test_what_a_ping_is_answered(answers: list[Answer], check: str, said: str) -> None:
    found = judge_answers(PUBLIC, answers)
    assert found.check == check
    assert said in found.said
    assert (found.state == "fine") == (answers == [Answer(202, "")])


@pytest.mark.parametrize(
    ("said", "in_time", "check", "state"),
    [
        ("A JSON web token could not be decoded", True, "key", "wrong"),
        ("A JSON web token could not be decoded", False, "key", "unknown"),
        ("Integration not found", True, "key", "wrong"),
        ("'Issued at' claim ('iat') must be an Integer representing the time", True, "clock", "wrong"),
    ],
)
def test_why_github_would_not_say_who_the_app_is(said: str, in_time: bool, check: str, state: str) -> None:
    found = judge_refusal(4711, said, in_time=in_time)
    assert (found.check, found.state) == (check, state)


async def test_whatever_is_not_fine_has_a_cure_and_nothing_else() -> None:
    with pytest.raises(ValueError, match="database is unknown"):
        Finding("database", "unknown", "It cannot be told.")
    with pytest.raises(ValueError, match="database is fine"):
        Finding("database", "fine", "It answers.", "Do something.")
    assert f"{PAGE}/advanced" in (judge_deliveries([], PAGE).cure or "")


async def test_where_the_system_refuses_the_doctor_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def refused(*_: object) -> list[Finding]:
        raise OSError(24, "Too many open files")

    for looking in ("look_at_database", "look_at_github", "look_at_reach"):
        monkeypatch.setattr(f"bot.doctor.examination.{looking}", refused)
    found = await examine(settings(data_dir=tmp_path), SystemClock())
    unknown = [one for one in found if one.state == "unknown"]
    assert [one.check for one in unknown] == ["database", "GitHub", "webhook"]
    assert all("Too many open files" in one.said and "ulimit -n" in (one.cure or "") for one in unknown)


def test_no_finding_is_written_without_a_cure_where_it_needs_one() -> None:
    """Also those that no test brings about: what would be refused at run time is seen in the source."""
    seen = 0
    for path in sorted(Path(bot.doctor.__file__).parent.glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Finding":
                seen += 1
                state = call.args[1]
                if isinstance(state, ast.Constant) and state.value == "fine":
                    assert len(call.args) == 3, f"{path.name}:{call.lineno}"
                else:
                    assert len(call.args) == 4, f"{path.name}:{call.lineno}"
                    assert not any(
                        isinstance(part, ast.Constant) and part.value is None for part in ast.walk(call.args[3])
                    )
    assert seen > 40


def test_more_than_is_needed_is_a_warning() -> None:
    permissions, events = wanted()
    for more in ({"administration": "read"}, {"contents": "write"}):
        found = judge_app({"permissions": {**permissions, **more}, "events": events}, PAGE)
        assert [one.state for one in found] == ["warning", "fine"]
        assert next(iter(more)) in found[0].said


def test_those_who_have_to_approve_are_named_and_the_rest_counted() -> None:
    permissions, _ = wanted()
    rows = [
        {"account": {"login": f"acme-{at}"}, "html_url": f"{PAGE}/{at}", "permissions": {"metadata": "read"}}
        for at in range(7)
    ]
    (found,) = judge_installations({"permissions": permissions}, rows)
    assert found.said.endswith("acme-3, acme-4 and 2 more.")
    assert f"acme-0 at {PAGE}/0" in (found.cure or "")


def test_an_account_that_suspended_the_app_is_named_an_enterprise_or_one_that_is_gone_too() -> None:
    permissions, _ = wanted()
    rows = [
        {
            "account": {"slug": "acme"},
            "html_url": f"{PAGE}/1",
            "permissions": permissions,
            "suspended_at": "2026-11-02",
        },
        {"account": None, "html_url": f"{PAGE}/2", "permissions": permissions, "suspended_at": None},
    ]
    (found,) = judge_installations({"permissions": permissions}, installations_of(rows))
    assert (found.check, found.state) == ("suspended", "warning")
    assert f"acme at {PAGE}/1" in (found.cure or "")


@pytest.mark.parametrize(
    ("free", "state", "said"), [(600, "fine", "can be written"), (90, "warning", "only 90 MB left")]
)
def test_a_disk_that_is_nearly_full_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: str, said: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free * 2**20))
    found = {one.check: one for one in look_here(settings(data_dir=tmp_path))}["data folder"]
    assert (found.state, said in found.said) == (state, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_disk_that_takes_nothing_more_is_no_matter_of_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda dir: Path("/dev/full").open("wb"))  # noqa: A006, SIM115
    found = {one.check: one for one in look_here(settings(data_dir=tmp_path))}["data folder"]
    assert (found.state, "No space left" in found.said) == ("wrong", True)
    assert "Make room" in (found.cure or "")


APP = Scripted(200, {"slug": "rootcause", "owner": None, "permissions": wanted()[0], "events": [*wanted()[1]]})


@pytest.mark.parametrize(
    ("answers", "check", "said"),
    [
        ({}, "GitHub", "answers as no GitHub does"),
        ({"/app": Scripted(200, {"oops": 1})}, "GitHub", "answers as no GitHub does"),
        ({"/app": Scripted(404, {"message": "Integration not found"})}, "key", "knows no App 77"),
        ({"/app": APP, "/app/installations": Scripted(200, [])}, "webhook address", "GitHub sends to nowhere"),
    ],
)
async def test_what_answers_otherwise_than_github_is_no_matter_of_the_key(
    answers: dict[str, Scripted], check: str, said: str
) -> None:
    async with open_stage() as stage:
        for path, answer in answers.items():
            stage.github.on("GET", path, answer)
        given = settings(
            app_id=77, private_key=PRIVATE_KEY, webhook_secret="s", public_url=PUBLIC, github_api_url=stage.github.url
        )
        found = [one for one in await look_at_github(given, SystemClock()) if one.state != "fine"]
    assert [one.check for one in found] == [check]
    assert said in found[0].said


async def test_a_mistake_of_ours_is_not_taken_for_githubs(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> list[Finding]:
        raise KeyError("ours")

    monkeypatch.setattr("bot.doctor.github_side.judge_app", broken)
    async with open_stage() as stage:
        stage.github.on("GET", "/app", APP)
        given = settings(app_id=77, private_key=PRIVATE_KEY, github_api_url=stage.github.url)
        with pytest.raises(KeyError, match="ours"):
            await look_at_github(given, SystemClock())
