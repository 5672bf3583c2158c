"""The model that is shipped: made anew by `rootcause train`, and its arithmetic beside scikit-learn's."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from typer.testing import CliRunner

from bot.cli import app
from classifier import IssueText, load_classifier
from classifier.blocks import BLOCK_WEIGHTS, LEXICON, Blocks, blocks_of
from classifier.examples import CORPUS, read_corpus
from classifier.fitting import INVERSE_PENALTY, fit_head, matrix
from classifier.lexicon import load_lexicon
from classifier.lexicon_model import load_parameters
from classifier.loading import SHIPPED, open_model
from classifier.model_file import model_bytes, read_model
from classifier.parameters import Head, Parameters
from classifier.reading import read_issue
from classifier.taxonomy import BUG_TYPES, CATEGORIES
from classifier.training import Rows, label_rows, read_rows, train
from classifier.vectors import LEAST_ISSUES, Vectorizer, learn_vocabulary
from tests.support.subprocesses import ROOT, surroundings

STALE = "the shipped model is not that of the corpus: run `rootcause train --out classifier/model.npz`"


PART = ("own_a", "rewritten_a")
"""Files that are enough for every step of training, thresholds on unseen repositories included."""


def trained(corpus: Path, out: Path) -> bytes:
    """Run `rootcause train` in this process and return the file that it wrote."""
    result = CliRunner().invoke(app, ["train", "--corpus", str(corpus), "--out", str(out)])
    assert result.exit_code == 0, result.output
    return out.read_bytes()


def test_training_twice_gives_the_same_file_bit_for_bit(tmp_path: Path) -> None:
    """The other process hashes words otherwise and counts with another number of threads."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for name in PART:
        shutil.copy(CORPUS / f"{name}.jsonl", corpus)
    apart = tmp_path / "apart.npz"
    command = [sys.executable, "-m", "bot", "train", "--corpus", str(corpus), "--out", str(apart)]
    other = surroundings(tmp_path, PYTHONHASHSEED="4711", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    with subprocess.Popen(command, cwd=ROOT, env=other, stderr=subprocess.PIPE, text=True) as process:
        here = trained(corpus, tmp_path / "here.npz")
        told = process.communicate()[1]
        assert process.returncode == 0, told
    assert apart.read_bytes() == here


def test_training_gives_the_shipped_model(tmp_path: Path) -> None:
    made, shipped = read_model(trained(CORPUS, tmp_path / "made.npz")), read_model(SHIPPED.read_bytes())
    assert made.training_hash == shipped.training_hash, STALE
    assert made.version == shipped.version == load_classifier().version
    assert made.vocabulary.terms == shipped.vocabulary.terms, STALE
    np.testing.assert_allclose(made.vocabulary.rarity, shipped.vocabulary.rarity, rtol=0, atol=1e-5)
    assert (made.lexicon, made.threshold) == (shipped.lexicon, shipped.threshold)
    for ours, theirs in ((made.category, shipped.category), (made.bug_type, shipped.bug_type)):
        assert ours is not None
        assert theirs is not None
        assert (ours.labels, ours.examples) == (theirs.labels, theirs.examples)
        assert ours.shares == pytest.approx(theirs.shares, abs=1e-5)
        np.testing.assert_allclose(ours.coefficients, theirs.coefficients, rtol=0, atol=1e-5)
        np.testing.assert_allclose(ours.intercepts, theirs.intercepts, rtol=0, atol=1e-5)


def test_the_shipped_model_knows_everything_that_is_decided() -> None:
    parameters = read_model(SHIPPED.read_bytes())
    assert parameters.category.labels == CATEGORIES
    assert parameters.bug_type is not None
    assert parameters.bug_type.labels == tuple(known.key for known in BUG_TYPES)
    assert min(parameters.category.examples.values()) >= 25


@cache
def small_rows() -> Rows:
    """Return a part of the corpus, enough of every category and bug type to fit."""
    return read_rows(read_corpus()[:160])


@cache
def small_table() -> csr_matrix:
    return reference_table(small_rows().blocks)


def reference_table(blocks: tuple[Blocks, ...]) -> csr_matrix:
    """Return scikit-learn's own TF-IDF of every block, side by side in the order of the model's columns."""
    tables = []
    for block, weight in BLOCK_WEIGHTS.items():
        counts = DictVectorizer(sort=True).fit_transform([dict(one.counts[block]) for one in blocks])
        if block != LEXICON:
            counts = counts[:, np.bincount(counts.indices, minlength=counts.shape[1]) >= LEAST_ISSUES]
            counts = TfidfTransformer(norm="l2", smooth_idf=True, sublinear_tf=True).fit_transform(counts)
        tables.append(weight * counts)
    return csr_matrix(hstack(tables))


def reference(table: csr_matrix, labels: list[str], weights: list[float]) -> LogisticRegression:
    """Fit scikit-learn's logistic regression in the table's own columns, each label with the same total weight."""
    totals = {label: sum(own for own, one in zip(weights, labels, strict=True) if one == label) for label in labels}
    balanced = np.array([own / totals[label] for own, label in zip(weights, labels, strict=True)])
    regression = LogisticRegression(C=INVERSE_PENALTY, solver="newton-cg", tol=1e-8, max_iter=500)
    return regression.fit(table, labels, sample_weight=balanced / balanced.mean())


def ordered(given: dict[str, float], regression: LogisticRegression) -> list[float]:
    return [given[label] for label in regression.classes_.tolist()]


def test_a_fit_gives_the_probabilities_that_scikit_learn_gives() -> None:
    rows = small_rows()
    table = small_table()
    vocabulary = learn_vocabulary(rows.blocks)
    assert table.shape == (len(rows.blocks), vocabulary.size)
    labelled = label_rows(rows, vocabulary)
    assert abs(matrix(labelled.vectors, vocabulary.size) - table).max() < 1e-6
    regression = reference(table, list(labelled.labels), list(labelled.weights))
    head = fit_head(labelled, vocabulary.size, CATEGORIES)
    ours = [ordered(head.probabilities(vector), regression) for vector in labelled.vectors]
    np.testing.assert_allclose(ours, regression.predict_proba(table), rtol=0, atol=1e-5)


def test_a_models_file_gives_the_probabilities_that_scikit_learn_gives() -> None:
    """The bug types are not mixed with anything, so that the whole way from the text can be compared."""
    rows = small_rows()
    table = small_table()
    typed = {at: example.bug_type for at, example in enumerate(rows.examples) if example.bug_type}
    weights = [rows.examples[at].weight for at in typed]
    regression = reference(table[list(typed)], list(typed.values()), weights)
    model = open_model(model_bytes(train(rows, "test")))
    ours = [ordered(dict(model.predict(example.issue).bug_types), regression) for example in rows.examples]
    np.testing.assert_allclose(ours, regression.predict_proba(table), rtol=0, atol=1e-5)


def as_scikit_learn(head: Head) -> LogisticRegression:
    """Return scikit-learn's model with the weights of a head."""
    regression = LogisticRegression()
    regression.classes_ = np.array(head.labels)
    regression.coef_ = head.coefficients.astype(np.float64)
    regression.intercept_ = head.intercepts.astype(np.float64)
    regression.n_features_in_ = head.coefficients.shape[1]
    return regression


def probabilities(parameters: Parameters, issues: list[IssueText]) -> NDArray[np.float64]:
    """Return what scikit-learn makes of issues with the category's weights: (issues, labels)."""
    lexicon, lexicon_parameters = load_lexicon(), load_parameters()
    vectorizer = Vectorizer(parameters.vocabulary)
    vectors = [
        vectorizer.vector(blocks_of(read_issue(issue, lexicon), lexicon, lexicon_parameters)) for issue in issues
    ]
    table = matrix(vectors, parameters.vocabulary.size)
    given: NDArray[np.float64] = as_scikit_learn(parameters.category).predict_proba(table)
    return given


def test_the_shipped_weights_mean_to_scikit_learn_what_they_mean_to_us() -> None:
    model = open_model(SHIPPED)
    issues = [example.issue for example in read_corpus()[::20]]
    ours = [list(model.predict(issue).probabilities.values()) for issue in issues]
    np.testing.assert_allclose(ours, probabilities(model.parameters, issues), rtol=0, atol=1e-9)


def test_predicting_needs_numpy_alone(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom classifier import IssueText, load_classifier\n"
        "print(load_classifier().predict(IssueText('Memory leak', 'It grows.')).model)\n"
        "print(*sorted({'sklearn', 'scipy', 'joblib', 'threadpoolctl', 'bot', 'reports'} & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", script]
    told = subprocess.run(command, cwd=ROOT, env=surroundings(tmp_path), capture_output=True, text=True, check=True)
    assert told.stdout.split("\n") == [read_model(SHIPPED.read_bytes()).version, "", ""]
