"""Estimators of the Python package: scikit-learn's own checks, equality with the program, inputs, errors."""
import os
import pickle
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression as Peer
from sklearn.utils.estimator_checks import parametrize_with_checks

import lazylogit
from lazylogit import KernelLogisticRegression, LinearRegression, LogisticRegression, LogisticRegressionCV, StreamingClassifier

PROGRAM = os.environ.get("LAZYLOGIT_PROGRAM")


WEIGHTS = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]


def cannot_hold(estimator):
    """Checks that cannot hold, with the reason; docs/python.md lists them."""
    if isinstance(estimator, LogisticRegressionCV):
        return dict.fromkeys(WEIGHTS, "folds are drawn by rows: a row given twice may be in two folds, a row of weight 2 is in one")
    if isinstance(estimator, StreamingClassifier):
        reasons = dict.fromkeys(WEIGHTS, "a row of weight 2 is one step of twice the length, a row given twice is two steps")
        if estimator.optimizer == "adf":
            reasons["check_class_weight_classifiers"] = "the filter refuses weights of 1000, under which its belief is not finite"
        return reasons
    if isinstance(estimator, KernelLogisticRegression) and estimator.kernel_width is None:
        return dict.fromkeys(WEIGHTS, "the width is the median distance of rows, in which weights have no say")
    return {}


@parametrize_with_checks([LogisticRegression(), LogisticRegression(prior="laplace"), LogisticRegression(posterior="full"),
                          LogisticRegression(standardize="scale"), LogisticRegressionCV(path=5, folds=2), StreamingClassifier(),
                          StreamingClassifier("adf"), KernelLogisticRegression(),
                          KernelLogisticRegression(kernel_width=3.0, kernel_map="fourier"), LinearRegression(),
                          LinearRegression(prior="laplace", posterior="full")],
                         expected_failed_checks=cannot_hold)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_optimum_is_scikit_learns(kind):
    x, y = load_iris(return_X_y=True)
    data = sp.csr_matrix(x) if kind == "sparse" else x
    model = LogisticRegression(C=0.7, gap=1e-10).fit(data, y)
    peer = Peer(C=0.7, tol=1e-10, max_iter=100000).fit(x, y)
    np.testing.assert_allclose(model.coef_, peer.coef_, atol=2e-4)
    np.testing.assert_allclose(model.predict_proba(data), peer.predict_proba(x), atol=1e-4)
    assert model.certificate_["relative_gap"] <= 1e-10


def test_the_migration_pages_recipes_for_scikit_learn():
    x, y = load_iris(return_X_y=True)
    for ours, theirs in (({"prior": "elastic-net", "l1": 0.3 / 0.8, "l2": 0.7 / 0.8}, {"C": 0.8, "l1_ratio": 0.3, "solver": "saga"}),
                         ({"prior": "laplace", "variance": 2 * 0.5**2}, {"C": 0.5, "l1_ratio": 1.0, "solver": "saga"}),
                         ({"penalty": "l1", "C": 0.5}, {"C": 0.5, "l1_ratio": 1.0, "solver": "saga"})):
        model = LogisticRegression(gap=1e-9, **ours).fit(x, y)
        peer = Peer(tol=1e-6, max_iter=20000, **theirs).fit(x, y)
        np.testing.assert_allclose(model.predict_proba(x), peer.predict_proba(x), atol=2e-3)


def test_no_penalty_is_no_prior_as_in_scikit_learn():
    x, y = load_iris(return_X_y=True)
    x, y = x[:, :2], y == 1
    plain = LogisticRegression(prior="uniform", gap=1e-12).fit(x, y)
    np.testing.assert_array_equal(LogisticRegression(penalty=None, gap=1e-12).fit(x, y).coef_, plain.coef_)
    np.testing.assert_allclose(plain.coef_, Peer(C=np.inf, tol=1e-10, max_iter=10000).fit(x, y).coef_, atol=1e-3)
    assert abs(LogisticRegression().fit(x, y).coef_ - plain.coef_).max() > 0.01


def test_two_classes_and_scores():
    x, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression(standardize="scale").fit(x, y)
    assert model.coef_.shape == (1, 30)
    np.testing.assert_allclose(model.decision_function(x), x @ model.coef_[0] + model.intercept_[0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(x)), model.predict_proba(x), rtol=1e-9)


def test_kinds_of_input_give_the_same_model(sparse):
    x, y = sparse
    expected = LogisticRegression().fit(x, y).coef_
    long = x.copy()
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    with_zero = sp.csr_matrix((np.append(x.data, 0.0), np.append(x.indices, 0), np.append(x.indptr[:-1], x.nnz + 1)), shape=x.shape)
    read_only = x.copy()
    for part in (read_only.data, read_only.indices, read_only.indptr):
        part.flags.writeable = False
    for other in (long, x.tocsc(), x.tocoo(), x.toarray(), np.asfortranarray(x.toarray()), with_zero, read_only):
        np.testing.assert_allclose(LogisticRegression().fit(other, y).coef_, expected, atol=1e-6)


def test_labels_of_every_kind(sparse):
    x, _ = sparse
    code = (np.arange(x.shape[0]) % 3 == 0).astype(int)
    for labels in ([False, True], [10, 9], ["10", "9"], [-1, 2], ["a", "b"], [0, 1]):
        y = np.array(labels)[code]
        model = LogisticRegression().fit(x, y)
        np.testing.assert_array_equal(model.classes_, np.unique(y))
        assert set(model.predict(x).tolist()) <= set(y.tolist())
        own = model.predict_proba(x)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
        assert own.mean() > 0.5


def test_files_are_those_of_the_program(sparse, tmp_path):
    x, y = sparse
    model = LogisticRegression(prior="laplace", variance=2.0).fit(x, y)
    model.save(tmp_path / "m.safetensors")
    again = lazylogit.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(again.predict_proba(x), model.predict_proba(x))
    np.testing.assert_array_equal(again.predict(x), model.predict(x))
    if not PROGRAM:
        pytest.skip("the program is not at hand")
    sp.save_npz(tmp_path / "x.npz", x)
    np.save(tmp_path / "y.npy", y)
    subprocess.run([PROGRAM, "train", tmp_path / "x.npz", "--labels", tmp_path / "y.npy", "--prior", "laplace", "--variance", "2", "-q",
                    "-o", tmp_path / "own"], check=True)
    assert (tmp_path / "own").read_bytes() == (tmp_path / "m.safetensors").read_bytes()


def test_pickle_and_clone(sparse):
    x, y = sparse
    model = LogisticRegression(variance=3).fit(x, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(x), model.predict_proba(x))
    assert clone(model).variance == 3


def test_weights_are_repetitions(sparse):
    x, y = sparse
    times = np.arange(x.shape[0]) % 3
    rows = np.repeat(np.arange(x.shape[0]), times)
    weighted = LogisticRegression(gap=1e-12).fit(x, y, sample_weight=times)
    repeated = LogisticRegression(gap=1e-12).fit(x[rows], y[rows])
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-6)


def test_summary_has_a_line_per_coefficient():
    x, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression(standardize="scale", posterior="full").fit(x[:, :3], y)
    lines = model.summary().splitlines()
    assert len(lines) == 8 and "std. error" in lines[3] and "(intercept)" in lines[-1]


def test_names_of_columns_are_kept(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [20, 30, 40, 50, 60, 70], "height": [1.5, 1.7, 1.6, 1.8, 1.7, 1.6]})
    model = LogisticRegression().fit(frame, [0, 0, 1, 0, 1, 1])
    assert model.model_.features == ["age", "height"] and "age" in model.summary()
    model.save(tmp_path / "m")
    if PROGRAM:
        frame.to_csv(tmp_path / "x.csv", index=False)
        run = subprocess.run([PROGRAM, "predict", tmp_path / "m", tmp_path / "x.csv", "-q"], capture_output=True, text=True, check=True)
        assert [int(line.split(",")[0]) for line in run.stdout.splitlines()[1:]] == model.predict(frame).tolist()


def test_cross_validation(sparse):
    x, y = sparse
    model = LogisticRegressionCV(prior="laplace", path=8, folds=3).fit(x, y)
    losses = [point["log_loss"] for point in model.path_]
    assert model.variance_ == model.path_[int(np.argmin(losses))]["value"]
    again = LogisticRegression(prior="laplace", variance=model.variance_).fit(x, y)
    np.testing.assert_array_equal(model.coef_, again.coef_)


def test_a_linear_kernel_is_no_kernel(tmp_path):
    x, y = load_iris(return_X_y=True)
    plain = LogisticRegression(gap=1e-9, variance=0.3).fit(x, y)
    model = KernelLogisticRegression("linear", variance=0.3, gap=1e-9).fit(x, y)
    np.testing.assert_allclose(model.predict_proba(x), plain.predict_proba(x), atol=2e-3)
    round_ones = KernelLogisticRegression(kernel_width=1.0, variance=5.0).fit(x, np.array(["b", "c", "a"])[y])
    assert round_ones.score(x, np.array(["b", "c", "a"])[y]) > 0.95 and round_ones.dual_coef_.shape == (3, len(round_ones.support_))
    round_ones.save(tmp_path / "m")
    again = lazylogit.load(tmp_path / "m")
    assert isinstance(again, KernelLogisticRegression) and again.n_features_in_ == 4
    np.testing.assert_array_equal(again.predict_proba(x), round_ones.predict_proba(x))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(round_ones)).predict(x), round_ones.predict(x))
    assert round_ones.explain(x[:1])[0].prediction == round_ones.predict(x[:1])[0]
    with pytest.raises(ValueError, match="kernel"):
        round_ones.to_onnx()
    with pytest.raises(ValueError):
        round_ones.predict(x[:, :3])


def test_not_converging_is_a_warning(sparse):
    with pytest.warns(ConvergenceWarning):
        LogisticRegression(optimizer="gd", max_passes=2).fit(*sparse)


@pytest.mark.parametrize("parameters", [{"prior": "none"}, {"variance": -1}, {"optimizer": "best"}, {"C": 1, "variance": 1},
                                        {"penalty": "l3"}, {"penalty": 2}, {"prior": "uniform", "variance": 2}, {"gap": "small"}, {"C": -1},
                                        {"reference": "nobody"}, {"class_weight": {0: -1, 1: 2}},
                                        {"class_weight": {0: float("nan"), 1: 1}}])
def test_bad_parameters_are_value_errors(parameters, sparse):
    with pytest.raises(ValueError):
        LogisticRegression(**parameters).fit(*sparse)


def test_bad_input_is_what_users_expect(sparse):
    x, y = sparse
    for method in ("predict", "predict_proba", "decision_function", "summary", "save"):
        with pytest.raises(NotFittedError):
            getattr(LogisticRegression(), method)(*([] if method == "summary" else [x]))
    broken = x.copy()
    broken.data[3] = np.nan
    far = x.copy()
    far.indices[3] = 4000
    for bad in ((x, y[:-1]), (x, ["same"] * len(y)), (broken, y), (far, y), (x[:0], y[:0])):
        with pytest.raises(ValueError):
            LogisticRegression().fit(*bad)
    with pytest.raises(ValueError):
        LogisticRegression().fit(x, y).predict(x[:, :5])
    with pytest.raises(OSError):
        lazylogit.load("no such file")
    with pytest.raises(ValueError):
        lazylogit._core.Model.from_bytes(b"nonsense")


def test_offsets_are_part_of_the_score():
    random = np.random.default_rng(2)
    x, known = random.normal(size=(400, 3)), random.normal(size=400)
    y = (x @ [1.0, -1.0, 0.5] + 2 * known + random.logistic(size=400) > 0).astype(int)
    # An offset is a column whose coefficient is known.
    near, offset = LogisticRegression(gap=1e-10).fit(x, y, offset=2 * known), 2 * known
    scores = x @ near.coef_[0] + near.intercept_[0] + offset
    gradient = x.T @ (1 / (1 + np.exp(-scores)) - y) + near.coef_[0]
    assert abs(gradient).max() < 1e-3
    np.testing.assert_allclose(near.decision_function(x, offset=offset), scores)
    np.testing.assert_allclose(near.predict_proba(x, offset=offset)[:, 1], 1 / (1 + np.exp(-scores)))
    assert (near.predict(x, offset=offset) == (scores > 0)).all()
    line = LinearRegression(prior="uniform").fit(x, x @ [1.0, 2.0, 3.0] + known, offset=known)
    np.testing.assert_allclose(line.coef_, [1, 2, 3], atol=1e-6)
    np.testing.assert_allclose(line.predict(x, offset=known), x @ [1.0, 2.0, 3.0] + known, atol=1e-6)
    for wrong in (known[:-1], known[:, None] @ np.ones((1, 2)), np.full(400, np.nan), "text"):
        with pytest.raises(ValueError):
            LogisticRegression().fit(x, y, offset=wrong)
        with pytest.raises(ValueError):
            near.predict_proba(x, offset=wrong)
    with pytest.raises(ValueError, match="two classes"):
        LogisticRegression().fit(x, np.arange(400) % 3, offset=known)
