"""The estimators."""
from . import _core
from ._classifier import Classifier
from ._inputs import labels_of_texts


class LogisticRegression(Classifier):
    """Multinomial logistic regression that ends at a certified optimum.

    Minimises the sum over rows of −log p(label) plus −log prior.

    Parameters
    ----------
    prior : 'gaussian', 'laplace', 'cauchy', 'elastic-net' or 'uniform'
    variance : float, default 1, of the gaussian and laplace priors; scikit-learn's C with the gaussian prior
    scale : float, default 2.5, of the cauchy prior
    l1, l2 : float, default 1, of the elastic net
    standardize : 'none', 'scale' or 'center'
    optimizer : 'auto' or a name of ``lazylogit train --help``
    gap : float, the certified relative gap at which exact optimizers stop
    intercept, prior_intercept : whether there is one, and whether the prior holds for it
    reference, symmetric : a class without a vector of its own, or none
    posterior : 'none', 'diagonal', 'full' or 'low-rank'; what ``summary()`` takes standard errors from
    class_weight : as in scikit-learn
    C, penalty : for those who come from scikit-learn

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> x, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticRegression(standardize="scale").fit(x, y)
    >>> bool(model.score(x, y) > 0.98)
    True
    """

    def __init__(self, prior="gaussian", variance=None, *, scale=None, l1=None, l2=None, standardize="none", optimizer="auto",
                 gap=1e-6, max_passes=None, max_seconds=None, intercept=True, prior_intercept=False, reference=None,
                 symmetric=False, scale_prior=False, posterior="none", class_weight=None, warm_start=False, random_state=None,
                 n_jobs=None, C=None, penalty=None):
        self.prior = prior
        self.variance = variance
        self.scale = scale
        self.l1 = l1
        self.l2 = l2
        self.standardize = standardize
        self.optimizer = optimizer
        self.gap = gap
        self.max_passes = max_passes
        self.max_seconds = max_seconds
        self.intercept = intercept
        self.prior_intercept = prior_intercept
        self.reference = reference
        self.symmetric = symmetric
        self.scale_prior = scale_prior
        self.posterior = posterior
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.C = C
        self.penalty = penalty


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
    """

    variance = scale = C = penalty = None
    warm_start = False

    def __init__(self, prior="gaussian", *, by="log-loss", folds=5, repeats=1, path=50, values=None, one_standard_error=False,
                 max_features=None, l1=None, l2=None, standardize="none", optimizer="auto", gap=1e-6, max_passes=None,
                 max_seconds=None, intercept=True, prior_intercept=False, reference=None, symmetric=False, scale_prior=False,
                 posterior="none", class_weight=None, random_state=None, n_jobs=None):
        self.prior = prior
        self.by = by
        self.folds = folds
        self.repeats = repeats
        self.path = path
        self.values = values
        self.one_standard_error = one_standard_error
        self.max_features = max_features
        self.l1 = l1
        self.l2 = l2
        self.standardize = standardize
        self.optimizer = optimizer
        self.gap = gap
        self.max_passes = max_passes
        self.max_seconds = max_seconds
        self.intercept = intercept
        self.prior_intercept = prior_intercept
        self.reference = reference
        self.symmetric = symmetric
        self.scale_prior = scale_prior
        self.posterior = posterior
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _tuning(self):
        settings = _core.TuneSettings()
        settings.by = self.by
        for name in ("folds", "repeats", "path"):
            value = getattr(self, name)
            if not value >= (1 if name == "repeats" else 2):
                raise ValueError(f"{name}={value!r}: expected {'1' if name == 'repeats' else '2'} or more")
            setattr(settings, name, int(value))
        settings.values = [] if self.values is None else [float(value) for value in self.values]
        settings.one_standard_error = bool(self.one_standard_error)
        settings.max_features = None if self.max_features is None else int(self.max_features)
        return settings

    def _take_model(self, own_texts):
        super()._take_model(own_texts)
        tuning = self.model_.tuning
        self.path_ = tuning["points"]
        setattr(self, tuning["option"] + "_", tuning["points"][tuning["chosen"]]["value"])


def load(path):
    """A LogisticRegression from a model file, the program's or one of ``save``.

    It predicts from matrices whose columns are the model's features in their order (``model_.features``).
    """
    estimator = LogisticRegression()
    estimator.model_ = _core.Model.load(str(path))
    texts = estimator.model_.classes
    estimator.classes_ = labels_of_texts(texts)
    estimator._take_model(texts)
    return estimator
