"""The command line as people and scripts use it: its help, its contracts, and a sentence for every mistake."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg
import pytest
from pydantic import ValidationError
from typer.main import get_command
from typer.testing import CliRunner, Result

from bot.__main__ import main
from bot.cli import app
from bot.cli_common import EXIT_CODES
from bot.settings import Settings
from bot.store.migrate import revisions
from classifier import CATEGORIES
from reports.vocabulary import CATEGORY_KEYS
from tests.reports.synthetic import PERIOD, synthetic_rows
from tests.support.promised import commands_below, json_help, kept_promise, named_keys

ISSUE = {"id": 1, "title": "Memory leak in the loader", "body": "Memory usage grows until it is killed."}
MESSY = "Grüße \ud800 \x00 \u2028 😀"


@pytest.fixture(autouse=True)
def own_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Nothing of the machine's own settings counts, and nothing is left in the folder the tests are run from."""
    for name in list(os.environ):
        if name.startswith("ROOTCAUSE_") or name in {"DATABASE_URL", "PORT"}:
            monkeypatch.delenv(name)
    monkeypatch.setenv("ROOTCAUSE_DATA_DIR", str(tmp_path / "data"))
    yield
    assert not (tmp_path / "data").exists(), "no command here needs an embedded database"


def rootcause(*arguments: str, stdin: str | bytes = "", code: int = 0) -> Result:
    """Run a command, which ends with `code` and never with a traceback."""
    result = CliRunner().invoke(app, list(arguments), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def mistake(*arguments: str, stdin: str | bytes = "", code: int = 2) -> str:
    """Run a command that ends with a person's mistake: nothing on standard output; return what it says."""
    result = rootcause(*arguments, stdin=stdin, code=code)
    assert result.stdout == ""
    return " ".join(re.sub(r"[╭╮╰╯│─]", " ", result.stderr).split())


def json_lines(*objects: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


# --- help ---


COMMANDS = dict(commands_below(get_command(app)))

HAVE_NO_OUTCOME = {
    "serve", "web", "worker", "dev",  # run until they are stopped, and log in JSON
    "study code",  # asks a person
    "classify", "fix-languages", "config schema",  # print JSON and nothing else
}  # fmt: skip

HAVE_OTHER_KEYS_TOO = {("show",), ("report", "preview"), ("evaluate",)}  # by what is recorded, or given


def test_the_help_lists_the_commands_in_groups() -> None:
    panels = re.split(r"^╭─ (.*?) ─*╮$", rootcause("--help").stdout, flags=re.MULTILINE)
    grouped = {
        title: re.findall(r"^│ ([a-z][a-z-]*)  ", text, re.MULTILINE)
        for title, text in zip(panels[1::2], panels[2::2], strict=True)
    }
    assert "Find out why closed issues happened" in panels[0]
    assert {"serve", "web", "worker", "db"} <= set(grouped["Run it"])
    assert "demo" in grouped["Try it"]
    assert {"classify", "fix-languages"} <= set(grouped["Work on files, without network or database"])
    assert {"report", "study", "export", "import", "show"} <= set(grouped["Do research"])


def test_the_help_of_every_command_has_an_example() -> None:
    assert {("serve",), ("demo",), ("db", "upgrade"), ("report", "build"), ("study", "code", "export")} <= set(COMMANDS)
    for path in COMMANDS:
        helped = " ".join(rootcause(*path, "--help").stdout.split())
        assert f"rootcause {' '.join(path)}" in helped.partition("Example: ")[2], path
        assert path[-1] in " ".join(rootcause(*path[:-1], "--help").stdout.split()), "it is reached through the help"


def test_every_command_with_an_outcome_gives_it_to_scripts_and_its_help_names_the_keys() -> None:
    without = {" ".join(path) for path, command in COMMANDS.items() if json_help(command) is None}
    assert without == HAVE_NO_OUTCOME
    for path, command in COMMANDS.items():
        told = json_help(command)
        assert told is None or re.fullmatch(r"Print .*JSON.*: [a-z].*\w.*\.", told), path
        if told is not None and path not in HAVE_OTHER_KEYS_TOO:
            assert named_keys(told), path


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("study", "sample-size", "--population", "1e4", "--margin", ".05"), {"issues": 370}),
        (("study", "match", "--table2"), {"unmatched": [], "left_out": []}),
        (("report", "build", "--records", "records.jsonl", "--period", PERIOD, "--out", "made"), {
            "period": PERIOD, "markdown": "made/report.md", "json": "made/report.json", "figures": "made/figures",
        }),
    ],
)  # fmt: skip
def test_what_a_script_reads_is_what_the_help_promises(
    records: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], expected: dict[str, Any]
) -> None:
    monkeypatch.chdir(records.parent)
    result = rootcause(*words, "--json")
    assert kept_promise(words, result.stdout).items() >= expected.items()
    assert result.stderr == ""


def test_the_mistakes_of_a_configuration_are_what_the_help_promises(tmp_path: Path) -> None:
    (tmp_path / "rootcause.yml").write_text("mode: loud\n")
    printed = rootcause("config", "check", str(tmp_path / "rootcause.yml"), "--json", code=2).stdout
    (found,) = kept_promise(("config", "check"), printed)["mistakes"]
    assert (found["line"], found["column"]) == (1, 7)


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert rootcause("--version").stdout == f"{project['version']}\n"


def test_every_group_has_an_example_too_and_the_exit_codes_stand_in_one_place() -> None:
    groups = {path[:-1] for path in COMMANDS}
    assert len(groups) > 7
    for group in groups:
        text = " ".join(rootcause(*group, "--help").stdout.split())
        assert f"Example: rootcause {' '.join(group)}".rstrip() in text, group
    assert EXIT_CODES in " ".join(rootcause("--help").stdout.split())
    guide = Path(__file__).parent.parent / "bot" / "docs" / "operating.md"
    assert EXIT_CODES in " ".join(guide.read_text().split())


GARBAGE = "caf\udce9 \x01"
_LONG = {(name,) for name in ("dev", "demo", "serve", "web", "worker", "train", "evaluate", "doctor")}


def _given(parameter: Any, value: str) -> list[str]:
    values = [value] * max(1, parameter.nargs)
    return values if parameter.param_type_name == "argument" else [parameter.opts[0], *values]


def _nonsense(command: Any) -> Iterator[list[str]]:
    """Yield the command's words filled with garbage: what it needs, then each of its options beside that."""
    needed = [one for one in command.params if one.required]
    if needed:
        yield [word for one in needed for word in _given(one, GARBAGE)]
    for one in command.params:
        if not one.required and not getattr(one, "is_flag", False):
            usual = [word for other in needed for word in _given(other, "owner/name")]
            yield [*usual, *_given(one, GARBAGE)]


def test_nonsense_ends_every_command_with_a_sentence_and_a_documented_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    monkeypatch.setenv("ROOTCAUSE_GITHUB_API_URL", "http://127.0.0.1:1")
    for path, command in COMMANDS.items():
        cases = [["far", "too", "many", "words", "here"]]
        if path not in _LONG:
            cases += _nonsense(command)
        for words in cases:
            result = CliRunner().invoke(app, [*path, *words], input="")
            assert result.exception is None or isinstance(result.exception, SystemExit), (path, words)
            assert result.exit_code in (0, 1, 2), (path, words)
            assert "Traceback" not in result.output, (path, words)
            assert not result.exit_code or result.stderr.strip(), (path, words)


def test_a_demo_of_a_file_that_cannot_be_played_is_a_mistake(tmp_path: Path) -> None:
    assert "No such file" in mistake("demo", "--exit", "--issues", str(tmp_path / "absent.jsonl"))
    assert "Is a directory" in mistake("demo", "--issues", str(tmp_path))
    (tmp_path / "bad.jsonl").write_text("{")
    assert mistake("demo", "--json", "--issues", str(tmp_path / "bad.jsonl")) == "line 1 is not JSON"
    os.mkfifo(tmp_path / "pipe")
    assert "no regular file" in mistake("demo", "--issues", str(tmp_path / "pipe"))


@pytest.mark.parametrize(
    ("arguments", "worker"),
    [
        (("classify",), "classifier.jsonl.run_classify"),
        (("train", "--out", "model.npz"), "classifier.training.train"),
        (("report", "build", "--period", PERIOD, "--records", "r.jsonl", "--out", "made"), "reports.build_from_files"),
        (("study", "match", "--table2"), "reports.matching.match"),
    ],
)  # fmt: skip
def test_what_is_stopped_with_ctrl_c_says_nothing_and_ends_with_130(
    arguments: tuple[str, ...], worker: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker, stopped)
    assert mistake(*arguments, code=130) == ""


def test_what_is_stopped_with_ctrl_c_before_it_began_does_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(ModuleType):
        def __getattr__(self, name: str) -> Any:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "bot.cli", Stopped("bot.cli"))
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130


@pytest.mark.parametrize(("arguments", "said"), [(("frobnicate",), "frobnicate"), (("demo", "--bogus"), "--bogus")])
def test_what_is_unknown_is_named(arguments: tuple[str, ...], said: str) -> None:
    assert said in mistake(*arguments)


def test_the_program_itself_shows_no_traceback(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "classify", "--input", str(tmp_path / "absent")],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"cannot read {tmp_path / 'absent'}: No such file or directory\n"


# --- classify ---


def test_classify_answers_line_by_line_in_order() -> None:
    thread = {"comments": ["same here", {"body": "me too", "member": True}], "fix": {"title": "Free the cache"}}
    given = [{**ISSUE, "id": 7, **thread}, {"title": "", "body": ""}, {**ISSUE, "id": MESSY, "title": MESSY}]
    answers = [json.loads(line) for line in rootcause("classify", stdin=json_lines(*given)).stdout.splitlines()]
    assert [one["id"] for one in answers] == [7, None, MESSY]
    for answer in answers:
        assert list(answer) == [
            "id", "category", "probability", "system_related", "top", "probabilities", "proposed", "reason", "words",
            "model",
        ]  # fmt: skip
        assert list(answer["probabilities"]) == list(CATEGORIES)
        assert sum(answer["probabilities"].values()) == pytest.approx(1)
        assert len(answer["top"]) == 3
        assert answer["top"][0] == {"category": answer["category"], "probability": answer["probability"]}
        assert 0 <= answer["system_related"] <= 1
        assert (answer["reason"] is None) == answer["proposed"]


def test_classify_reads_and_writes_files(tmp_path: Path) -> None:
    given, made = tmp_path / "issues [1].jsonl", tmp_path / "out.jsonl"
    given.write_bytes(b"\xef\xbb\xbf" + json_lines(ISSUE).replace("\n", "\r\n").encode() + b"\n\n")
    result = rootcause("classify", "--input", str(given), "--output", str(made))
    assert result.output == ""
    assert made.read_text() == rootcause("classify", stdin=json_lines(ISSUE)).stdout


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a JSON object"),
        (b'{"title": "x"}', "body is missing"),
        (b'{"title": 1, "body": ""}', "title must be a string"),
        (b'{"title": "\xff", "body": ""}', "not valid UTF-8"),
        (b"", "the line is blank"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_bad_line_stops_classify_before_it_wrote_anything(tmp_path: Path, bad: bytes, reason: str) -> None:
    good, made = json_lines(ISSUE).encode(), tmp_path / "out.jsonl"
    lines = good + bad + b"\n" + good
    assert mistake("classify", stdin=lines).startswith(f"line 2: {reason}")
    mistake("classify", "--output", str(made), stdin=lines)
    assert not made.exists()


@pytest.mark.parametrize("prior", ["0", "1", "-0.1", "1.5", "nan", "inf"])
def test_the_prior_lies_between_nothing_and_everything(prior: str) -> None:
    assert mistake("classify", f"--prior={prior}") == "--prior must lie between 0 and 1"


def test_the_prior_moves_false_alarms_and_leaves_the_category() -> None:
    answers = [
        json.loads(rootcause("classify", f"--prior={prior}", stdin=json_lines(ISSUE)).stdout) for prior in (0.01, 0.9)
    ]
    assert answers[0]["system_related"] < answers[1]["system_related"]
    assert answers[0]["probabilities"] == answers[1]["probabilities"]
    assert json.loads(rootcause("classify", stdin=json_lines(ISSUE)).stdout) == json.loads(
        rootcause("classify", "--prior=0.2", stdin=json_lines(ISSUE)).stdout
    )


def test_files_that_cannot_be_read_or_written_are_named(tmp_path: Path) -> None:
    assert mistake("classify", "--input", str(tmp_path)) == f"cannot read {tmp_path}: Is a directory"
    assert mistake("classify", "--output", str(tmp_path), stdin=json_lines(ISSUE)).startswith(
        f"cannot write {tmp_path}"
    )


# --- reports and languages ---


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    rows = synthetic_rows(repositories=2, records=8).records
    path.write_text("".join(json.dumps(asdict(row), default=str) + "\n" for row in rows))
    return path


def test_a_report_is_built_from_records_alone(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "report"
    chosen = ("--repository", "made-up/framework1", "--window", "6")
    rootcause("report", "build", "--records", str(records), "--period", PERIOD, "--out", str(out), *chosen)
    built = json.loads((out / "report.json").read_text())
    assert (built["period"], built["window_months"]) == (PERIOD, 6)
    assert [row["category"] for row in built["tables"]["categories"]] == list(CATEGORY_KEYS)
    assert "|" in (out / "report.md").read_text()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"--period": "2026-13"}, "2026-13"),
        ({"--period": "May"}, "May"),
        ({"--window": "0"}, "window"),
        ({"--records": "absent.jsonl"}, "absent.jsonl"),
        ({"--repository": "no/such"}, "no/such"),
        ({"--out": "records.jsonl"}, "records.jsonl"),
        ({"--out": "records.jsonl/below"}, "records.jsonl"),
    ],
)
def test_what_a_report_cannot_be_built_from_is_said(
    records: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str], said: str
) -> None:
    monkeypatch.chdir(records.parent)
    options = {"--records": "records.jsonl", "--period": PERIOD, "--out": "made", **changes}
    assert said in mistake("report", "build", *(word for pair in options.items() for word in pair))


def test_a_bad_record_is_named_by_its_line(records: Path, tmp_path: Path) -> None:
    lines = records.read_text().splitlines()
    records.write_text("\n".join([lines[0], '{"issue_id": 1}']))
    said = mistake("report", "build", "--records", str(records), "--period", PERIOD, "--out", str(tmp_path / "out"))
    assert "records.jsonl, line 2" in said
    assert not (tmp_path / "out").exists()


def test_the_languages_of_a_fix() -> None:
    paths = b"src/a.py\r\nsrc/b.cpp\n\ntests/test_c.rb\nREADME.md\nodd-\xff.py\n"
    assert json.loads(rootcause("fix-languages", stdin=paths).stdout) == {
        "languages": ["C/C++", "Python"],
        "languages_with_tests": ["C/C++", "Python", "Ruby"],
        "mpl": True,
        "mpl_with_tests": True,
    }
    nothing = {"languages": [], "languages_with_tests": [], "mpl": False, "mpl_with_tests": False}
    assert json.loads(rootcause("fix-languages").stdout) == nothing


# --- database and settings ---


def test_a_database_is_brought_up_to_date_once(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", empty_database_url.replace("postgresql+psycopg://", "postgres://"))
    assert rootcause("db", "upgrade").stdout == "the database is up to date\n"
    again = kept_promise(("db", "upgrade"), rootcause("db", "upgrade", "--json").stdout)
    assert again == {"migration": revisions()[-1]}
    with psycopg.connect(empty_database_url.replace("postgresql+psycopg://", "postgresql://")) as connection:
        assert connection.execute("SELECT count(*) FROM record").fetchone() == (0,)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://here/it", "only PostgreSQL is supported"),
        ("nonsense", "DATABASE_URL is not an address"),
        ("postgresql://user:hidden-word@127.0.0.1:1/name", "The database does not answer"),
    ],
)
def test_a_database_that_cannot_be_used_is_said(address: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setenv("ROOTCAUSE_READ_TOKEN", "token")
    for command in (("db", "upgrade"), ("web",), ("backfill", "octo-org/frame")):
        sentence = mistake(*command, code=1)
        assert said in sentence
        assert "hidden-word" not in sentence


@pytest.mark.parametrize("command", [("web",), ("worker",), ("serve",), ("db", "upgrade"), ("demo", "--exit")])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "hidden-word"),
        ("ROOTCAUSE_APP_ID", "hidden-word"),
        ("ROOTCAUSE_SETTLE_SECONDS", "hidden-word"),
        ("ROOTCAUSE_PRIVATE_KEY_FILE", "/absent/key.pem"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_without_its_value(
    command: tuple[str, ...], name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    sentence = mistake(*command)
    assert sentence.startswith(f"{name}: ")
    assert "hidden-word" not in sentence


SECRET_SETTINGS = ("ROOTCAUSE_PRIVATE_KEY", "ROOTCAUSE_WEBHOOK_SECRET", "ROOTCAUSE_READ_TOKEN", "DATABASE_URL")


def test_secrets_come_from_files_as_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "ROOTCAUSE_PRIVATE_KEY": "key of\nseveral lines\n",
        "ROOTCAUSE_WEBHOOK_SECRET": "new-secret\n\n old-secret ,oldest-secret\r\n",
        "ROOTCAUSE_READ_TOKEN": "read-token\n",
        "DATABASE_URL": "postgresql://me:word@host/name\n",
    }
    for name, text in given.items():
        path = tmp_path / name
        path.write_text(text)
        path.chmod(0o600)
        monkeypatch.setenv(f"{name}_FILE", str(path))
    settings = Settings()
    assert [one.get_secret_value() for one in settings.webhook_secret] == ["new-secret", "old-secret", "oldest-secret"]
    found = (settings.private_key, settings.read_token, settings.database_url)
    assert [one.get_secret_value() for one in found if one is not None] == [
        "key of\nseveral lines", "read-token", "postgresql://me:word@host/name",
    ]  # fmt: skip
    assert settings.files_open_to_others() == {}
    assert Settings(database_url=None).database_url is None, "the demo has its own, whatever is set"
    (tmp_path / "ROOTCAUSE_READ_TOKEN").chmod(0o644)
    assert list(Settings().files_open_to_others()) == ["ROOTCAUSE_READ_TOKEN_FILE"]
    monkeypatch.setenv("ROOTCAUSE_WEBHOOK_SECRET", "from-the-environment,and-one-more")
    secrets = [one.get_secret_value() for one in Settings().webhook_secret]
    assert secrets == ["from-the-environment", "and-one-more"]
    assert "secret" not in repr(settings).replace("webhook_secret", "").replace(str(tmp_path), "").replace("Secret", "")


def test_a_file_of_secrets_that_cannot_be_used_is_named_without_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = {"is empty": b" \n", "is no text": b"hidden-word \xff\xfe", "Is a directory": None}
    for name in SECRET_SETTINGS:
        for said, content in broken.items():
            path = tmp_path / "secret"
            if content is not None:
                path.write_bytes(content)
            monkeypatch.setenv(f"{name}_FILE", str(path if content is not None else tmp_path))
            sentence = mistake("web")
            assert sentence.startswith(f"{name}_FILE: ")
            assert said in sentence
            assert "hidden-word" not in sentence
        monkeypatch.delenv(f"{name}_FILE")


def test_no_error_about_settings_shows_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SECRET_SETTINGS:
        monkeypatch.setenv(name, "postgresql://me:hidden-word@[host/x" if name == "DATABASE_URL" else "hidden-word")
    for name in ("ROOTCAUSE_APP_ID", "PORT", "ROOTCAUSE_GITHUB_API_URL", "ROOTCAUSE_TRUSTED_PROXIES"):
        monkeypatch.setenv(name, "hidden-word")
    with pytest.raises(ValidationError) as refused:
        Settings()
    assert "hidden-word" not in f"{refused.value!s} {refused.value!r}"
    assert "hidden-word" not in mistake("serve")
    for name in ("ROOTCAUSE_APP_ID", "PORT", "ROOTCAUSE_GITHUB_API_URL", "ROOTCAUSE_TRUSTED_PROXIES"):
        monkeypatch.delenv(name)
    for command in (("web",), ("db", "upgrade")):
        assert "hidden-word" not in mistake(*command, code=1)


def test_the_traceback_of_a_bug_shows_no_secret(tmp_path: Path) -> None:
    code = (
        "import sys, bot.cli, classifier.jsonl, bot.settings\n"
        "def broken(*_, **__): raise RuntimeError(bot.settings.Settings().read_token.get_secret_value())\n"
        "classifier.jsonl.run_classify = broken\n"
        "sys.argv = ['rootcause', 'classify']\n"
        "bot.cli.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="", capture_output=True, text=True, check=False,
        env={**os.environ, "ROOTCAUSE_READ_TOKEN": "correct-horse-battery"},
    )  # fmt: skip
    assert done.returncode == 1
    assert "RuntimeError: ***" in done.stderr
    assert "correct-horse-battery" not in done.stderr
