"""The classifiers, of scikit-learn: an extra that `make tells` alone needs.

Words and pairs of words go to a logistic regression, numbers to boosted trees. Each run is
scored by a classifier that saw no run of its instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from ..data.columns import BoolArray, FloatArray, IntArray

__all__ = ["matrix_of", "out_of_fold"]

LEAST_RUNS = 2
"""A word that fewer runs have tells nothing of others."""


def matrix_of(features: Sequence[str] | Sequence[tuple[float, ...]]) -> Any:
    """Return the features of all runs as a matrix: sparse counts of words, or numbers."""
    if not isinstance(features[0], str):
        return np.array(features, np.float64)
    words = CountVectorizer(
        lowercase=False, token_pattern=r"\w+|[^\w\s]", ngram_range=(1, 2), min_df=LEAST_RUNS
    )
    try:
        return words.fit_transform(features).astype(np.float64)
    except ValueError:  # no word at all
        return np.zeros((len(features), 1))


def out_of_fold(matrix: Any, labels: BoolArray, folds: IntArray) -> FloatArray:
    """Return a score for every run, by a classifier that was fitted on the other folds."""
    scores = np.zeros(len(labels))
    for fold in np.unique(folds):
        rows = folds == fold
        if len(np.unique(labels[~rows])) == 2:
            model = _model(matrix)
            model.fit(matrix[~rows], labels[~rows])
            scores[rows] = model.predict_proba(matrix[rows])[:, 1]
    return scores


def _model(matrix: Any) -> Any:
    if isinstance(matrix, np.ndarray):
        return HistGradientBoostingClassifier(
            max_iter=40, max_leaf_nodes=8, min_samples_leaf=5, early_stopping=False, random_state=0
        )
    return LogisticRegression(C=1.0, solver="liblinear", random_state=0)
