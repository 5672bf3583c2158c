"""The languages of a fix from its files: multi-language or not, with and without tests, and how spread it is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from bot.evidence.extensions import (
    BUILD_ENDINGS,
    BUILD_FILES,
    DOCUMENTATION_FOLDERS,
    LANGUAGE_OF_EXTENSION,
    MATLAB_FOLDERS,
)
from bot.evidence.model import FixFile

_TEST_WORDS = frozenset(
    {
        *("test", "tests", "tester", "testers", "testing", "tst", "e2e", "jest"),
        *("testcase", "testcases", "testdata", "testlib", "testsuite", "testsuites", "testutil", "testutils"),
        *("googletest", "gtest", "loadtest", "loadtests", "smoketest", "smoketests", "unittest", "unittests"),
    }
)
_TEST_FOLDERS = frozenset({"mocks", "fixtures"})
_SPECIFICATION = re.compile(
    r"[._-]specs?\.(?:rb|js|jsx|ts|tsx|mjs|cjs|coffee)$|[a-z0-9]spec\.(?:scala|kt|groovy)$", re.IGNORECASE
)
_SPECIFICATION_FOLDERS = frozenset({"spec", "specs"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")


@dataclass(frozen=True)
class FixLanguages:
    """Languages of the source files a fix changes, sorted by name; tests left out, and counted.

    `mpl` is true where they are two or more. A fix without any source file has no language and is not multi-language.
    """

    languages: tuple[str, ...]
    languages_with_tests: tuple[str, ...]

    @property
    def mpl(self) -> bool:
        """Whether the fix is multi-language, test files left out."""
        return len(self.languages) > 1

    @property
    def mpl_with_tests(self) -> bool:
        """Whether the fix is multi-language, test files counted: the default of every table."""
        return len(self.languages_with_tests) > 1


def language_of(path: str) -> str | None:
    """Name the programming language of a file, or None where it is not program source (`bot.evidence.extensions`)."""
    parts = PurePosixPath(path.replace("\\", "/").lower()).parts
    if not parts or "." not in parts[-1]:
        return None
    name, folders = parts[-1], frozenset(parts[:-1])
    if name in BUILD_FILES or name.endswith(BUILD_ENDINGS) or name.startswith(".") or folders & DOCUMENTATION_FOLDERS:
        return None
    extension = name.rpartition(".")[2]
    if extension == "m" and folders & MATLAB_FOLDERS:
        return "MATLAB"
    return LANGUAGE_OF_EXTENSION.get(extension)


def is_test(path: str) -> bool:
    """Tell whether a file belongs to the tests, by the words of its folders and of its name (`latest` is not one).

    What helps to test counts as well, shipped or not (`torch/testing`, `test_utils.py`), and so do fixtures, mocks and
    files named as specifications. In Ruby a folder `spec` is one of tests; elsewhere such a folder says nothing, since
    it may hold what the program does by a specification. Benchmarks and examples are no tests.
    """
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if not parts:
        return False
    folders, name = {part.lower().strip("_") for part in parts[:-1]}, parts[-1].lower()
    if folders & _TEST_FOLDERS or _SPECIFICATION.search(name) or name == "conftest.py":
        return True
    if name.endswith(".rb") and folders & _SPECIFICATION_FOLDERS:
        return True
    return any(word.lower() in _TEST_WORDS for part in parts for word in _WORD.findall(part))


def languages_of(paths: Iterable[str]) -> FixLanguages:
    """Collect the languages of the source files among `paths`."""
    with_tests: set[str] = set()
    without: set[str] = set()
    for path in paths:
        language = language_of(path)
        if language is None:
            continue
        with_tests.add(language)
        if not is_test(path):
            without.add(language)
    return FixLanguages(languages=tuple(sorted(without)), languages_with_tests=tuple(sorted(with_tests)))


def change_entropy(files: Sequence[FixFile], *, with_tests: bool) -> float | None:
    """Measure how evenly a change is spread over its source files: 0 in one file, 1 evenly over several.

    -sum(p_i log2 p_i) / log2(n), p_i the share of file i in the changed (added and deleted) lines and n the number of
    source files with changed lines, as the package's description of records defines it. None where there is none.
    """
    lines = [
        file.additions + file.deletions
        for file in files
        if language_of(file.path) is not None and (with_tests or not is_test(file.path))
    ]
    changed = [count for count in lines if count > 0]
    if not changed:
        return None
    if len(changed) == 1:
        return 0.0
    total = sum(changed)
    entropy = -sum(count / total * math.log2(count / total) for count in changed)
    return min(1.0, entropy / math.log2(len(changed)))
