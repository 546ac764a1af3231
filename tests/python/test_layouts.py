"""The same rows give the same bytes in whatever form they lie in memory, and are read there."""
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from lazylogit import LinearRegression, LogisticRegression, StreamingClassifier, _core
from lazylogit._inputs import data_of_matrix

ROWS, COLUMNS = 5000, 120


def _values():
    random = np.random.default_rng(3)
    x = random.normal(size=(ROWS, COLUMNS)).round(3)
    x[random.random((ROWS, COLUMNS)) < 0.1] = 0
    x[::7] = random.normal(size=x[::7].shape)  # rows without zeros
    x[5] = 0
    x[:, 11] = random.integers(-3, 4, ROWS)
    return x, (x @ random.normal(size=COLUMNS) > 0).astype(int)


def _wide(x):
    x = sp.csr_matrix(x)
    x.indices, x.indptr = x.indices.astype(np.int64), x.indptr.astype(np.int64)
    return x


def _with_zeros(x):
    every = np.tile(np.arange(COLUMNS, dtype=np.int32), ROWS)
    return sp.csr_matrix((x.ravel(), every, np.arange(ROWS + 1, dtype=np.int32) * COLUMNS), shape=x.shape)


def _frame(x):
    return pd.DataFrame({f"c{i}": x[:, i].astype(np.int16) if i == 11 else x[:, i] for i in range(COLUMNS)})


def _memmap(x, folder):
    np.save(folder / "x.npy", np.asfortranarray(x))
    return np.load(folder / "x.npy", mmap_mode="r")


def _arrow(x, chunks=3):
    pa = pytest.importorskip("pyarrow")
    parts = np.array_split(np.arange(ROWS), chunks)
    columns = [pa.chunked_array([pa.array(x[part, i].astype(np.int8) if i == 11 else x[part, i]) for part in parts])
               for i in range(COLUMNS)]
    return pa.table(columns, names=[f"c{i}" for i in range(COLUMNS)])


def _polars(x):
    pl = pytest.importorskip("polars")
    return pl.DataFrame({f"c{i}": x[:, i] for i in range(COLUMNS)})


FORMS = {
    "c": lambda x, _: np.ascontiguousarray(x),
    "fortran": lambda x, _: np.asfortranarray(x),
    "slice": lambda x, _: np.repeat(np.repeat(x, 2, axis=0), 3, axis=1)[::2, 1::3],
    "backwards": lambda x, _: np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1],
    "read-only map": _memmap,
    "csr 64": lambda x, _: _wide(x),
    "csr with zeros": lambda x, _: _with_zeros(x),
    "csc": lambda x, _: sp.csc_matrix(x),
    "csc 64 with zeros": lambda x, _: _wide_csc(x),
    "frame": lambda x, _: _frame(x),
    "frame of one block": lambda x, _: pd.DataFrame(x, columns=[f"c{i}" for i in range(COLUMNS)]),
    "arrow": lambda x, _: _arrow(x),
    "polars": lambda x, _: _polars(x),
}


def _wide_csc(x):
    turned = _with_zeros_turned(x)
    turned.indices, turned.indptr = turned.indices.astype(np.int64), turned.indptr.astype(np.int64)
    return turned


def _with_zeros_turned(x):
    every = np.tile(np.arange(ROWS, dtype=np.int32), COLUMNS)
    return sp.csc_matrix((x.T.ravel(), every, np.arange(COLUMNS + 1, dtype=np.int32) * ROWS), shape=x.shape)


ESTIMATORS = (LogisticRegression(optimizer="lbfgs", max_passes=6),
              LogisticRegression(prior="laplace", optimizer="coordinate", max_passes=4, variance=0.01),
              LogisticRegression(optimizer="newton", max_passes=4, posterior="diagonal"), LogisticRegression(optimizer="sgd", epochs=2),
              StreamingClassifier())


def _fitted(x, y, number):
    """Coefficients of every estimator and of a regression, and a model with a posterior."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        coefficients = [estimator.fit(x, y).coef_.tobytes() for estimator in ESTIMATORS]
        model = LogisticRegression(optimizer="lbfgs", max_passes=6, posterior="diagonal").fit(x, y)
        return [*coefficients, LinearRegression().fit(x, number).coef_.tobytes()], model


@pytest.fixture(scope="module")
def plain():
    """Values, labels, numbers, and what rows of a csr matrix give."""
    x, y = _values()
    return x, y, y + x[:, 0], sp.csr_matrix(x), *_fitted(sp.csr_matrix(x), y, y + x[:, 0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_bytes(form, plain, tmp_path):
    x, y, number, rows, expected, same = plain
    given = FORMS[form](x, tmp_path)
    found, model = _fitted(given, y, number)
    for who, one, other in zip((*ESTIMATORS, LinearRegression()), found, expected):
        assert one == other, who
    if form == "csr with zeros":  # are added as they come
        np.testing.assert_allclose(model.predict_proba(given), same.predict_proba(rows), rtol=1e-12)
    else:
        assert model.predict_proba(given).tobytes() == same.predict_proba(rows).tobytes()
    assert model.decision_function(given).tobytes() == same.decision_function(rows).tobytes()
    assert np.array_equal(model.predict_interval(given)[0], same.predict_interval(rows)[0])
    assert [str(e).split(":")[0] for e in model.explain(given[:3] if form not in ("arrow", "polars") else given.slice(0, 3))] \
        == [str(e).split(":")[0] for e in same.explain(rows[:3])]


@pytest.mark.filterwarnings("ignore")
def test_several_classes_by_columns():
    x, y = _values()
    y = y + (x[:, 0] > 1)
    for prior in ("gaussian", "laplace"):
        models = [LogisticRegression(prior=prior, optimizer="lbfgs", max_passes=4).fit(form, y) for form in
                  (sp.csr_matrix(x), sp.csc_matrix(x), np.asfortranarray(x))]
        assert all(model.coef_.tobytes() == models[0].coef_.tobytes() for model in models)
        assert all(model.predict_proba(form).tobytes() == models[0].predict_proba(x).tobytes()
                   for model, form in zip(models[1:], (sp.csc_matrix(x), np.asfortranarray(x))))


def test_large_ones_are_read_where_they_lie():
    x, _ = _values()
    for form in (np.asfortranarray(x), np.ascontiguousarray(x), _wide(x), _with_zeros(x), sp.csc_matrix(x), _frame(x)):
        assert data_of_matrix(form).is_borrowed
    for form in (np.asfortranarray(x[:9]), np.where(np.arange(COLUMNS) == 3, x, 0)):
        assert not data_of_matrix(form).is_borrowed  # little to copy


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", FORMS)
def test_values_that_are_not_finite_are_refused(form, bad, tmp_path):
    x, y = _values()
    model = LogisticRegression(optimizer="lbfgs", max_passes=2)
    x[1234, 5] = bad
    with pytest.raises(ValueError, match="NaN|infinity"):
        model.fit(FORMS[form](x, tmp_path), y)


def test_arrays_that_do_not_fit_together_are_refused():
    x = sp.csc_matrix(_values()[0])
    ends, rows, values = x.indptr, x.indices, x.data
    for arrays in ((ends, rows[:-1], values), (ends[:-1], rows, values), (ends[::-1].copy(), rows, values), (ends, rows + ROWS, values),
                   (ends, rows - 1, values)):
        with pytest.raises(ValueError):
            _core.Data.csc(*arrays, ROWS)
    unordered = rows.copy()
    unordered[[0, 1]] = unordered[[1, 0]]
    assert _core.Data.csc(ends, unordered, values, ROWS) is None
    with pytest.raises(ValueError, match="lengths"):
        _core.Data.columns([np.zeros(3), np.zeros(4)])
    with pytest.raises(ValueError, match="column"):
        _core.Data.columns([np.zeros(3, complex)])


def test_bytes_in_the_other_order_and_at_odd_places_are_understood():
    x, y = _values()
    x, y = x[:300], y[:300]
    model = LogisticRegression().fit(x, y)
    odd = np.ndarray(x.shape, "f8", bytes(1) + x.tobytes(), 1)
    for other in (x.astype(">f8"), np.asfortranarray(x.astype(">f8")), odd):
        assert LogisticRegression().fit(other, y).coef_.tobytes() == model.coef_.tobytes()
        np.testing.assert_allclose(model.predict_proba(other), model.predict_proba(x), rtol=1e-12)


@pytest.mark.parametrize("form,prior", [("csc", "gaussian"), ("csc", "laplace"), ("csr 64", "laplace"), ("fortran", "laplace"), ("rows", "laplace")])
def test_values_that_change_meanwhile_give_odd_numbers_but_no_crash(form, prior):
    random = np.random.default_rng(1)
    x, y = random.normal(size=(30_000, 40)), random.integers(0, 2, 30_000)
    x[random.random(x.shape) < 0.5] = 0
    if form.startswith("cs"):
        stored = x + 1  # every place is there
        x = (sp.csc_matrix if form == "csc" else sp.csr_matrix)(stored)
        x.data[::2] = 0
        if form.endswith("64"):
            x.indices, x.indptr = x.indices.astype(np.int64), x.indptr.astype(np.int64)
        values = x.data
    else:
        x = np.asfortranarray(x) if form == "fortran" else np.ascontiguousarray(x)
        values = x.ravel(order="K")
        assert np.shares_memory(values, x)
    ended = threading.Event()

    def change():
        while not ended.is_set():
            values[:] = np.where(values == 0, 1.0, 0.0)

    changing = threading.Thread(target=change)
    changing.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(3):
                model = LogisticRegression(prior=prior, max_passes=4).fit(x, y)
                model.predict_proba(x)
    except ValueError:
        pass
    finally:
        ended.set()
        changing.join()
