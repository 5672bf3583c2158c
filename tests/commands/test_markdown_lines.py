"""Where a command counts and where it does not: hand-written Markdown, judged by how GitHub renders it."""

from __future__ import annotations

import pytest

from bot.commands.grammar import parse

SLUG = "root-cause"

COUNTS = {
    "alone": "/rootcause confirm",
    "mention": "@root-cause confirm",
    "mention with a colon": "@root-cause: confirm",
    "any case": "/RootCause CONFIRM",
    "mention in any case": "@Root-Cause confirm",
    "three spaces": "   /rootcause confirm",
    "trailing white space": "/rootcause confirm \t ",
    "tab after the prefix": "/rootcause\tconfirm",
    "no-break space after the prefix": "/rootcause\u00a0confirm",
    "full stop": "/rootcause confirm.",
    "byte order mark": "\ufeff/rootcause confirm",
    "after a sentence": "Thanks, that was it.\n/rootcause confirm",
    "before a sentence": "/rootcause confirm\nThanks!",
    "Windows line ends": "Thanks.\r\n/rootcause confirm\r\nBye.\r\n",
    "old Macintosh line ends": "Thanks.\r/rootcause confirm\rBye.",
    "hard break by spaces": "Thanks.  \n/rootcause confirm",
    "hard break by backslash": "Thanks.\\\n/rootcause confirm",
    "after a fence": "```\nlog\n```\n/rootcause confirm",
    "after a tilde fence": "~~~\nlog\n~~~\n/rootcause confirm",
    "backticks do not close on two ticks": "``a ` b``\n/rootcause confirm",
    "unclosed inline code": "a ` tick\n/rootcause confirm",
    "after a quote and a blank line": "> was it the pool?\n\n/rootcause confirm",
    "after a heading": "# Verdict\n/rootcause confirm",
    "underlined by a signature's dashes": "/rootcause confirm\n---\nsent from a telephone",
    "after a rule": "***\n/rootcause confirm",
    "after a whole comment line": "<!-- template -->\n/rootcause confirm",
    "after an inline comment": "Thanks <!-- a\nb -->\n/rootcause confirm",
    "after an unclosed inline comment, which is shown": "a <!-- b\n\n/rootcause confirm",
    "comment behind the command": "/rootcause confirm <!-- finally -->",
    "inside details": "<details>\n<summary>log</summary>\n\n/rootcause confirm\n\n</details>",
    "after details": "<details>\n\n```\nlog\n```\n\n</details>\n\n/rootcause confirm",
    "after a C++ template": "A vector<int> grows.\n/rootcause confirm",
    "after a closed code element": "<code>x</code> grows\n/rootcause confirm",
    "after an unclosed deleted element's paragraph": "a <del> element\n\n/rootcause confirm",
    "after a code element closed in the next paragraph": "a <code>x\n\ny</code>\n\n/rootcause confirm",
    "after a closed quote element": "<blockquote>\n\nx\n\n</blockquote>\n\n/rootcause confirm",
    "after an element that a quote closed": "> <pre>\n> x\n\n/rootcause confirm",
    "after a list, at the margin": "- it grows\n- with constant input\n/rootcause confirm",
    "after a list and a comment": "- a\n\n<!-- -->\n\n/rootcause confirm",
    "after a table and a blank line": "| a |\n|---|\n| b |\n\n/rootcause confirm",
    "after a link definition": "[x]: https://example.com\n/rootcause confirm",
    "after a task list": "- [x] tested\n\n/rootcause confirm",
    "after a line with only a no-break space": "\u00a0\n/rootcause confirm",
    "after a line with only a vertical tab": "\v\n/rootcause confirm",
    "inside emphasis over lines": "**Verdict:\n/rootcause confirm\nthanks**",
    "category in a code span": "/rootcause `confirm`",
    "category in bold": "/rootcause **confirm**",
    "between null characters": "\0\n/rootcause confirm\n\0",
}

DOES_NOT_COUNT = {
    "empty": "",
    "no command": "It is confirmed.",
    "in a sentence": "Write /rootcause confirm to say so.",
    "longer word": "/rootcausefoo confirm",
    "path": "/rootcause/confirm",
    "file name": "/rootcause.txt confirm",
    "hyphenated": "/rootcause-confirm",
    "another account": "@root-cause-bot confirm",
    "team": "@root-cause/team confirm",
    "e-mail address": "me@root-cause confirm",
    "fence": "```\n/rootcause confirm\n```",
    "fence with a language": "```text\n/rootcause confirm\n```",
    "tilde fence": "~~~\n/rootcause confirm\n~~~",
    "unclosed fence": "```\n/rootcause confirm",
    "fence closed by too few ticks": "````\n```\n/rootcause confirm\n```\n````",
    "fence not closed by tildes": "```\n~~~\n/rootcause confirm\n~~~\n```",
    "fence with Windows line ends": "```\r\n/rootcause confirm\r\n```\r\n",
    "fence in a list": "- a\n  ```\n  /rootcause confirm\n  ```",
    "fence that interrupts a paragraph": "Log:\n```\n/rootcause confirm\n```\nEnd.",
    "four spaces": "    /rootcause confirm",
    "four spaces in a paragraph": "Write:\n    /rootcause confirm",
    "tab": "\t/rootcause confirm",
    "space and tab": " \t/rootcause confirm",
    "inline code": "`/rootcause confirm`",
    "inline code over lines": "`a\n/rootcause confirm\nb`",
    "double ticks over lines": "``a ` b\n/rootcause confirm\nc``",
    "quote": "> /rootcause confirm",
    "quote without a space": ">/rootcause confirm",
    "lazy quote": "> they wrote\n/rootcause confirm",
    "nested quote": "> > /rootcause confirm",
    "lazy nested quote": "> > they wrote\n/rootcause confirm",
    "quoted list": "> - they wrote\n/rootcause confirm",
    "quote in a list": "- > they wrote\n/rootcause confirm",
    "alert": "> [!NOTE]\n> /rootcause confirm",
    "HTML comment": "<!-- /rootcause confirm -->",
    "HTML comment over lines": "<!--\n/rootcause confirm\n-->",
    "HTML comment with blank lines": "<!--\n\n/rootcause confirm\n\n-->",
    "unclosed HTML comment": "<!--\n\n/rootcause confirm",
    "HTML comment inside a paragraph": "Thanks <!--\n/rootcause confirm\n--> all",
    "comment opened in an HTML block": "<div> <!--\n\n/rootcause confirm",
    "comment closed in another HTML block": "<div> <!--\n\n/rootcause confirm\n\n<div> -->",
    "HTML block": "<div>\n/rootcause confirm\n</div>",
    "details without a blank line": "<details>\n/rootcause confirm\n</details>",
    "pre": "<pre>\n/rootcause confirm\n</pre>",
    "pre with blank lines": "<pre>\n\n/rootcause confirm\n\n</pre>",
    "script": "<script>\n\n/rootcause confirm\n\n</script>",
    "quote element": "<blockquote>\n\n/rootcause confirm\n\n</blockquote>",
    "nested quote elements": "<blockquote>\n<blockquote>\n\n</blockquote>\n\n/rootcause confirm\n\n</blockquote>",
    "code element": "<code>\n\n/rootcause confirm\n\n</code>",
    "code element in a paragraph": "see <code>\n/rootcause confirm\n</code>",
    "after an unclosed code element": "the <code> element\n\n/rootcause confirm",
    "after a code element left open in a quote": "> the <code> element\n\n/rootcause confirm",
    "after a quote element opened in a sentence": "they said <blockquote>\n\n/rootcause confirm",
    "deleted element": "<del>\n\n/rootcause confirm\n\n</del>",
    "CDATA": "<![CDATA[\n\n/rootcause confirm\n\n]]>",
    "processing instruction": "<?php\n\n/rootcause confirm\n\n?>",
    "link text": "[/rootcause confirm](https://example.com)",
    "link text over lines": "[a\n/rootcause confirm\nb](https://example.com)",
    "reference link over lines": "[a\n/rootcause confirm\nb][c]\n\n[c]: https://example.com",
    "image text": "![a\n/rootcause confirm\nb](https://example.com/a.png)",
    "link title": '[a](https://example.com "\n/rootcause confirm\n")',
    "link definition's title": '[a]: https://example.com "\n/rootcause confirm\n"\n\nx',
    "attribute": 'x <img alt="\n/rootcause confirm\n"> y',
    "struck out": "~~/rootcause confirm~~",
    "struck out over lines": "~~a\n/rootcause confirm\nb~~",
    "bold": "**/rootcause confirm**",
    "heading": "# /rootcause confirm",
    "list item": "- /rootcause confirm",
    "numbered item": "1. /rootcause confirm",
    "task": "- [ ] /rootcause confirm",
    "second line of an item": "- a\n  /rootcause confirm",
    "paragraph of an item": "- a\n\n  /rootcause confirm",
    "table cell": "| a |\n|---|\n| /rootcause confirm |",
    "row of a table": "| a |\n|---|\n/rootcause confirm",
    "head of a table": "/rootcause confirm | b\n--- | ---\n1 | 2",
    "escaped slash": "\\/rootcause confirm",
    "slash as an entity": "&#47;rootcause confirm",
    "zero-width space before": "\u200b/rootcause confirm",
    "zero-width space inside": "/root\u200bcause confirm",
    "no-break space before": "\u00a0/rootcause confirm",
    "form feed before": "\f/rootcause confirm",
    "other slash": "\u2215rootcause confirm",
    "long s": "/rootcau\u017fe confirm",
    "line separator": "a\u2028/rootcause confirm",
    "next line character": "a\u0085/rootcause confirm",
}


@pytest.mark.parametrize("body", COUNTS.values(), ids=COUNTS.keys())
def test_it_counts(body: str) -> None:
    assert [(command.name, command.arguments) for command in parse(body, SLUG)] == [("confirm", ())]


@pytest.mark.parametrize("body", DOES_NOT_COUNT.values(), ids=DOES_NOT_COUNT.keys())
def test_it_does_not_count(body: str) -> None:
    assert parse(body, SLUG) == ()


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("/rootcause confirm", 1),
        ("a\r\nb\r\n/rootcause confirm", 3),
        ("`a\nb`\n/rootcause confirm", 3),
        ("<!-- a\n\nb -->\n\nc\\\nd\n/rootcause confirm", 7),
        ("\u00a0\n\v\n/rootcause confirm", 3),
        ("- a\n- b\n/rootcause confirm", 3),
    ],
)
def test_the_line_is_the_one_in_the_comment(body: str, line: int) -> None:
    assert [command.line for command in parse(body, SLUG)] == [line]


def test_a_long_body_is_read_up_to_its_last_whole_block() -> None:
    filler = "x" * 999 + "\n\n"
    assert len(parse("/rootcause confirm\n\n" + filler * 100 + "/rootcause undo", SLUG)) == 1
    cut_in_the_command = filler * 65 + "y" * 400 + "\n/rootcause confirm #" + "1" * 300
    assert len(cut_in_the_command) > 65_536
    assert parse(cut_in_the_command, SLUG) == ()
    comment_closed_beyond = "/rootcause undo\n\na <!--\n/rootcause confirm\n" + "z" * 65_536 + " -->"
    assert [command.name for command in parse(comment_closed_beyond, SLUG)] == ["undo"]


def test_no_slug_means_no_mention() -> None:
    assert parse("@ confirm\n/rootcause undo", "")[0].name == "undo"
