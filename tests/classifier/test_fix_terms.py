import pytest

from classifier import FixFileText, FixText
from classifier.explain import fact
from classifier.fix_terms import MOST_FILES, fix_terms


def changed(*paths: str, additions: int = 0, deletions: int = 0) -> FixText:
    return FixText(None, additions, deletions, tuple(FixFileText(path) for path in paths))


@pytest.mark.parametrize(
    ("path", "terms"),
    [
        ("CMakeLists.txt", {"kind:build"}),
        ("tensorflow/workspace.bzl", {"kind:build"}),
        ("src/kernels/conv_op.cu.cc", {"kind:c", "path:kernel", "path:conv", "path:op"}),
        ("cuda/reduceKernel.cu", {"kind:gpu", "path:reduc", "path:kernel"}),
        (".github/workflows/build.yml", {"kind:ci", "kind:setting"}),
        ("config/defaults.toml", {"kind:setting", "path:default"}),
        ("net\\socket_pool.go", {"kind:go", "path:socket", "path:pool"}),
        ("docs/guide.md", {"kind:document"}),
    ],
)
def test_a_path_says_what_kind_of_file_was_changed(path: str, terms: set[str]) -> None:
    assert terms <= fix_terms(changed(path)).keys()


def test_tests_are_a_fact_but_their_paths_are_not() -> None:
    found = fix_terms(changed("tests/test_pool.py"))
    assert "kind:test" in found
    assert not any(term.startswith("path:") for term in found)
    assert fact("files:0") == "only tests changed"


@pytest.mark.parametrize(
    ("additions", "deletions", "size"),
    [(1, 0, "size:1"), (2, 0, "size:1"), (3, 0, "size:1"), (8, 6, "size:1"), (10, 5, "size:2"), (9_000, 1, "size:6")],
)
def test_sizes_grow_by_the_factor_of_four(additions: int, deletions: int, size: str) -> None:
    found = {term for term in fix_terms(changed("a.c", additions=additions, deletions=deletions)) if "size" in term}
    assert len(found) == 1


def test_no_fix_and_an_empty_one_have_no_terms() -> None:
    assert fix_terms(None) == {}
    assert fix_terms(FixText()) == {}


def test_a_fix_of_thousands_of_files_is_read_in_part() -> None:
    found = fix_terms(changed(*(f"src/{'ab' * (at + 1)}.c" for at in range(MOST_FILES + 50))))
    assert sum(term.startswith("path:") for term in found) <= MOST_FILES


@pytest.mark.parametrize(
    ("term", "words"),
    [
        ("kind:gpu", "GPU code changed"),
        ("kind:go", "Go code changed"),
        ("size:6", "more than 1,022 lines changed"),
        ("files:4", "8 files or more changed"),
        ("path:pool", '"pool" in a changed path'),
        ("mostly:removes", "mostly lines removed"),
    ],
)
def test_a_term_of_the_fix_is_said_in_words(term: str, words: str) -> None:
    assert fact(term) == words
