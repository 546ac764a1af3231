"""Linear regression: the same engine under squared loss."""
import numpy as np
from sklearn.base import RegressorMixin

from ._classifier import Estimator
from ._export import ExportMixin
from ._html import Trace
from ._options import keep, train_options
from ._plots import PlotMixin
from ._rows import numbered_rows, offsets_of, quick


class LinearRegression(ExportMixin, PlotMixin, RegressorMixin, Estimator):
    """Linear regression under any prior, with a certificate: the program's ``train --loss squared``.

    Minimises the sum over rows of (y − f)²/2 plus −log prior. The Gaussian prior of variance V is ridge regression with
    alpha = 1/V, the Laplace prior the lasso with alpha = √(2/V)/n, the uniform prior least squares.

    Parameters
    ----------
    prior, variance, scale, l1, l2, standardize, intercept, prior_intercept, optimizer, gap, … : as for LogisticRegression
    posterior : 'none', 'diagonal' or 'full', for ``summary()`` and ``predict_interval()``
    noise_variance : of the labels around the truth; None estimates it from the residuals

    Attributes
    ----------
    coef_, intercept_, n_iter_, certificate_, termination_, trace_, model_

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> x, y = load_diabetes(return_X_y=True)
    >>> model = LinearRegression(prior="uniform", posterior="full").fit(x, y)
    >>> round(model.score(x, y), 3)
    0.518
    >>> lower, upper = model.predict_interval(x, level=0.9)
    >>> bool(0.85 < ((lower < y) & (y < upper)).mean() < 0.95)
    True
    """

    def __init__(self, prior="gaussian", variance=None, *, scale=None, l1=None, l2=None, prior_file=None,
                 prior_covariance=None, scale_prior=False, standardize="none", intercept=True, prior_intercept=False,
                 optimizer="auto", gap=1e-6, max_passes=None, max_seconds=None, posterior="none", noise_variance=None,
                 ngrams=None, lowercase=False, tfidf=False, min_count=None, hash_bits=None, categorical=None, text=None,
                 ignore=None, missing=None, interactions=None, polynomial=None, log=None, log1p=None, bins=None,
                 normalize=None, warm_start=False, random_state=None, n_jobs=None, verbose=False, options=None):
        keep(self, locals())

    def fit(self, X, y=None, sample_weight=None, offset=None):
        """Fits the model to the rows of X and their numbers y; X as for LogisticRegression. ``offset`` is a part of each number
        that is known."""
        rows = numbered_rows(self, X, y)
        if rows.data.num_rows < 2 and self.posterior != "none":
            raise ValueError("n_samples=1: a posterior of one row has no noise to be estimated from; two or more are needed")
        self._fit_rows(rows, sample_weight, {**train_options(self), "loss": "squared"}, offset=offset)
        self._take_model()
        return self

    def _take_model(self):
        model, record = self.model_, self.model_.record
        self._typed = model.has_derived or (model.kind == "columns" and model.inputs != model.columns)
        self.coef_, self.intercept_ = model.coefficients[0], float(model.intercepts[0, 0])
        self.certificate_, self.termination_ = record["certificate"], record["termination"]
        self.n_iter_ = np.array([record["iterations"]])
        if not hasattr(self, "n_features_in_"):
            self.n_features_in_ = model.num_inputs

    def predict(self, X, offset=None):
        """The number of each row."""
        scores = quick(self, X, "scores")
        numbers = (self._model().scores(self._rows(X)) if scores is None else scores)[:, 0]
        return numbers if offset is None else numbers + offsets_of(offset, len(numbers))

    def predict_interval(self, X, level=0.9):
        """Where the label of each row lies with probability ``level``: (lower, upper). The model must keep a posterior."""
        return self._model().number_bounds(self._rows(X), float(level))

    def plot_calibration(self, X, y, bins=10, ax=None):
        raise AttributeError("calibration is of probabilities, which numbers do not have")

    def to_sklearn(self):
        """A fitted scikit-learn LinearRegression with the same coefficients."""
        from sklearn.linear_model import LinearRegression as Peer

        self._need_columns("scikit-learn")
        peer = Peer()
        peer.coef_, peer.intercept_, peer.n_features_in_ = self.coef_.copy(), self.intercept_, self.coef_.shape[0]
        if hasattr(self, "feature_names_in_"):
            peer.feature_names_in_ = self.feature_names_in_
        return peer

    def to_onnx(self, path=None, *, dtype=np.float32):
        """The model as an ONNX graph (needs the package ``onnx``): input ``X``, output ``y``. As for LogisticRegression."""
        from ._onnx import regression_proto, written

        self._need_columns("ONNX")
        return written(regression_proto(self, np.dtype(dtype)), path)

    @classmethod
    def _loaded(cls, model):
        estimator = cls()
        estimator.model_, estimator.trace_ = model, Trace()
        if model.kind == "columns":
            estimator.n_features_in_ = len(model.columns)
            estimator.feature_names_in_ = np.array(model.columns, dtype=object)
        estimator._take_model()
        return estimator
