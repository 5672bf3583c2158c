"""What ends a process, told to the person who runs it."""


class ProcessStoppedError(Exception):
    """A part that the process cannot live without has gone; the process must end with an error."""
