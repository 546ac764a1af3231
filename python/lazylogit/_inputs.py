"""From what users pass to what the engine reads."""
import numpy as np
import scipy.sparse as sp

from . import _core


def engine_arguments(x):
    """The arrays of a checked matrix: (x,) for a dense one, (row ends, columns, values, width) for a sparse one.

    Compressed rows that are in order are handed over as they are; others are copied and put in order.
    """
    if not sp.issparse(x):
        return (np.ascontiguousarray(x),)
    x = x.tocsr()
    if x.shape[1] > 2**32 - 2:
        raise ValueError(f"X has {x.shape[1]} columns; the engine takes up to {2**32 - 2}")
    indptr, indices = x.indptr, x.indices
    if indptr.dtype != indices.dtype or indices.dtype not in (np.int32, np.int64):
        indptr, indices = indptr.astype(np.int64), indices.astype(np.int64)
    data = x.data if x.data.dtype in (np.float32, np.float64) else x.data.astype(np.float64)
    arrays = tuple(np.ascontiguousarray(part) for part in (indptr, indices, data))
    if not _core.is_canonical(*arrays, x.shape[1]):
        x = sp.csr_matrix((arrays[2], arrays[1], arrays[0]), shape=x.shape, copy=True)
        x.sum_duplicates()
        x.eliminate_zeros()
        return engine_arguments(x)
    return (*arrays, x.shape[1])


def label_texts(classes):
    """The engine's name of each class: numbers by value, everything else by its text."""
    return [repr(label) if isinstance(label, float) else str(label) for label in classes.tolist()]


def labels_of_texts(texts):
    """Classes of a model from a file: integers or numbers where all are, else text."""
    for kind in (int, float):
        try:
            return np.array([kind(text) for text in texts])
        except ValueError:
            pass
    return np.array(texts)
