"""What may be passed for X, y and weights though it should not, drawn at random."""
import numpy as np
import pytest
import scipy.sparse as sp


def broken_sparse(random, form, rows=6):
    x = sp.random(rows, 5, 0.5, format=form, random_state=np.random.RandomState(random.integers(1000)))
    if random.random() < 0.5:
        x.indices, x.indptr = x.indices.astype(np.int64), x.indptr.astype(np.int64)
    part = random.integers(5)
    if part == 0 and x.nnz:
        x.indices[random.integers(x.nnz)] = random.choice([-1, 5, 2**31 - 1, -(2**31)])
    elif part == 1:
        x.indptr[random.integers(len(x.indptr))] = random.choice([-1, 10**6, 2**31 - 1])
    elif part == 2:
        x.indices = x.indices[:-1]
    elif part == 3 and x.nnz:
        x.data[random.integers(x.nnz)] = random.choice([np.nan, np.inf, -np.inf])
    else:
        x.data = x.data.astype(random.choice([np.complex128, np.int8, np.float16, np.longdouble]))
    return x


def torn_sparse(random):
    """Arrays that scipy itself would not make: of other lengths and types than each other, pointers that go back."""
    x = sp.random(6, 5, 0.5, format=random.choice(["csr", "csc"]), random_state=1)
    part = random.integers(6)
    if part == 0:
        x.indptr = x.indptr[::-1].copy()
    elif part == 1:
        x.indptr = x.indptr.astype(np.int64)
        x.indptr[-1] = 2**62
    elif part == 2:
        x.indices = x.indices.astype(np.int64) + random.choice([2**40, -(2**40)])
    elif part == 3:
        x.indptr = x.indptr[:-1]
    elif part == 4:
        x.data = x.data[:-2]
    else:
        x.indices = x.indices.astype(random.choice([np.uint8, np.int16, np.uint64]))
    return x


def odd_frame(random):
    pd = pytest.importorskip("pandas")
    rows = random.choice([6, 6, 6, 0, 1])
    columns = [lambda: random.normal(size=rows), lambda: random.normal(size=rows).astype("f4"), lambda: random.integers(0, 9, rows).astype("i2"),
               lambda: random.random(rows) < 0.5, lambda: np.full(rows, np.nan), lambda: np.full(rows, np.inf), lambda: np.array(["x", "y", "z"] * 2)[:rows],
               lambda: pd.array([1, None, 3, 4, 5, 6][:rows], dtype="Int64"), lambda: pd.Categorical(["a", "b", "a", "b", "c", "c"][:rows]),
               lambda: np.array([1, 2j, 3, 4, 5, 6][:rows]), lambda: random.normal(size=rows).astype(">f8"), lambda: np.zeros(rows, "M8[s]"),
               lambda: random.normal(size=2 * rows)[::-2], lambda: np.array([None, 1, "a", 2.5, [], {}][:rows], dtype=object)]
    chosen = [columns[random.integers(len(columns) if random.random() < 0.3 else 4)]() for _ in range(random.integers(0, 6))]
    frame = pd.DataFrame({f"c{i}": pd.Series(column, copy=False) for i, column in enumerate(chosen)})
    if chosen and random.random() < 0.1:
        frame.columns = ["c0"] * len(chosen)
    kind = random.integers(4)
    try:
        if kind == 1:
            return pytest.importorskip("polars").from_pandas(frame)
        if kind == 2:
            return odd_arrow(random, rows)
    except Exception:  # what the other library does not know either
        pass
    return frame


def odd_arrow(random, rows):
    pa = pytest.importorskip("pyarrow")
    types = [pa.float64(), pa.float32(), pa.int8(), pa.uint64(), pa.bool_(), pa.float16(), pa.decimal128(5, 2), pa.string(), pa.null(), pa.date32(),
             pa.dictionary(pa.int8(), pa.string()), pa.list_(pa.int8())]

    def column():
        kind = types[random.integers(len(types) if random.random() < 0.3 else 5)]
        if pa.types.is_null(kind):
            return pa.nulls(rows)
        cells = [None if random.random() < 0.05 else bool(v > 0) if pa.types.is_boolean(kind) else abs(int(v)) if pa.types.is_integer(kind) else
                 np.float16(v) if pa.types.is_float16(kind) else "t" if not pa.types.is_floating(kind) else v for v in random.normal(size=rows) * 3]
        try:
            whole = pa.array(cells, kind)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            whole = pa.array(random.normal(size=rows))
        padded = pa.concat_arrays([whole[:2], whole])[2:] if rows > 2 else whole  # an offset
        return pa.chunked_array([padded[:1], padded[1:1], padded[1:]]) if random.random() < 0.5 else padded

    columns = [column() for _ in range(random.integers(1, 6))]
    table = pa.table(columns, names=[f"c{i}" for i in range(len(columns))])
    return table if random.random() < 0.7 or len(table) == 0 else table.combine_chunks().to_batches()[0].slice(1)


def odd_matrix(random):
    kinds = [
        lambda: random.normal(size=(6, 5)),
        lambda: random.normal(size=(6, 5)).astype(random.choice(["f4", "f2", "g", "i1", "u8", "c16", "?", "O", "U8", "M8[s]", "m8[s]"])),
        lambda: random.normal(size=random.integers(0, 7, size=random.integers(0, 4))),
        lambda: np.full((6, 5), random.choice([np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324])),
        lambda: np.where(random.random((6, 5)) < 0.1, random.choice([np.nan, np.inf, 1e300]), 1.0),
        lambda: broken_sparse(random, "csr"),
        lambda: broken_sparse(random, "csc"),
        lambda: np.asfortranarray(random.normal(size=(6, 5)).astype(random.choice(["f4", "f8", ">f8", ">f4", "i4", ">i2"]))),
        lambda: np.broadcast_to(random.normal(size=(1, 5)), (6, 5)),
        lambda: np.broadcast_to(random.normal(size=(6, 1)), (6, 5)),
        lambda: np.ndarray((6, 5), "f8", bytes(1) + random.normal(size=30).tobytes(), 1),  # not aligned
        lambda: odd_frame(random),
        lambda: sp.random(6, 5, 0.5, format=random.choice(["csc", "coo", "lil", "dok", "bsr", "dia"]), random_state=1),
        lambda: sp.csr_matrix((6, 2**40)),
        lambda: [[1.0, 2.0]] * 5 + [[3.0]],
        lambda: random.choice([None, 7, "text", object(), 3.5]),
        lambda: ["a b", "b c", "", "c \x00 \ud800", "d" * 70000, "é ü"],
        lambda: ["one", None, 3, "two", "x", "y"],
        lambda: [{"a": 1}, {"a": "x"}, {}, {"b": 2.0}, {"": 1}, {"a": np.float32(1)}],
        lambda: [{"a": 1}, {"b": object()}, None, {"b": float("inf")}, {1: 1}, []],
        lambda: np.array([["a", "b"]] * 6),
        lambda: np.empty((0, 5)),
        lambda: np.empty((6, 0)),
        lambda: random.normal(size=(6, 10))[:, ::-2],
        lambda: random.normal(size=(12, 5))[::-2],
        lambda: np.ma.masked_array(random.normal(size=(6, 5)), mask=random.random((6, 5)) < 0.3),
        lambda: memoryview(random.normal(size=(6, 5))),
        lambda: {"a": [1, 2, 3]},
        lambda: (row for row in [[1], [2]]),
        lambda: {1.0, 2.0, 3.0},
        lambda: np.array(3.0),
        lambda: np.array([1, "a", None, 2.5, {}, []], dtype=object),
        lambda: np.array([[1, None]] * 6, dtype=object),
        lambda: random.choice([sp.csr_array, sp.csc_array, sp.coo_array])(random.normal(size=(6, 5))),
        lambda: torn_sparse(random),
        lambda: np.array([[10**400, 1]] * 6, dtype=object),
        lambda: np.array([[np.datetime64("2020-01-01")] * 2] * 6),
        lambda: np.zeros(6, dtype=[("a", "f8"), ("b", "i4")]),
        lambda: [None] * 6,
        lambda: [[]] * 6,
        lambda: b"bytes",
        lambda: np.array([b"a", b"b"] * 3),
    ]
    return kinds[0 if random.random() < 0.5 else random.integers(len(kinds))]()


def odd_labels(random):
    kinds = [
        lambda: random.integers(0, 3, size=6),
        lambda: random.integers(0, 2, size=6),
        lambda: np.array(["a", "b", "c"] * 2),
        lambda: random.integers(0, 2, size=random.integers(0, 9)),
        lambda: random.normal(size=6),
        lambda: np.array([0, 1, np.nan, 0, 1, 0]),
        lambda: np.array([0, 1, np.inf, 0, 1, 0]),
        lambda: [None, "a", "b", "a", "b", "a"],
        lambda: random.choice([None, 5, "ab"]),
        lambda: random.integers(0, 2, size=(6, 2)),
        lambda: np.array(["", "\x00", "\ud800", "\t", "a\nb", "ü"]),
        lambda: np.array([2**63 - 1, -(2**63), 0, 0, 1, 1]),
        lambda: [1, 1.0, "1", True, 1, 1],
        lambda: np.zeros(6),
        lambda: sp.csr_matrix(np.eye(6)),
        lambda: np.array(1),
        lambda: {0, 1},
        lambda: (label for label in [0, 1, 0, 1, 0, 1]),
        lambda: np.ma.masked_array([0, 1, 0, 1, 0, 1], mask=[1, 0, 0, 0, 0, 0]),
        lambda: np.array([0, 1, 0, 1, 0, 1], dtype=random.choice(["c16", "f2", "?", "M8[s]", "m8[s]", "S3", "O", "u8"])),
        lambda: [(0,), (1, 0), (), (1,), (0,), (1,)],
        lambda: [{"a"}, {"b"}, set(), {"a", "b"}, {"a"}, {"b"}],
        lambda: random.integers(0, 2, size=(6, 2, 2)),
        lambda: random.normal(size=(6, 2)),
    ]
    return kinds[0 if random.random() < 0.5 else random.integers(len(kinds))]()


def odd_weights(random):
    return [lambda: None, lambda: None, lambda: None, lambda: np.ones(6), lambda: np.zeros(6), lambda: -np.ones(6), lambda: np.full(6, np.nan),
            lambda: np.full(6, 1e308), lambda: np.ones(5), lambda: "w", lambda: np.ones((6, 2)), lambda: 2.0,
            lambda: np.array(1.0), lambda: ["a"] * 6, lambda: [None] * 6, lambda: np.ones(6, complex), lambda: {1: 2}, lambda: sp.csr_matrix(np.ones((6, 1))),
            lambda: np.ma.masked_array(np.ones(6), mask=[1] + [0] * 5), lambda: (1.0 for _ in range(6)), lambda: [], lambda: np.ones(6, "M8[s]"),
            lambda: np.ones(6, bool)][random.integers(23)]()
