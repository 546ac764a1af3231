"""What estimators share: from X and y to a model of the engine, and from there to what scikit-learn's users expect."""
import numbers
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import _core
from ._inputs import engine_arguments, label_texts
from ._summary import summary_text

REACHED = ("converged", "tolerance")
PRIOR_OF_PENALTY = {"l1": "laplace", "l2": "gaussian", "none": "uniform"}


def _text(value):
    """A parameter as the engine's option parser reads it."""
    if isinstance(value, numbers.Integral):
        return str(int(value))
    return repr(float(value)) if isinstance(value, numbers.Real) else str(value)


class Classifier(ClassifierMixin, BaseEstimator):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _prior(self):
        """The prior's family and variance, C and penalty translated."""
        prior, variance = self.prior, self.variance
        if self.penalty is not None:
            if self.penalty not in PRIOR_OF_PENALTY:
                raise ValueError(f"penalty={self.penalty!r}: expected 'l1', 'l2' or 'none'; elastic nets are prior='elastic-net'")
            prior = PRIOR_OF_PENALTY[self.penalty]
        if self.C is not None:
            if not (isinstance(self.C, numbers.Real) and self.C > 0):
                raise ValueError(f"C={self.C!r}: expected a positive number")
            if variance is not None:
                raise ValueError("C and variance say the same thing; give one of them")
            if prior not in ("gaussian", "laplace"):
                raise ValueError(f"C={self.C!r} has no meaning for the {prior} prior")
            variance = float(self.C) if prior == "gaussian" else 2 * float(self.C) ** 2
        return prior, variance

    def _options(self):
        """The options of the engine that were given."""
        prior, variance = self._prior()
        seed = self.random_state
        if seed is not None and not (isinstance(seed, numbers.Integral) and seed >= 0):
            seed = check_random_state(seed).randint(2**31 - 1)
        given = {"prior": prior, "variance": variance, "scale": self.scale, "l1": self.l1, "l2": self.l2,
                 "standardize": self.standardize, "optimizer": self.optimizer, "gap": self.gap, "max-passes": self.max_passes,
                 "max-seconds": self.max_seconds, "reference": self.reference, "posterior": self.posterior, "seed": seed}
        options = {name: _text(value) for name, value in given.items() if value is not None}
        for name, flag in (("no-intercept", not self.intercept), ("prior-intercept", self.prior_intercept),
                           ("symmetric", self.symmetric), ("scale-prior", self.scale_prior)):
            if flag:
                options[name] = "true"
        return options

    def _tuning(self):
        return None

    def fit(self, X, y, sample_weight=None):
        """Fits the model to the rows of X (dense or sparse) and their labels y."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32], accept_large_sparse=True)
        check_classification_targets(y)
        options, tuning = self._options(), self._tuning()
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"the labels are all of one class, {self.classes_[0]!r}; two or more are needed")
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if self.class_weight is not None:
            by_class = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
            weights = (1.0 if weights is None else weights) * by_class[codes]
        if weights is not None:
            weights = np.ascontiguousarray(weights, dtype=np.float64)
        names = [str(name) for name in self.feature_names_in_] if hasattr(self, "feature_names_in_") else None
        texts = label_texts(self.classes_)
        threads = 0 if self.n_jobs is None or self.n_jobs < 0 else self.n_jobs
        warm = getattr(self, "model_", None) if self.warm_start else None
        codes = np.ascontiguousarray(codes, dtype=np.int64).ravel()
        self.model_ = _core.fit(*engine_arguments(X), texts, codes, weights, names, options, tuning, threads, warm)
        self._take_model([_core.canonical_label(text) for text in texts])
        for message in self.model_.warnings:
            warnings.warn(message, UserWarning, stacklevel=2)
        if self.termination_ not in REACHED:
            warnings.warn(self.model_.record["message"], ConvergenceWarning, stacklevel=2)
        return self

    def _take_model(self, own_texts):
        model, record = self.model_, self.model_.record
        position = {text: c for c, text in enumerate(model.classes)}
        self._order = np.array([position[text] for text in own_texts])  # of our classes among the model's
        self.coef_, self.intercept_ = self._by_class(model.coefficients), self._by_class(model.intercepts)[:, 0]
        self.n_iter_ = np.array([record["iterations"]])
        self.certificate_ = record["certificate"]
        self.termination_ = record["termination"]
        self.n_features_in_ = model.num_features

    def _by_class(self, table):
        """A row per vector of the model → rows as scikit-learn has them: one for two classes, else one per class."""
        k, reference = len(self._order), self.model_.reference
        full = np.zeros((k, table.shape[1]))
        full[[c for c in range(k) if c != reference]] = table
        full = full[self._order]
        return full[1:] - full[:1] if k == 2 else full

    def _rows(self, X):
        check_is_fitted(self, "model_")
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], accept_large_sparse=True, reset=False)
        return engine_arguments(X)

    def _scores(self, X):
        rows = self._rows(X)
        return self.model_.scores(*rows)[:, self._order]

    def decision_function(self, X):
        """Scores: one number per row for two classes (positive means the second), else one per class."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict_proba(self, X):
        """Probabilities of the classes, in the order of ``classes_``."""
        rows = self._rows(X)
        return self.model_.probabilities(*rows)[:, self._order]

    def predict_log_proba(self, X):
        """Logarithms of the probabilities, right where those round to 0."""
        scores = self._scores(X)
        below = scores - scores.max(axis=1, keepdims=True)
        return below - np.log(np.exp(below).sum(axis=1, keepdims=True))

    def predict(self, X):
        """The most probable class of each row."""
        scores = self._scores(X)
        return self.classes_[scores.argmax(axis=1)]

    def summary(self, level=0.95):
        """The table statisticians know, as text: coefficient, standard error, z, interval, odds ratio.

        Standard errors need ``posterior='full'`` (or 'diagonal', 'low-rank').
        """
        check_is_fitted(self, "model_")
        return summary_text(self.model_, level)

    def save(self, path):
        """Writes the model as a file of the program's."""
        check_is_fitted(self, "model_")
        self.model_.save(str(path))

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "model_" in state:
            state["model_"] = state["model_"].to_bytes()
        return state

    def __setstate__(self, state):
        state = dict(state)
        if isinstance(state.get("model_"), bytes):
            state["model_"] = _core.Model.from_bytes(state["model_"])
        super().__setstate__(state)
