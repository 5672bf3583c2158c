"""The fix as evidence: terms for the paths, kinds of file, languages and size of the change that closed an issue."""

import re
from collections.abc import Mapping

from classifier.contract import FixText
from classifier.words import stem

MOST_FILES = 200
"""Files of one fix that are read; a change of more says little by any one of them."""
LONGEST_PATH = 300
LARGEST_SIZE = 6
"""Changed lines are put into bins that grow by the factor 4, the last one open: 0, 1-2, 3-14, 15-62, ..."""

_LANGUAGES: Mapping[str, str] = {
    extension: language
    for language, extensions in {
        "c": "c cc cpp cxx h hh hpp hxx inc inl m mm",
        "gpu": "cu cuh cl hip metal glsl",
        "python": "py pyi pyx pxd",
        "go": "go",
        "rust": "rs",
        "jvm": "java kt scala groovy clj",
        "javascript": "js jsx ts tsx mjs cjs vue",
        "dotnet": "cs fs vb",
        "ruby": "rb",
        "php": "php",
        "dart": "dart",
        "swift": "swift",
        "lua": "lua",
        "shell": "sh bash ps1 bat cmd zsh",
        "build": "cmake bzl bazel mk gradle am ac in nix spec vcxproj sln gn gni ninja podspec",
        "setting": "yaml yml toml ini cfg conf json properties env xml plist service lock",
        "interface": "proto thrift fbs pbtxt graphql avsc",
        "document": "md rst txt adoc html ipynb mdx",
        "query": "sql",
    }.items()
    for extension in extensions.split()
}
_BUILD_NAMES = re.compile(
    r"cmakelists\.txt|build|build\.bazel|workspace|makefile|gnumakefile|setup\.py|setup\.cfg|pyproject\.toml|cargo\.toml|go\.mod"
    r"|go\.sum|package(?:-lock)?\.json|yarn\.lock|requirements[\w.-]{0,20}\.txt|dockerfile[\w.-]{0,20}|meson\.build|configure[\w.]{0,10}"
    r"|build\.gradle[\w.]{0,5}|pom\.xml|gemfile|podfile|conanfile\.\w{2,3}|build\.rs|jenkinsfile"
)
_TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|spec|__tests__|testdata)/|(?:^|[/_.-])tests?[_.]|_test\.|\.spec\.", re.IGNORECASE
)
_CI = re.compile(r"(?:^|/)(?:\.github|\.circleci|\.travis\.yml|ci|\.gitlab-ci\.yml|azure-pipelines[\w.-]{0,20})(?:/|$)")
_WORD = re.compile(r"[a-z]{2,30}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COMMON = frozenset(
    {"src", "lib", "main", "index", "init", "core", "test", "tests", "internal", "pkg", "include", "python", "the"}
)


def _bin(lines: int) -> int:
    return min((lines + 1).bit_length() // 2, LARGEST_SIZE)


def fix_terms(fix: FixText | None) -> dict[str, float]:
    """Give the terms of a fix with weight 1 each; none where no fix is known. Whole paths are no terms."""
    if fix is None:
        return {}
    found: dict[str, float] = {}
    source_files = 0
    for file in fix.files[:MOST_FILES]:
        path = file.path[:LONGEST_PATH].replace("\\", "/")
        name = path.rpartition("/")[2].lower()
        extension = name.rpartition(".")[2] if "." in name else ""
        if _BUILD_NAMES.fullmatch(name):
            found["kind:build"] = 1.0
        elif extension in _LANGUAGES:
            found[f"kind:{_LANGUAGES[extension]}"] = 1.0
        if _CI.search(path):
            found["kind:ci"] = 1.0
        if _TEST.search(path):
            found["kind:test"] = 1.0
            continue
        source_files += 1
        for word in _WORD.findall(_CAMEL.sub(" ", path).lower()):
            if word not in _COMMON and word != extension:
                found[f"path:{stem(word)}"] = 1.0
    if fix.files:
        found[f"files:{min(source_files, 8).bit_length()}"] = 1.0
    sizes = [(file.additions, file.deletions) for file in fix.files]
    additions = fix.additions if fix.additions is not None else sum(added or 0 for added, _ in sizes)
    deletions = fix.deletions if fix.deletions is not None else sum(deleted or 0 for _, deleted in sizes)
    if additions or deletions:
        found[f"size:{_bin(additions + deletions)}"] = 1.0
        if deletions > 2 * additions:
            found["mostly:removes"] = 1.0
    return found
