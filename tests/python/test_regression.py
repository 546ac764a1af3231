"""LinearRegression: numbers instead of classes."""
import pickle
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Lasso, Ridge
from sklearn.linear_model import LinearRegression as Peer

import lazylogit
from lazylogit import LinearRegression


@pytest.fixture(scope="module")
def data():
    x, y = load_diabetes(return_X_y=True)
    return x * 10, y


def test_optimum_is_scikit_learns(data):
    x, y = data
    n = len(y)
    for ours, theirs in ((LinearRegression(variance=0.7, gap=1e-10), Ridge(alpha=1 / 0.7)),
                         (LinearRegression(prior="laplace", variance=2 / 100**2, gap=1e-10), Lasso(alpha=100 / n, tol=1e-10)),
                         (LinearRegression(prior="uniform", gap=1e-10), Peer())):
        ours.fit(x, y)
        theirs.fit(x, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3, atol=1e-2)
        np.testing.assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e-3)
        np.testing.assert_allclose(ours.to_sklearn().predict(x), ours.predict(x))
        assert ours.certificate_["relative_gap"] <= 1e-9


def test_files_are_those_of_the_program(data, program, tmp_path):
    x, y = data
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    model = LinearRegression(posterior="full").fit(x, y)
    subprocess.run([program, "train", tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--loss", "squared", "--posterior", "full", "-q", "-o",
                    tmp_path / "own"], check=True)
    assert model.model_.to_bytes() == (tmp_path / "own").read_bytes()
    again = lazylogit.load(tmp_path / "own")
    assert isinstance(again, LinearRegression)
    for other in (again, pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict(x), model.predict(x))
    assert "std. error" in model.summary() and "odds" not in model.summary() and "linear regression" in model._repr_html_()
    lower, upper = model.predict_interval(x, level=0.5)
    assert 0.4 < ((lower < y) & (y < upper)).mean() < 0.6
    with pytest.raises(ValueError, match="posterior"):
        LinearRegression().fit(x, y).predict_interval(x)


def test_numbers_of_files_frames_and_text(tmp_path):
    pandas = pytest.importorskip("pandas")
    (tmp_path / "x.csv").write_text("job,age,y\nsmith,31,2.5\nbaker,22,1.5\nsmith,40,3\ncook,50,0.5\n")
    read = lazylogit.read(tmp_path / "x.csv", target="y", loss="squared")
    assert read.y.tolist() == [2.5, 1.5, 3, 0.5]
    frame = pandas.read_csv(tmp_path / "x.csv")
    model = LinearRegression().fit(frame[["job", "age"]], frame["y"])
    np.testing.assert_allclose(LinearRegression().fit(read).predict(read), model.predict(frame[["job", "age"]]))
    texts = LinearRegression().fit(["good", "bad", "good good", "so so"], [1.0, -1.0, 2.0, 0.0])
    assert texts.predict(["good"])[0] > texts.predict(["bad"])[0]


def test_onnx_predicts_the_same_numbers(data, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    x, y = data
    model = LinearRegression().fit(x, y)
    model.to_onnx(tmp_path / "m.onnx", dtype=np.float64)
    session = runtime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(session.run(None, {"X": x})[0], model.predict(x))


def test_bad_numbers_are_value_errors(data):
    x, y = data
    for bad in (y[:-1], np.full(len(y), np.nan), np.full(len(y), np.inf), np.c_[y, y], ["a"] * len(y), None):
        with pytest.raises((ValueError, TypeError)):
            LinearRegression().fit(x, bad)
    for parameters in ({"posterior": "samples"}, {"optimizer": "perceptron"}, {"noise_variance": 2.0}, {"prior": "x"}):
        with pytest.raises(ValueError):
            LinearRegression(**parameters).fit(x, y)
