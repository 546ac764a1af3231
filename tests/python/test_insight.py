"""What a model knows beyond its predictions, and how it is shown and exported."""
import json
import subprocess
import warnings

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import lazylogit
from lazylogit import LogisticRegression, LogisticRegressionCV


@pytest.fixture(scope="module")
def fitted():
    x, y = load_breast_cancer(return_X_y=True)
    return LogisticRegression(standardize="scale", posterior="full").fit(x[:, :6], y), x[:, :6], y


def test_intervals_are_the_programs(fitted, program, tmp_path):
    model, x, y = fitted
    lower, upper = model.predict_interval(x, level=0.8)
    p = model.predict_proba(x)
    assert lower.shape == p.shape and (lower <= p).all() and (p <= upper).all()
    model.save(tmp_path / "m")
    np.save(tmp_path / "x.npy", x)
    run = subprocess.run([program, "predict", tmp_path / "m", tmp_path / "x.npy", "--intervals=0.8", "-q"], capture_output=True, text=True,
                         check=True)
    cells = [line.split(",") for line in run.stdout.splitlines()]
    ours = lower[np.arange(len(x)), p.argmax(axis=1)]
    np.testing.assert_allclose([float(row[cells[0].index("lower")]) for row in cells[1:]], ours, rtol=1e-9)
    wide = model.predict_proba(x, predictive="probit")
    assert (abs(wide - 0.5) <= abs(p - 0.5) + 1e-12).all()
    with pytest.raises(ValueError, match="posterior"):
        LogisticRegression(standardize="scale").fit(x, y).predict_interval(x)
    for bad in ({"level": 1.5}, {"predictive": "guess"}):
        with pytest.raises(ValueError):
            model.predict_interval(x, **bad)


def test_explanations_sum_to_the_margin():
    x, y = load_iris(return_X_y=True)
    model = LogisticRegression().fit(x, np.array(["b", "c", "a"])[y])
    for row, why in zip(x, model.explain(x[::10], top=99)):
        assert why.prediction != why.rival
        assert abs(sum(part for _, _, part in why.contributions) - why.margin) < 1e-9
    assert [why.prediction for why in model.explain(x)] == model.predict(x).tolist()
    assert "over" in repr(model.explain(x[:1])[0]) and len(model.explain(x[:1], top=2)[0].contributions) == 2


@pytest.mark.parametrize("method", ["approximate", "folds"])
def test_outliers_find_wrong_labels(method):
    x, y = load_iris(return_X_y=True)
    y = np.array(["b", "c", "a"])[y]
    y[7] = "a"
    model = LogisticRegression().fit(x, y)
    found = model.outliers(x, y, method=method)
    assert found["row"][0] == 7 and found["label"][0] == "a" and found["probability"][0] < 0.1
    assert (np.diff(found["probability"]) >= 0).all() and ("influence" in found) == (method == "approximate")
    np.testing.assert_array_equal(y[found["row"]], found["label"])


def test_metadata_routing_and_output(fitted):
    _, x, y = fitted
    weights = np.ones(len(y))
    with config_context(enable_metadata_routing=True):
        weighted = LogisticRegression().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        model = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), weighted)
        scores = cross_validate(model, x, y, params={"sample_weight": weights}, error_score="raise")
        assert scores["test_score"].mean() > 0.8
    pandas = pytest.importorskip("pandas")
    pipe = make_pipeline(StandardScaler(), LogisticRegression()).set_output(transform="pandas").fit(pandas.DataFrame(x).rename(columns=str), y)
    assert pipe[-1].feature_names_in_.tolist() == [str(i) for i in range(6)]
    framed = LogisticRegression(standardize="scale").set_output(transform="pandas").fit(x, y).predict_proba(x)
    assert list(framed.columns) == ["0", "1"] and len(framed) == len(x)


def test_summary_has_what_statisticians_ask(fitted):
    text = fitted[0].summary(level=0.9)
    for word in ("std. error", "P>|z|", "odds ratio", "log evidence", "AIC", "certified gap"):
        assert word in text
    assert len(fitted[0].summary(top=2).splitlines()) == len(text.splitlines()) - 4
    for bad in ({"level": 2}, {"top": 0}):
        with pytest.raises(ValueError):
            fitted[0].summary(**bad)


def test_exports_say_the_same(fitted):
    x, y = load_iris(return_X_y=True)
    for labels in (y, np.array(["b", "c", "a"])[y], y == 1):
        model = LogisticRegression().fit(x, labels)
        peer = model.to_sklearn()
        np.testing.assert_allclose(peer.predict_proba(x), model.predict_proba(x), atol=1e-12)
        np.testing.assert_array_equal(peer.predict(x), model.predict(x))
        document = json.loads(model.to_json())
        assert document["num_features"] == 4 and document["certificate"]["relative_gap"] <= 1e-6
    with pytest.raises(ValueError, match="text"):
        LogisticRegression().fit(["a b", "c"], [0, 1]).to_sklearn()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_onnx_scores_the_same_rows(dtype, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    x, y = load_iris(return_X_y=True)
    for labels in (y, np.array(["b", "c", "a"])[y], y == 1, y * 2.0):
        model = LogisticRegression().fit(x, labels)
        model.to_onnx(tmp_path / "m.onnx", dtype=dtype)
        session = runtime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
        label, p = session.run(None, {"X": x.astype(dtype)})
        np.testing.assert_allclose(p, model.predict_proba(x), atol=1e-5 if dtype == np.float32 else 1e-12)
        np.testing.assert_array_equal(label.astype(model.classes_.dtype), model.predict(x))


def test_pictures(fitted):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    model, x, y = fitted
    assert model.plot_trace().get_yscale() == "log"
    slow = LogisticRegression(standardize="scale", optimizer="lbfgs").fit(x, y)
    assert all(np.isfinite(line.get_ydata()).all() for line in slow.plot_trace().lines)  # lines without holes
    assert len(model.plot_coefficients(top=4).get_yticks()) == 4
    model.plot_calibration(x, y)
    model.plot_priors()
    tuned = LogisticRegressionCV(path=4, folds=2, standardize="scale").fit(x, y)
    assert tuned.plot_path().get_xscale() == "log"
    with pytest.raises(ValueError):
        model.plot_path()
    matplotlib.pyplot.close("all")


def test_pages_of_notebooks(fitted, capfd):
    model, x, y = fitted
    page = model._repr_html_()
    assert "strongest features" in page and "certified gap" in page
    assert model.trace_._repr_html_().startswith("<table>")
    assert "<" in LogisticRegression()._repr_html_()
    LogisticRegression(verbose=True).fit(x, y)
    assert "error" in capfd.readouterr().err
    LogisticRegressionCV(verbose=True, path=4, folds=2).fit(x, y)


def test_parameters_are_options_of_the_program(sparse, program, tmp_path):
    x, y = sparse
    path = tmp_path / "x.npz"
    import scipy.sparse as sp

    sp.save_npz(path, x)
    np.save(tmp_path / "y.npy", y)
    for given in ({"optimizer": "sgd", "epochs": 3, "learning_rate": 0.2}, {"epochs": 2, "average": True, "shuffle": False},
                  {"class_weight": "balanced"}, {"prior": "cauchy", "scale": 1.5}, {"standardize": "scale", "posterior": "diagonal"},
                  {"options": {"max-norm": 2.0}}, {"holdout": 0.2}, {"prior": "elastic-net", "l1": 0.5, "l2": 0.1, "intercept": False}):
        words = []
        for name, value in ({**given, **given["options"]} if "options" in given else given).items():
            option = {"class_weight": "class-weights", "intercept": "no-intercept", "shuffle": "no-shuffle"}.get(name, name.replace("_", "-"))
            if name != "options":
                words += [f"--{option}"] if isinstance(value, bool) else [f"--{option}", str(value)]
        subprocess.run([program, "train", path, "--labels", tmp_path / "y.npy", "-q", "-o", tmp_path / "own", *words], check=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = LogisticRegression(**given).fit(x, y)
        assert model.model_.to_bytes() == (tmp_path / "own").read_bytes(), given
    assert lazylogit.load(tmp_path / "own").predict(x).tolist() == model.predict(x).tolist()


def test_a_progress_bar_in_a_notebook(fitted, monkeypatch):
    import sys
    import types

    from lazylogit import _progress

    shown = []
    handle = types.SimpleNamespace(update=lambda page: shown.append(page))
    display = types.SimpleNamespace(HTML=lambda text: text, display=lambda page, display_id: (shown.append(page), handle)[1])
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(_progress, "in_notebook", lambda: True)
    bar = _progress.Progress()
    bar(1, 10.0, float("nan"), 0.1, 0, 0)
    bar(2, 9.0, 1e-3, 0.2, 3, 10)
    bar.end()
    assert len(shown) == 2 and "pass 1" in shown[0] and "tuning 3/10" in shown[1] and "█" in shown[1]
