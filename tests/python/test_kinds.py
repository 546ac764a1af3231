"""What types say: of columns that are categories or times, of labels that are True, missing or look like numbers."""
import pickle
import warnings

import numpy as np
import pytest

import lazylogit
from lazylogit import LinearRegression, LogisticRegression, StreamingClassifier

LABELS = np.arange(60) % 2


def frame_of(**columns):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"size": np.arange(60.0) % 7, **columns})


@pytest.mark.parametrize("estimator", [LogisticRegression, StreamingClassifier, LinearRegression])
def test_a_column_of_categories_is_one_though_they_look_like_numbers_or_texts(estimator):
    pandas = pytest.importorskip("pandas")
    for cells in ([7, 3, 5] * 20, [0.5, 2.5] * 30, ["10", "9", "x"] * 20, [f"the town of {i}" for i in range(60)]):
        frame = frame_of(kind=pandas.Categorical(cells))
        model = estimator().fit(frame, LABELS)
        assert set(model.model_.features) == {"size", *(f"kind={cell}" for cell in cells)}
        np.testing.assert_array_equal(model.predict(frame.assign(kind=cells)), model.predict(frame))
    assert estimator(ignore=["kind"]).fit(frame, LABELS).model_.features == ["size"]
    assert "kind:town" in estimator(text=["kind"]).fit(frame, LABELS).model_.features
    both = frame_of(kind=pandas.Categorical([7, 3, 5] * 20), code=[1, 2] * 30)
    assert {"kind=7", "code=1"} <= set(estimator(categorical=["code"]).fit(both, LABELS).model_.features)


def test_categories_of_polars_and_arrow_are_categories():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    names = {"size", "kind=1", "kind=2"}
    for frame in (polars.DataFrame({"size": np.arange(60.0), "kind": polars.Series(["1", "2"] * 30, dtype=polars.Enum(["1", "2"]))}),
                  polars.DataFrame({"size": np.arange(60.0), "kind": polars.Series(["1", "2"] * 30, dtype=polars.Categorical)}),
                  pyarrow.table({"size": np.arange(60.0), "kind": pyarrow.array([1, 2] * 30).dictionary_encode()})):
        model = LogisticRegression().fit(frame, LABELS)
        assert set(model.model_.features) == names and model.score(frame, LABELS) == 1


def test_times_are_refused_unless_a_role_is_named():
    pandas = pytest.importorskip("pandas")
    when = pandas.date_range("2020", periods=60)
    for column in (when, when.tz_localize("UTC"), when - when[0]):
        for estimator in (LogisticRegression, StreamingClassifier, LinearRegression):
            with pytest.raises(ValueError, match="'when' holds times"):
                estimator().fit(frame_of(when=column), LABELS)
            assert estimator(ignore=["when"]).fit(frame_of(when=column), LABELS).model_.features == ["size"]


def test_frames_that_hold_no_rows_or_names_that_are_new():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": np.arange(60.0)})
    with pytest.raises(TypeError, match="collect"):
        LogisticRegression().fit(frame.lazy(), LABELS)
    model = LogisticRegression().fit(frame.to_numpy(), LABELS)
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        model.predict(frame)


@pytest.mark.parametrize("labels", [["1_0", "2_0"], ["１", "２"], ["1e", "2e"], ["0x1", "0x2"]])
def test_labels_that_only_python_takes_for_numbers_stay_text(labels, tmp_path):
    x = np.random.default_rng(1).normal(size=(60, 2)) + LABELS[:, None]
    model = LogisticRegression().fit(x, np.array(labels)[LABELS])
    model.save(tmp_path / "m")
    again = lazylogit.load(tmp_path / "m")
    assert again.classes_.tolist() == labels
    np.testing.assert_array_equal(again.predict(x), model.predict(x))


def test_labels_that_are_missing_or_empty_are_named():
    pandas = pytest.importorskip("pandas")
    x = np.random.default_rng(1).normal(size=(6, 2))
    text = ["a", "b", "a", "b", "a"]
    for model in (LogisticRegression(), StreamingClassifier()):
        for y in ([*text, None], np.array([*text, None], dtype=object), pandas.array([*text, None], dtype="string"),
                  pandas.Series([*text, pandas.NA]), np.array([*text, pandas.NA], dtype=object)):
            for rows in (x, ["one text"] * 6, frame_of()[:6].assign(name=["u", "v"] * 3)):
                with pytest.raises(ValueError, match="Input y contains N"):
                    model.fit(rows, y)
        with pytest.raises(ValueError, match="empty"):
            model.fit(x, [*text, ""])  # no file could hold it, nor a pickle
    named = pickle.loads(pickle.dumps(LogisticRegression().fit(x, [*text, " "])))
    assert named.classes_.tolist() == [" ", "a", "b"]


@pytest.mark.parametrize("before, after", [(LABELS == 1, LABELS), (LABELS, LABELS == 1), (LABELS * 1.0, LABELS == 1)])
def test_a_stream_takes_true_for_one(before, after):
    x = np.random.default_rng(1).normal(size=(60, 2)) + LABELS[:, None]
    expected = StreamingClassifier().partial_fit(x, before).partial_fit(x, before)
    for model in (StreamingClassifier().partial_fit(x, before).partial_fit(x, after),
                  StreamingClassifier().partial_fit(x, after, classes=np.unique(before)).partial_fit(x, before)):
        assert model.classes_.tolist() == np.unique(before).tolist()
        np.testing.assert_array_equal(model.predict_proba(x), expected.predict_proba(x))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match="True and False"):
            StreamingClassifier().partial_fit(x, LABELS == 1).partial_fit(x, LABELS + 1)
