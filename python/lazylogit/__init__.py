"""Logistic regression on sparse, large, real data: exact, fast, certified.

    >>> from sklearn.datasets import load_iris
    >>> from lazylogit import LogisticRegression
    >>> x, y = load_iris(return_X_y=True)
    >>> model = LogisticRegression().fit(x, y)
    >>> model.certificate_["relative_gap"] <= 1e-6
    True

Estimators follow scikit-learn's conventions; their parameters are called like the options of the program. A model is the same
file as the program's: ``model.save(path)``, ``lazylogit.load(path)``.
"""
from ._core import Model

__version__ = "0.1.0"
__all__ = ["Dataset", "KernelLogisticRegression", "LinearRegression", "LogisticRegression", "LogisticRegressionCV", "Model",
           "StreamingClassifier", "load", "read"]

_HOMES = {"Dataset": "_data", "read": "_data", "KernelLogisticRegression": "_estimators", "LogisticRegression": "_estimators",
          "LogisticRegressionCV": "_estimators", "LinearRegression": "_regression",
          "load": "_estimators", "StreamingClassifier": "_streaming"}


def __getattr__(name):
    # scikit-learn is imported when an estimator is asked for, not before.
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module 'lazylogit' has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
