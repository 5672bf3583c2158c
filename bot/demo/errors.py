"""What can go wrong in a demo, as a sentence for the person who started it."""

from __future__ import annotations


class DemoFailedError(Exception):
    """The demo could not reach its end; the message says where it stopped, and what to do."""

    exit_code = 1


class InputError(DemoFailedError):
    """The file cannot be played; the message names the line and what is wrong."""

    exit_code = 2
