"""A prediction for an issue of a certain repository: with what is known of the causes there."""

from __future__ import annotations

from bot.decisions.teaching import NOTHING_KNOWN, Tendency
from classifier import DEFAULT_PRIOR, Classifier, IssueText, Prediction
from classifier.priors import general_mix, repository_mix
from classifier.taxonomy import NONE, SYSTEM_CATEGORIES
from classifier.trained_model import TrainedModel


def predict(classifier: Classifier, text: IssueText, tendency: Tendency = NOTHING_KNOWN) -> Prediction:
    """Predict an issue's cause with the shares of causes that its repository has shown, smoothed by the general mix.

    The lexicon model knows no shares of the single causes: of them it takes the share of system-related issues alone.
    """
    if isinstance(classifier, TrainedModel):
        general = general_mix(classifier.parameters.category.shares, DEFAULT_PRIOR)
        mix = repository_mix(tendency.counts, general)
        return classifier.predict(text, mix=mix, threshold=tendency.threshold)
    general = general_mix(dict.fromkeys(SYSTEM_CATEGORIES, 1.0), DEFAULT_PRIOR)
    mix = repository_mix(tendency.counts, general)
    return classifier.predict(text, prior=1 - mix[NONE], threshold=tendency.threshold)
