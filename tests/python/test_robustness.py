"""Whatever is passed, the answer is a result or an exception that scikit-learn's users know; never a crash."""
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

import lazylogit
from lazylogit import LogisticRegression, LogisticRegressionCV, StreamingClassifier, _core

EXPECTED = (ValueError, TypeError, NotFittedError, OSError, AttributeError)


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
    ]
    return kinds[0 if random.random() < 0.5 else random.integers(len(kinds))]()


def odd_weights(random):
    return [lambda: None, lambda: None, lambda: None, lambda: np.ones(6), lambda: np.zeros(6), lambda: -np.ones(6), lambda: np.full(6, np.nan),
            lambda: np.full(6, 1e308), lambda: np.ones(5), lambda: "w", lambda: np.ones((6, 2)), lambda: 2.0][random.integers(12)]()


def odd_estimator(random):
    kinds = [
        lambda: LogisticRegression(),
        lambda: LogisticRegression(prior=random.choice(["laplace", "uniform", "cauchy", "elastic-net", "no"])),
        lambda: LogisticRegression(variance=random.choice([0, -1, 1e-300, 1e300, np.inf, np.nan])),
        lambda: LogisticRegression(posterior=random.choice(["diagonal", "full", "low-rank"])),
        lambda: LogisticRegression(standardize=random.choice(["scale", "center"])),
        lambda: LogisticRegression(optimizer=random.choice(["sgd", "lbfgs", "newton", "saga", "adam", "coordinate", "perceptron"])),
        lambda: LogisticRegression(class_weight=random.choice(["balanced", "x", None]), max_passes=random.choice([0, 1, -3, 10**12])),
        lambda: LogisticRegression(options=random.choice([{"gap": "x"}, {"none": 1}, {"variance": 2}, "gap"])),
        lambda: LogisticRegression(tfidf=True, ngrams=random.choice([1, 2, 0, 99])),
        lambda: LogisticRegression(holdout=random.choice([0.3, 0.99, 0, 2]), C=random.choice([1, 0, -1, "c"])),
        lambda: LogisticRegression(n_jobs=random.choice([0, 1, -1, 3]), random_state=random.choice([0, 5, -1])),
        lambda: LogisticRegressionCV(folds=random.choice([2, 50, 0]), path=random.choice([2, 3, 1]), by=random.choice(["accuracy", "evidence", "x"])),
        lambda: StreamingClassifier(random.choice(["auto", "adf", "perceptron", "sgd", "lbfgs"])),
    ]
    return kinds[0 if random.random() < 0.5 else random.integers(len(kinds))]()


@pytest.mark.parametrize("seed", range(12))
def test_nothing_that_is_passed_crashes(seed, tmp_path):
    random = np.random.default_rng(seed)
    outcomes = {"fitted": 0, "refused": 0}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for _ in range(100):
            model, x, y = odd_estimator(random), odd_matrix(random), odd_labels(random)
            try:
                offset = {"offset": odd_weights(random)} if random.random() < 0.1 and not isinstance(model, StreamingClassifier) else {}
                model.fit(x, y, sample_weight=odd_weights(random), **offset)
                outcomes["fitted"] += 1
            except EXPECTED:
                outcomes["refused"] += 1
            calls = [lambda: model.predict(odd_matrix(random)), lambda: model.predict_proba(x), lambda: model.decision_function(odd_matrix(random)),
                     lambda: model.predict_interval(x, level=random.choice([0.9, 0, 1, np.nan])), lambda: model.explain(x, top=random.choice([1, 0, -1])),
                     lambda: model.outliers(x, odd_labels(random), method=random.choice(["approximate", "exact", "x"])), lambda: model.summary(),
                     lambda: model.to_json(), lambda: model.to_sklearn(), lambda: model.save(tmp_path / "m"), lambda: lazylogit.load(tmp_path / "m"),
                     lambda: model.save(tmp_path / "none" / "m"), lambda: model.score(x, odd_labels(random)), lambda: model._repr_html_(),
                     lambda: model.plot_trace(), lambda: model.predict_log_proba(odd_matrix(random))]
            for k in random.permutation(len(calls))[:4]:
                try:
                    calls[k]()
                except (*EXPECTED, ImportError):
                    pass
    assert outcomes["refused"] and outcomes["fitted"]


def test_the_compiled_module_checks_for_itself():
    random = np.random.default_rng(1)
    model = LogisticRegression().fit(random.normal(size=(20, 3)), random.integers(0, 2, 20)).model_
    i32 = np.int32
    for bad in (([0, 2], [0, 7], [1.0, 2.0], 3), ([0, 2], [0, -1], [1.0, 2.0], 3), ([0, 9], [0, 1], [1.0, 2.0], 3), ([1, 2], [0, 1], [1.0, 2.0], 3),
                ([0, 2, 1, 2], [0, 1], [1.0, 2.0], 3), ([0, 1], [0, 1], [1.0], 3), ([], [], [], 3), ([0, -1], [0], [1.0], 3), ([0, 1], [0], [np.nan], 3)):
        with pytest.raises(ValueError):
            _core.Data.csr(np.array(bad[0], i32), np.array(bad[1], i32), np.array(bad[2], float), bad[3])
    assert _core.Data.csr(np.array([0, 2], i32), np.array([1, 0], i32), np.array([1.0, 2.0]), 3) is None
    wide = _core.Data.dense(np.ones((2, 4)))
    for call in (lambda: model.scores(wide), lambda: model.probabilities(wide), lambda: model.explain(wide, 3), lambda: model.predictive(wide, "probit", 0.9, 10, 1, True)):
        with pytest.raises(ValueError):
            call()
    data = _core.Data.dense(np.ones((2, 3)))
    for codes in ([0, 5], [0, -1], [0], [0, 1, 1]):
        with pytest.raises((ValueError, IndexError)):
            _core.fit(data, ["a", "b"], np.array(codes), None, None, {}, None, None, 1, None, None)
    for bad in (b"", b"x" * 100, b"\x00" * 1000):
        with pytest.raises(ValueError):
            _core.Model.from_bytes(bad)


def test_an_array_may_go_while_its_rows_are_used():
    x = np.random.default_rng(1).normal(size=(1000, 50))
    data = _core.Data.dense(x)
    copy = x.copy()
    del x
    junk = [np.zeros((1000, 50)) for _ in range(5)]
    np.testing.assert_array_equal(_core.parts(data)[2].reshape(1000, 50), copy)
    values = _core.parts(data)[2]
    del data, junk
    np.testing.assert_array_equal(values.reshape(1000, 50), copy)


LONG_FIT = """
import numpy as np, sys
from lazylogit import LogisticRegression
random = np.random.default_rng(1)
x = random.normal(size=(20000, 50)); y = random.integers(0, 5, 20000)
print("begun", flush=True)
try:
    LogisticRegression(optimizer="gd", gap=1e-15, max_passes=10**9).fit(x, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_ends_a_fit():
    run = subprocess.Popen([sys.executable, "-c", LONG_FIT], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert run.stdout.readline() == "begun\n"
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    assert run.communicate(timeout=60)[0] == "interrupted\n" and run.returncode == 0


def test_other_threads_run_while_a_model_is_fitted():
    random = np.random.default_rng(1)
    x, y = random.normal(size=(20000, 40)), random.integers(0, 4, 20000)
    fits = [threading.Thread(target=LogisticRegression(optimizer="lbfgs", n_jobs=1).fit, args=(x, y)) for _ in range(2)]
    for fit in fits:
        fit.start()
    steps = 0
    while any(fit.is_alive() for fit in fits):
        steps += 1
        time.sleep(0.001)
    assert steps > 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("classes", [2, 5])
def test_odd_values_and_columns_are_found_while_predicting(dtype, classes):
    random = np.random.default_rng(classes)
    x = sp.random(3000, 40, 0.3, format="csr", random_state=1, dtype=dtype)
    y = random.integers(0, classes, 3000)
    for model in (LogisticRegression().fit(x, y), LogisticRegression(prior="laplace", variance=1e-9).fit(x, y)):
        p = model.predict_proba(x)
        for place in (0, x.nnz // 2, x.nnz - 1):
            for odd in (np.nan, np.inf, -np.inf):
                bad = x.copy()
                bad.data[place] = odd
                for method in (model.predict_proba, model.predict, model.decision_function):
                    with pytest.raises(ValueError, match="Input X contains"):
                        method(bad)
            for odd in (40, -1, 2**31 - 1, -(2**31)):
                bad = x.copy()
                bad.indices[place] = odd
                with pytest.raises(ValueError, match="out of range"):
                    model.predict_proba(bad)
        mixed = x.copy()
        for r in range(3000):  # the order of a row's entries is no one's business
            part = slice(mixed.indptr[r], mixed.indptr[r + 1])
            mixed.indices[part], mixed.data[part] = mixed.indices[part][::-1].copy(), mixed.data[part][::-1].copy()
        np.testing.assert_allclose(model.predict_proba(mixed), p, atol=1e-12)
        huge = x.copy()
        huge.data[:] = 1e30
        assert np.isfinite(model.predict_proba(huge)).all()
