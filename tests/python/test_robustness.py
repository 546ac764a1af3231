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
from odd_things import odd_labels, odd_matrix, odd_weights

EXPECTED = (ValueError, TypeError, NotFittedError, OSError, AttributeError)


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
