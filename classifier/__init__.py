"""Text in, `Prediction` out: the root cause of a closed issue. Knows neither GitHub nor a database."""

from classifier.contract import (
    DEFAULT_PRIOR,
    Classifier,
    CommentText,
    FixFileText,
    FixText,
    IssueText,
    Prediction,
)
from classifier.loading import load_classifier
from classifier.taxonomy import CATEGORIES

__all__ = [
    "CATEGORIES",
    "DEFAULT_PRIOR",
    "Classifier",
    "CommentText",
    "FixFileText",
    "FixText",
    "IssueText",
    "Prediction",
    "load_classifier",
]
