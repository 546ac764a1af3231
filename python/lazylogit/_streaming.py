"""Learning from rows as they come."""
import json
import os
import pathlib
import tempfile

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._classifier import Predictions
from ._export import ExportMixin
from ._inputs import column_roles, frame_csv, free_name, kind_of, label_texts, labels_of_texts, text_lines
from ._insight import InsightMixin
from ._options import keep, read_options, train_options
from ._rows import Labelled, _checked_y, is_table, labelled_rows, weights_of


SNAPSHOT = ("model_", "coef_", "intercept_", "certificate_", "termination_", "n_iter_", "_order", "_in_order", "_typed",
            "multilabel_")


OTHER_ROWS = "X is {}, but the rows before were {}"
KINDS = {"texts": "text", "csv": "a frame with text or categories", None: "numbers"}


class Learner:
    """The engine's learner and, until more is learned, the model that it amounts to."""

    def __init__(self, stream):
        self.stream, self.shown = stream, None

    def snapshot(self, estimator):
        if self.shown is None:
            shown = Predictions()
            shown.classes_ = estimator.classes_
            shown.model_ = self.stream.model(estimator.__dict__.get("_width", 0))
            shown._take_model([_core.canonical_label(text) for text in label_texts(estimator.classes_)])
            self.shown = shown
        return self.shown


class StreamingClassifier(InsightMixin, ExportMixin, Predictions):
    """Logistic regression that learns one row after another: the program's ``train --stream``.

    ``partial_fit`` may be called any number of times; classes may be named at the first call or come as they come. ``fit``
    begins anew and passes over the rows once. Rows given in any number of calls leave the same model as in one.

    Parameters
    ----------
    optimizer : 'auto' (adagrad), 'sgd', 'adagrad', 'adf', 'perceptron' or another learner of ``lazylogit train --stream``
    prior, variance, scale, l1, l2, intercept, prior_intercept, symmetric : as for LogisticRegression
    learning_rate, schedule, anneal, average, forget : of the learner
    ngrams, lowercase : for rows that are text and for columns of text
    categorical, text, ignore, missing : for frames with columns that are not numbers, as for LogisticRegression
    class_weight : a dictionary, or None

    Attributes
    ----------
    classes_, coef_, intercept_ : as in scikit-learn
    n_rows_ : rows learned so far
    progressive_log_loss_ : mean of −log p of each row before it was learned

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> x, y = load_digits(return_X_y=True)
    >>> model = StreamingClassifier()
    >>> for first in range(0, 1600, 100):
    ...     _ = model.partial_fit(x[first : first + 100], y[first : first + 100])
    >>> bool(model.score(x[1600:], y[1600:]) > 0.8)
    True
    """

    def __init__(self, optimizer="auto", *, prior="gaussian", variance=None, scale=None, l1=None, l2=None, intercept=True,
                 prior_intercept=False, symmetric=False, learning_rate=None, schedule=None, anneal=None, average=False,
                 forget=None, ngrams=None, lowercase=False, categorical=None, text=None, ignore=None, missing=None,
                 class_weight=None, options=None):
        keep(self, locals())

    random_state = None
    trace_ = ()

    def fit(self, X, y=None, sample_weight=None):
        """Begins anew and learns the rows in their order."""
        for name in ("_stream", "_lines", "classes_", "_width", "feature_names_in_", "n_features_in_"):
            self.__dict__.pop(name, None)
        try:
            self._learn(X, y, None, sample_weight)
        except Exception:
            self.__dict__.pop("_stream", None)
            raise
        if len(self.classes_) < 2:
            label = self.classes_.tolist()[0]
            del self._stream, self.classes_
            raise ValueError(f"the labels are all of one class, {label!r}; two or more are needed")
        return self

    def partial_fit(self, X, y=None, classes=None, sample_weight=None):
        """Learns some more rows. ``classes`` may name all classes at the first call."""
        self._learn(X, y, classes, sample_weight)
        return self

    def _learn(self, X, y, classes, sample_weight):
        first = "_stream" not in self.__dict__
        if isinstance(self.class_weight, str):
            raise ValueError("class_weight must be a dictionary: how often classes occur is known only after the last row")
        kind, names = kind_of(X), self.__dict__.get("feature_names_in_")
        if is_table(y):
            raise ValueError("y has several labels for a row, which a stream does not take; use "
                             "sklearn.multioutput.MultiOutputClassifier(StreamingClassifier()), which has partial_fit too")
        y = self._like_classes(y, classes, first)
        lines = self._lines_of(X, kind, first)
        if lines == "texts":
            rows = self._text_rows(X, y, first)
        elif lines == "csv":
            rows = self._frame_rows(X, y, first, sample_weight)
        else:
            rows = labelled_rows(self, X, y, first)
            if kind == "arrow" and not first and (names is None or names.tolist() != rows.names):
                if names is not None:
                    self.feature_names_in_, self.n_features_in_ = names, len(names)
                raise ValueError("The feature names should match those that were passed to the first call.")
            if not first and rows.data.kind in ("indexed", "columns") and rows.data.num_features != self._width:
                raise ValueError(f"X has {rows.data.num_features} features, but {type(self).__name__} is expecting "
                                 f"{self._width} features as input")
        if not first and (rows.classes.dtype.kind in "OUS") != (self.classes_.dtype.kind in "OUS"):
            raise ValueError("y holds text where it held numbers before, or numbers where it held text")
        learner = Learner(_core.Stream(train_options(self))) if first else self._stream
        stream = learner.stream
        named = self._expect(stream, first, classes, rows.classes)
        weights = weights_of(sample_weight, rows, self.class_weight) if rows.data is not None else None
        if lines == "texts":
            if sample_weight is not None or self.class_weight is not None:
                raise ValueError("rows of text have no weights in a stream")
            stream.learn_lines(rows.lines, {**read_options(self), "format": "text"})
        elif lines == "csv":
            stream.learn_lines(rows.lines, {**read_options(self), **rows.roles, "format": "csv"})
            self.feature_names_in_ = np.array(rows.columns, dtype=object)
            self._width = self.n_features_in_ = len(rows.columns)
        else:
            stream.learn(rows.data, rows.texts, rows.codes, weights, rows.names)
            self._width = rows.data.num_features
        self._lines = lines
        self._stream, learner.shown = learner, None
        if named is not None:
            self.classes_ = named
        elif first:
            self.classes_ = rows.classes
        elif not np.isin(rows.classes, self.classes_).all():
            if getattr(self, "_fixed", False):
                raise ValueError("y has classes that were not named at the first call")
            self.classes_ = np.unique(np.concatenate([self.classes_, rows.classes]))
        if first:
            self._fixed = named is not None
            if "n_features_in_" not in self.__dict__:
                self.n_features_in_ = self.model_.num_features if len(self.classes_) > 1 else 0

    def _like_classes(self, y, classes, first):
        """y, with True and False for 1 and 0, or the other way round, where the classes that are known are so."""
        known = None if first and classes is None else np.asarray(classes if first else self.classes_)
        kinds = {np.asarray(y).dtype.kind, "" if known is None else known.dtype.kind}
        if "b" not in kinds or len(kinds) == 1 or not kinds <= set("biuf"):
            return y
        like = np.asarray(y).astype(known.dtype)
        if not (like == np.asarray(y)).all():
            raise ValueError("y holds numbers, but the classes are True and False")
        return like

    def _expect(self, stream, first, classes, found):
        if classes is None:
            if not first and getattr(self, "_fixed", False) and not np.isin(found, self.classes_).all():
                raise ValueError("y has classes that were not named at the first call")
            return None
        classes = np.unique(np.asarray(classes))
        if not np.isin(found, classes).all():
            raise ValueError(f"y has classes that are not among classes={classes.tolist()}")
        if not first:
            if not np.array_equal(classes, self.classes_):
                raise ValueError("`classes` is not the same as on last call to partial_fit")
            return None
        stream.expect(label_texts(classes))
        return classes

    def _lines_of(self, X, kind, first):
        """How rows reach the learner: as lines of 'texts' or of a table ('csv'), or None: as a matrix."""
        before = self.__dict__.get("_lines")
        lines = "texts" if kind == "texts" else "csv" if kind == "frame" or (kind == "arrow" and not _core.ArrowRows(X).are_numbers) else None
        if not first and before == "csv" and lines is None and (kind == "arrow" or hasattr(X, "iloc")):
            lines = "csv"  # the same columns, all numbers this time
        if not first and lines != before:
            raise ValueError(OTHER_ROWS.format(KINDS[lines], KINDS[before]))
        return lines

    def _frame_rows(self, X, y, first, sample_weight):
        """Lines of a table with labels, and weights where there are some: as the program reads a stream of them."""
        frame = X if hasattr(X, "iloc") else X.to_pandas() if hasattr(X, "to_pandas") else None
        if frame is None:
            raise ValueError("X has columns of text; pass a frame of pandas or one that has to_pandas()")
        rows = Labelled(None, _checked_y(self, frame, y))
        if any(not text.strip() for text in rows.texts):
            raise ValueError("labels must not be empty")
        rows.columns = [str(name) for name in frame.columns]
        if len(set(rows.columns)) != len(rows.columns):
            raise ValueError("names of columns are not distinct")
        weighted = sample_weight is not None or self.class_weight is not None
        if first:
            target = free_name(rows.columns)
            weight = free_name([*rows.columns, target], "weight") if weighted else ""
            self._columns = column_roles(frame, self)
        else:
            if self.__dict__.get("feature_names_in_", np.array([])).tolist() != rows.columns:
                raise ValueError("The feature names should match those that were passed to the first call.")
            target, weight = self._stream.stream.target, self._stream.stream.weight
            if weighted and not weight:
                raise ValueError("sample_weight: of every batch or of none")
        rows.roles = {**self.__dict__.get("_columns", {}), "target": target, **({"weight": weight} if weight else {})}
        more = {target: lambda row: rows.texts[rows.codes[row]]}
        if weight:
            weights = weights_of(sample_weight, rows, self.class_weight)
            more[weight] = lambda row: 1.0 if weights is None else float(weights[row])
        rows.lines = b"".join(frame_csv(frame, **more))
        return rows

    def _text_rows(self, X, y, first):
        rows = Labelled(None, _checked_y(self, X, y))
        if any("\t" in text or "\n" in text or not text for text in rows.texts):
            raise ValueError("labels of rows that are text must not be empty nor contain tabs or line ends")
        rows.lines = b"".join(text_lines(X, lambda row: rows.texts[rows.codes[row]]))
        return rows

    def __getattr__(self, name):
        # The model is made when it is looked at: between two looks rows are only learned.
        if name in SNAPSHOT and "_stream" in self.__dict__ and len(self.classes_) > 1:
            return getattr(self._stream.snapshot(self), name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}")

    def _model(self):
        check_is_fitted(self, "_stream")
        if len(self.classes_) < 2:
            raise ValueError(f"only the class {self.classes_[0]!r} has been seen; two or more are needed")
        return self.model_

    @property
    def n_rows_(self):
        check_is_fitted(self, "_stream")
        return self._stream.stream.num_rows

    @property
    def progressive_log_loss_(self):
        check_is_fitted(self, "_stream")
        return self._stream.stream.log_loss

    def save(self, path, state=True):
        """Writes the model as the program does; with its state it can go on learning (``lazylogit.load``)."""
        check_is_fitted(self, "_stream")
        self._stream.stream.save(os.fspath(path), bool(state))

    @classmethod
    def _resumed(cls, model):
        """Goes on from a model of the program's."""
        record = model.record
        options = json.loads(record["options"])
        estimator = cls()
        known = estimator.get_params()
        estimator.set_params(optimizer=record["optimizer"])
        for option, value in options.items():
            name = option.replace("-", "_")
            if option == "no-intercept":
                estimator.set_params(intercept=False)
            elif name in known:
                estimator.set_params(**{name: value})
        estimator.classes_ = labels_of_texts(model.classes)
        estimator._width = model.num_features
        if model.kind == "indexed" and model.features:
            estimator._width = max(int(name) for name in model.features)
        estimator._fixed = False
        estimator.n_features_in_ = estimator._width
        if model.kind == "columns":
            estimator.feature_names_in_ = np.array(model.columns, dtype=object)
            estimator.n_features_in_ = len(model.columns)
        estimator._lines = "texts" if model.kind == "text" else "csv" if model.kind == "columns" and model.features != model.columns else None
        estimator._stream = Learner(_core.Stream.resume(train_options(estimator), model))
        return estimator

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_stream" in state:
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "state")
                self._stream.stream.save(str(path), True)
                state["_stream"] = path.read_bytes()
        return state

    def __setstate__(self, state):
        state = dict(state)
        stream = state.pop("_stream", None)
        super().__setstate__(state)
        if stream is not None:
            self._stream = Learner(_core.Stream.resume(train_options(self), _core.Model.from_bytes(stream)))

