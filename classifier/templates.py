"""Lines of an issue that a form or a log wrote, not the reporter: what to skip and what to read as a log."""

import re

_ENVIRONMENT_WORDS = frozenset(
    "version versions platform os distribution installed installation compiler python bazel gcc cuda cudnn gpu cpu "
    "architecture device browser hash toolchain package packages environment node npm yarn locale hardware ram "
    "docker kubernetes backend custom template commit branch affected priority category tracker difficulty pr".split()
)
_BOILERPLATE = (
    "please make sure",
    "please provide",
    "please include",
    "please fill",
    "please search",
    "please check that",
    "please read",
    "please go to stack",
    "please paste",
    "please use",
    "please only",
    "please describe",
    "please state",
    "please answer",
    "please test",
    "please note",
    "note: please",
    "note: issues",
    "if this is a",
    "if you are reporting",
    "if you open a github issue",
    "if you are using",
    "if you need help",
    "if including",
    "for bugs or installation",
    "for bugs/performance",
    "it must be a bug",
    "the form below must",
    "here's why we have that policy",
    "you can collect some",
    "you can obtain",
    "you may also",
    "have i written",
    "do you want to request",
    "as per our github policy",
    "thank you for submitting",
    "thanks for submitting",
    "thank you for reporting",
    "thank you for taking",
    "before submitting",
    "before reporting",
    "before posting",
    "i have searched",
    "i have read",
    "i have checked",
    "provide a reproducible",
    "provide the text",
    "provide the exact",
    "include any logs",
    "include full",
    "the more information you provide",
    "what related github issues",
    "minimum reproducible",
    "issue-label bot",
    "this issue has been automatically",
    "this issue is stale",
    "closing as stale",
    "transferred from",
    "tag:bug_template",
    "tag:performance_template",
    "tag:build_template",
)
_FORM_TITLES = (
    "describe the",
    "describe expected",
    "steps to reproduce",
    "steps to replicate",
    "code to reproduce",
    "standalone code",
    "exact command",
    "expected behavi",
    "actual behavi",
    "current behavi",
    "what is the",
    "what is your",
    "what did you",
    "what have you",
    "what operating",
    "other info",
    "system information",
    "environment info",
    "source code / logs",
    "source code/logs",
    "error message",
    "any other info",
    "additional context",
    "logs or other output",
    "issue description",
    "description",
    "to reproduce",
    "what happened",
    "which versions",
    "did this work in previous",
    "were you able to",
)
_LOG_START = re.compile(
    r"\s{0,40}(?:\[?\d{4}-\d\d-\d\d[ T]|\[?\d\d:\d\d:\d\d|[IWEF]\s?\d{4}\s|[IWEF]\s[a-z_]{2,40}/|\[\s{0,4}\d{1,3}%\]"
    r"|File \"|at\s[\w.$<>]{1,200}\(|#\d{1,3}\s|>>>|\$\s|frame #|Traceback|\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|FATAL)\b"
    r"|g?make(?:\[\d\])?:|[\w/.+-]{1,200}:\d{1,6}(?::\d{1,6})?:|In file included|import\s\w|from\s[\w.]{1,100}\simport\s)"
)
_TELLING = re.compile(
    r"error|exception|fail|fatal|abort|panic|killed|cannot|can't|could not|couldn't|undefined|unable|refused|time[d]?.?out"
    r"|denied|sig[sainb]\w|signal|core dumped|leak|sanitizer|illegal|segmentation|out.of.memory|oom|reset by|deadlock"
    r"|concurrent|data race|not found|no such|invalid|unexpected|unrecognized|mismatch|incompatible|bad_alloc|assert"
    r"|overflow|unsupported|not supported|exceeded|locked|violation",
    re.IGNORECASE,
)
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
    return lowered.startswith(_BOILERPLATE) or lowered.startswith(("[ ]", "[x]"))


def is_form_title(line: str) -> bool:
    """Say whether a line is a section title that forms print without Markdown's mark."""
    return len(line) <= _LONGEST_LABEL and line.lstrip("*_ \t").lower().startswith(_FORM_TITLES)


def is_log_line(line: str) -> bool:
    """Say whether a line outside a fence was pasted from a log, a trace, a build or a console."""
    return _LOG_START.match(line) is not None


def tells_of_failure(line: str) -> bool:
    """Say whether a line of code or log names a failure; the others only say what ran."""
    return _TELLING.search(line) is not None
