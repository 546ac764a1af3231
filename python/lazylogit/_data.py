"""Data sets in the program's formats."""
import os

import numpy as np

from . import _core
from ._inputs import labels_of_texts, option_text


class Dataset:
    """Rows as the program reads them: ``X``, ``y``, names of features, weights. Made by :func:`lazylogit.read`.

    ``fit`` of the estimators takes it as it is, without a copy: ``LogisticRegression().fit(data)``.
    """

    def __init__(self, data):
        self._lazylogit_data = data

    @property
    def X(self):
        """The matrix, a scipy csr_matrix over the engine's memory."""
        import scipy.sparse as sp

        ends, columns, values = _core.parts(self._lazylogit_data)
        if values is None:
            values = np.ones(len(columns), dtype=np.float32)
        ends, columns = ends.view(np.int64), columns.view(np.int32)
        if ends[-1] < 2**31:
            ends = ends.astype(np.int32)
        return sp.csr_matrix((values, columns, ends), shape=self.shape, copy=False)

    @property
    def classes(self):
        return labels_of_texts(self._lazylogit_data.classes)

    @property
    def codes(self):
        """The class of each row as a position in ``classes``; −1 where the label is absent or unknown."""
        return _core.labels(self._lazylogit_data)

    @property
    def y(self):
        """The labels; None where the data has none. Numbers where they were read so (``loss="squared"``); a table of 0 and 1
        with a column for each of ``classes``, a scipy csr_matrix, where rows have sets of them (``multilabel=True``)."""
        targets = _core.targets(self._lazylogit_data)
        if len(targets):
            return targets
        ends, sets = _core.label_sets(self._lazylogit_data)
        if len(ends):
            import scipy.sparse as sp

            return sp.csr_matrix((np.ones(len(sets), dtype=np.int64), sets, np.concatenate([[0], ends])),
                                 shape=(len(self), len(self._lazylogit_data.classes)))
        codes = self.codes
        if len(codes) != len(self) or (codes < 0).all():
            return None
        if (codes < 0).any():
            return np.array([None if code < 0 else self.classes[code] for code in codes], dtype=object)
        return self.classes[codes]

    @property
    def feature_names(self):
        names = self._lazylogit_data.features
        return np.array(names if names else [str(i + 1) for i in range(self.shape[1])], dtype=object)

    @property
    def sample_weight(self):
        weights = _core.weights(self._lazylogit_data)
        return weights if len(weights) else None

    @property
    def offset(self):
        offsets = _core.offsets(self._lazylogit_data)
        return offsets if len(offsets) else None

    @property
    def ids(self):
        """The column named by ``id=``, as written; None without one."""
        return self._lazylogit_data.ids or None

    @property
    def kind(self):
        """'indexed', 'named', 'columns' or 'text'."""
        return self._lazylogit_data.kind

    @property
    def messages(self):
        """What the reader had to say."""
        return [*self._lazylogit_data.warnings, *self._lazylogit_data.notices]

    @property
    def shape(self):
        return (self._lazylogit_data.num_rows, self._lazylogit_data.num_features)

    def __len__(self):
        return self._lazylogit_data.num_rows

    def __repr__(self):
        rows, features = self.shape
        return (f"<lazylogit.Dataset: {rows} rows, {features} features, {len(self._lazylogit_data.classes)} classes, "
                f"{self._lazylogit_data.num_nonzeros} values>")


def read(*paths, like=None, **options):
    """Reads data in any format of the program: libsvm, vw, csv, tsv, jsonl, text, npy, npz or a cache; gzip and zstd too.

    Options are those of ``lazylogit train`` with underscores: ``target="income"``, ``tfidf=True``, ``header=False``.
    With ``like=`` (an estimator or model) names, classes and encodings are the model's, as for prediction.

    >>> import lazylogit, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "mini.svm")
    >>> _ = path.write_text("1 1:0.5 3:1\\n-1 2:2\\n")
    >>> lazylogit.read(path)
    <lazylogit.Dataset: 2 rows, 3 features, 2 classes, 3 values>
    """
    if not paths:
        raise TypeError("read() needs the name of a file")
    given = {}
    for name, value in options.items():
        if name in ("header", "quote", "lowercase", "tfidf") and not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{name}={value!r}: expected True or False")
        if name == "header":
            if not value:
                given["no-header"] = "true"
        elif value is not None and value is not False:
            given[name.replace("_", "-")] = option_text(value)
    names = [os.fspath(path) for path in paths]
    if not all(isinstance(name, str) for name in names):
        raise TypeError("the name of a file must be text")
    if like is None:
        return Dataset(_core.Data.read(names, given))
    return Dataset(_core.Data.read(names, given, getattr(like, "model_", like)))
