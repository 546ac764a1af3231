"""Intervals, reasons and improbable rows."""
import warnings

import numpy as np

from . import _core
from ._inputs import label_texts
from ._options import whole_number
from ._rows import labelled_rows, weights_of


class Explanation:
    """Why a row was classified as it was: the features that separate the prediction from its strongest rival.

    ``contributions`` are tuples (feature, value, contribution), the largest first; all of a row's sum to ``margin``.
    """

    def __init__(self, prediction, rival, margin, contributions):
        self.prediction, self.rival, self.margin, self.contributions = prediction, rival, margin, contributions

    def __repr__(self):
        parts = ", ".join(f"{name} {part:+.3g}" for name, _, part in self.contributions)
        return f"{self.prediction} over {self.rival} ({self.margin:+.3g}): {parts}"


class InsightMixin:
    def predict_interval(self, X, level=0.9, predictive="plug-in", draws=1000, seed=1):
        """Bounds of the probabilities, (lower, upper), each rows × classes. The model must keep a posterior.

        >>> from sklearn.datasets import load_breast_cancer
        >>> from lazylogit import LogisticRegression
        >>> x, y = load_breast_cancer(return_X_y=True)
        >>> model = LogisticRegression(standardize="scale", posterior="full").fit(x, y)
        >>> lower, upper = model.predict_interval(x[:2], level=0.95)
        >>> p = model.predict_proba(x[:2])
        >>> bool((lower <= p).all() and (p <= upper).all())
        True
        """
        rows = self._rows(X)
        _, lower, upper = self.model_.predictive(rows, predictive, level, draws, seed, True)
        return self._ours(lower), self._ours(upper)

    def explain(self, X, top=10):
        """For each row, an :class:`Explanation` with its ``top`` largest contributions."""
        top = whole_number("top", top, 1)
        rows = self._rows(X)
        label = dict(zip(self._order.tolist(), self.classes_.tolist()))
        return [Explanation(label[best], label[rival], margin, parts)
                for best, rival, margin, parts in self.model_.explain(rows, top)]

    def outliers(self, X, y=None, sample_weight=None, *, method="approximate", folds=10, seed=1):
        """The rows that the model was fitted to, by how improbable their labels are when they are left out.

        A dictionary of arrays, the least probable row first: ``row``, ``label``, ``probability`` (left out), ``in_sample``
        and, by the approximate method, ``influence`` on the coefficients. ``method`` is 'approximate' (one Newton step per
        row), 'exact' (a fit without each) or 'folds'. ``pandas.DataFrame(model.outliers(x, y))`` shows it as a table.
        """
        self._model()
        folds, seed = whole_number("folds", folds, 0), whole_number("seed", seed, 0)
        if self.multilabel_:
            raise ValueError("outliers are rows whose class is improbable; the model predicts sets of labels")
        before = {name: self.__dict__[name] for name in ("feature_names_in_", "n_features_in_") if name in self.__dict__}
        data = self._rows(X)
        try:
            rows = labelled_rows(self, X, y) if not hasattr(X, "_lazylogit_data") or y is not None else None
        finally:
            self.__dict__.pop("feature_names_in_", None)
            self.__dict__.update(before)
        if rows is None:
            rows = labelled_rows(self, X, None)
        rows.data = data
        known = set(label_texts(self.classes_))
        if not known & set(rows.texts):
            raise ValueError("no label of y is a class of the model")
        weights = weights_of(sample_weight, rows, None)
        found = self.model_.outliers(data, rows.texts, rows.codes, weights, method, folds, seed)
        for message in found.pop("warnings"):
            warnings.warn(message, UserWarning, stacklevel=2)
        found["row"] = found["row"].astype(np.int64)
        found["label"] = self.classes_[np.argsort(self._order)[found["label"].astype(np.int64)]]
        if method != "approximate":
            del found["influence"]
        return found
