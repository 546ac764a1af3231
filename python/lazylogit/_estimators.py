"""The estimators."""
import os

import numpy as np

from . import _core
from ._classifier import Classifier
from ._html import Trace
from ._inputs import labels_of_texts
from ._options import keep, whole_number


class LogisticRegression(Classifier):
    """Multinomial logistic regression that ends at a certified optimum.

    Minimises the sum over rows of −log p(label) plus −log prior. Parameters are the options of ``lazylogit train``.

    Parameters
    ----------
    prior : 'gaussian', 'laplace', 'cauchy', 'elastic-net' or 'uniform'
    variance : float, default 1, of the gaussian and laplace priors; scikit-learn's C with the gaussian prior
    scale : float, default 2.5, of the cauchy prior
    l1, l2 : float, default 1, of the elastic net
    prior_file, prior_covariance : csv files with a prior per feature and class, or a covariance of some features
    scale_prior : divide prior variances by each feature's variance
    standardize : 'none', 'scale' or 'center'
    intercept, prior_intercept : whether there is one, and whether the prior holds for it
    reference, symmetric : a class without a vector of its own, or none
    optimizer : 'auto' or a name of ``lazylogit train --help``
    gap : float, the certified relative gap at which exact optimizers stop
    max_passes, max_seconds : limits of the fit
    restarts, memory, broyden, line_search, step_size, momentum : of single exact optimizers
    epochs, tolerance, learning_rate, schedule, anneal, decay_per, batch_size, average, shuffle, prior_step, dense_updates, \
prior_every, rho, beta1, beta2, epsilon, beta, bounds, max_norm, finish : of stochastic training; giving one of them makes \
'auto' stochastic
    holdout, early_stopping : fraction of the rows that is not trained on, and passes without progress there
    posterior : 'none', 'diagonal', 'full', 'low-rank', 'variational' or 'samples': what ``summary()`` and \
``predict_interval()`` take uncertainty from
    posterior_rank, samples, warmup, chains : of the posterior
    ngrams, lowercase, tfidf, min_count, hash_bits : for rows that are text and for columns of text
    categorical, text, ignore, missing : for frames with columns that are not numbers
    interactions, polynomial, log, log1p, bins, normalize : features derived from the columns of pandas frames
    class_weight : 'balanced' or a dictionary, as in scikit-learn
    warm_start, random_state, n_jobs : as in scikit-learn
    verbose : show a progress bar
    options : dictionary of further options of ``lazylogit train``
    C, penalty : for those who come from scikit-learn; ``penalty=None`` is no prior, as there, and 'prior' (the default) what \
``prior`` says

    Attributes
    ----------
    coef_, intercept_, classes_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn
    multilabel_ : whether ``y`` was a table of labels; then ``classes_`` are its columns and each has a row of ``coef_``
    certificate_ : how far from the optimum the fit can be, and which expectation constraint is violated most
    termination_ : how the fit ended
    trace_ : the passes, one dictionary each
    model_ : the engine's model

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> x, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticRegression(standardize="scale").fit(x, y)
    >>> bool(model.score(x, y) > 0.98)
    True
    >>> model.certificate_["relative_gap"] <= 1e-6
    True

    Text is read as the program reads it:

    >>> texts = ["good film", "bad film", "good plot", "bad, bad plot"]
    >>> LogisticRegression(ngrams=2).fit(texts, ["+", "-", "+", "-"]).predict(["a good one"]).tolist()
    ['+']
    """

    def __init__(self, prior="gaussian", variance=None, *, scale=None, l1=None, l2=None, prior_file=None,
                 prior_covariance=None, scale_prior=False, standardize="none", intercept=True, prior_intercept=False,
                 reference=None, symmetric=False, optimizer="auto", gap=1e-6, max_passes=None, max_seconds=None, restarts=None,
                 memory=None, broyden=None, line_search=None, step_size=None, momentum=None, epochs=None, tolerance=None,
                 learning_rate=None, schedule=None, anneal=None, decay_per=None, batch_size=None, average=False, shuffle=True,
                 prior_step=None, dense_updates=False, prior_every=None, rho=None, beta1=None, beta2=None, epsilon=None,
                 beta=None, bounds=None, max_norm=None, finish=None, holdout=None, early_stopping=None, posterior="none",
                 posterior_rank=None, samples=None, warmup=None, chains=None, ngrams=None, lowercase=False, tfidf=False,
                 min_count=None, hash_bits=None, categorical=None, text=None, ignore=None, missing=None,
                 interactions=None, polynomial=None, log=None, log1p=None, bins=None, normalize=None, class_weight=None,
                 warm_start=False, random_state=None, n_jobs=None, verbose=False, options=None, C=None,
                 penalty="prior"):
        keep(self, locals())


class LogisticRegressionCV(Classifier):
    """Logistic regression whose prior's width is chosen by cross-validation or by the evidence, as ``lazylogit tune`` does.

    Parameters
    ----------
    prior : 'gaussian', 'laplace', 'cauchy' or 'elastic-net'
    by : 'log-loss', 'accuracy' or 'evidence'
    folds, repeats : of the cross-validation
    path : how many widths to try, from the empty model to the full one
    values : the widths to try instead
    one_standard_error : take the strongest prior within a standard error of the best
    max_features : take the best model with at most so many features

    The other parameters are those of LogisticRegression. ``path_`` has what was tried; ``variance_`` (or ``scale_``, ``l1_``) is
    what was chosen.

    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> model = LogisticRegressionCV(path=5, folds=3).fit(x, y)
    >>> len(model.path_) <= 5 and model.variance_ in [point["value"] for point in model.path_]
    True
    """

    warm_start = False

    def __init__(self, prior="gaussian", *, by="log-loss", folds=5, repeats=1, path=50, values=None, one_standard_error=False,
                 max_features=None, l1=None, l2=None, prior_file=None, prior_covariance=None, scale_prior=False,
                 standardize="none", intercept=True, prior_intercept=False, reference=None, symmetric=False, optimizer="auto",
                 gap=1e-6, max_passes=None, max_seconds=None, posterior="none", posterior_rank=None, ngrams=None,
                 lowercase=False, tfidf=False, min_count=None, hash_bits=None, categorical=None, text=None, ignore=None,
                 missing=None, class_weight=None, random_state=None, n_jobs=None, verbose=False, options=None):
        keep(self, locals())

    def _tuning(self):
        settings = _core.TuneSettings()
        settings.by = self.by
        for name, least in {"folds": 2, "repeats": 1, "path": 2}.items():
            setattr(settings, name, whole_number(name, getattr(self, name), least))
        settings.values = [] if self.values is None else [float(value) for value in self.values]
        settings.one_standard_error = bool(self.one_standard_error)
        settings.max_features = None if self.max_features is None else whole_number("max_features", self.max_features, 0)
        return settings

    def _take_model(self, own_texts):
        super()._take_model(own_texts)
        tuning = self.model_.tuning
        self.path_ = tuning["points"]
        setattr(self, tuning["option"] + "_", tuning["points"][tuning["chosen"]]["value"])


class KernelLogisticRegression(Classifier):
    """Logistic regression that compares rows by a kernel instead of weighing their features.

    Parameters
    ----------
    kernel : 'gaussian' exp(−|x − y|²/(2 width²)), 'polynomial' (x·y + 1)^degree or 'linear'
    kernel_width, kernel_degree : float, int; the width defaults to half the median distance of rows
    kernel_map : 'exact' (every row), 'nystroem' (some rows), 'fourier' (random waves, gaussian only) or 'auto'
    kernel_size : rows or waves that are kept, default 500
    variance : of the function under the gaussian prior; other priors act on the dual coefficients

    The other parameters are those of LogisticRegression. ``dual_coef_`` has a coefficient for each kept row (``support_``, by
    number) or wave.

    >>> import numpy as np
    >>> angle = np.linspace(0, 6, 60)
    >>> ring = np.c_[np.cos(angle), np.sin(angle)] * np.where(np.arange(60) % 2, 1.0, 3.0)[:, None]
    >>> model = KernelLogisticRegression(variance=10.0).fit(ring, np.arange(60) % 2)
    >>> bool(model.score(ring, np.arange(60) % 2) > 0.95)
    True
    """

    warm_start = False

    def __init__(self, kernel="gaussian", variance=None, *, kernel_width=None, kernel_degree=None, kernel_map=None,
                 kernel_size=None, prior="gaussian", scale=None, l1=None, l2=None, standardize="none", intercept=True,
                 prior_intercept=False, reference=None, symmetric=False, optimizer="auto", gap=1e-6, max_passes=None,
                 max_seconds=None, ngrams=None, lowercase=False, tfidf=False, min_count=None, class_weight=None,
                 random_state=None, n_jobs=None, verbose=False, options=None):
        keep(self, locals())

    def _take_coefficients(self, model):
        self.dual_coef_, self.intercept_ = self._by_class(model.coefficients), self._by_class(model.intercepts)[:, 0]
        self.support_ = np.array(model.kept_rows, dtype=np.int64)


def load(path, max_header_bytes=64 << 20):
    """An estimator from a model file, the program's or one of ``save``.

    A header of more than ``max_header_bytes`` is refused, as without the program's --max-header-bytes.

    A model that was learned from a stream and holds its state is a StreamingClassifier, which can go on learning; one with a
    kernel a KernelLogisticRegression; one of numbers a LinearRegression; any other a LogisticRegression. It predicts from what it was trained on: text, frames with its columns, or matrices whose columns are
    its features in their order (``model_.features``).
    """
    model = _core.Model.load(os.fspath(path), max_header_bytes)
    if model.response == "number":
        from ._regression import LinearRegression

        return LinearRegression._loaded(model)
    if model.has_state and model.response == "classes":
        from ._streaming import StreamingClassifier

        return StreamingClassifier._resumed(model)
    estimator = KernelLogisticRegression() if model.has_kernel else LogisticRegression()
    estimator.model_, estimator.trace_ = model, Trace()
    estimator.classes_ = labels_of_texts(model.classes)
    if model.kind == "columns":
        estimator.n_features_in_ = len(model.columns)
        estimator.feature_names_in_ = np.array(model.columns, dtype=object)
    estimator._take_model(model.classes)
    return estimator
