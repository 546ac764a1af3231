#!/usr/bin/env python3
"""The Python package against the program and against every solver of scikit-learn, in one run.

    bench/peers/python.py BUILD_FOLDER [PART ...]     parts: import predict fit news news-l1 clicks dense; all without

Measured: import; fit on scipy's csr against the program on the same data in its cache; predict_proba of one row and of 100,000
sparse rows against scikit-learn's; seconds to within 0.1 % of the least error on problems like those of scikit-learn's own
benchmarks. There each solver takes the loosest tolerance that gets it so near; then ours and theirs take turns, and the medians
are compared. Both sides use every processor there is. Data is drawn by a seed for each part. Needs the package in the
environment PEER_PYTHON (scripts/bench.sh puts it there).
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

peer = os.environ.get("PEER_PYTHON")
if peer and os.path.realpath(sys.executable) != os.path.realpath(peer) and os.environ.get("LAZYLOGIT_BENCH_CHILD") != "1":
    os.environ["LAZYLOGIT_BENCH_CHILD"] = "1"
    os.execv(peer, [peer, *sys.argv])
try:
    import numpy as np
    import scipy.sparse as sp
    from sklearn.linear_model import LogisticRegression as Peer

    import lazylogit
    from lazylogit import LogisticRegression
except ImportError as error:
    print(f"python: left out, {error}")
    sys.exit(0)

CLOSE = 1e-3  # within 0.1 % of the least error
TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
ROUNDS = 5
LONG = 6.0  # seconds: a solver that takes longer has one turn, which is the one that found its tolerance
program = pathlib.Path(sys.argv[1]) / "lazylogit"
warnings.simplefilter("ignore")


def best_of(times, work):
    """The least seconds of some runs, and the last result."""
    least, result = np.inf, None
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - start)
    return least, result


def words(random, rows, features, length, classes):
    """Texts as tf-idf has them: words by Zipf's law, each class with words of its own, rows of length 1."""
    label = random.integers(0, classes, rows)
    word = (features * random.random((rows, length)) ** 3).astype(np.int64)
    own = random.random((rows, length)) < 0.15
    word[own] = (word[own] * classes + np.repeat(label, length).reshape(rows, length)[own]) % features
    x = sp.csr_matrix((np.ones(rows * length), (np.repeat(np.arange(rows), length), word.ravel())), shape=(rows, features))
    x.sum_duplicates()
    x = sp.csr_matrix(x.multiply(1 / np.sqrt(x.multiply(x).sum(axis=1))))
    x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)
    wrong = random.random(rows) < 0.1
    label[wrong] = random.integers(0, classes, wrong.sum())
    return x, label


def error(model, x, y, c, l1):
    """Sum of −log p plus the penalty, of anyone's coefficients."""
    scores = x @ model.coef_.T + model.intercept_
    if scores.shape[1] == 1:
        scores = np.hstack([np.zeros_like(scores), scores])
    top = scores.max(axis=1)
    loss = (np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top - scores[np.arange(len(y)), y]).sum()
    return loss + (np.abs(model.coef_).sum() / c if l1 else (model.coef_**2).sum() / (2 * c))


def loosest(solver, x, y, c, l1, least):
    """A model of scikit-learn's with the loosest tolerance that is near enough, its seconds and error; None: no such solver."""
    for tol in TOLERANCES:
        model = Peer(solver=solver, C=c, l1_ratio=1.0 if l1 else 0.0, tol=tol, max_iter=2000)
        try:
            seconds, _ = best_of(1, lambda: model.fit(x, y))
        except (ValueError, NotImplementedError, MemoryError):  # does not know the penalty, or wants a dense Hessian
            return None
        above = error(model, x, y, c, l1) / least - 1
        if above <= CLOSE or seconds > 40:
            return model, seconds, above
    return model, seconds, above


def race(name, x, y, c, l1):
    print(f"{name}: {x.shape[0]} x {x.shape[1]}, {len(np.unique(y))} classes, {'L1' if l1 else 'L2'}")
    prior = {"prior": "laplace", "variance": 2 * c * c} if l1 else {"variance": c}
    least = error(LogisticRegression(gap=1e-8, **prior).fit(x, y), x, y, c, l1)
    ours = LogisticRegression(gap=CLOSE, **prior)
    own_above = error(ours.fit(x, y), x, y, c, l1) / least - 1
    peers = {solver: found for solver in sorted(next(iter(Peer._parameter_constraints["solver"])).options)
             if (found := loosest(solver, x, y, c, l1, least)) is not None}
    own, theirs = [], {solver: [seconds] if seconds > LONG else [] for solver, (_, seconds, _) in peers.items()}
    for _ in range(ROUNDS):
        own.append(best_of(1, lambda: ours.fit(x, y))[0])
        for solver, (model, seconds, _) in peers.items():
            if seconds <= LONG:
                theirs[solver].append(best_of(1, lambda: model.fit(x, y))[0])
    middle = np.median(own)
    print(f"  {'lazylogit':24} {middle:8.3f} s   error {own_above:8.1e} above the least, certified")
    for solver, (model, _, above) in peers.items():
        seconds = np.median(theirs[solver])
        reached = "" if above <= CLOSE else " (not reached)"
        print(f"  scikit-learn {solver:16} {seconds:8.3f} s   error {above:8.1e} above, tol={model.tol:.0e}{reached}; "
              f"{seconds / middle:6.1f} x ours (aim: above 1)")


def importing():
    command = [sys.executable, "-c", "import time; s = time.perf_counter(); import lazylogit; print(time.perf_counter() - s)"]
    seconds = min(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(5))
    print(f"import lazylogit: {1000 * seconds:.0f} ms (limit: 150)")
    command[2] = command[2].replace("import lazylogit;", "from lazylogit import LogisticRegression;")
    seconds = min(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(3))
    print(f"  with an estimator, which imports scikit-learn: {1000 * seconds:.0f} ms")


def fitting(random):
    x, y = words(random, 100_000, 50_000, 60, 2)
    x = x.astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sp.save_npz(folder / "x.npz", x, compressed=False)
        np.save(folder / "y.npy", y)
        base = [program, "train", folder / "x.npz", "--labels", folder / "y.npy", "--cache", folder / "cache", "-q", "-o", folder / "m"]
        subprocess.run(base, check=True)
        turns = [(best_of(1, lambda: LogisticRegression().fit(x, y))[0], best_of(1, lambda: subprocess.run(base, check=True))[0])
                 for _ in range(ROUNDS)]
        ours, theirs = np.median(turns, axis=0)
    print(f"fit on csr, {x.nnz / 1e6:.1f} M values: {ours:.3f} s; the program from its cache {theirs:.3f} s ({theirs / ours:.2f} x, aim: 1)")


def predicting(random):
    x, y = words(random, 100_000, 50_000, 60, 20)
    model = LogisticRegression(max_passes=5).fit(x[:5000], y[:5000])
    one = random.normal(size=(1, 30))
    small = LogisticRegression().fit(random.normal(size=(200, 30)), random.integers(0, 2, 200))
    count = 5000
    for row, rows in (("dense", one), ("sparse", sp.csr_matrix(one))):
        seconds, _ = best_of(3, lambda: [small.predict_proba(rows) for _ in range(count)])
        print(f"predict_proba of one {row} row: {1e6 * seconds / count:.1f} us (limit: 20 for dense)")
    compare_predictions(model, x, 20)
    x, y = words(random, 100_000, 50_000, 60, 2)
    compare_predictions(LogisticRegression(max_passes=5).fit(x[:5000], y[:5000]), x, 2)


def compare_predictions(model, x, classes):
    """Least and middle of turns that ours and scikit-learn's take: by the clock and as processor time."""
    peer = model.to_sklearn()
    turns = {"ours": (model, []), "theirs": (peer, [])}
    for _ in range(25):
        for who, found in turns.values():
            clock, processor = time.perf_counter(), time.process_time()
            who.predict_proba(x)
            found.append((time.perf_counter() - clock, time.process_time() - processor))
    ours, theirs = (1000 * np.array(found) for _, found in turns.values())
    least, middle = (measure(theirs, axis=0) / measure(ours, axis=0) for measure in (np.min, np.median))
    print(f"predict_proba of {x.shape[0]} sparse rows, {classes} classes: {ours[:, 0].min():.1f} ms, scikit-learn {theirs[:, 0].min():.1f} ms: "
          f"{least[0]:.1f} x (aim: 3); medians {middle[0]:.1f} x; processor {ours[:, 1].min():.1f} ms against {theirs[:, 1].min():.1f} ms")


def dense(random):
    x = random.normal(size=(100_000, 100))
    race("dense", x, (x @ random.normal(size=100) + 3 * random.normal(size=100_000) > 0).astype(int), 1.0, False)


PARTS = {
    "import": lambda random: importing(),
    "predict": predicting,
    "fit": fitting,
    "news": lambda random: race("like 20 newsgroups", *words(random, 8000, 60_000, 120, 20), 1.0, False),
    "news-l1": lambda random: race("like 20 newsgroups", *words(random, 8000, 60_000, 120, 20), 10.0, True),
    "clicks": lambda random: race("sparse, two classes", *words(random, 100_000, 100_000, 40, 2), 1.0, False),
    "dense": dense,
}
print(f"Python package {lazylogit.__version__} against scikit-learn {__import__('sklearn').__version__}")
for part in sys.argv[2:] or PARTS:
    PARTS[part](np.random.default_rng(7))
