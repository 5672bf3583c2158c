"""Descriptions that nobody means well with; run as a program it prints what each costs (the product allows 2 s)."""

from __future__ import annotations

import sys
import time

from bot.evidence.markdown import LONGEST_BODY
from bot.evidence.text import measure_description

PIECES = {
    "brackets": "[",
    "pictures": "![",
    "links": "[a](",
    "quotes": ">",
    "spaced quotes": "> ",
    "lists": "- ",
    "emphasis": "*a_ ",
    "underscores": "_a",
    "backticks": "`",
    "tags": "<a ",
    "comments": "<!--",
    "code tags": "<pre>",
    "sources": "<img src",
    "tables": "|a|b|\n",
    "headings": "# \n",
    "underlined headings": "a\n=\n",
    "keys": "a:\n",
    "bold lines": "**a**\n",
    "fences": "```\n",
    "boxes": "- [ ] a\n",
    "numbers": "1. a\n",
    "addresses": "https://",
    "blanks": " \n",
}


def hostile(longest: int) -> dict[str, str]:
    """Return name -> body, each about `longest` characters."""
    depth = round((2 * longest) ** 0.5)
    return {name: piece * (longest // len(piece)) for name, piece in PIECES.items()} | {
        "a table": "|a|b|\n|-|-|\n" + "|a|b|\n" * (longest // 6),
        "a ladder of quotes": "\n".join("> " * step + "a" for step in range(1, depth)),
        "a ladder of lists": "\n".join(" " * step + "- a" for step in range(depth)),
        "a ladder of backticks": " ".join("`" * step for step in range(1, depth)),
    }


def main() -> None:
    """Print the seconds of CPU of every body, the most costly first."""
    costs: list[tuple[float, str]] = []
    for name, body in hostile(LONGEST_BODY).items():
        started = time.process_time()
        measure_description(body)
        costs.append((time.process_time() - started, name))
    sys.stdout.writelines(f"{seconds:6.2f} s  {name}\n" for seconds, name in sorted(costs, reverse=True))


if __name__ == "__main__":
    main()
