"""The one error a researcher can cause here."""


class StudyError(ValueError):
    """A sentence for the person: what is wrong, and what to do."""
