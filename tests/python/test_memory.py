"""What is read where it lies costs no memory worth speaking of.

The memory is the proportional set size, in which a page that is mapped many times counts once: rows of a dense matrix share the
pages of their column numbers. Each case runs in a process of its own.
"""
import os
import subprocess
import sys

import pytest

MEASURE = """
import re, sys, threading, time
import numpy as np, scipy.sparse as sp
from lazylogit import LogisticRegression

def memory():
    with open("/proc/self/smaps_rollup") as file:
        return 1024 * int(re.search(r"^Pss:\\s+(\\d+)", file.read(), re.M).group(1))

random = np.random.default_rng(1)
small = random.normal(size=(50, 3))
warm = LogisticRegression(optimizer="lbfgs", max_passes=3).fit(small, np.arange(50) % 2)  # everything is imported
warm.predict_proba(small)
case, act = sys.argv[1:3]
if case.startswith("cs"):
    n = 120_000
    columns = random.integers(0, 50, size=(n, 100)) + 50 * np.arange(100)
    x = sp.csr_matrix((random.normal(size=n * 100), columns.ravel().astype(np.int32), np.arange(n + 1, dtype=np.int32) * 100), shape=(n, 5000))
    del columns
    if case == "csr zeros":
        x.data[::5] = 0
    if case.startswith("csc"):
        x = x.tocsc()
    if case.endswith("64"):
        x.indices, x.indptr = x.indices.astype(np.int64), x.indptr.astype(np.int64)
    size = x.data.nbytes + x.indices.nbytes
else:
    x_dtype = np.float32 if case == "float32" else np.float64
    x = random.random((80_000, 300), dtype=x_dtype)
    x += x_dtype(0.1)
    if "zeros" in case:
        x[:, ::3] = 0
        x[::2, 1] = 0
    if case.startswith("fortran"):
        x = np.asfortranarray(x)
    if case == "memmap":
        np.save(sys.argv[3], x)
        x = np.load(sys.argv[3], mmap_mode="r")
        x.sum()
    size = x.nbytes
    names = [f"c{i}" for i in range(300)]
    if case == "pandas":
        import pandas
        x = pandas.DataFrame({name: pandas.Series(x[:, i].copy()) for i, name in enumerate(names)}, copy=False)
    if case == "pandas block":
        import pandas
        x = pandas.DataFrame(x, columns=names, copy=False)
    if case == "polars":
        import polars
        x = polars.DataFrame({name: x[:, i] for i, name in enumerate(names)})
    if case == "arrow":
        import pyarrow
        x = pyarrow.table([pyarrow.chunked_array([x[:30_000, i].copy(), x[30_000:, i].copy()]) for i in range(300)], names=names)
y = random.integers(0, 2, size=x.shape[0])
import warnings
warnings.simplefilter("ignore")
model = LogisticRegression(optimizer="lbfgs", max_passes=4)
if act == "predict":
    part = x.slice(0, 2000) if case in ("polars", "arrow") else x[:2000]
    model.fit(part, y[:2000])
import gc
gc.collect()
before, peak, done = memory(), 0, False

def watch():
    global peak
    while not done:
        peak = max(peak, memory())
        time.sleep(0.002)

watcher = threading.Thread(target=watch)
watcher.start()
if act == "predict":
    model.predict_proba(x)
else:
    model.fit(x, y)
done = True
watcher.join()
print((peak - before) / size)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps_rollup"), reason="the system does not tell how much memory is used")
@pytest.mark.parametrize("act", ["fit", "predict"])
@pytest.mark.parametrize("case", ["csr", "csr 64", "csr zeros", "csc", "csc 64", "float64", "float32", "zeros", "fortran", "fortran zeros",
                                  "memmap", "pandas", "pandas block", "polars", "arrow"])
def test_extra_memory_is_a_tenth_of_the_input(case, act, tmp_path):
    if case in ("polars", "arrow"):
        pytest.importorskip({"polars": "polars", "arrow": "pyarrow"}[case])
    run = subprocess.run([sys.executable, "-c", MEASURE, case, act, str(tmp_path / "x.npy")], capture_output=True, text=True, check=True,
                         env=dict(os.environ, OMP_NUM_THREADS="1"))
    assert float(run.stdout) <= 0.1, run.stdout


SCARCE = """
import resource, sys
import numpy as np, scipy.sparse as sp
from lazylogit import LogisticRegression

random = np.random.default_rng(1)
x, y = random.normal(size=(60_000, 100)), random.integers(0, 2, 60_000)
x[random.random(x.shape) < 0.3] = 0
x = {"fortran": np.asfortranarray, "csc": sp.csc_matrix}[sys.argv[1]](x)
model = LogisticRegression(prior="laplace", max_passes=3, optimizer="coordinate")
small = LogisticRegression(max_passes=2).fit(random.normal(size=(40_000, 5)), random.integers(0, 2, 40_000))  # threads are there
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[2]) * 2**20,) * 2)
try:
    model.fit(x, y).predict_proba(x)
    print("fitted")
except MemoryError:
    print("no memory")
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system does not tell how much memory is used")
@pytest.mark.parametrize("form", ["fortran", "csc"])
def test_too_little_memory_is_a_memory_error(form):
    for spare in (3, 12, 30):
        run = subprocess.run([sys.executable, "-W", "ignore", "-c", SCARCE, form, str(spare)], capture_output=True, text=True,
                             env=dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"))
        assert run.stdout in ("fitted\n", "no memory\n"), (spare, run.returncode, run.stderr[-500:])
