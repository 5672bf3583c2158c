"""The one error a person can cause here: an input that no report can be built from."""


class ReportInputError(ValueError):
    """A sentence for the person who gave the input: what is wrong, where, and what to do."""
