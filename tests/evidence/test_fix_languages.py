"""Languages of files and fixes, tests told apart, how a change is spread."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evidence.languages import change_entropy, is_test, language_of, languages_of
from bot.evidence.model import FixFile


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/core.cc", "C/C++"),
        ("include/core.h", "C/C++"),
        ("kernels/add.cu", "C/C++"),
        ("kernels/add.cuh", "C/C++"),
        ("ops/table.inc", "C/C++"),
        ("kernels/add.cl", "C/C++"),
        ("Python/Core.PY", "Python"),
        ("core.pyi", "Python"),
        ("fast.pyx", "Cython"),
        ("fast.pxd", "Cython"),
        ("ios/View.m", "Objective-C"),
        ("ios/View.mm", "Objective-C"),
        ("matlab/+caffe/Net.m", "MATLAB"),
        ("lib/main.dart", "Dart"),
        ("web/app.jsx", "JavaScript"),
        ("web/app.tsx", "TypeScript"),
        ("types/index.d.ts", "TypeScript"),
        ("R/model.R", "R"),
        ("x.S", "Assembly"),
        ("notebook.ipynb", None),
        ("api.proto", None),
        ("api.fbs", None),
        ("graph.pbtxt", None),
        ("CMakeLists.txt", None),
        ("cmake/find.cmake", None),
        ("core/BUILD", None),
        ("core/BUILD.bazel", None),
        ("tools/rules.bzl", None),
        ("Makefile", None),
        ("build.gradle", None),
        ("build.gradle.kts", None),
        ("setup.py", None),
        ("python/setup.py", None),
        ("webpack.config.js", None),
        (".eslintrc.js", None),
        ("web/resolve-rc.js", "JavaScript"),
        ("web/src.js", "JavaScript"),
        ("ci/build.sh", None),
        ("README.md", None),
        ("docs/conf.py", None),
        ("doc/tutorials/code.cpp", None),
        ("config.h.in", None),
        ("a\\b\\core.cpp", "C/C++"),
        ("", None),
        ("/", None),
        ("py", None),
    ],
)
def test_the_language_of_a_file(path: str, language: str | None) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "test/cpp/a.cc",
        "python/kernel_tests/a.py",
        "core/a_test.cc",
        "core/test_a.py",
        "core/ATest.java",
        "core/TestA.java",
        "core/ATests.scala",
        "core/ASpec.scala",
        "web/a.spec.ts",
        "web/a.test.js",
        "web/__tests__/a.js",
        "spec/models/a_spec.rb",
        "spec/support/helpers.rb",
        "core/specs/graph_specs.ts",
        "core/specs/graph.jest.ts",
        "core/__mocks__/a.js",
        "web/__fixtures__/a.js",
        "pkg/testutil/assert.go",
        "core/graph/testlib.cc",
        "tools/functional-tester/main.go",
        "ts/ts_gtest.h",
        "src/test/java/A.java",
        "conftest.py",
        "python/test_utils.py",
        "libnd4j/tests_cpu/a.cpp",
        "core/testing/a.py",
    ],
)
def test_test_files(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/latest.py",
        "src/contest.cc",
        "src/attestation.go",
        "core/tensor_spec.py",
        "src/inspect.js",
        "a/protest/b.c",
        "compiler/transformers/spec/block_scoped.js",
        "contrib/specs/python/summaries.py",
        "benchmarks/add.cc",
        "example/train.py",
        "pkg/tsdb/testdatasource/scenarios.go",
        "",
    ],
)
def test_files_that_only_look_like_tests(path: str) -> None:
    assert not is_test(path)


def test_languages_of_a_fix() -> None:
    found = languages_of(["b.py", "a.h", "a.cc", "tests/x.go", "CMakeLists.txt"])

    assert (found.languages, found.languages_with_tests) == (("C/C++", "Python"), ("C/C++", "Go", "Python"))
    assert (found.mpl, found.mpl_with_tests) == (True, True)
    assert not languages_of(["a.h", "a.cc", "a.cu"]).mpl
    assert not languages_of(["README.md"]).mpl_with_tests


@pytest.mark.parametrize(
    ("lines", "entropy"),
    [
        ([("a.py", 5, 5)], 0.0),
        ([("a.py", 5, 5), ("b.py", 10, 0)], 1.0),
        ([("a.py", 3, 0), ("b.py", 1, 0)], 0.8112781),
        ([("a.py", 2, 0), ("b.py", 1, 0), ("c.py", 1, 0)], 0.9463946),
        ([("a.py", 4, 0), ("README.md", 40, 0)], 0.0),
        ([("a.py", 4, 0), ("tests/b.py", 4, 0)], 0.0),
        ([("a.py", 4, 0), ("b.py", 0, 0)], 0.0),
        ([("a.py", 0, 0)], None),
        ([("README.md", 4, 0)], None),
        ([], None),
    ],
)
def test_change_entropy(lines: list[tuple[str, int, int]], entropy: float | None) -> None:
    found = change_entropy([FixFile(*line) for line in lines], with_tests=False)

    assert found == (None if entropy is None else pytest.approx(entropy, abs=1e-6))


def test_change_entropy_with_tests() -> None:
    assert change_entropy([FixFile("a.py", 4, 0), FixFile("tests/b.py", 4, 0)], with_tests=True) == 1.0


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 50)), max_size=8))
def test_entropy_stays_between_0_and_1(lines: list[tuple[str, int]]) -> None:
    found = change_entropy([FixFile(f"{name}.py", count, 0) for name, count in lines], with_tests=True)

    assert found is None or 0 <= found <= 1


@given(st.text(st.characters(exclude_categories=[]), max_size=80))
def test_no_path_breaks_it(path: str) -> None:
    languages_of([path])
    is_test(path)
