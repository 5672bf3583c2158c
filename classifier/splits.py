"""Splits that never part a group: what is tested on comes from repositories that training has not seen."""

from collections import Counter
from collections.abc import Sequence


def grouped_folds(groups: Sequence[str], folds: int) -> list[int]:
    """Give each row's fold, 0 to `folds` - 1; a group stays whole, and folds become as equal as the groups allow.

    Largest groups first, each into the smallest fold; equal sizes go by name, so the split is the same on any machine.
    With fewer groups than folds some folds stay empty.
    """
    sizes = Counter(groups)
    filled = [0] * folds
    fold_of: dict[str, int] = {}
    for group, size in sorted(sizes.items(), key=lambda entry: (-entry[1], entry[0])):
        fold = filled.index(min(filled))
        fold_of[group] = fold
        filled[fold] += size
    return [fold_of[group] for group in groups]
