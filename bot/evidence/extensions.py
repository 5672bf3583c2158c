"""Which file names hold program source, and in which language: the table behind the languages of a fix.

Decided, where more than one reading is possible:
- C and C++ are one language, "C/C++". `.h` and `.inc` belong to it (in the frameworks studied they are its includes),
  so do its dialects for accelerators: CUDA (`.cu`, `.cuh`), OpenCL (`.cl`), HIP and Metal.
- `.pyx`, `.pxd` and `.pxi` are Cython, a language of its own beside Python and C/C++.
- `.m` is Objective-C, and MATLAB below a folder named `matlab` or `octave`; `.mm` is Objective-C.
- Dart counts; JavaScript and TypeScript are two languages, as are Java, Kotlin, Scala and Groovy.
- Never counted: notebooks (their lines are stored output), protocol and interface files (`.proto`, `.thrift`, `.fbs`,
  `.pbtxt`), CMake, Bazel (`BUILD`, `.bzl`), Make, Gradle and the like, shell and batch scripts (here they build and
  configure), markup, style sheets, SQL, templates (`.in`, `.tpl`), compiler test input (`.mlir`, `.td`), and files in
  a source language that only build, configure or document (`setup.py`, `*.config.js`, everything below `docs`).
"""

from __future__ import annotations

LANGUAGES: dict[str, str] = {
    "Ada": "ada adb ads",
    "Assembly": "asm nasm s",
    "C#": "cs csx",
    "C/C++": "c cc cpp cppm cxx c++ ixx h hh hpp hxx h++ inc inl ipp tpp tcc txx cu cuh cl hip metal",
    "Clojure": "clj cljc cljs",
    "CoffeeScript": "coffee litcoffee",
    "Common Lisp": "lisp lsp",
    "Crystal": "cr",
    "Cython": "pyx pxd pxi",
    "D": "di d",
    "Dart": "dart",
    "Elixir": "ex exs",
    "Elm": "elm",
    "Emacs Lisp": "el",
    "Erlang": "erl hrl",
    "F#": "fs fsi fsx",
    "Fortran": "f f77 f90 f95 f03 f08 for",
    "GLSL": "glsl vert frag comp geom tesc tese",
    "Go": "go",
    "Groovy": "groovy",
    "HLSL": "hlsl hlsli",
    "Haskell": "hs lhs",
    "Java": "java",
    "JavaScript": "js jsx mjs cjs es6",
    "Julia": "jl",
    "Kotlin": "kt kts",
    "Lua": "lua",
    "Nim": "nim",
    "OCaml": "ml mli",
    "Objective-C": "m mm",
    "PHP": "php php5 phtml",
    "Pascal": "pas",
    "Perl": "pl pm perl",
    "Python": "py pyi pyw",
    "R": "r",
    "Racket": "rkt",
    "Ruby": "rb rbw",
    "Rust": "rs",
    "Scala": "scala sc",
    "Scheme": "scm ss",
    "Swift": "swift",
    "Tcl": "tcl",
    "TypeScript": "ts tsx mts cts",
    "Visual Basic": "vb bas",
    "Zig": "zig",
}
"""Language -> its extensions, lower case, apart by spaces. Order and case of the extensions do not matter."""

LANGUAGE_OF_EXTENSION: dict[str, str] = {
    extension: language for language, extensions in LANGUAGES.items() for extension in extensions.split()
}

MATLAB_FOLDERS = frozenset({"matlab", "octave"})

DOCUMENTATION_FOLDERS = frozenset({"doc", "docs", "documentation", "docsource", "javadoc"})
"""A file below one of these documents the program, whatever it is written in."""

BUILD_FILES = frozenset(
    {
        "build.gradle.kts",
        "build.rs",
        "conanfile.py",
        "configure.py",
        "ez_setup.py",
        "gruntfile.js",
        "gulpfile.js",
        "jakefile.js",
        "mix.exs",
        "noxfile.py",
        "package.swift",
        "project.clj",
        "sconstruct.py",
        "settings.gradle.kts",
        "setup.py",
        "versioneer.py",
        "wscript.py",
    }
)
"""Names (lower case) of files in a source language that only build or configure."""

BUILD_ENDINGS = (".config.js", ".config.ts", ".config.mjs", ".config.cjs")
"""Endings (lower case) of such names; so are all names that begin with a dot (`.eslintrc.js`)."""
