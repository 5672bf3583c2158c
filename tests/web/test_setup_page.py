"""The set-up page, with the local GitHub on the other side: one button, one code, and closed ever after."""

from __future__ import annotations

import asyncio
import html
import json
import re
import stat
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest
import yaml
from aiohttp import web
from aiohttp.test_utils import TestServer
from pydantic import SecretStr

from bot.clock import SystemClock
from bot.doctor.finding import Finding
from bot.doctor.github_side import look_at_github
from bot.github.registration import Registered
from bot.sandbox.app_identity import new_private_key
from bot.sandbox.sandbox import Sandbox
from bot.settings import Settings
from bot.setup.desk import Desk
from bot.setup.manifest import manifest
from bot.setup.settings_file import UnreadableSettings, read, settings_of
from bot.web import setup
from bot.web.setup import SetupPages

PUBLIC = "https://rootcause.acme.dev"
ROOT = Path(__file__).parents[2]
_KEY = new_private_key()


@dataclass
class Place:
    """The two sides, and a browser that keeps cookies and follows nothing by itself."""

    sandbox: Sandbox
    desk: Desk
    settings: Settings
    address: str
    browser: aiohttp.ClientSession
    configured: list[bool] = field(default_factory=list)

    async def get(self, url: str, **headers: str) -> tuple[int, str]:
        async with self.browser.get(url, headers=headers, allow_redirects=False) as answer:
            return answer.status, answer.headers.get("Location") or await answer.text()

    async def post(self, url: str, **form: str) -> tuple[int, str]:
        async with self.browser.post(url, data=form, allow_redirects=False) as answer:
            return answer.status, answer.headers.get("Location") or await answer.text()

    async def hand_in(self, query: str = "") -> str:
        """Press the one button, and GitHub's own; return the address to which GitHub sends the browser."""
        status, page = await self.get(f"{self.address}/setup{query}")
        assert status == 200, page
        _, confirm = await self.post(action_of(page), manifest=field_of(page, "manifest"))
        made = {name: field_of(confirm, name) for name in ("manifest", "state")}
        status, back = await self.post(f"{self.sandbox.base_url}{action_of(confirm, 'Create GitHub App for')}", **made)
        assert status == 302, back
        return back


def action_of(page: str, button: str = "Create the GitHub App") -> str:
    """Return where the form with this button goes."""
    found = re.findall(r'<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>', page, re.DOTALL)
    return html.unescape(next(action for action, inner in found if button in inner))


def field_of(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return html.unescape(found[1])


@asynccontextmanager
async def place(tmp_path: Path, **settings: object) -> AsyncIterator[Place]:
    clock = SystemClock()
    sandbox = Sandbox(clock, private_key=_KEY)
    sandbox.add_owner("acme")
    sandbox.add_repository("acme", "frame")
    async with sandbox.running() as github:
        own = Settings.model_validate({"data_dir": tmp_path / "data", "github_api_url": github, **settings})
        desk, configured = Desk(), []

        async def examine() -> Sequence[Finding]:
            return [Finding("clock", "fine", "It agrees."), Finding("webhook address", "wrong", "Not here.", "Set it.")]

        app = web.Application()
        SetupPages(own, clock, desk, lambda: configured.append(True), examine).add_routes(app)
        jar = aiohttp.CookieJar(unsafe=True)
        async with TestServer(app) as server, aiohttp.ClientSession(cookie_jar=jar) as browser:
            yield Place(sandbox, desk, own, str(server.make_url("")).rstrip("/"), browser, configured)


def settings_in(tmp_path: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((tmp_path / "data" / "settings.json").read_text())
    return found


async def test_one_button_registers_the_app_and_writes_its_settings(tmp_path: Path) -> None:
    async with place(tmp_path, public_url=PUBLIC) as here:
        back = await here.hand_in()
        assert back.startswith(f"{here.address}/setup?code="), "to where this browser is"
        status, page = await here.get(back)
        assert status == 200, page
        assert here.configured == [True]
        assert "<code>rootcause worker</code> that runs as a process of its own on the same folder" in page
        path = tmp_path / "data" / "settings.json"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert settings_in(tmp_path) == {
            "ROOTCAUSE_APP_ID": str(here.sandbox.app.id),
            "ROOTCAUSE_PRIVATE_KEY": here.sandbox.private_key,
            "ROOTCAUSE_WEBHOOK_SECRET": here.sandbox.courier.secret,
            "ROOTCAUSE_GITHUB_API_URL": here.sandbox.base_url,
            "ROOTCAUSE_PUBLIC_URL": PUBLIC,
        }
        assert here.sandbox.courier.url == f"{PUBLIC}/webhooks/github"
        for secret in (here.sandbox.courier.secret, "PRIVATE KEY"):
            assert secret not in page


async def test_the_settings_written_start_the_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place(tmp_path, public_url=PUBLIC) as here:
        await here.get(await here.hand_in())
        monkeypatch.setenv("ROOTCAUSE_DATA_DIR", str(tmp_path / "data"))
        settings = read()
        assert settings.missing() == []
        (tmp_path / "newer").write_text("rotated")
        monkeypatch.setenv("ROOTCAUSE_WEBHOOK_SECRET_FILE", str(tmp_path / "newer"))
        assert [one.get_secret_value() for one in read().webhook_secret] == ["rotated"], "the environment counts"
        found = {one.check: one.state for one in await look_at_github(settings, SystemClock())}
    assert found == {
        "clock": "fine",
        "key": "fine",
        "permissions": "fine",
        "events": "fine",
        "installations": "fine",
        "webhook address": "fine",
        "deliveries": "unknown",
    }


async def test_an_organisations_app_belongs_to_it(tmp_path: Path) -> None:
    async with place(tmp_path, public_url=PUBLIC) as here:
        await here.hand_in("?organization=acme&name=Acme+Rootcause")
        assert here.sandbox.app.owner_id == here.sandbox.account("acme").id
        assert here.sandbox.app.slug == "acme-rootcause"


async def test_on_a_laptop_deliveries_are_pulled(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        back = await here.hand_in()
        assert back.startswith(f"{here.address}/setup?code="), "the browser comes back, where GitHub could not"
        await here.get(back)
        found = settings_in(tmp_path)
        assert found["ROOTCAUSE_PULL"] == "true"
        assert "ROOTCAUSE_PUBLIC_URL" not in found


async def test_without_a_disk_the_settings_are_shown_once(tmp_path: Path) -> None:
    async with place(tmp_path, public_url=PUBLIC, database_url="postgresql://db/rootcause") as here:
        _, page = await here.get(await here.hand_in())
        assert here.sandbox.courier.secret in page
        assert "BEGIN RSA PRIVATE KEY" in page
        assert re.findall(r'class="state (\w+)">\w+</span> <strong>(key|webhook address)<', page) == [
            ("fine", "key"),
            ("fine", "webhook address"),
        ], "GitHub was asked with the settings that it just gave"
        assert f'href="{here.sandbox.base_url}/web/apps/rootcause/installations/new"' in page
        assert not (tmp_path / "data").exists()
        assert here.configured == []
        status, page = await here.get(f"{here.address}/setup")
        assert status == 410
        assert here.sandbox.courier.secret not in page


async def test_a_folder_that_refuses_does_not_lose_the_keys(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    async with place(tmp_path, public_url=PUBLIC) as here:
        _, page = await here.get(await here.hand_in())
        assert "cannot be written" in page
        assert here.sandbox.courier.secret in page


async def test_what_cannot_be_looked_at_does_not_lose_the_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def forever(*_: object) -> Sequence[Finding]:
        await asyncio.sleep(3600)
        return []

    async def broken(*_: object) -> Sequence[Finding]:
        raise KeyError("a bug of ours")

    monkeypatch.setattr(setup, "_LOOK_SECONDS", 0.05)
    for look in (forever, broken):
        monkeypatch.setattr(setup, "look_at_github", look)
        async with place(tmp_path, public_url=PUBLIC, database_url="postgresql://db/rootcause") as here:
            _, page = await here.get(await here.hand_in())
            assert here.sandbox.courier.secret in page
            assert "What GitHub says" not in page
    assert "a bug of ours" in caplog.text, "it is logged with its traceback"


async def test_a_code_is_good_once(tmp_path: Path) -> None:
    async with place(tmp_path, public_url=PUBLIC) as here:
        back = await here.hand_in()
        here.sandbox.world.codes.clear()
        status, page = await here.get(back)
        assert status == 502
        assert "good once" in page
        assert here.configured == []
        assert (await here.get(f"{here.address}/setup"))[0] == 200, "it can be tried again"


async def test_another_browser_cannot_finish_what_this_one_began(tmp_path: Path) -> None:
    async with place(tmp_path, public_url=PUBLIC) as here:
        back = await here.hand_in()
        here.browser.cookie_jar.clear()
        status, page = await here.get(back)
        assert status == 403
        assert "Start again" in page
        assert here.sandbox.world.codes, "the code was not used up"


async def test_a_choice_made_meanwhile_does_not_redirect_the_code(tmp_path: Path) -> None:
    async with place(tmp_path, public_url=PUBLIC) as here:
        back = await here.hand_in()
        await here.get(f"{here.address}/setup?server=http://evil.example")
        status, _ = await here.get(back)
        assert status == 403
        assert here.sandbox.world.codes


async def test_a_stranger_needs_the_key_of_the_log(tmp_path: Path) -> None:
    async with place(tmp_path, public_url=PUBLIC) as here:
        status, page = await here.get(f"{here.address}/setup", **{"X-Forwarded-For": "203.0.113.9"})
        assert status == 403
        assert "manifest" not in page
        assert (await here.get(f"{here.address}/setup?key=wrong", **{"X-Forwarded-For": "203.0.113.9"}))[0] == 403
        assert (await here.get(f"{here.address}/setup", Host="rebound.example"))[0] == 403, "DNS rebinding"
        assert {(await here.get(f"{here.address}/setup", Host=no_host))[0] for no_host in ("[", "localhost:")} == {400}
        status, to = await here.get(f"{here.address}/setup?key={here.desk.key}", **{"X-Forwarded-For": "203.0.113.9"})
        assert (status, to) == (303, "/setup"), "the key leaves the address line"
        assert (await here.get(f"{here.address}/setup", **{"X-Forwarded-For": "203.0.113.9"}))[0] == 200


async def test_once_configured_it_is_closed_but_for_the_browser_that_did_it(tmp_path: Path) -> None:
    key = {"app_id": 1, "private_key": "key", "webhook_secret": ("s",)}
    async with place(tmp_path, **key) as here:
        status, page = await here.get(f"{here.address}/setup?key={here.desk.key}")
        assert status == 410
        assert "closed" in page
        assert (await here.get(f"{here.address}/setup?code=0&state=0"))[0] == 410
        here.desk.close("mark", "https://github.com/apps/rootcause")
        status, page = await here.get(f"{here.address}/setup", Cookie="rootcause-setup=mark")
        assert status == 200
        assert 'href="https://github.com/apps/rootcause/installations/new"' in page
        assert "Almost ready" in page
        assert "for its first seven days: the App watches, and then opens one inbox issue.\n<a" in page
        assert "Deliveries are asked for" not in page
        assert "Set it." in page
        assert (await here.get(f"{here.address}/setup", Cookie="rootcause-setup=other"))[0] == 410


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("organization=no/slash", "letters, digits and hyphens"),
        ("name=" + "x" * 35, "at most 34"),
        ("address=ftp://host", "https://host"),
        ("address=https://host/path", "https://host"),
        ("server=javascript:alert(1)", "https://host"),
        ("server=https://a@b", "https://host"),
        ("address=https://host;%20script-src%20*", "https://host"),
        ("address=https://host:", "https://host"),
        ("server=https://[", "https://host"),
    ],
)
async def test_a_mistake_is_said_and_nothing_can_be_handed_in(tmp_path: Path, query: str, said: str) -> None:
    async with place(tmp_path) as here:
        status, page = await here.get(f"{here.address}/setup?{query}")
        assert status == 400
        assert said in page
        assert 'name="manifest"' not in page


async def test_forms_may_go_to_the_github_chosen_and_nowhere_else(tmp_path: Path) -> None:
    async with (
        place(tmp_path) as here,
        here.browser.get(f"{here.address}/setup?server=https://github.acme.dev&organization=acme") as answer,
    ):
        page = await answer.text()
        policy = answer.headers["Content-Security-Policy"]
        assert "form-action 'self' https://github.acme.dev;" in policy
        assert "script-src 'self'" in policy
        assert answer.headers["Cache-Control"] == "no-store"
        assert action_of(page).startswith("https://github.acme.dev/organizations/acme/settings/apps/new?state=")
        assert here.desk.started[next(iter(here.desk.started))].api_url == "https://github.acme.dev/api/v3"


def test_the_manifest_is_app_yml_with_this_address() -> None:
    written = yaml.safe_load((ROOT / "app.yml").read_text(encoding="utf-8"))
    made = manifest(PUBLIC, "Mine", f"{PUBLIC}/setup", "https://api.github.com")
    assert made["default_permissions"] == written["default_permissions"]
    assert made["default_events"] == written["default_events"]
    assert made["name"] == "Mine"
    assert "rootcause.example" not in json.dumps(made)


@pytest.mark.parametrize(
    ("address", "api_url", "reached"),
    [
        ("http://10.1.2.3:8080", "https://git.acme.dev/api/v3", True),
        ("http://rootcause.internal", "https://git.acme.dev/api/v3", True),
        ("http://localhost:8080", "https://git.acme.dev/api/v3", False),
        ("http://0.0.0.0:8080", "https://git.acme.dev/api/v3", False),
        ("http://10.1.2.3:8080", "https://api.github.com", False),
        ("http://10.1.2.3:8080", "https://api.acme.ghe.com", False),
    ],
)
def test_an_enterprise_server_sends_into_its_own_network_and_no_other_github_does(
    address: str, api_url: str, reached: bool
) -> None:
    made = manifest(address, "Mine", f"{address}/setup", api_url)
    assert (made["hook_attributes"]["url"] == f"{address}/webhooks/github") is reached
    registered = Registered(1, "mine", "https://git.acme.dev/apps/mine", SecretStr("key"), SecretStr("secret"))
    found = settings_of(registered, address, api_url)
    assert (found.get("ROOTCAUSE_PUBLIC_URL") == address, "ROOTCAUSE_PULL" not in found) == (reached, reached)


@pytest.mark.parametrize("content", ["", "[1]", '{"ROOTCAUSE_APP_ID": 1, "x": {}}', "\x00"])
def test_a_broken_settings_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    (tmp_path / "settings.json").write_text(content)
    monkeypatch.setenv("ROOTCAUSE_DATA_DIR", str(tmp_path))
    with pytest.raises(UnreadableSettings, match=r"settings\.json cannot be read .*: restore or remove it"):
        read()


def test_a_variable_without_a_value_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hidden-in-a-file")
    (tmp_path / "settings.json").write_text('{"ROOTCAUSE_APP_ID": "5", "ROOTCAUSE_PRIVATE_KEY": "written"}')
    for name in ("APP_ID", "PRIVATE_KEY", "WEBHOOK_SECRET", "STATUS_TOKEN"):
        monkeypatch.setenv(f"ROOTCAUSE_{name}", "")
    monkeypatch.setenv("ROOTCAUSE_WEBHOOK_SECRET_FILE", str(secret))
    monkeypatch.setenv("ROOTCAUSE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PORT", "")
    found = read()
    assert (found.app_id, found.port, found.status_token, found.missing()) == (5, 8080, None, [])
    assert found.private_key is not None
    assert found.private_key.get_secret_value() == "written"
    assert [one.get_secret_value() for one in found.webhook_secret] == ["hidden-in-a-file"]


async def test_the_last_page_says_what_this_installation_waits_for(tmp_path: Path) -> None:
    key = {"app_id": 1, "private_key": "key", "pull": True, "pull_seconds": 5.0, "observe_days": 0.0}
    async with place(tmp_path, **key) as here:
        here.desk.close("mark", "https://github.com/apps/rootcause")
        _, page = await here.get(f"{here.address}/setup", Cookie="rootcause-setup=mark")
    assert "Nothing is written because it was installed" in page
    assert "Deliveries are asked for every 5 s." in page
    async with place(tmp_path, pull_seconds=5.0) as here:
        assert "are asked for every 5 s, because GitHub cannot reach" in (await here.get(f"{here.address}/setup"))[1]
