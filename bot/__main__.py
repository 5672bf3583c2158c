"""`python -m bot`: the same as the command `rootcause`."""

from bot.cli import main

main()
