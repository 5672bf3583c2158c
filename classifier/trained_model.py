"""Classifier v1: a linear model over words, the lexicon and the fix, in numpy alone."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from classifier.blocks import Blocks, blocks_of
from classifier.contract import DEFAULT_PRIOR, IssueText, Prediction
from classifier.decide import LEAST_EXAMPLES, check_prior, decide
from classifier.explain import Reasons, by_block, reasons
from classifier.lexicon import Lexicon
from classifier.lexicon_model import LexiconParameters
from classifier.parameters import Parameters
from classifier.priors import with_mix
from classifier.reading import Reading, read_issue
from classifier.taxonomy import CATEGORIES, NONE
from classifier.vectors import Vector, Vectorizer


class Explanation(NamedTuple):
    """A prediction with the reasons for each of its three likeliest categories, in their order."""

    prediction: Prediction
    reasons: tuple[tuple[str, Reasons], ...]


class TrainedModel:
    """A trained model, ready to predict; usable from several threads."""

    def __init__(self, model: Parameters, lexicon: Lexicon, lexicon_parameters: LexiconParameters) -> None:
        """Take a model's parameters; raises ValueError where they were made with another lexicon."""
        if model.lexicon != lexicon.version:
            raise ValueError(f"the model was trained with lexicon {model.lexicon}, this one is {lexicon.version}")
        self.parameters = model
        self._lexicon = lexicon
        self._lexicon_parameters = lexicon_parameters
        self._vectorizer = Vectorizer(model.vocabulary)
        examples = {key: model.category.examples.get(key, 0) for key in CATEGORIES}
        self._scarce = {key: number for key, number in examples.items() if number < LEAST_EXAMPLES}

    @property
    def version(self) -> str:
        """Name and number of the model, stored with every prediction."""
        return self.parameters.version

    def predict(
        self,
        issue: IssueText,
        prior: float = DEFAULT_PRIOR,
        *,
        mix: Mapping[str, float] | None = None,
        threshold: float | None = None,
    ) -> Prediction:
        """Predict one issue's cause.

        `mix` gives the shares of all categories in the issue's repository (`classifier.priors`), where they are better
        known than `prior`; `threshold` stands in for the model's own. Raises ValueError for a prior outside (0, 1).
        """
        check_prior(prior)
        reading, blocks, vector = self._read(issue)
        return self._prediction(reading, blocks, vector, prior, mix, threshold)

    def explain(
        self, issue: IssueText, prior: float = DEFAULT_PRIOR, mix: Mapping[str, float] | None = None
    ) -> Explanation:
        """Predict one issue's cause and say what weighed most for each of the three likeliest categories."""
        check_prior(prior)
        reading, blocks, vector = self._read(issue)
        prediction = self._prediction(reading, blocks, vector, prior, mix, None)
        why = tuple((key, self._reasons(reading, blocks, vector, key)) for key, _ in prediction.top)
        return Explanation(prediction, why)

    def _read(self, issue: IssueText) -> tuple[Reading, Blocks, Vector]:
        reading = read_issue(issue, self._lexicon)
        blocks = blocks_of(reading, self._lexicon, self._lexicon_parameters)
        return reading, blocks, self._vectorizer.vector(blocks)

    def _reasons(self, reading: Reading, blocks: Blocks, vector: Vector, category: str) -> Reasons:
        if category not in self.parameters.category.labels:
            return Reasons((), ())
        values = self.parameters.category.contributions(vector, category)
        return reasons(reading, blocks, by_block(vector.columns, values, self.parameters.vocabulary.terms), category)

    def _prediction(
        self,
        reading: Reading,
        blocks: Blocks,
        vector: Vector,
        prior: float,
        mix: Mapping[str, float] | None,
        threshold: float | None,
    ) -> Prediction:
        head = self.parameters.category
        probabilities = {**dict.fromkeys(CATEGORIES, 0.0), **head.probabilities(vector)}
        ranked = sorted(CATEGORIES, key=lambda key: (-probabilities[key], CATEGORIES.index(key)))
        why = self._reasons(reading, blocks, vector, ranked[0])
        decision = decide(
            probabilities,
            head.shares[NONE],
            prior if mix is None else 1 - mix[NONE],
            found=bool(why.words or why.facts),
            cut=reading.fields.cut,
            threshold=self.parameters.threshold if threshold is None else threshold,
            scarce=self._scarce,
            moved=None if mix is None else with_mix(probabilities, head.shares, mix),
        )
        prediction = Prediction(
            category=ranked[0],
            probability=probabilities[ranked[0]],
            top=tuple((key, probabilities[key]) for key in ranked[:3]),
            probabilities=probabilities,
            system_related=decision.system_related,
            proposed=decision.proposed,
            reason=decision.reason,
            words=tuple(weighed.text for weighed in why.words),
            model=self.version,
            cut=reading.fields.cut,
            facts=tuple(weighed.text for weighed in why.facts),
        )
        if self.parameters.bug_type is None:
            return prediction
        types = self.parameters.bug_type.probabilities(vector)
        return replace(prediction, bug_type=max(types, key=lambda key: types[key]), bug_types=types)
