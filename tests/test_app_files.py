"""The files that GitHub and a platform read: the App's manifest and the list of processes."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]

Manifest = dict[str, str | list[str] | dict[str, str]]


def read_manifest(text: str) -> Manifest:
    """Read the little YAML that the manifest uses: keys with a value, a list of words, or one level of keys."""
    manifest: Manifest = {}
    key = ""
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line.startswith(" "):
            key, _, value = line.partition(":")
            manifest[key] = value.strip()
        elif line.startswith("  - "):
            manifest[key] = [*(manifest[key] or []), line[4:].strip()]
        else:
            name, _, value = line.strip().partition(":")
            inner = manifest[key]
            manifest[key] = {**(inner if isinstance(inner, dict) else {}), name: value.strip()}
    return manifest


def test_the_app_asks_for_exactly_what_it_says() -> None:
    manifest = read_manifest((ROOT / "app.yml").read_text(encoding="utf-8"))
    assert manifest["default_permissions"] == {
        "metadata": "read",
        "contents": "read",
        "pull_requests": "read",
        "issues": "write",
    }
    assert manifest["default_events"] == ["issues", "issue_comment", "repository"]


def test_the_manifest_has_what_github_needs() -> None:
    manifest = read_manifest((ROOT / "app.yml").read_text(encoding="utf-8"))
    assert manifest["name"] == "Rootcause"
    assert manifest["public"] == "true"
    hook = manifest["hook_attributes"]
    assert isinstance(hook, dict)
    assert hook["url"] == f"{manifest['url']}/webhooks/github"
    for address in ("redirect_url", "setup_url"):
        assert str(manifest[address]).startswith(f"{manifest['url']}/")


def test_the_processes() -> None:
    lines = (ROOT / "Procfile").read_text(encoding="utf-8").splitlines()
    assert dict(line.split(": ", 1) for line in lines) == {
        "release": "rootcause db upgrade",
        "web": "rootcause web",
        "worker": "rootcause worker",
    }
