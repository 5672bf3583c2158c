"""What a trained model consists of: its features, the linear weights of each axis, and how it decides."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.vectors import Vector, Vocabulary


@dataclass(frozen=True, slots=True)
class Head:
    """One axis (category or bug type): a linear model over the vocabulary.

    `coefficients` (labels, features) and `intercepts` (labels) in float32, already divided by the temperature.
    `examples` counts the rows of each label and `shares` gives their weighted share, which is the prior of the
    probabilities.
    """

    labels: tuple[str, ...]
    coefficients: NDArray[np.float32]
    intercepts: NDArray[np.float32]
    examples: Mapping[str, int]
    shares: Mapping[str, float]

    def probabilities(self, vector: Vector) -> dict[str, float]:
        """Give each label's probability by softmax; they sum to 1."""
        chosen = self.coefficients[:, vector.columns].astype(np.float64)
        scores = chosen @ vector.values.astype(np.float64) + self.intercepts
        powers = np.exp(scores - scores.max())
        shares: list[float] = (powers / powers.sum()).tolist()
        return dict(zip(self.labels, shares, strict=True))

    def contributions(self, vector: Vector, label: str) -> NDArray[np.float64]:
        """Give what each of the vector's columns adds for a label, beside what it adds on average over the labels."""
        chosen = self.coefficients[:, vector.columns].astype(np.float64)
        own: NDArray[np.float64] = chosen[self.labels.index(label)] - chosen.mean(axis=0)
        return own * vector.values


@dataclass(frozen=True, slots=True)
class Parameters:
    """A trained model: everything that its file holds.

    `lexicon` is the version of the lexicon that the features were made with, `threshold` the probability from which a
    cause is proposed, `training_hash` the SHA-256 of what it was trained on. `bug_type` is None where too few rows had
    one.
    """

    version: str
    lexicon: str
    training_hash: str
    threshold: float
    vocabulary: Vocabulary
    category: Head
    bug_type: Head | None
