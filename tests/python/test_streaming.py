"""StreamingClassifier: batches, classes, weights, and the bytes of the program's streams."""
import pickle
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import NotFittedError

import lazylogit
from lazylogit import StreamingClassifier


def svm_lines(x, y):
    rows = []
    for r in range(x.shape[0]):
        row = x[r]
        rows.append(f"{y[r]} " + " ".join(f"{i + 1}:{v!r}" for i, v in zip(row.indices.tolist(), row.data.tolist())))
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("optimizer", ["adagrad", "sgd", "adf", "perceptron"])
def test_a_stream_is_the_programs(sparse, program, tmp_path, optimizer):
    x, y = sparse
    x = x.astype(np.float32)
    (tmp_path / "x.svm").write_text(svm_lines(x, y))
    rate = {"learning_rate": 0.3} if optimizer == "sgd" else {}
    words = ["--learning-rate", "0.3"] if rate else []
    subprocess.run([program, "train", tmp_path / "x.svm", "--stream", "--optimizer", optimizer, *words, "-q", "-o", tmp_path / "own"],
                   check=True)
    model = StreamingClassifier(optimizer, **rate)
    for first in range(0, 300, 70):
        model.partial_fit(x[first : first + 70], y[first : first + 70])
    model.save(tmp_path / "here")
    assert (tmp_path / "here").read_bytes() == (tmp_path / "own").read_bytes()
    StreamingClassifier(optimizer, **rate).fit(x, y).save(tmp_path / "once")
    assert (tmp_path / "once").read_bytes() == (tmp_path / "own").read_bytes()


def test_a_stream_of_text_is_the_programs(program, tmp_path):
    texts, y = ["good film", "bad film, bad", "so good", "a bad one"] * 5, ["pos", "neg", "pos", "neg"] * 5
    (tmp_path / "x.tsv").write_text("".join(f"{label}\t{text}\n" for label, text in zip(y, texts)))
    subprocess.run([program, "train", tmp_path / "x.tsv", "--format", "text", "--stream", "--ngrams", "2", "-q", "-o", tmp_path / "own"],
                   check=True)
    model = StreamingClassifier(ngrams=2).partial_fit(texts[:7], y[:7]).partial_fit(texts[7:], y[7:])
    model.save(tmp_path / "here")
    assert (tmp_path / "here").read_bytes() == (tmp_path / "own").read_bytes()
    assert model.predict(["good", "bad"]).tolist() == ["pos", "neg"]


def test_a_stream_goes_on_from_a_file_and_a_pickle(sparse, tmp_path):
    x, y = sparse
    whole = StreamingClassifier().fit(x, y)
    half = StreamingClassifier().partial_fit(x[:150], y[:150])
    half.save(tmp_path / "half")
    for other in (pickle.loads(pickle.dumps(half)), lazylogit.load(tmp_path / "half")):
        assert isinstance(other, StreamingClassifier) and other.n_rows_ == 150
        other.partial_fit(x[150:], y[150:])
        np.testing.assert_array_equal(other.predict_proba(x), whole.predict_proba(x))
    assert half.n_rows_ == 150 and whole.progressive_log_loss_ < np.log(3) + 0.1


def test_classes_grow_or_are_named():
    x, y = load_iris(return_X_y=True)
    model = StreamingClassifier().partial_fit(x[:50], y[:50])
    assert model.classes_.tolist() == [0]
    with pytest.raises(ValueError, match="two or more"):
        model.predict(x)
    model.partial_fit(x[50:], y[50:])
    assert model.classes_.tolist() == [0, 1, 2] and model.predict_proba(x).shape == (150, 3)
    named = StreamingClassifier().partial_fit(x[:50], y[:50], classes=[0, 1, 2])
    assert named.predict_proba(x).shape == (150, 3) and set(named.predict(x[:50])) == {0}
    for bad in ({"classes": [0, 1]}, {"classes": [0, 1, 2, 3]}):
        with pytest.raises(ValueError):
            named.partial_fit(x[:5], y[:5], **bad)
    with pytest.raises(ValueError):
        StreamingClassifier().partial_fit(x, y, classes=[0, 1])
    with pytest.raises(ValueError):
        named.partial_fit(x[:5], y[:5] + 7)


def test_labels_stay_numbers_or_text():
    x, y = load_iris(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    for before, after in ((y, names), (names, y), (names.astype(object), y), (y, names.astype(object))):
        stream = StreamingClassifier().partial_fit(x, before)
        proba = stream.predict_proba(x)
        with pytest.raises(ValueError, match="text"):
            stream.partial_fit(x, after)
        np.testing.assert_array_equal(stream.predict_proba(x), proba)  # nothing was learned from them


def test_weights_and_learners():
    x, y = load_digits(return_X_y=True)
    weights = (y != 3).astype(float)
    model = StreamingClassifier().fit(x, y, sample_weight=weights)
    assert 3 not in model.predict(x)
    belief = StreamingClassifier("adf").fit(x, y)
    lower, upper = belief.predict_interval(x[:5])
    assert (lower < upper).all()
    assert belief.explain(x[:1])[0].prediction == belief.predict(x[:1])[0]
    with pytest.raises(ValueError):
        StreamingClassifier("newton").fit(x, y)
    with pytest.raises(ValueError):
        StreamingClassifier().partial_fit(x, y).partial_fit(x[:, :5], y)
    with pytest.raises(NotFittedError):
        StreamingClassifier().save("x")


def test_frames_can_be_streamed():
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    x, y = load_iris(return_X_y=True)
    order = np.random.default_rng(1).permutation(150)
    x, y = x[order], y[order]
    names = ["a", "b", "c", "d"]
    models = [StreamingClassifier().partial_fit(make(x[:90]), y[:90]).partial_fit(make(x[90:]), y[90:])
              for make in (lambda part: pandas.DataFrame(part, columns=names), lambda part: polars.DataFrame(part, schema=names))]
    for model in models:
        assert model.feature_names_in_.tolist() == names and model.model_.features == names
    np.testing.assert_array_equal(models[0].coef_, models[1].coef_)
    with pytest.raises(ValueError, match="names"):
        models[1].partial_fit(polars.DataFrame(x, schema=names[::-1]), y)
    with pytest.raises(ValueError, match="numbers"):
        models[1].partial_fit(polars.DataFrame({"a": ["x", "y"]}), [0, 1])
    with pytest.raises(ValueError, match="label"):
        StreamingClassifier().fit(pandas.DataFrame({"a": ["x", "y"]}), [0, 0])


def test_frames_with_text_are_streams_of_the_programs_tables(tmp_path, program):
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(4)
    frame = pandas.DataFrame({"town": random.choice(["Rome", "Bern", "Oslo, N"], 400), "age": random.normal(40, 9, 400).round(1),
                              "size": pandas.Categorical(random.choice(["s", "m", "l"], 400))})
    frame.loc[5, "town"] = None
    y = np.where((frame["town"] == "Bern") ^ (random.random(400) < 0.1), "yes", "no")
    frame.assign(label=y).to_csv(tmp_path / "x.csv", index=False)
    subprocess.run([program, "train", tmp_path / "x.csv", "--stream", "--target", "label", "-q", "-o", tmp_path / "own"], check=True)
    whole = StreamingClassifier().fit(frame, y)
    whole.save(tmp_path / "m")
    assert (tmp_path / "own").read_bytes() == (tmp_path / "m").read_bytes()
    assert whole.score(frame, y) > 0.8 and whole.feature_names_in_.tolist() == ["town", "age", "size"]
    parts = StreamingClassifier().partial_fit(frame[:250], y[:250])
    parts = pickle.loads(pickle.dumps(parts)).partial_fit(frame[250:], y[250:])
    parts.save(tmp_path / "parts")
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "m").read_bytes() and parts.n_rows_ == 400
    new = frame[:3].assign(town=["Lima", "Bern", "Rome"])  # a category that is new
    before = parts.model_.num_features
    assert parts.partial_fit(new, y[:3]).model_.num_features == before + 1
    parts.save(tmp_path / "state")
    assert lazylogit.load(tmp_path / "state").partial_fit(frame[:9], y[:9]).n_rows_ == 412
    for bad in (lambda: parts.partial_fit(frame[["age", "town", "size"]], y), lambda: parts.partial_fit(np.ones((3, 3)), y[:3]),
                lambda: parts.partial_fit(frame, y[:-1]), lambda: parts.partial_fit(frame, y, sample_weight=np.ones(400)),
                lambda: parts.partial_fit(["text"], ["yes"]), lambda: StreamingClassifier().fit(np.ones((2, 3)), [0, 1]).partial_fit(frame, y)):
        with pytest.raises(ValueError):
            bad()
    weights = (frame["town"] != "Bern").to_numpy() * 1.0
    weighted = StreamingClassifier().partial_fit(frame, y, sample_weight=weights).partial_fit(frame, y, sample_weight=weights)
    assert (weighted.predict(frame) == "no").mean() > 0.9
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    arrow = StreamingClassifier().fit(polars.from_pandas(frame), y)
    np.testing.assert_allclose(arrow.predict_proba(polars.from_pandas(frame)), whole.predict_proba(frame))
