"""The rooms of the house and which of them uses which, as the source's imports say."""

from __future__ import annotations

from pathlib import Path

from tests.support.source import imports

ROOT = Path(__file__).parents[2]
PACKAGES = ("classifier", "reports")


def rooms() -> list[str]:
    """Return the folders of `bot` that are packages."""
    return sorted(path.parent.name for path in (ROOT / "bot").glob("*/__init__.py"))


def uses() -> dict[str, set[str]]:
    """Return for each room of `bot`, and for both other packages, which rooms and packages it imports from."""
    found = {room: _used(ROOT / "bot" / room) - {room} for room in rooms()}
    return found | {package: _used(ROOT / package) - {package} for package in PACKAGES}


def _used(folder: Path) -> set[str]:
    known = set(rooms())
    names = [name.split(".") for path in folder.rglob("*.py") for name in imports(path)]
    inside = {parts[1] for parts in names if parts[0] == "bot" and len(parts) > 1}
    return (inside & known) | {parts[0] for parts in names if parts[0] in PACKAGES}
