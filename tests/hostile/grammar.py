"""Comments that may hold commands: whatever is understood means the same when it is read again."""

from __future__ import annotations

from hypothesis import strategies as st

from bot.commands.grammar import MOST_COMMANDS, mentions, new_commands, parse
from bot.commands.registry import COMMANDS, UNKNOWN
from bot.commands.words import MOST_NEAREST, MOST_TARGETS, Reading, read_words
from bot.commands.written import LONGEST_BODY
from tests.hostile.surface import Surface, bytes_of, forms, repeated, text_of

_SLUG = "root-cause"
_EDITED = "\x1e"
"""What stands between the two versions of an edited comment in a case."""
_SHORT = 4_096

_PIECES = [
    *(
        "/rootcause ",
        "@root-cause ",
        "confirm",
        "undo",
        "fix #1 #9",
        "reproduced never",
        "none question",
        "help",
        "#12 ",
    ),
    *("type algorithm design", "memory-leak", "acme/frame#3", "https://github.com/acme/frame/issues/1#issuecomment-2"),
    *("\n", "\r\n", "\r", "\n\n", "    ", "\t", "> ", "- ", "1. ", "```", "~~~", "`", "<!--", "-->", "<pre>", "</pre>"),
    *("<details>", "<b", "[", "](", ")", "![", "[a]: ", "**", "_", "~~", "&lt;", "|", "---", "===", "# ", "\\", "x "),
    *("\0", "\u200b", "\u00a0", "\u2028", "\ud800", "\ufeff", "İ", "ß", "\U0001f600", _EDITED),
]


def _read(after: str) -> None:
    commands = parse(after, _SLUG)
    assert len(commands) <= MOST_COMMANDS
    assert mentions(after, _SLUG) or not commands
    lines = after.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for command in commands:
        assert command.name in {*COMMANDS, UNKNOWN}
        assert len(command.targets) <= MOST_TARGETS
        assert len(command.nearest) <= MOST_NEAREST
        meant = Reading(command.name, command.arguments, command.targets, command.nearest)
        assert read_words(command.text) == meant
        written = lines[command.line - 1].removeprefix("\ufeff").lstrip(" ").lower()
        assert written.startswith(("/rootcause", "@root-cause"))


def _edited(text: str) -> None:
    before, _, after = text.rpartition(_EDITED)
    assert len(new_commands(before, after, _SLUG)) <= MOST_COMMANDS
    if len(after) < _SHORT:
        assert new_commands(after, after, _SLUG) == ()


_FORMS = (_read, _edited)


def _target(case: bytes) -> None:
    _FORMS[case[0] % len(_FORMS) if case else 0](text_of(case[1:]))


_COMMENTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(_PIECES), max_size=60).map("".join),
    repeated(_PIECES, LONGEST_BODY).map(lambda body: f"/rootcause confirm\n\n{body}\n\n/rootcause undo"),
)

SURFACE = Surface(
    target=_target,
    seeds=tuple(
        bytes([form]) + bytes_of(text)
        for form in range(len(_FORMS))
        for text in (
            *(f"/rootcause {command.example}" for command in COMMANDS.values()),
            "Thanks!\n\n@root-cause confirm\n\n> /rootcause undo\n",
            f"/rootcause confirm #1 #2{_EDITED}/rootcause confirm #2 #3",
            "- a\n\n/rootcause fix acme/frame#3\n\n```\n/rootcause undo\n```\n",
            "<!-- /rootcause undo -->\n/rootcause reproduced https://github.com/acme/frame/issues/1#issuecomment-2",
        )
    ),
    words=tuple(bytes_of(piece) for piece in _PIECES),
    made=forms(_COMMENTS.map(bytes_of), _COMMENTS.map(bytes_of)),
)
