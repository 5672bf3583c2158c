"""The command line of the classifier: `train` and `evaluate`; commands only, no logic."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli_common import fail, json_option, print_json
from bot.working import working


def train(
    corpus: Annotated[Path | None, typer.Option(help="A folder of *.jsonl; the bundled corpus if left out.")] = None,
    out: Annotated[Path, typer.Option(help="The model file to write.")] = Path("model.npz"),
    json_: Annotated[bool, json_option("model, rows, features, file")] = False,
) -> None:
    """Train a model on a corpus; on the bundled one it is the shipped model, bit for bit on one machine."""
    from classifier.examples import CORPUS, CorpusError, read_corpus
    from classifier.fitting import TrainingError
    from classifier.loading import SHIPPED_NAME
    from classifier.model_file import model_bytes
    from classifier.training import read_rows
    from classifier.training import train as fit

    if not out.parent.is_dir():
        fail(f"cannot write {out}: there is no folder {out.parent}")
    try:
        with working("training"):
            model = fit(read_rows(read_corpus(corpus or CORPUS)), SHIPPED_NAME)
    except (CorpusError, TrainingError) as error:
        fail(str(error))
    try:
        out.write_bytes(model_bytes(model))
    except OSError as error:
        fail(f"cannot write {out}: {error.strerror}")
    rows = sum(model.category.examples.values())
    if json_:
        print_json({"model": model.version, "rows": rows, "features": model.vocabulary.size, "file": str(out)})
        return
    typer.echo(f"{out} is written: {model.version}, {rows} rows, {model.vocabulary.size} features", err=True)


def evaluate(
    coded: Annotated[Path | None, typer.Option(help="Coded issues, as JSON lines (.gz too).")] = None,
    real: Annotated[
        list[Path] | None, typer.Option(help="Real threads that --labels and --dev label; may be given several times.")
    ] = None,
    labels: Annotated[Path | None, typer.Option(help="Independent labels of real threads, only for checking.")] = None,
    dev: Annotated[Path | None, typer.Option(help="Labels of other real threads, used for development.")] = None,
    nlbse: Annotated[tuple[Path, Path] | None, typer.Option(help="NLBSE'24: train split and test split.")] = None,
    records: Annotated[Path | None, typer.Option(help="records.jsonl of an export, for agreement.")] = None,
    corpus: Annotated[Path | None, typer.Option(help="A folder of *.jsonl; the bundled corpus if left out.")] = None,
    json_: Annotated[
        bool,
        json_option(
            "corpus, learning_curve, fix, blind, and by the files given real_author, real_development, paraphrases, "
            "temporal, false_alarms, nlbse24"
        ),
    ] = False,
) -> None:
    """Measure what training on the corpus is worth on issues it has not seen."""
    from classifier.examples import CORPUS, CorpusError, read_corpus
    from classifier.fitting import TrainingError
    from classifier.measure.card import written
    from classifier.measure.inputs import InputError
    from classifier.measure.run import Inputs
    from classifier.measure.run import evaluate as measure

    if (labels or dev) and not real:
        fail("--labels and --dev need the threads they label: give --real FILE")
    try:
        examples = read_corpus(corpus or CORPUS)
        with working("training and measuring, some minutes"):
            figures = measure(examples, Inputs(coded, tuple(real or ()), labels, dev, nlbse, records))
    except (CorpusError, InputError, TrainingError) as error:
        fail(str(error))
    if json_:
        print_json(figures)
    else:
        typer.echo(written(figures))
