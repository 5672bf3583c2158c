"""Lists of phrases in the classifier's TOML files: one text, a comma between two phrases."""


def phrases(text: str) -> tuple[str, ...]:
    """Give the phrases of a list in their order; lines end anywhere between two.

    A list is a text and no TOML array because tomllib takes eight times as long for the array: every process that
    predicts reads some 2,800 phrases first.
    """
    return tuple(phrase.strip() for phrase in text.split(","))
