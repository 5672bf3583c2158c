"""`rootcause`, and `python -m bot`: a Ctrl-C that comes while the command line is still imported shows no traceback."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    # Many base images forbid keeping bytecode, and every start would take a second instead of a third of one.
    sys.dont_write_bytecode = False
    try:
        from bot.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
