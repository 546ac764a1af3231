"""What estimators share: from X and y to a model of the engine, and from there to what scikit-learn's users expect."""
import os
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._export import ExportMixin
from ._html import HtmlMixin, Trace
from ._insight import InsightMixin
from ._options import threads_of, train_options
from ._plots import PlotMixin
from ._progress import Progress
from ._rows import frame_index, labelled_rows, new_rows, offsets_of, quick, weights_of
from ._summary import summary_text

REACHED = ("converged", "tolerance")


class Estimator(HtmlMixin, BaseEstimator):
    """What classifiers and the regression share: a fitted model, ``model_``."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _model(self):
        """The fitted model; NotFittedError where there is none."""
        model = self.__dict__.get("model_")
        if model is None:
            check_is_fitted(self, "model_")
        return model

    def _rows(self, X):
        return new_rows(self, self._model(), X)

    def summary(self, level=0.95, top=None):
        """The table statisticians know, as text: coefficient, standard error, z, p, interval, odds ratio.

        Standard errors need ``posterior='full'`` (or another kind). ``top`` shows so many features of each class, the strongest.
        """
        return summary_text(self._model(), level, top)

    def save(self, path):
        """Writes the model as a file of the program's."""
        self._model().save(os.fspath(path))

    def _fit_rows(self, rows, sample_weight, options, tuning=None, offset=None):
        """The engine's model of labelled rows, with warnings and a progress bar where they are due."""
        weights = weights_of(sample_weight, rows, getattr(self, "class_weight", None))
        warm = self.__dict__.get("model_") if getattr(self, "warm_start", False) else None
        holdout = None if getattr(self, "holdout", None) is None else float(self.holdout)
        progress = Progress() if self.verbose else None
        try:
            model = _core.fit(rows.data, rows.texts, rows.codes, weights, rows.names, options, tuning, holdout,
                              threads_of(self.n_jobs), warm, progress, rows.numbers,
                              offsets_of(offset, rows.data.num_rows), rows.ends)
        finally:
            if progress:
                progress.end()
        self.model_, self.trace_ = model, Trace(model.trace)
        self.certificate_, self.termination_ = model.record["certificate"], model.record["termination"]
        self.n_iter_ = np.array([model.record["iterations"]])
        for message in rows.data.warnings + model.warnings:
            warnings.warn(message, UserWarning, stacklevel=3)
        if self.termination_ not in REACHED:
            warnings.warn(model.record["message"], ConvergenceWarning, stacklevel=3)

    def __getstate__(self):
        state = dict(super().__getstate__())
        if isinstance(state.get("model_"), _core.Model):
            state["model_"] = state["model_"].to_bytes()
        return state

    def __setstate__(self, state):
        state = dict(state)
        if isinstance(state.get("model_"), bytes):
            state["model_"] = _core.Model.from_bytes(state["model_"])
        super().__setstate__(state)


def _need_two(classes, multilabel=False):
    if multilabel or len(classes) != 2:
        raise ValueError(f"offset: with two classes only, not with {len(classes)}{' labels' if multilabel else ''}")


class Predictions(ClassifierMixin, Estimator):
    """Predictions of classes: ``classes_``."""

    def _take_model(self, own_texts):
        """Attributes of a new model. `own_texts` are the engine's names of ``classes_``."""
        model, record = self.model_, self.model_.record
        position = {text: c for c, text in enumerate(model.classes)}
        self._order = np.array([position[text] for text in own_texts])  # of our classes among the model's
        self._in_order = bool((self._order == np.arange(len(self._order))).all())
        self._typed = model.has_derived or (model.kind == "columns" and model.inputs != model.columns)
        self.multilabel_ = model.response == "labels"
        self._take_coefficients(model)
        self.n_iter_ = np.array([record["iterations"]])
        self.certificate_ = record["certificate"]
        self.termination_ = record["termination"]
        if not hasattr(self, "n_features_in_"):
            self.n_features_in_ = model.num_inputs

    def _take_coefficients(self, model):
        self.coef_, self.intercept_ = self._by_class(model.coefficients), self._by_class(model.intercepts)[:, 0]

    def _by_class(self, table):
        """A row per vector of the model → rows as scikit-learn has them: one for two classes, else one per class or label."""
        if self.multilabel_:
            return table[self._order]
        k, reference = len(self._order), self.model_.reference
        full = np.zeros((k, table.shape[1]))
        full[[c for c in range(k) if c != reference]] = table
        full = full[self._order]
        return full[1:] - full[:1] if k == 2 else full

    def _ours(self, table):
        """Columns in the order of ``classes_``."""
        return table if self._in_order else np.ascontiguousarray(table[:, self._order])

    def _scores(self, X, offset=None):
        scores = quick(self, X, "scores")
        scores = self._ours(self._model().scores(self._rows(X)) if scores is None else scores)
        if offset is not None:
            _need_two(self.classes_, self.multilabel_)
            scores[:, 1] += offsets_of(offset, len(scores))
        return scores

    def decision_function(self, X, offset=None):
        """Scores: one number per row for two classes (positive means the second), else one per class or label."""
        scores = self._scores(X, offset)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 and not self.multilabel_ else scores

    def predict_proba(self, X, predictive="plug-in", draws=1000, seed=1, offset=None):
        """Probabilities of the classes, in the order of ``classes_``. Those of labels (``multilabel_``) are each by itself.

        ``predictive='probit'`` or ``'monte-carlo'`` averages over the posterior, which the model must have. ``offset`` is as in
        ``fit``, without a posterior.
        """
        if offset is not None:
            if predictive != "plug-in":
                raise ValueError("offset: only with predictive='plug-in'")
            return self._framed(np.exp(self._log_probabilities(X, offset)), X)
        if predictive != "plug-in":
            table = self._model().predictive(self._rows(X), predictive, 0.9, draws, seed, False)
        else:
            table = quick(self, X, "probabilities")
            if table is None:
                table = self._model().probabilities(self._rows(X))
        return self._framed(self._ours(table), X)

    def predict_log_proba(self, X):
        """Logarithms of the probabilities, right where those round to 0."""
        return self._framed(self._log_probabilities(X), X)

    def _log_probabilities(self, X, offset=None):
        scores = self._scores(X, offset)
        if self.multilabel_:
            return -np.logaddexp(0, -scores)
        below = scores - scores.max(axis=1, keepdims=True)
        return below - np.log(np.exp(below).sum(axis=1, keepdims=True))

    def predict(self, X, offset=None):
        """The most probable class of each row; of a model of labels a table with 1 where a label is more probable than not."""
        scores = self._scores(X, offset)
        if self.multilabel_:
            return (scores > 0).astype(np.int64)
        return self.classes_[scores.argmax(axis=1)]

    def set_output(self, *, transform=None):
        """Makes ``predict_proba`` and ``predict_log_proba`` give frames: 'pandas', 'polars' or 'default'."""
        if transform not in (None, "default", "pandas", "polars"):
            raise ValueError(f"transform={transform!r}: expected 'default', 'pandas' or 'polars'")
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def _framed(self, table, X):
        config = self.__dict__.get("_sklearn_output_config")
        if config is None or config["transform"] == "default":
            return table
        columns = [str(label) for label in self.classes_.tolist()]
        if config["transform"] == "pandas":
            import pandas

            return pandas.DataFrame(table, columns=columns, index=frame_index(X))
        import polars

        return polars.DataFrame(table, schema=columns, orient="row")


class Classifier(InsightMixin, ExportMixin, PlotMixin, Predictions):
    """A classifier that is fitted to all rows at once."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _tuning(self):
        return None

    def fit(self, X, y=None, sample_weight=None, offset=None):
        """Fits the model to the rows of X and their labels y.

        X is a numpy array, a scipy.sparse matrix, a frame (pandas, polars, anything that speaks Arrow), a list of texts, a list
        of dictionaries, or a data set of ``lazylogit.read``, which brings its labels along. ``y`` may be a table of 0 and 1
        with a column per label: then rows have any number of labels, each of which is predicted by itself. ``offset``, with
        two classes, is a number per row that is added to the score of the second class.
        """
        rows = labelled_rows(self, X, y)
        options, tuning = train_options(self), self._tuning()
        multilabel = rows.ends is not None
        if multilabel:
            options["multilabel"] = "true"
        elif len(rows.classes) < 2:
            raise ValueError(f"the labels are all of one class, {rows.classes.tolist()[0]!r}; two or more are needed")
        if offset is not None:
            _need_two(rows.classes, multilabel)
        self._fit_rows(rows, sample_weight, options, tuning, offset)
        self.classes_ = rows.classes
        self._take_model([_core.canonical_label(text) for text in rows.texts])
        return self
