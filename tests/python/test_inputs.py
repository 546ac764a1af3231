"""Everything that X may be."""
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer

import lazylogit
from lazylogit import LogisticRegression, _core

TEXTS = ["A good film", "bad film", "Good plot,\ngood end", "bad\tplot", "a very good one", "a bad one"]
TONES = ["+", "-"] * 3


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("zeros", [False, True])
def test_dense_arrays_of_every_layout(dtype, zeros, tmp_path):
    random = np.random.default_rng(3)
    x = random.normal(size=(700, 130)).astype(dtype)
    if zeros:
        x[random.random(x.shape) < 0.3] = 0
    y = (x[:, 0] + x[:, 1] > 0).astype(int)
    expected = LogisticRegression().fit(sp.csr_matrix(x), y).model_.to_bytes()
    np.save(tmp_path / "x.npy", x)
    wide = np.zeros((700, 260), dtype)
    wide[:, ::2] = x
    for other in (x, np.asfortranarray(x), wide[:, ::2], np.load(tmp_path / "x.npy", mmap_mode="r"), x.tolist() if dtype == np.float64 else x):
        assert LogisticRegression().fit(other, y).model_.to_bytes() == expected
    assert _core.Data.dense(x).is_borrowed == (not zeros)


def test_rows_without_zeros_share_their_columns():
    for rows, width in ((1, 1), (3, 70000), (5000, 37), (2000, 1024), (70000, 3)):
        data = _core.Data.dense(np.ones((rows, width)))
        ends, columns, _ = _core.parts(data)
        assert ends[-1] == rows * width
        np.testing.assert_array_equal(columns.reshape(rows, width), np.tile(np.arange(width), (rows, 1)))


def test_frames_of_numbers(tmp_path):
    polars, pyarrow, pandas = (pytest.importorskip(name) for name in ("polars", "pyarrow", "pandas"))
    x, y = load_breast_cancer(return_X_y=True)
    columns = {f"c{i}": x[:, i] for i in range(5)} | {"whole": (x[:, 6] * 10).astype(int), "flag": x[:, 7] > 0.05}
    pd, pl, pa = pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns)
    model = LogisticRegression(standardize="scale").fit(pd, y)
    for other in (pl, pa, pa.to_batches()[0]):
        again = LogisticRegression(standardize="scale").fit(other, y)
        assert again.model_.to_bytes() == model.model_.to_bytes()
        assert again.feature_names_in_.tolist() == list(columns) and again.n_features_in_ == 7
        np.testing.assert_array_equal(again.predict_proba(other), model.predict_proba(pd))
        with pytest.raises(ValueError, match="names"):
            again.predict(pyarrow.table(columns).select(list(reversed(columns))))
    with pytest.raises(ValueError, match="NaN"):
        LogisticRegression().fit(pyarrow.table({"a": [1.0, None, 2.0]}), [0, 1, 0])
    with pytest.raises(ValueError, match="Arrow type"):
        LogisticRegression().fit(pyarrow.table({"a": [[1], [2]]}), [0, 1])
    with pytest.raises(ValueError):
        LogisticRegression().fit(pa, y[:-1])


def test_frames_with_categories_are_read_as_tables(program, tmp_path):
    polars, pyarrow, pandas = (pytest.importorskip(name) for name in ("polars", "pyarrow", "pandas"))
    columns = {"age": [31.5, None, 22.0, 54.25, 41.0, 35.0], "job": ["smith", "baker", "smith", None, "cook, head", 'the "boss"']}
    y = ["a", "b", "a", "b", "a", "b"]
    pd, pl, pa = pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns)
    model = LogisticRegression().fit(pd, y)
    assert {"age", "age=missing", "job=smith", "job=cook, head"} <= set(model.model_.features)
    for other in (pl, pa, pd.assign(job=pd["job"].astype("category")), pl.with_columns(polars.col("job").cast(polars.Categorical))):
        again = LogisticRegression().fit(other, y)
        assert again.model_.to_bytes() == model.model_.to_bytes()
        np.testing.assert_array_equal(again.predict_proba(other), model.predict_proba(pd))
    np.testing.assert_array_equal(model.predict_proba([{"age": 31.5, "job": "smith"}]), model.predict_proba(pd.iloc[:1]))
    pd.assign(label=y).to_csv(tmp_path / "x.csv", index=False)
    subprocess.run([program, "train", tmp_path / "x.csv", "--target", "label", "-q", "-o", tmp_path / "own"], check=True)
    assert (tmp_path / "own").read_bytes() == model.model_.to_bytes()
    loaded = lazylogit.load(tmp_path / "own")
    np.testing.assert_array_equal(loaded.predict_proba(pd), model.predict_proba(pd))
    subprocess.run([program, "train", tmp_path / "x.csv", "--target", "label", "--prior", "uniform", "--max-passes", "3", "-q", "-o", tmp_path / "own"],
                   check=True)
    with pytest.warns(UserWarning):
        flat = LogisticRegression(prior="uniform", max_passes=3).fit(pd, y)
    assert (tmp_path / "own").read_bytes() == flat.model_.to_bytes()


def test_text_is_read_as_the_program_reads_it(program, tmp_path):
    options = {"ngrams": 2, "lowercase": True, "tfidf": True}
    model = LogisticRegression(**options).fit(TEXTS, TONES)
    lines = [text.replace("\n", " ").replace("\t", " ") for text in TEXTS]
    (tmp_path / "x.tsv").write_text("".join(f"{tone}\t{line}\n" for tone, line in zip(TONES, lines)))
    subprocess.run([program, "train", tmp_path / "x.tsv", "--format", "text", "--ngrams", "2", "--lowercase", "--tfidf", "-q", "-o",
                    tmp_path / "own"], check=True)
    assert model.model_.to_bytes() == (tmp_path / "own").read_bytes()
    assert model.predict(TEXTS).tolist() == TONES
    assert lazylogit.load(tmp_path / "own").predict(np.array(["good", "bad"])).tolist() == ["+", "-"]
    for bad in (TEXTS[:-1], [*TEXTS[:-1], 3]):
        with pytest.raises((ValueError, TypeError)):
            LogisticRegression().fit(bad, TONES)
    with pytest.raises(ValueError, match="ngrams"):
        LogisticRegression(ngrams=2).fit(np.eye(6), TONES)
    with pytest.raises(ValueError):
        LogisticRegression().fit(np.eye(6), TONES).predict(TEXTS)


def test_rows_that_are_dictionaries():
    rows = [{"age": 31, "job": "smith"}, {"job": "baker", "tall": True}, {"age": 22.5}, {"job": "baker", "age": 0}]
    model = LogisticRegression().fit(rows, [0, 1, 0, 1])
    assert model.model_.features == ["age", "job=smith", "job=baker", "tall"]
    dense = np.array([[31, 1, 0, 0], [0, 0, 1, 1], [22.5, 0, 0, 0], [0, 0, 1, 0]], dtype=float)
    np.testing.assert_allclose(model.coef_, LogisticRegression().fit(dense, [0, 1, 0, 1]).coef_, atol=1e-9)
    np.testing.assert_allclose(model.predict_proba([{"job": "cook"}]), model.predict_proba([{}]))
    for bad in ([{"a": None}, {}], [{"a": float("nan")}, {}], [{3: 1}, {}], [{"a": 1}, 5], [{"a": [1]}, {}]):
        with pytest.raises((ValueError, TypeError)):
            LogisticRegression().fit(bad, [0, 1])


def test_data_sets_of_files(sparse, program, tmp_path):
    x, y = sparse
    lines = "".join(f"{y[r]} " + " ".join(f"{i + 1}:{v:.5g}" for i, v in zip(x[r].indices, x[r].data)) + "\n" for r in range(300))
    (tmp_path / "x.svm").write_text(lines)
    data = lazylogit.read(tmp_path / "x.svm")
    assert data.shape == (300, data.X.shape[1]) and data.y.tolist() == y.tolist() and "300 rows" in repr(data)
    np.testing.assert_allclose(data.X.toarray(), x.toarray()[:, : data.shape[1]], rtol=1e-4)
    model = LogisticRegression(prior="laplace").fit(data)
    subprocess.run([program, "train", tmp_path / "x.svm", "--prior", "laplace", "-q", "-o", tmp_path / "own"], check=True)
    assert model.model_.to_bytes() == (tmp_path / "own").read_bytes()
    np.testing.assert_array_equal(model.predict(data), model.predict(data.X))
    few = tmp_path / "few.svm"
    few.write_text("yes 3:1 39:2 500:1\nno 7:1\n")
    assert lazylogit.read(few, like=model).shape == (2, data.shape[1])
    with pytest.raises(ValueError, match="like=model"):
        model.predict(lazylogit.read(few))
    with pytest.raises(OSError):
        lazylogit.read(tmp_path / "none")
    with pytest.raises(ValueError):
        lazylogit.read(few, tragets="x")
    weighted = lazylogit.read(_written(tmp_path / "w.csv", "a,w,label\n1,2,x\n2,0.5,y\n3,1,x\n1,1,y\n"), weight="w", target="label")
    assert weighted.sample_weight.tolist() == [2, 0.5, 1, 1] and weighted.feature_names.tolist() == ["a"]
    twice = LogisticRegression().fit(weighted)
    np.testing.assert_allclose(twice.coef_, LogisticRegression().fit(weighted.X, weighted.y, weighted.sample_weight).coef_)


def _written(path, text):
    path.write_text(text)
    return path


def test_features_are_derived_from_columns(program, tmp_path):
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(2)
    frame = pandas.DataFrame({"a": random.random(60) + 1, "b": random.normal(size=60)})
    y = np.where(frame["a"] * frame["b"] + 0.1 * random.normal(size=60) > 0, "yes", "no")
    frame.assign(label=y).to_csv(tmp_path / "x.csv", index=False)
    for given in ({"interactions": ["a*b"]}, {"polynomial": 2}, {"log": ["a"]}, {"bins": ["b=3"]}, {"normalize": "l2"}):
        model = LogisticRegression(**given).fit(frame, y)
        words = [word for name, value in given.items() for word in (f"--{name}", value[0] if isinstance(value, list) else str(value))]
        subprocess.run([program, "train", tmp_path / "x.csv", "--target", "label", *words, "-q", "-o", tmp_path / "own"], check=True)
        assert model.model_.to_bytes() == (tmp_path / "own").read_bytes(), given
        data = lazylogit.read(tmp_path / "x.csv", like=model)
        np.testing.assert_array_equal(model.predict_proba(frame), model.predict_proba(data))
        with pytest.raises(ValueError, match="frame"):
            model.predict(frame.to_numpy())
    with pytest.raises(ValueError, match="polynomial"):
        LogisticRegression(polynomial=2).fit(frame.to_numpy(), y)
