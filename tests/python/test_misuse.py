"""Every public function of every estimator, called with what does not fit: a result or an exception that says what is wrong."""
import copy
import inspect
import multiprocessing
import pickle
import sys
import threading
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

import lazylogit
from lazylogit import KernelLogisticRegression, LinearRegression, LogisticRegression, LogisticRegressionCV, StreamingClassifier
from odd_things import odd_labels, odd_matrix, odd_weights

EXPECTED = (ValueError, TypeError, NotFittedError, OSError, AttributeError, ImportError)
ESTIMATORS = {
    "LogisticRegression": lambda: LogisticRegression(max_passes=5, posterior="diagonal"),
    "LogisticRegressionCV": lambda: LogisticRegressionCV(max_passes=3, folds=2, path=2),
    "StreamingClassifier": StreamingClassifier,
    "LinearRegression": lambda: LinearRegression(max_passes=5, posterior="diagonal"),
    "KernelLogisticRegression": lambda: KernelLogisticRegression(max_passes=3),
}
NONSENSE = [None, -1, 0, 1, 2.5, np.nan, np.inf, "", "x", "auto", [], ["c0"], {}, {"a": 1}, object(), True, 10**30, b"x", np.zeros(3), ("a", "b"), print]


def argument(random, name, folder):
    if name == "X":
        return odd_matrix(random)
    if name in ("y", "classes"):
        return odd_labels(random)
    if name in ("sample_weight", "offset"):
        return odd_weights(random)
    if name == "path":
        return random.choice([str(folder / "m"), str(folder / "none" / "m"), str(folder), "", "\0"])
    return NONSENSE[random.integers(len(NONSENSE))]


def called(random, model, name, folder):
    """The public function `name` with an argument for every parameter that must be given, and some of the others."""
    function = getattr(model, name)
    given = {p.name: argument(random, p.name, folder) for p in inspect.signature(function).parameters.values()
             if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and (p.default is p.empty or random.random() < 0.3)}
    return function(**given)


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("seed", range(2))
def test_every_public_function_with_whatever_is_passed(kind, seed, tmp_path):
    random = np.random.default_rng(seed)
    public = [name for name, _ in inspect.getmembers(type(ESTIMATORS[kind]()), callable)
              if not name.startswith("_") and not name.endswith("_request")]  # those are scikit-learn's, for routing
    outcomes = {"done": 0, "refused": 0}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for _ in range(60):
            model = ESTIMATORS[kind]()
            if random.random() < 0.7:
                model.fit(random.normal(size=(6, 5)), [0, 1, 0, 1, 1, 0])
            for name in random.permutation(public)[:6]:
                try:
                    called(random, model, name, tmp_path)
                    outcomes["done"] += 1
                except EXPECTED:
                    outcomes["refused"] += 1
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")
    assert outcomes["done"] and outcomes["refused"]


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_parameter_with_nonsense(kind):
    x, y = np.random.default_rng(1).normal(size=(8, 3)), [0, 1] * 4
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name in ESTIMATORS[kind]().get_params():
            for value in NONSENSE:
                if name in ("max_passes", "epochs", "samples", "warmup", "chains", "restarts") and isinstance(value, int) and value == 10**30:
                    continue  # what is asked for would take long
                try:
                    ESTIMATORS[kind]().set_params(**{name: value}).fit(x, y)
                except EXPECTED:
                    pass
    with pytest.raises(ValueError, match="nonsense"):
        ESTIMATORS[kind]().set_params(nonsense=1)


def test_functions_of_the_module_with_nonsense(tmp_path):
    (tmp_path / "x.csv").write_text("a,label\n1,x\n2,y\n")
    (tmp_path / "odd").write_bytes(bytes(range(256)) * 10)
    for value in [*NONSENSE, str(tmp_path), str(tmp_path / "odd"), tmp_path / "none"]:
        for function in (lazylogit.load, lazylogit.read, lambda v: lazylogit.read(tmp_path / "x.csv", like=v), lambda v: lazylogit.read(tmp_path / "x.csv", target=v),
                         lambda v: lazylogit.read(tmp_path / "x.csv", tfidf=v), lambda v: lazylogit.read(tmp_path / "x.csv", hash_bits=v)):
            try:
                function(value)
            except EXPECTED:
                pass


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_models_that_were_damaged(kind, tmp_path):
    x = np.random.default_rng(1).normal(size=(30, 3))
    model = ESTIMATORS[kind]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(x, np.arange(30) % 2)
    model.save(tmp_path / "m")
    whole, random = (tmp_path / "m").read_bytes(), np.random.default_rng(2)
    for _ in range(60):
        bad = bytearray(whole[: random.integers(len(whole))] if random.random() < 0.5 else whole)
        for place in random.integers(0, max(1, len(bad)), size=random.integers(0, 4)):
            if len(bad):
                bad[place] = random.integers(256)
        (tmp_path / "bad").write_bytes(bad)
        try:
            lazylogit.load(tmp_path / "bad").predict(x)
        except EXPECTED:
            pass
    pickled = pickle.dumps(model)
    np.testing.assert_array_equal(pickle.loads(pickled).predict(x), model.predict(x))
    for length in random.integers(0, len(pickled), 30):
        with pytest.raises(Exception) as caught:
            pickle.loads(pickled[:length])
        assert isinstance(caught.value, (*EXPECTED, pickle.UnpicklingError, EOFError, KeyError, IndexError, UnicodeDecodeError)), caught.value


def test_lengths_that_differ_are_named():
    x, y = np.random.default_rng(1).normal(size=(10, 3)), np.arange(10) % 2
    for form in (x, sp.csr_matrix(x), sp.csc_array(x)):
        for wrong in (np.ones(9), np.ones(11), np.ones((10, 2)), np.array(1.0).reshape(1), []):
            for call in (lambda: LogisticRegression().fit(form, y, sample_weight=wrong), lambda: LogisticRegression().fit(form, y, offset=wrong),
                         lambda: StreamingClassifier().fit(form, y, sample_weight=wrong), lambda: LinearRegression().fit(form, y, offset=wrong),
                         lambda: LogisticRegression().fit(form, y).predict_proba(form, offset=wrong)):
                with pytest.raises(ValueError):
                    call()
        with pytest.raises(ValueError):
            LogisticRegression().fit(form, y[:-1])


def test_frames_whose_columns_changed():
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(1)
    frame = pandas.DataFrame({"a": random.normal(size=40), "b": random.integers(0, 5, 40), "c": pandas.Categorical(["u", "v"] * 20)})
    y = np.arange(40) % 2
    for columns in (["a", "b"], ["a", "b", "c"]):
        model = LogisticRegression().fit(frame[columns], y)
        for other in (frame[columns[::-1]], frame[columns[:1]], frame.rename(columns={"a": "z"})[[*columns[1:], "z"]], frame[columns].assign(more=1.0),
                      frame[[*columns, "a"]], frame[[]]):
            with pytest.raises(ValueError):
                model.predict(other)
    for twice in (frame[["a", "a"]], frame[["c", "c"]]):
        with pytest.raises(ValueError):
            LogisticRegression().fit(twice, y)
    with pytest.raises(ValueError):
        LogisticRegression().fit(frame[[]], y)
    changed = frame.astype({"c": object})
    np.testing.assert_array_equal(model.predict_proba(changed), model.predict_proba(frame))
    with pytest.raises(ValueError):
        model.predict(frame.assign(b="text"))
    when = pandas.DataFrame({"t": pandas.date_range("2020", periods=40), "c": frame["c"]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            LogisticRegression().fit(when, y).predict(when)
        except ValueError:
            pass


def test_streams_that_change():
    x = np.random.default_rng(1).normal(size=(20, 3))
    stream = StreamingClassifier().partial_fit(x, np.arange(20) % 2)
    before = stream.coef_.copy()
    for bad in (lambda: stream.partial_fit(x[:, :2], np.arange(20) % 2), lambda: stream.partial_fit(x, ["a", "b"] * 10), lambda: stream.partial_fit(x, np.full(20, np.nan)),
                lambda: stream.partial_fit(np.full((20, 3), np.inf), np.arange(20) % 2), lambda: stream.partial_fit(["text"] * 20, np.arange(20) % 2),
                lambda: stream.partial_fit(x, np.arange(20) % 2, classes=[0]), lambda: stream.partial_fit(x, np.arange(19) % 2),
                lambda: stream.partial_fit(x, np.arange(20) % 2, sample_weight=-np.ones(20))):
        with pytest.raises((ValueError, TypeError)):
            bad()
        np.testing.assert_array_equal(stream.coef_, before)
    stream.partial_fit(x, np.arange(20) % 3)  # a class that is new
    assert stream.classes_.tolist() == [0, 1, 2]


def _predicted(model, x, queue):
    try:
        queue.put(model.predict_proba(x).tobytes())
        LogisticRegression(max_passes=3).fit(x, np.arange(x.shape[0]) % 2)
        queue.put("fitted")
    except BaseException as error:  # the parent waits for an answer
        queue.put(repr(error))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore")
def test_a_process_that_forked_after_a_fit_goes_on():
    x = sp.random(20_000, 50, 0.2, format="csr", random_state=1)
    model = LogisticRegression(max_passes=3).fit(x, np.arange(20_000) % 2)
    expected = model.predict_proba(x).tobytes()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_predicted, args=(model, x, queue))
    child.start()
    assert queue.get(timeout=120) == expected
    assert queue.get(timeout=120) == "fitted"
    child.join(120)
    assert child.exitcode == 0


@pytest.mark.filterwarnings("ignore")
def test_many_threads_predict_with_one_model():
    random = np.random.default_rng(1)
    dense = random.normal(size=(3000, 20))
    y = np.arange(3000) % 3
    model = LogisticRegression(max_passes=3, posterior="diagonal").fit(dense, y)
    forms = [dense, np.asfortranarray(dense), sp.csr_matrix(dense), sp.csc_matrix(dense)]
    expected = [model.predict_proba(form).tobytes() for form in forms]
    wrong = []

    def work(which):
        for _ in range(10):
            if model.predict_proba(forms[which]).tobytes() != expected[which] or len(model.explain(dense[:3])) != 3:
                wrong.append(which)

    threads = [threading.Thread(target=work, args=(which % 4,)) for which in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_copies_are_models_of_their_own():
    x, y = np.random.default_rng(1).normal(size=(30, 3)), np.arange(30) % 2
    for make in ESTIMATORS.values():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = make().fit(x, y)
            twin = copy.deepcopy(model)
            model.fit(-x, y)
        np.testing.assert_array_equal(twin.predict(x), make().fit(x, y).predict(x))
