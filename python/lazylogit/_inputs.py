"""From what users pass to what the engine reads."""
import csv
import io
import json
import numbers
import re

import numpy as np
import scipy.sparse as sp

from . import _core

TARGET = "label"
KEPT = (np.dtype(np.float32), np.dtype(np.float64))


def option_text(value):
    """A parameter as the engine's option parser reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return ",".join(str(item).replace("\\", "\\\\").replace(",", "\\,") for item in value)
    return str(value)


def _parts(x):
    """Pointers, indices and values of a compressed matrix in types of the engine's."""
    indptr, indices, data = x.indptr, x.indices, x.data
    if indptr.dtype != indices.dtype or indices.dtype not in (np.int32, np.int64):
        indptr, indices = indptr.astype(np.int64), indices.astype(np.int64)
    if data.dtype not in KEPT:
        data = data.astype(np.float64)
    return tuple(np.ascontiguousarray(part) for part in (indptr, indices, data))


def data_of_matrix(x):
    """The engine's rows of a checked matrix, or of a frame that plain_frame() accepts: by reference where its form allows."""
    if is_pandas(x):
        return _core.Data.columns([column.to_numpy() for _, column in x.items()])
    if not sp.issparse(x):
        return _core.Data.dense(np.require(x, requirements="A"))
    if x.shape[1] > 2**32 - 2:
        raise ValueError(f"X has {x.shape[1]} columns; the engine takes up to {2**32 - 2}")
    if x.format == "csc":
        rows = _core.Data.csc(*_parts(x), x.shape[0])
        if rows is not None:
            return rows
    x = x.tocsr()
    arrays = _parts(x)
    rows = _core.Data.csr(*arrays, x.shape[1])
    if rows is None:  # unordered or repeated entries: a copy is put in order
        x = sp.csr_matrix((arrays[2], arrays[1], arrays[0]), shape=x.shape, copy=True)
        x.sum_duplicates()
        x.eliminate_zeros()
        rows = _core.Data.csr(x.indptr, x.indices, x.data, x.shape[1])
    return rows


def plain_frame(x):
    """Whether X is a frame of pandas whose columns are arrays of numbers, large enough to be read where it lies."""
    return (is_pandas(x) and getattr(x, "ndim", 0) == 2 and x.size >= 2**19
            and all(isinstance(dtype, np.dtype) and dtype.kind in "fiub" and dtype.itemsize <= 8 and dtype.isnative
                    for dtype in x.dtypes))


def is_pandas(x):
    return type(x).__module__.split(".")[0] == "pandas"


def kind_of(x):
    """How X is read: 'dataset', 'texts', 'dicts', 'arrow', 'frame' (columns with types) or 'array'."""
    if hasattr(x, "_lazylogit_data"):
        return "dataset"
    if isinstance(x, (list, tuple)):
        first = x[0] if len(x) else None
        return "texts" if isinstance(first, str) else "dicts" if isinstance(first, dict) else "array"
    if isinstance(x, np.ndarray):
        if x.ndim == 1 and x.size and (x.dtype.kind in "UT" or isinstance(x[0], (str, dict))):
            return "dicts" if isinstance(x[0], dict) else "texts"
        return "array"
    if is_pandas(x):
        if getattr(x, "ndim", 0) == 1:
            return "texts" if len(x) and isinstance(x.iloc[0], str) else "array"
        return "array" if all(_is_number(dtype) for dtype in x.dtypes) else "frame"
    if type(x).__name__ == "LazyFrame":
        raise TypeError("X is a LazyFrame, which holds no rows yet; pass X.collect()")
    if hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__"):
        return "texts" if type(x).__name__ == "Series" else "arrow"
    return "array"


def _is_number(dtype):
    from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype

    # Columns of objects are left to scikit-learn, which knows numbers among them and words its complaints.
    return (is_numeric_dtype(dtype) or is_bool_dtype(dtype) or is_object_dtype(dtype)) and not _is_category(dtype)


def _is_category(dtype):
    return type(dtype).__name__ == "CategoricalDtype"


TIMES = ("datetime", "timedelta", "timestamp", "date32", "date64", "time32", "time64", "duration")


def column_roles(x, estimator):
    """What the types of columns say that a csv file would not: categories are no numbers nor texts, whatever they look like. Times
    are refused, which would be read as words."""
    named = [name for role in ("categorical", "text", "ignore", "log", "log1p") for name in _names_in(getattr(estimator, role, None))]
    named += [name.rpartition("=")[0] for name in _names_in(getattr(estimator, "bins", None))]
    types = {str(name): str(dtype) for name, dtype in _types_of(x) if str(name) not in named}
    for name, dtype in types.items():
        if dtype.startswith(TIMES):
            raise ValueError(f"column {name!r} holds times ({dtype}); make numbers of them, or name it in categorical, text or ignore")
    found = [name for name, dtype in types.items() if dtype.lower().startswith(("category", "categorical", "enum", "dictionary"))]
    return {"categorical": option_text([*_names_in(getattr(estimator, "categorical", None)), *found])} if found else {}


def _types_of(x):
    if hasattr(x, "iloc"):
        return x.dtypes.items()
    schema = getattr(x, "schema", {})
    return schema.items() if hasattr(schema, "items") else zip(schema.names, schema.types)


def _names_in(value):
    """The names of columns that a parameter lists, or has in a text with commas."""
    if isinstance(value, str):
        return [name.replace("\\,", ",").replace("\\\\", "\\") for name in re.split(r"(?<!\\),", value)]
    return [] if value is None else [str(name) for name in value]


BLOCK = 4096  # rows that are turned into text at a time


def blocks_of(x):
    """Lists of some rows at a time, of anything that has a length and slices."""
    for first in range(0, len(x), BLOCK):
        part = x.iloc[first : first + BLOCK] if is_pandas(x) else x[first : first + BLOCK]
        yield first, part if isinstance(part, (list, tuple)) else part.to_list() if hasattr(part, "to_list") else part.tolist()


def text_lines(texts, labels=None):
    """label<TAB>text, one line per document: what the program reads as text, in pieces."""
    for first, part in blocks_of(texts):
        lines = []
        for i, text in enumerate(part, first):
            if not isinstance(text, str):
                raise TypeError(f"row {i} is {type(text).__name__}; expected text, as the first row is")
            text = text.replace("\r", " ").replace("\n", " ").replace("\t", " ").replace("\0", " ")
            lines.append(f"{'' if labels is None else labels(i)}\t{text}\n")
        yield "".join(lines).encode("utf-8", "replace")


def frame_csv(frame, **more):
    """A pandas frame as csv, in pieces; categories and text are cells, missing values empty ones. `more`: columns beside it, by
    name: functions of the row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([str(name) for name in frame.columns] + list(more))
    for first in range(0, max(1, len(frame)), BLOCK):
        part = frame.iloc[first : first + BLOCK]
        columns = []
        for i in range(part.shape[1]):
            column = part.iloc[:, i]
            present = column.notna().to_numpy()
            cells = (column.astype(np.int64) if column.dtype == bool else column).tolist()
            columns.append([cell if there else "" for cell, there in zip(cells, present)])
        rows = range(first, first + len(part))
        writer.writerows(zip(*columns, *([cell(row) for row in rows] for cell in more.values())))
        yield out.getvalue().encode("utf-8", "replace")
        out.seek(0)
        out.truncate()


def typed_columns(frame):
    """The columns of a pandas frame as the engine reads them where they lie: numbers, codes of categories, texts as codes. None
    where a column is neither."""
    columns = []
    for i, name in enumerate(frame.columns):
        column = frame.iloc[:, i]
        cells = _typed_cells(column)
        if cells is None:
            return None
        columns.append((str(name), *cells))
    return columns


def _typed_cells(column):
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "fiub":
        return (column.to_numpy() if dtype.isnative and dtype.itemsize <= 8 else column.to_numpy().astype(np.float64),)
    if _is_category(dtype):
        texts = [_cell_text(value) for value in dtype.categories.tolist()]
        return None if None in texts else (column.array.codes, texts)
    if _is_number(dtype) and not isinstance(dtype, np.dtype):  # nullable
        return (column.to_numpy(dtype=np.float64, na_value=np.nan),)
    if dtype.kind == "O" or type(dtype).__name__ == "StringDtype":
        codes = _core.TextCodes()
        for _, part in blocks_of(column):
            if not codes.add([None if cell is pandas_na() else cell for cell in part]):
                return None
        return (codes,)
    return None


def _cell_text(value):
    """A category as the csv writer has it; None where that takes more to say."""
    return value if isinstance(value, str) else repr(value) if isinstance(value, float) else str(value) if isinstance(value, (bool, int)) else None


def arrow_rows(x):
    """The batches of X. polars copies categories when it hands them over, four bytes for each cell: their codes are where they are."""
    names = [name for name, dtype in x.schema.items() if str(dtype).startswith(("Categorical", "Enum"))] if is_polars(x) else []
    texts = {name: _texts_by_code(x[name]) for name in names}
    if not texts or None in texts.values():
        return _core.ArrowRows(x)
    return _core.ArrowRows(x.with_columns([x[name].to_physical() for name in names]), texts)


def is_polars(x):
    return type(x).__module__.split(".")[0] == "polars" and type(x).__name__ == "DataFrame"


def _texts_by_code(column):
    """Texts of polars' codes, which other columns may share; None where few of these are in the column."""
    seen = column.unique().drop_nulls()
    codes = seen.to_physical().to_list()
    size = max(codes, default=-1) + 1
    if size > 1024 + 4 * len(codes):
        return None
    texts = [None] * size
    for code, text in zip(codes, seen.cast(str).to_list()):
        texts[code] = text
    return texts


def pandas_na():
    import pandas

    return pandas.NA


def free_name(names, name=TARGET):
    """A name for the column of labels, or another one, that no other column has."""
    while name in names:
        name += "_"
    return name


def dict_lines(rows):
    for _, part in blocks_of(rows):
        yield "".join(json.dumps(row) + "\n" for row in part).encode()


def label_texts(classes):
    """The engine's name of each class: numbers by value, everything else by its text."""
    return [repr(label) if isinstance(label, float) else str(label) for label in classes.tolist()]


NUMBERS = {int: re.compile(r"[+-]?[0-9]+"), float: re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")}


def labels_of_texts(texts):
    """Classes of a model from a file: integers or numbers where all are, as the program writes these, else text."""
    for kind, form in NUMBERS.items():
        if all(map(form.fullmatch, texts)):
            return np.array([kind(text) for text in texts])
    return np.array(texts)
