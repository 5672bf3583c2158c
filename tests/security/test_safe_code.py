"""No code of ours unpickles, evaluates text, runs a shell, or writes HTML without escaping."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for package in ("bot", "classifier", "reports") for path in (ROOT / package).rglob("*.py"))

UNSAFE_MODULES = {
    "pickle", "_pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "jsonpickle", "code",
    "codeop", "pty", "xml.etree", "xml.etree.ElementTree", "xml.dom", "xml.dom.minidom", "lxml",
}  # fmt: skip
"""They run what they read, or read XML that expands without bound."""

UNSAFE_NAMES = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "os.startfile", "subprocess.getoutput",
    "subprocess.getstatusoutput", "asyncio.create_subprocess_shell", "yaml.unsafe_load", "yaml.unsafe_load_all",
    "yaml.full_load", "yaml.full_load_all", "pandas.read_pickle", "pd.read_pickle",
}  # fmt: skip
"""They evaluate text, run a shell, or load YAML that may name any object."""

SAFE_LOADERS = {"SafeLoader", "CSafeLoader", "yaml.SafeLoader", "yaml.CSafeLoader"}


def dangers(source: str) -> Iterator[str]:
    """Return what is dangerous in a module, each with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and _is_unsafe(node):
            yield f"{node.lineno}: {ast.unparse(node)[:80]}"
            continue
        else:
            continue
        if any({name, name.partition(".")[0]} & UNSAFE_MODULES or _plain(name) in UNSAFE_NAMES for name in names):
            yield f"{node.lineno}: {ast.unparse(node)[:80]}"


def _is_unsafe(call: ast.Call) -> bool:
    name = _plain(ast.unparse(call.func))
    named = {one.arg: ast.unparse(one.value) for one in call.keywords}
    if name in UNSAFE_NAMES or name.startswith(("os.exec", "os.spawn")):
        return True
    if named.get("shell", "False") != "False" or named.get("allow_pickle", "False") != "False":
        return True
    if name.rpartition(".")[2] == "Environment" and "loader" in named:
        return named.get("autoescape") != "True"
    if name in {"yaml.load", "yaml.load_all", "yaml.parse", "yaml.compose"}:
        loader = named.get("Loader") or (ast.unparse(call.args[1]) if len(call.args) > 1 else None)
        return loader not in SAFE_LOADERS
    return name in {"jinja2.Template", "Template"}


def _plain(name: str) -> str:
    return name.removeprefix("builtins.")


def test_nothing_dangerous_is_called() -> None:
    found = {str(path.relative_to(ROOT)): list(dangers(path.read_text())) for path in MODULES}
    assert len(found) > 300
    assert {path: what for path, what in found.items() if what} == {}


def test_templates_escape_all_they_show() -> None:
    # The local GitHub's own style sheet is the one exception: its pages show nobody else's words unescaped either.
    templates = [path for path in sorted((ROOT / "bot").rglob("*.html")) if "sandbox" not in path.parts]
    assert len(templates) > 8
    for path in templates:
        text = path.read_text()
        assert not re.search(r"\{%-?\s*autoescape|\|\s*(?:safe|forceescape|xmlattr)\b", text), path


@pytest.mark.parametrize(
    "line",
    [
        "import pickle", "import pickle as p", "from marshal import loads",
        "import shelve, os", "import xml.dom.minidom", "from joblib import load",
        "eval(text)", "exec('x = 1')", "builtins.eval(text)", "from builtins import exec",
        "compile(text, 'x', 'exec')", "__import__(name)", "os.system('ls')", "from os import popen",
        "os.execvp('a', [])",
        "subprocess.run('ls', shell=True)", "Popen(command, shell=wanted)", "await_(create(x, shell=1))",
        "from subprocess import getoutput", "asyncio.create_subprocess_shell('ls')", "yaml.load(text)",
        "yaml.load(text, Loader=yaml.Loader)", "yaml.load(text, yaml.UnsafeLoader)", "yaml.full_load(text)",
        "np.load(path, allow_pickle=True)", "numpy.load(path, None, allow_pickle=trusted)",
        "jinja2.Environment(loader=loader)", "Environment(loader=loader, autoescape=False)", "jinja2.Template(text)",
    ],
)  # fmt: skip
def test_what_is_dangerous_is_found(line: str) -> None:
    assert len(list(dangers(line))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "re.compile('x')", "statement.compile()", "yaml.load(text, Loader=yaml.SafeLoader)", "yaml.safe_load(text)",
        "np.load(path)", "np.load(path, allow_pickle=False)", "subprocess.run(['ls'], shell=False)",
        "jinja2.Environment(loader=loader, autoescape=True)", "from yaml import events", "model.eval()",
        "import encodings",
    ],
)  # fmt: skip
def test_what_is_harmless_is_not(line: str) -> None:
    assert list(dangers(line)) == []
