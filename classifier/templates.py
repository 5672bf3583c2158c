"""Lines of an issue that a form or a log wrote, not the reporter: what to skip and what to read as a log."""

import re
import tomllib
from pathlib import Path

from classifier.phrases import phrases

_READ = tomllib.loads(Path(__file__).with_name("templates.toml").read_text(encoding="utf-8"))
_ENVIRONMENT_WORDS = frozenset(phrases(_READ["environment_words"]))
_BOILERPLATE = phrases(_READ["boilerplate"])
_FORM_TITLES = phrases(_READ["form_titles"])
_TICKED = ("[ ]", "[x]")
_ROBOTS = phrases(_READ["robots"])
_MAIL_ENDS = phrases(_READ["mail_ends"])
_TELLING = phrases(_READ["telling"])
_LOG_START = re.compile(
    r"\s{0,40}(?:\[?\d{4}-\d\d-\d\d[ T]|\[?\d\d:\d\d:\d\d|[IWEF]\s?\d{4}\s|[IWEF]\s[a-z_]{2,40}/|\[\s{0,4}\d{1,3}%\]"
    r"|File \"|at\s[\w.$<>]{1,200}\(|#\d{1,3}\s|>>>|\$\s|frame #|Traceback|\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|FATAL)\b"
    r"|g?make(?:\[\d\])?:|[\w/.+-]{1,200}:\d{1,6}(?::\d{1,6})?:|In file included|import\s\w"
    r"|from\s[\w.]{1,100}\simport\s)"
)
_MAIL_BEGIN = re.compile(r"\s{0,8}On .{6,160}\bwrote:\s{0,8}$")
_SIGNATURE = re.compile(r"--\s?$|[—–]\s{0,3}$")
_VERSION_LINE = re.compile(
    r"[\s|*#-]{0,12}(?:\[[\w.+-]{1,30}\]\s)?[\w.+-]{1,60}(?:\s{0,9}(?:==|>=|[:=@|])\s{0,9}|\s{1,40})"
    r"[`v^~<>=]{0,3}\d{1,6}(?:\.\w{1,40}){1,6}(?:[\s|`]{1,40}[\w.:/+-]{1,60}){0,3}[\s|`]{0,40}$"
)
_LONGEST_ROBOT = 3_000
_LONGEST_LABEL = 100
_LONGEST_ANSWER = 90


def is_form_answer(line: str) -> bool:
    """Say whether a line is a form's question on the environment with its short answer ("GPU model: GTX 1080")."""
    label, colon, answer = line.partition(":")
    if not colon or len(label) > _LONGEST_LABEL or len(answer) > _LONGEST_ANSWER:
        return False
    words = re.findall(r"[a-z]+", label.lower())
    return len(words) <= 14 and not _ENVIRONMENT_WORDS.isdisjoint(words)


def is_boilerplate(line: str) -> bool:
    """Say whether a line is a form's instruction to reporters, a ticked box, or a robot's farewell."""
    lowered = line.lstrip("*_-> \t").lower()
    return lowered.startswith((*_TICKED, *_BOILERPLATE))


def is_form_title(line: str) -> bool:
    """Say whether a line is a section title that forms print without Markdown's mark."""
    return len(line) <= _LONGEST_LABEL and line.lstrip("*_ \t").lower().startswith(_FORM_TITLES)


def is_log_line(line: str) -> bool:
    """Say whether a line outside a fence was pasted from a log, a trace, a build or a console."""
    return _LOG_START.match(line) is not None


def tells_of_failure(line: str) -> bool:
    """Say whether a line of code or log names a failure; the others only say what ran."""
    lowered = line.lower()
    return any(word in lowered for word in _TELLING)


def is_robots_comment(body: str) -> bool:
    """Say whether a comment is a robot's: a stale notice, a coverage report, a farewell."""
    lowered = body[:_LONGEST_ROBOT].lower()
    return any(phrase in lowered for phrase in _ROBOTS)


def ends_mail(line: str) -> bool:
    """Say whether what follows in a comment is a quoted mail, a signature or a mail program's farewell."""
    if _SIGNATURE.match(line) or _MAIL_BEGIN.match(line):
        return True
    return line.lstrip("*_-> \t").lower().startswith(_MAIL_ENDS)


def is_version_line(line: str) -> bool:
    """Say whether a line only gives a package and its version, as tables and lists of installed packages do."""
    return len(line) <= 2 * _LONGEST_LABEL and _VERSION_LINE.match(line) is not None
