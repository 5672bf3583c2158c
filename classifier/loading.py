"""The classifier that is used: the trained model that is shipped, or the lexicon model where it cannot be loaded."""

from functools import cache
from pathlib import Path

from classifier.contract import Classifier
from classifier.lexicon import load_lexicon
from classifier.lexicon_model import load_lexicon_model, load_parameters
from classifier.model_file import ModelFileError, read_model, read_model_file
from classifier.trained_model import TrainedModel

SHIPPED = Path(__file__).with_name("model.npz")
"""The model trained on the bundled corpus alone (`rootcause train`)."""
SHIPPED_NAME = "corpus-v1"
"""What the version of a model trained on a corpus alone begins with."""


def open_model(packed: bytes | Path) -> TrainedModel:
    """Make a trained model ready from its file or the file's bytes.

    Raises ModelFileError, with the reason in a sentence, for a file that must not be used; nothing else is changed, so
    that whatever model is running goes on.
    """
    parameters = read_model_file(packed) if isinstance(packed, Path) else read_model(packed)
    try:
        return TrainedModel(parameters, load_lexicon(), load_parameters())
    except ValueError as error:
        raise ModelFileError(f"the model file cannot be used: {error}") from error


def choose_classifier(shipped: Path) -> tuple[Classifier, str | None]:
    """Give the model of a file, or the lexicon model and the reason why the file is not used."""
    try:
        return open_model(shipped), None
    except ModelFileError as error:
        return load_lexicon_model(), str(error)


@cache
def load_classifier() -> Classifier:
    """Load the classifier that is shipped; the same object for every caller, usable from several threads."""
    return choose_classifier(SHIPPED)[0]
