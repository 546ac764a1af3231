"""Types of the public names. tests/python/test_types.py compares them with what is there."""
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from ._core import Model as Model

__version__: str
__all__: list[str]

Rows = Any  # numpy, scipy.sparse, a frame, anything that speaks Arrow, texts, dictionaries, a Dataset
Array = npt.NDArray[np.float64]
Predictive = Literal["plug-in", "probit", "monte-carlo"]

class Dataset:
    def __init__(self, data: Any) -> None: ...
    @property
    def X(self) -> csr_matrix: ...
    @property
    def y(self) -> npt.NDArray[Any] | None: ...
    @property
    def classes(self) -> npt.NDArray[Any]: ...
    @property
    def codes(self) -> npt.NDArray[np.int32]: ...
    @property
    def feature_names(self) -> npt.NDArray[np.object_]: ...
    @property
    def sample_weight(self) -> Array | None: ...
    @property
    def offset(self) -> Array | None: ...
    @property
    def ids(self) -> list[str] | None: ...
    @property
    def kind(self) -> Literal["indexed", "named", "columns", "text"]: ...
    @property
    def messages(self) -> list[str]: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    def __len__(self) -> int: ...

class Explanation:
    prediction: Any
    rival: Any
    margin: float
    contributions: list[tuple[str, float, float]]

class _Estimator(BaseEstimator):
    model_: Model
    intercept_: Any
    n_iter_: npt.NDArray[np.int64]
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    certificate_: dict[str, Any] | None
    termination_: str
    trace_: list[dict[str, float]]
    def summary(self, level: float = ..., top: int | None = ...) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def to_json(self) -> str: ...
    def to_sklearn(self) -> Any: ...
    def to_onnx(self, path: str | PathLike[str] | None = ..., *, dtype: Any = ...) -> Any: ...

class _Plots:
    def plot_trace(self, ax: Any = ...) -> Any: ...
    def plot_path(self, ax: Any = ...) -> Any: ...
    def plot_coefficients(self, top: int = ..., level: float = ..., label: Any = ..., ax: Any = ...) -> Any: ...
    def plot_calibration(self, X: Rows, y: Any, bins: int = ..., ax: Any = ...) -> Any: ...
    def plot_priors(self, ax: Any = ...) -> Any: ...

class _Classifier(ClassifierMixin, _Estimator):
    classes_: npt.NDArray[Any]
    multilabel_: bool
    coef_: Array
    def predict(self, X: Rows, offset: Any = ...) -> npt.NDArray[Any]: ...
    def predict_proba(
        self, X: Rows, predictive: Predictive = ..., draws: int = ..., seed: int = ..., offset: Any = ...
    ) -> Any: ...
    def predict_log_proba(self, X: Rows) -> Any: ...
    def decision_function(self, X: Rows, offset: Any = ...) -> Array: ...
    def predict_interval(
        self, X: Rows, level: float = ..., predictive: Predictive = ..., draws: int = ..., seed: int = ...
    ) -> tuple[Array, Array]: ...
    def explain(self, X: Rows, top: int = ...) -> list[Explanation]: ...
    def outliers(
        self,
        X: Rows,
        y: Any = ...,
        sample_weight: Any = ...,
        *,
        method: Literal["approximate", "exact", "folds"] = ...,
        folds: int = ...,
        seed: int = ...,
    ) -> dict[str, npt.NDArray[Any]]: ...
    def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = ...) -> Any: ...

class LogisticRegression(_Plots, _Classifier):
    def __init__(self, prior: Literal["gaussian", "laplace", "cauchy", "elastic-net", "uniform"] = ..., variance: float |
        None = ..., *, scale: float | None = ..., l1: float | None = ..., l2: float | None = ..., prior_file: str |
        PathLike[str] | None = ..., prior_covariance: str | PathLike[str] | None = ..., scale_prior: bool = ...,
        standardize: Literal["none", "scale", "center"] = ..., intercept: bool = ..., prior_intercept: bool = ...,
        reference: Any = ..., symmetric: bool = ..., optimizer: str = ..., gap: float = ..., max_passes: int | None = ...,
        max_seconds: float | None = ..., restarts: int | None = ..., memory: int | None = ..., broyden: float | None = ...,
        line_search: Literal["wolfe", "backtracking", "none"] | None = ..., step_size: float | None = ..., momentum: float |
        None = ..., epochs: int | None = ..., tolerance: float | None = ..., learning_rate: float | Literal["auto"] | None =
        ..., schedule: str | None = ..., anneal: float | None = ..., decay_per: str | None = ..., batch_size: int | None =
        ..., average: bool = ..., shuffle: bool = ..., prior_step: str | None = ..., dense_updates: bool = ..., prior_every:
        int | None = ..., rho: float | None = ..., beta1: float | None = ..., beta2: float | None = ..., epsilon: float |
        None = ..., beta: float | None = ..., bounds: str | PathLike[str] | None = ..., max_norm: float | None = ...,
        finish: int | None = ..., holdout: float | None = ..., early_stopping: int | None = ..., posterior: Literal["none",
        "diagonal", "full", "low-rank", "variational", "samples"] = ..., posterior_rank: int | None = ..., samples: int |
        None = ..., warmup: int | None = ..., chains: int | None = ..., ngrams: int | None = ..., lowercase: bool = ...,
        tfidf: bool = ..., min_count: int | None = ..., hash_bits: int | None = ..., categorical: Sequence[str] | None =
        ..., text: Sequence[str] | None = ..., ignore: Sequence[str] | None = ..., missing: str | None = ..., interactions:
        Sequence[str] | None = ..., polynomial: int | None = ..., log: Sequence[str] | None = ..., log1p: Sequence[str] |
        None = ..., bins: Sequence[str] | None = ..., normalize: str | None = ..., class_weight: Literal["balanced"] |
        Mapping[Any, float] | None = ..., warm_start: bool = ..., random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ..., verbose: bool = ..., options: Mapping[str, Any] | None = ..., C: float | None = ...,
        penalty: Literal["prior", "l1", "l2", "none"] | None = ...) -> None: ...
    def fit(self, X: Rows, y: Any = ..., sample_weight: Any = ..., offset: Any = ...) -> LogisticRegression: ...

class LogisticRegressionCV(_Plots, _Classifier):
    path_: list[dict[str, Any]]
    variance_: float
    scale_: float
    l1_: float
    def __init__(self, prior: Literal["gaussian", "laplace", "cauchy", "elastic-net", "uniform"] = ..., *, by:
        Literal["log-loss", "accuracy", "evidence"] = ..., folds: int = ..., repeats: int = ..., path: int = ..., values:
        Sequence[float] | None = ..., one_standard_error: bool = ..., max_features: int | None = ..., l1: float | None =
        ..., l2: float | None = ..., prior_file: str | PathLike[str] | None = ..., prior_covariance: str | PathLike[str] |
        None = ..., scale_prior: bool = ..., standardize: Literal["none", "scale", "center"] = ..., intercept: bool = ...,
        prior_intercept: bool = ..., reference: Any = ..., symmetric: bool = ..., optimizer: str = ..., gap: float = ...,
        max_passes: int | None = ..., max_seconds: float | None = ..., posterior: Literal["none", "diagonal", "full",
        "low-rank", "variational", "samples"] = ..., posterior_rank: int | None = ..., ngrams: int | None = ..., lowercase:
        bool = ..., tfidf: bool = ..., min_count: int | None = ..., hash_bits: int | None = ..., categorical: Sequence[str]
        | None = ..., text: Sequence[str] | None = ..., ignore: Sequence[str] | None = ..., missing: str | None = ...,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = ..., random_state: int | np.random.RandomState |
        None = ..., n_jobs: int | None = ..., verbose: bool = ..., options: Mapping[str, Any] | None = ...) -> None: ...
    def fit(self, X: Rows, y: Any = ..., sample_weight: Any = ..., offset: Any = ...) -> LogisticRegressionCV: ...

class KernelLogisticRegression(_Plots, _Classifier):
    dual_coef_: Array
    support_: npt.NDArray[np.int64]
    def __init__(self, kernel: Literal["gaussian", "polynomial", "linear"] = ..., variance: float | None = ..., *,
        kernel_width: float | None = ..., kernel_degree: int | None = ..., kernel_map: str | None = ..., kernel_size: int |
        None = ..., prior: Literal["gaussian", "laplace", "cauchy", "elastic-net", "uniform"] = ..., scale: float | None =
        ..., l1: float | None = ..., l2: float | None = ..., standardize: Literal["none", "scale", "center"] = ...,
        intercept: bool = ..., prior_intercept: bool = ..., reference: Any = ..., symmetric: bool = ..., optimizer: str =
        ..., gap: float = ..., max_passes: int | None = ..., max_seconds: float | None = ..., ngrams: int | None = ...,
        lowercase: bool = ..., tfidf: bool = ..., min_count: int | None = ..., class_weight: Literal["balanced"] |
        Mapping[Any, float] | None = ..., random_state: int | np.random.RandomState | None = ..., n_jobs: int | None = ...,
        verbose: bool = ..., options: Mapping[str, Any] | None = ...) -> None: ...
    def fit(self, X: Rows, y: Any = ..., sample_weight: Any = ..., offset: Any = ...) -> KernelLogisticRegression: ...

class StreamingClassifier(_Classifier):
    @property
    def n_rows_(self) -> int: ...
    @property
    def progressive_log_loss_(self) -> float: ...
    def partial_fit(self, X: Rows, y: Any = ..., classes: Any = ..., sample_weight: Any = ...) -> StreamingClassifier: ...
    def save(self, path: str | PathLike[str], state: bool = ...) -> None: ...
    def __init__(self, optimizer: str = ..., *, prior: Literal["gaussian", "laplace", "cauchy", "elastic-net", "uniform"] =
        ..., variance: float | None = ..., scale: float | None = ..., l1: float | None = ..., l2: float | None = ...,
        intercept: bool = ..., prior_intercept: bool = ..., symmetric: bool = ..., learning_rate: float | Literal["auto"] |
        None = ..., schedule: str | None = ..., anneal: float | None = ..., average: bool = ..., forget: float | None = ...,
        ngrams: int | None = ..., lowercase: bool = ..., categorical: Sequence[str] | None = ..., text: Sequence[str] | None =
        ..., ignore: Sequence[str] | None = ..., missing: str | None = ..., class_weight: Literal["balanced"] | Mapping[Any, float] | None =
        ..., options: Mapping[str, Any] | None = ...) -> None: ...
    def fit(self, X: Rows, y: Any = ..., sample_weight: Any = ...) -> StreamingClassifier: ...

class LinearRegression(RegressorMixin, _Plots, _Estimator):
    coef_: Array
    def predict(self, X: Rows, offset: Any = ...) -> Array: ...
    def predict_interval(self, X: Rows, level: float = ...) -> tuple[Array, Array]: ...
    def __init__(self, prior: Literal["gaussian", "laplace", "cauchy", "elastic-net", "uniform"] = ..., variance: float |
        None = ..., *, scale: float | None = ..., l1: float | None = ..., l2: float | None = ..., prior_file: str |
        PathLike[str] | None = ..., prior_covariance: str | PathLike[str] | None = ..., scale_prior: bool = ...,
        standardize: Literal["none", "scale", "center"] = ..., intercept: bool = ..., prior_intercept: bool = ...,
        optimizer: str = ..., gap: float = ..., max_passes: int | None = ..., max_seconds: float | None = ..., posterior:
        Literal["none", "diagonal", "full", "low-rank", "variational", "samples"] = ..., noise_variance: float | None = ...,
        ngrams: int | None = ..., lowercase: bool = ..., tfidf: bool = ..., min_count: int | None = ..., hash_bits: int |
        None = ..., categorical: Sequence[str] | None = ..., text: Sequence[str] | None = ..., ignore: Sequence[str] | None
        = ..., missing: str | None = ..., interactions: Sequence[str] | None = ..., polynomial: int | None = ..., log:
        Sequence[str] | None = ..., log1p: Sequence[str] | None = ..., bins: Sequence[str] | None = ..., normalize: str |
        None = ..., warm_start: bool = ..., random_state: int | np.random.RandomState | None = ..., n_jobs: int | None =
        ..., verbose: bool = ..., options: Mapping[str, Any] | None = ...) -> None: ...
    def fit(self, X: Rows, y: Any = ..., sample_weight: Any = ..., offset: Any = ...) -> LinearRegression: ...

def load(
    path: str | PathLike[str], max_header_bytes: int = ...,
) -> LogisticRegression | KernelLogisticRegression | StreamingClassifier | LinearRegression: ...
def read(*paths: str | PathLike[str], like: Any = ..., **options: Any) -> Dataset: ...
