"""X and y of estimators: checked, named and handed to the engine."""
import sys
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (_check_sample_weight, _get_feature_names, check_array, check_consistent_length,
                                      column_or_1d)
from sklearn.utils.validation import validate_data as sklearn_validates

from . import _core
from ._inputs import (KEPT, arrow_rows, column_roles, data_of_matrix, dict_lines, frame_csv, free_name, kind_of, label_texts,
                      labels_of_texts, pandas_na, plain_frame, text_lines, typed_columns)
from ._options import DERIVED, prior_of, read_options

CHECKS = {"accept_sparse": ["csr", "csc"], "dtype": [np.float64, np.float32], "accept_large_sparse": True}


def validate_data(*args, **settings):
    """scikit-learn's checks; a whole number that no float holds is a value like any other that does not fit."""
    try:
        return sklearn_validates(*args, **settings)
    except OverflowError as error:
        raise ValueError(f"Input contains a number that is too large: {error}") from None


class Labelled:
    """Rows, their classes as positions in `classes`, names of columns where a frame gave some; of a regression `numbers`.

    Where rows have any number of labels, `codes` has those of all rows and `ends` says where each row's end.
    """

    def __init__(self, data, target, names=None, numbers=None):
        self.data, self.classes, self.names, self.numbers = data, target.classes, names, numbers
        self.codes, self.ends = target.codes, target.ends
        self.texts = label_texts(target.classes)
        if "" in self.texts:
            raise ValueError("a label is empty; labels are numbers or names")


class Target:
    """What y says: classes, and the positions among them of each row's class or classes."""

    def __init__(self, classes, codes, ends=None):
        self.classes, self.codes = classes, np.ascontiguousarray(codes, dtype=np.int64).ravel()
        self.ends = None if ends is None else np.ascontiguousarray(ends, dtype=np.int64)


def _need_y(estimator, y):
    if y is None:
        raise ValueError(f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None.")


def _refuse_missing(y):
    """Missing labels that scikit-learn's own check stumbles over."""
    if hasattr(y, "isna"):
        missing = np.asarray(y.isna()).any()
    else:
        labels = y if isinstance(y, (list, tuple)) else y.ravel() if getattr(y, "dtype", None) == object else ()
        if any(label is None for label in labels):
            raise ValueError("Input y contains None.")
        missing = "pandas" in sys.modules and any(label is pandas_na() for label in labels)
    if missing:
        raise ValueError("Input y contains NaN.")


def is_table(y):
    """Whether y is a table of 0 and 1 with a column per label."""
    if isinstance(y, (list, tuple)) and len(y) and isinstance(y[0], (list, tuple, set, np.ndarray)):
        if isinstance(y[0], set) or len(set(map(len, y))) > 1 or any(isinstance(label, str) for row in y for label in row):
            raise ValueError("y has lists of labels; pass a table of 0 and 1 with a column per label, as "
                             "sklearn.preprocessing.MultiLabelBinarizer makes of them")
        y = np.array([list(row) for row in y])
    return getattr(y, "ndim", 1) == 2 and y.shape[1] > 1 and type_of_target(y) == "multilabel-indicator"


def target_of_table(y):
    """Any number of labels per row, from a table of 0 and 1. The labels are its columns: their names, or 0, 1, …"""
    names = _get_feature_names(y)
    table = check_array(y, accept_sparse="csr", input_name="y", dtype=None, ensure_min_features=2)
    table = sp.csr_matrix(table)
    table.eliminate_zeros()
    table.sort_indices()
    return Target(np.arange(table.shape[1]) if names is None else np.array(names, dtype=object), table.indices, table.indptr[1:])


def target_of(y):
    check_classification_targets(y)
    return Target(*np.unique(y, return_inverse=True))


def _checked_y(estimator, X, y):
    _need_y(estimator, y)
    _refuse_missing(y)
    if is_table(y):
        check_consistent_length(X, y)
        return target_of_table(y)
    y = column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    return target_of(y)


def numbered_rows(estimator, X, y):
    """What a regression learns from: rows with numbers instead of classes."""
    kind = kind_of(X)
    if y is None and kind == "dataset":
        numbers = np.array(_core.targets(X._lazylogit_data))
        if not len(numbers):
            raise ValueError("the labels of the data set are no numbers; read it with loss='squared'")
    elif kind == "array":
        _need_y(estimator, y)
        if plain_frame(X):
            validate_data(estimator, X, skip_check_array=True)
            numbers = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
            check_consistent_length(X, numbers)
            numbers = column_or_1d(numbers, warn=True)
        else:
            X, numbers = validate_data(estimator, X, y, y_numeric=True, **CHECKS)
        if numbers.ndim != 1:
            raise ValueError("y has several columns; expected one number per row")
        names = [str(name) for name in estimator.feature_names_in_] if hasattr(estimator, "feature_names_in_") else None
        numbers = np.ascontiguousarray(numbers, dtype=np.float64)
        if read_options(estimator):
            raise ValueError("options of text and columns are for rows that are text and for frames; X is neither")
        return Labelled(data_of_matrix(X), Target(np.zeros(1, int), np.zeros(len(numbers))), names, numbers)
    else:
        _need_y(estimator, y)
        numbers = column_or_1d(y, warn=True, dtype=np.float64)
    rows = labelled_rows(estimator, X, np.zeros(len(numbers), int))
    rows.numbers = np.ascontiguousarray(numbers, dtype=np.float64)
    return rows


def _forget_names(estimator, count):
    if hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
    estimator.n_features_in_ = count


def labelled_rows(estimator, X, y, first=True):
    """What is learned from. `first` is False for later batches of a stream, which must be like the first one."""
    kind, read = kind_of(X), read_options(estimator)
    _refuse_missing(y)
    if kind == "array" and hasattr(X, "iloc") and any(name in read for name in DERIVED):
        kind = "frame"  # derived features are the csv reader's
    if read and kind in ("array", "dataset", "dicts"):
        raise ValueError(f"{', '.join(sorted(read))}: for rows that are text, or for frames with columns of text; X is neither")
    if kind == "dataset":
        data = X._lazylogit_data
        target = _target_of_dataset(data) if y is None else _checked_y(estimator, X, y)
        _forget_names(estimator, data.num_features)
        return Labelled(data, target)
    if kind == "array":
        if y is None:
            _need_y(estimator, y)
        table = is_table(y)
        if plain_frame(X):  # scikit-learn's checks would copy it
            target = _checked_y(estimator, X, y)
            validate_data(estimator, X, reset=first, skip_check_array=True)
        elif table:
            X = validate_data(estimator, X, reset=first, **CHECKS)
            target = _checked_y(estimator, X, y)
        else:
            X, y = validate_data(estimator, X, y, reset=first, **CHECKS)
            target = target_of(y)
        names = [str(name) for name in estimator.feature_names_in_] if hasattr(estimator, "feature_names_in_") else None
        return Labelled(data_of_matrix(X), target, names)
    if kind == "texts":
        target = _checked_y(estimator, X, y)
        data = _core.Data.parse(lambda: text_lines(X, _stand_in(target)), {**read, "format": "text"})
    elif kind == "dicts":
        target = _checked_y(estimator, X, y)
        data = _core.Data.dicts(list(X))
    else:
        return _labelled_columns(estimator, X, y, kind, read)
    if data.num_features == 0:
        raise ValueError("the rows have no features")
    _forget_names(estimator, data.num_features)
    return Labelled(data, target)


def _target_of_dataset(data):
    classes, (ends, sets) = labels_of_texts(data.classes), _core.label_sets(data)
    if len(ends):
        return Target(classes, sets, ends)
    codes = _core.labels(data)
    if len(codes) != data.num_rows or (len(codes) and codes.min() < 0):
        raise ValueError("the data set has no labels, or labels that its model does not know; pass y")
    return Target(classes, codes)


def _stand_in(target):
    """A label for each line that the reader asks for; the labels themselves go another way."""
    return (lambda row: "c0") if target.ends is not None else (lambda row: f"c{target.codes[row]}")


def _labelled_columns(estimator, X, y, kind, read):
    _need_y(estimator, y)
    target_y = _column_target(y)
    codes = target_y.codes if target_y.ends is None else np.zeros(len(target_y.ends), dtype=np.int64)
    arrow = arrow_rows(X) if kind == "arrow" else None
    names = [str(name) for name in X.columns] if arrow is None else arrow.names
    if len(set(names)) != len(names):
        raise ValueError("names of columns are not distinct")
    if arrow is None:
        check_consistent_length(X, y)
    elif arrow.num_rows != len(codes):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[arrow.num_rows, len(codes)]}")
    if len(codes) == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    numbers = arrow is not None and arrow.are_numbers
    if numbers and any(name in read for name in DERIVED):
        raise ValueError("derived features of frames of numbers are made of pandas frames or of files; pass X.to_pandas()")
    if numbers and read:
        raise ValueError(f"{', '.join(sorted(read))}: for columns of text; X has numbers only")
    if numbers:
        data = arrow.numbers()
    else:
        first = {"drop-first-category": "true"} if prior_of(estimator)[0] == "uniform" else {}
        data = _typed_data(X, arrow, codes, {**read, **column_roles(X, estimator), **first, "format": "csv", "target": free_name(names)})
        if data.num_rows != len(codes):
            raise ValueError("rows with missing values cannot be dropped here; use missing='impute' or drop them before")
    estimator.feature_names_in_ = np.array(names, dtype=object)
    estimator.n_features_in_ = len(names)
    return Labelled(data, target_y, names if numbers else None)


def _column_target(y):
    return target_of_table(y) if is_table(y) else target_of(column_or_1d(y, warn=True))


def _typed_data(X, arrow, codes, options):
    """Rows of a frame with text or categories: read where they lie, or, where that will not do, as the csv that it would be."""
    if arrow is not None:
        data = arrow.typed(options)
        return _core.ArrowRows(X).parse(options, codes, options["target"]) if data is None else data
    columns = typed_columns(X)
    data = None if columns is None else _core.Data.typed(columns, options)
    del columns
    if data is None:
        data = _core.Data.parse(lambda: frame_csv(X, **{options["target"]: lambda row: f"c{codes[row]}"}), options)
    return data


def weights_of(sample_weight, rows, class_weight):
    """Weights of the rows: those given, the data set's own, times those of a dictionary of classes."""
    own = () if rows.data is None else _core.weights(rows.data)
    weights = np.array(own) if len(own) else None
    if sample_weight is not None:
        count = len(rows.codes if rows.ends is None else rows.ends)
        given = _check_sample_weight(sample_weight, np.broadcast_to(0.0, count), dtype=np.float64, ensure_non_negative=True)
        weights = given if weights is None else weights * given
    if isinstance(class_weight, str) and class_weight != "balanced":
        raise ValueError(f"class_weight={class_weight!r}: expected 'balanced', a dictionary or None")
    if class_weight is not None and rows.ends is not None:
        raise ValueError("class_weight: with several labels per row each label is a problem of its own; give sample_weight")
    if class_weight is not None and class_weight != "balanced":
        from sklearn.utils.class_weight import compute_class_weight

        by_class = compute_class_weight(class_weight, classes=rows.classes, y=rows.classes[rows.codes])
        if not (np.isfinite(by_class).all() and (by_class >= 0).all()):
            raise ValueError(f"class_weight={class_weight!r}: expected finite weights, none of them negative")
        weights = by_class[rows.codes] if weights is None else weights * by_class[rows.codes]
    return None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)


def offsets_of(offset, num_rows):
    """Offsets as the engine takes them; None without."""
    if offset is None:
        return None
    offset = column_or_1d(check_array(offset, ensure_2d=False, dtype=np.float64, input_name="offset"))
    if len(offset) != num_rows:
        raise ValueError(f"offset has {len(offset)} numbers for {num_rows} rows")
    return np.ascontiguousarray(offset)


def _check_names(estimator, names):
    known = getattr(estimator, "feature_names_in_", None)
    if known is None:
        warnings.warn(f"X has feature names, but {type(estimator).__name__} was fitted without feature names", UserWarning, stacklevel=4)
    if known is not None and list(known) != list(names):
        raise ValueError("The feature names should match those that were passed during fit, in the same order.\n"
                         f"expected {[str(name) for name in known[:5]]}…, found {[str(name) for name in names[:5]]}…")


def new_rows(estimator, model, X):
    """Rows to be predicted, under the names of the model."""
    kind = kind_of(X)
    if kind == "dataset":
        data = X._lazylogit_data
        if data.num_features != model.num_inputs or (data.features and data.features != model.inputs):
            raise ValueError("the data set has other features than the model; read it with lazylogit.read(…, like=model)")
        return data
    if kind == "texts":
        if model.kind != "text":
            raise ValueError("X is text, but the model was not trained on text")
        return _core.Data.parse(lambda: text_lines(X), {"format": "text"}, model)
    if kind == "dicts":
        if model.kind == "columns":
            return _core.Data.parse(lambda: dict_lines(X), {"format": "jsonl"}, model)
        return _core.Data.dicts(list(X), model)
    if kind == "arrow":
        arrow = arrow_rows(X)
        _check_names(estimator, arrow.names)
        if arrow.are_numbers and not estimator._typed:
            if len(arrow.names) != estimator.n_features_in_:
                raise ValueError(f"X has {len(arrow.names)} features, but {type(estimator).__name__} is expecting "
                                 f"{estimator.n_features_in_} features as input")
            return arrow.numbers()
        if arrow.are_numbers:
            raise ValueError("X has numbers only, but the model was trained on columns of text too")
        data = arrow.typed(model)
        return _core.ArrowRows(X).parse({"format": "csv"}, model) if data is None else data
    if estimator._typed and not hasattr(X, "iloc"):
        raise ValueError("the model was trained on columns with names and types; pass a frame that has them")
    if estimator._typed:
        _check_names(estimator, [str(name) for name in X.columns])
        columns = typed_columns(X)
        data = None if columns is None else _core.Data.typed(columns, model)
        return _core.Data.parse(lambda: frame_csv(X), {"format": "csv"}, model) if data is None else data
    plain = plain_frame(X)
    checked = validate_data(estimator, X, reset=False, **({"skip_check_array": True} if plain else CHECKS))
    return data_of_matrix(X if plain else checked)


def quick(estimator, X, method):
    """Scores or probabilities of a plain array or csr matrix that needs no names checked; None: take the long way."""
    own = estimator.__dict__
    model = own.get("model_")
    if model is None or "feature_names_in_" in own or own.get("_typed", True):
        return None
    if type(X) is np.ndarray:
        if X.ndim == 2 and X.dtype in KEPT and X.shape[1] == own["n_features_in_"] and X.shape[0] and X.flags.aligned:
            return getattr(model, method)(X)
    elif type(X).__name__ in ("csr_matrix", "csr_array") and X.ndim == 2 and X.data.dtype in KEPT:
        if X.shape[1] == own["n_features_in_"] and X.shape[0] and X.indptr.dtype == X.indices.dtype == np.int32:
            return getattr(model, method)(X.indptr, X.indices, X.data, X.shape[1])
    return None


def frame_index(X):
    return getattr(X, "index", None) if _get_feature_names(X) is not None and hasattr(X, "iloc") else None
