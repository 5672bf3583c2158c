"""Which part of the suite a test belongs to, seen from what it uses, and that the longest begin first.

`pytest -m unit` runs what needs no database, no process of its own and no local GitHub, and neither measures a
model nor builds one large report after the other.
"""

from __future__ import annotations

import pytest

_FIXTURES = frozenset({"database_server", "memory_folder"})
_NAMES = frozenset({"subprocess", "Popen", "Sandbox", "running_bot"})
_MEASURING = (
    "tests/classifier/test_measured.py",
    "tests/classifier/test_shipped_model.py",
    "tests/evidence/test_real_fixes.py",
    "tests/reports/test_report_build.py",
    "tests/reports/test_report_sensitivity.py",
    "tests/reports/test_report_tables.py",
)
_LONG = ("tests/faults/", "tests/demo/", "tests/e2e/test_refit.py", "tests/test_processes.py")


def pytest_configure(config: pytest.Config) -> None:
    """Tell pytest of the marker."""
    needs = "needs no database, no process of its own and no local GitHub; every such test has it by itself"
    config.addinivalue_line("markers", f"unit: {needs}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every unit test before `-m` chooses; put files with minutes of waiting first, not at a worker's end."""
    for item in items:
        if _is_unit(item):
            item.add_marker("unit")
    items.sort(key=lambda item: not item.nodeid.startswith(_LONG))


def _is_unit(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function):
        return False
    apart = item.nodeid.startswith(_MEASURING) or any(item.get_closest_marker(name) for name in ("browser", "month"))
    return not (apart or _FIXTURES & set(item.fixturenames) or _NAMES & vars(item.module).keys())
