"""The table of languages beside a public one, that of Pygments: every difference is meant, and says why."""

from __future__ import annotations

from pygments.lexers import get_all_lexers

from bot.evidence.extensions import LANGUAGE_OF_EXTENSION, LANGUAGES

SAME = {
    "C": "C/C++",
    "C++": "C/C++",
    "CUDA": "C/C++",
    "ClojureScript": "Clojure",
    "Delphi": "Pascal",
    "EmacsLisp": "Emacs Lisp",
    "FortranFixed": "Fortran",
    "GAS": "Assembly",
    "HTML+PHP": "PHP",
    "JSX": "JavaScript",
    "Literate Haskell": "Haskell",
    "NASM": "Assembly",
    "NewLisp": "Common Lisp",
    "Nimrod": "Nim",
    "Objective-C++": "Objective-C",
    "S": "R",
    "TASM": "Assembly",
    "TSX": "TypeScript",
    "VB.net": "Visual Basic",
}
"""How Pygments names what the table names otherwise. One language here may be several there."""

OTHERWISE = {
    "cl": "OpenCL, the kernels of the frameworks studied; Pygments thinks of Lisp",
    "inc": "included C and C++ in the frameworks studied (19 files in their fixes); Pygments thinks of PHP",
    "sc": "scripts and worksheets of Scala; Pygments thinks of Sage and SuperCollider",
}
"""Extensions that are another language there."""

UNKNOWN_THERE = {
    "csx": "scripts of C#",
    "inl": "inline definitions of C++",
    "tcc": "definitions of templates of C++",
    "txx": "definitions of templates of C++",
    "hip": "HIP, the dialect of C++ for AMD's accelerators",
    "metal": "Metal, the dialect of C++ for Apple's",
    "litcoffee": "CoffeeScript between its documentation",
    "f77": "Fortran by the year of the standard",
    "f95": "Fortran by the year of the standard",
    "f08": "Fortran by the year of the standard",
    "for": "Fortran on old systems",
    "glsl": "shaders of OpenGL, whatever their stage",
    "comp": "shaders by their stage, as the reference compiler takes it from the name",
    "geom": "shaders by their stage",
    "tesc": "shaders by their stage",
    "tese": "shaders by their stage",
    "es6": "JavaScript by the year of the standard",
    "mts": "TypeScript's modules",
    "cts": "TypeScript's modules",
    "php5": "PHP by its version (Pygments has a pattern for it)",
}
"""Extensions that it does not list."""

NOT_HERE = {
    "bzl": "Bazel builds",
    "gradle": "Gradle builds",
    "gemspec": "a package's description",
    "rake": "Ruby's make",
    "rs.in": "a template",
    "eex": "a template",
    "leex": "a template",
    "rvt": "a template",
    "rktd": "data",
    "t": "tests of Perl, and much else",
    "react": "no file of the frameworks studied is named so",
    "s": "assembly in either case; Pygments has R's ancestor S in capitals",
    "h": "C/C++ whatever else includes it",
    "hh": "C/C++ whatever else includes it",
    "cl": "see `OTHERWISE`",
    "inc": "see `OTHERWISE`",
    "sc": "see `OTHERWISE`",
    **dict.fromkeys(("idc", "cp", "mxx", "x[bp]m"), "rare, or a picture written as C"),
    **dict.fromkeys(
        ("nl", "kif", "dpr", "es", "escript", "geo", "jsm", "wlua", "tasm", "nimrod", "mll", "mly"), "rare"
    ),
    **dict.fromkeys(("php[345]", "jy", "sage", "tac", "pye", "rktl", "rbx", "duby"), "rare"),
}
"""Extensions that are one of our languages there, and are none here or another one."""


def pygments_extensions() -> dict[str, set[str]]:
    """Return extension -> languages by Pygments, under our names where they are the same."""
    found: dict[str, set[str]] = {}
    for name, _, patterns, _ in get_all_lexers(plugins=False):
        for pattern in patterns:
            if pattern.startswith("*."):
                found.setdefault(pattern[2:].lower(), set()).add(SAME.get(name, name))
    return found


def test_the_table_agrees_with_a_public_one_but_for_what_is_meant() -> None:
    theirs = pygments_extensions()

    unknown = {extension for extension in LANGUAGE_OF_EXTENSION if extension not in theirs}
    otherwise = {
        extension
        for extension, language in LANGUAGE_OF_EXTENSION.items()
        if extension in theirs and language not in theirs[extension]
    }

    assert unknown == set(UNKNOWN_THERE)
    assert otherwise == set(OTHERWISE)


def test_what_the_public_one_knows_of_the_same_languages_and_the_table_leaves_out_is_meant() -> None:
    read_otherwise = {
        extension
        for extension, languages in pygments_extensions().items()
        for language in languages & set(LANGUAGES)
        if LANGUAGE_OF_EXTENSION.get(extension) != language
    }

    assert read_otherwise == set(NOT_HERE)


def test_an_extension_stands_in_the_table_once() -> None:
    listed = [extension for extensions in LANGUAGES.values() for extension in extensions.split()]

    assert len(listed) == len(set(listed))
    assert all(extension == extension.lower() for extension in listed)
