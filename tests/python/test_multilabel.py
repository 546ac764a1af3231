"""Rows with any number of labels: y is a table of 0 and 1, every label is predicted by itself."""
import pickle
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression as Peer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.preprocessing import MultiLabelBinarizer

import lazylogit
from lazylogit import KernelLogisticRegression, LogisticRegression, LogisticRegressionCV, StreamingClassifier


@pytest.fixture
def several():
    random = np.random.default_rng(3)
    x = random.normal(size=(300, 5))
    return x, (x @ random.normal(size=(5, 4)) + random.normal(size=(300, 4)) > 0.3).astype(int)


@pytest.mark.parametrize("labels", [2, 4])
def test_every_label_is_a_model_of_its_own(several, labels):
    x, y = several[0], several[1][:, :labels]
    model = LogisticRegression(C=0.7, gap=1e-10).fit(x, y)
    peer = OneVsRestClassifier(Peer(C=0.7, tol=1e-10, max_iter=10000)).fit(x, y)
    assert model.multilabel_ and model.classes_.tolist() == list(range(labels)) and model.coef_.shape == (labels, 5)
    np.testing.assert_allclose(model.predict_proba(x), peer.predict_proba(x), atol=1e-4)
    np.testing.assert_array_equal(model.predict(x), peer.predict(x))
    assert model.predict(x).shape == model.decision_function(x).shape == y.shape
    np.testing.assert_allclose(model.decision_function(x), x @ model.coef_.T + model.intercept_)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(x)), model.predict_proba(x))
    assert model.score(x, y) == (model.predict(x) == y).all(axis=1).mean()
    assert f"labels {labels}" in model.summary() and "strongest" in model._repr_html_()
    theirs = model.to_sklearn()
    np.testing.assert_allclose(theirs.predict_proba(x), model.predict_proba(x), atol=1e-12)
    np.testing.assert_array_equal(theirs.predict(x), model.predict(x))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(x), model.predict_proba(x))


def test_forms_of_x_and_y_give_the_same_model(several):
    x, y = several
    expected = LogisticRegression().fit(x, y).coef_
    for other in (sp.csr_matrix(y), y.astype(bool), y.tolist(), list(y), y.astype(float)):
        np.testing.assert_array_equal(LogisticRegression().fit(x, other).coef_, expected)
    for form in (sp.csr_matrix(x), np.asfortranarray(x), [{str(i): v for i, v in enumerate(row)} for row in x]):
        model = LogisticRegression().fit(form, y)
        np.testing.assert_allclose(model.predict_proba(form), LogisticRegression().fit(x, y).predict_proba(x), atol=1e-4)
    pandas = pytest.importorskip("pandas")
    frame, table = pandas.DataFrame(x).add_prefix("x"), pandas.DataFrame(y, columns=["d", "a", "c", "b"])
    model = LogisticRegression().fit(frame, table)
    assert model.classes_.tolist() == ["d", "a", "c", "b"]
    np.testing.assert_allclose(model.coef_, expected, atol=1e-5)
    np.testing.assert_array_equal(model.predict(frame), LogisticRegression().fit(x, y).predict(x))
    assert list(model.set_output(transform="pandas").predict_proba(frame).columns) == ["d", "a", "c", "b"]
    frame["t"] = np.array(["u", "v", "w"] * 100)
    assert LogisticRegression().fit(frame, table).predict(frame).shape == y.shape


def test_texts_may_have_several_labels():
    texts = ["red square", "red ring", "blue square", "blue ring", "ring", "square", "red", "blue"] * 3
    binarizer = MultiLabelBinarizer()
    y = binarizer.fit_transform([text.split() for text in texts])
    model = LogisticRegression(variance=100).fit(texts, y)
    assert binarizer.inverse_transform(model.predict(["a blue ring", "a square"])) == [("blue", "ring"), ("square",)]


def test_files_are_those_of_the_program(several, tmp_path, program):
    x, y = several
    names = np.array(["sun", "rain", "wind", "hail"])
    lines = [",".join(names[row == 1]) + " " + " ".join(f"{i + 1}:{v!r}" for i, v in enumerate(values.tolist()))
             for row, values in zip(y, x)]
    (tmp_path / "x.svm").write_text("\n".join(lines) + "\n")
    subprocess.run([program, "train", tmp_path / "x.svm", "--multilabel", "-q", "-o", tmp_path / "own"], check=True)
    data = lazylogit.read(tmp_path / "x.svm", multilabel=True)
    assert data.classes.tolist() == sorted(names) and (data.y.toarray() == y[:, np.argsort(names)]).all()
    model = LogisticRegression().fit(data)
    model.save(tmp_path / "m")
    assert (tmp_path / "own").read_bytes() == (tmp_path / "m").read_bytes()
    loaded = lazylogit.load(tmp_path / "own")
    assert loaded.multilabel_ and loaded.classes_.tolist() == sorted(names)
    np.testing.assert_array_equal(loaded.predict_proba(x), model.predict_proba(x))


def test_other_estimators(several):
    x, y = several
    assert LogisticRegressionCV(path=4, folds=3).fit(x, y).predict(x).shape == y.shape
    assert KernelLogisticRegression(kernel_width=2.0).fit(x, y).score(x, y) > 0.4
    weights = np.arange(300) % 3
    weighted = LogisticRegression(gap=1e-11).fit(x, y, sample_weight=weights)
    repeated = LogisticRegression(gap=1e-11).fit(np.repeat(x, weights, axis=0), np.repeat(y, weights, axis=0))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-5)
    stream = MultiOutputClassifier(StreamingClassifier())
    stream.partial_fit(x[:150], y[:150], classes=[[0, 1]] * 4)
    assert stream.partial_fit(x[150:], y[150:]).predict(x).shape == y.shape


def test_onnx_gives_the_same_labels(several, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    x, y = several
    model = LogisticRegression().fit(x, y)
    model.to_onnx(tmp_path / "m.onnx", dtype=np.float64)
    label, p = runtime.InferenceSession(str(tmp_path / "m.onnx")).run(["label", "probabilities"], {"X": x})
    np.testing.assert_array_equal(label, model.predict(x))
    np.testing.assert_allclose(p, model.predict_proba(x), atol=1e-12)


def test_what_has_no_meaning_is_refused(several):
    x, y = several
    model = LogisticRegression().fit(x, y)
    for call in (lambda: model.explain(x), lambda: model.outliers(x, y), lambda: model.predict_interval(x),
                 lambda: model.predict(x, offset=np.ones(300)), lambda: LogisticRegression().fit(x, y, offset=np.ones(300)),
                 lambda: LogisticRegression(class_weight="balanced").fit(x, y), lambda: LogisticRegression(class_weight={0: 2}).fit(x, y),
                 lambda: LogisticRegression().fit(x[:-1], y), lambda: StreamingClassifier().fit(x, y),
                 lambda: LogisticRegression().fit(x, np.c_[y, np.zeros(300)]), lambda: LogisticRegression().fit(x, y + 1)):
        with pytest.raises(ValueError):
            call()
    for sets in ([["a"], ["a", "b"], []] * 100, [{"a"}] * 300, [["a", "b"], ["c", "d"]] * 150):
        with pytest.raises(ValueError, match="MultiLabelBinarizer"):
            LogisticRegression().fit(x, sets)
