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
LogisticRegression(optimizer="lbfgs", max_passes=3).fit(random.normal(size=(50, 3)), np.arange(50) % 2)  # everything is imported
case = sys.argv[1]
if case.startswith("csr"):
    n = 120_000
    columns = random.integers(0, 50, size=(n, 100)) + 50 * np.arange(100)
    x = sp.csr_matrix((random.normal(size=n * 100), columns.ravel().astype(np.int32), np.arange(n + 1, dtype=np.int32) * 100), shape=(n, 5000))
    size = x.data.nbytes + x.indices.nbytes
else:
    x_dtype = np.float32 if case == "float32" else np.float64
    x = random.random((80_000, 300), dtype=x_dtype)
    x += x_dtype(0.1)
    if case == "memmap":
        np.save(sys.argv[2], x)
        x = np.load(sys.argv[2], mmap_mode="r")
        x.sum()
    size = x.nbytes
y = random.integers(0, 2, size=x.shape[0])
before, peak, done = memory(), 0, False

def watch():
    global peak
    while not done:
        peak = max(peak, memory())
        time.sleep(0.002)

watcher = threading.Thread(target=watch)
watcher.start()
import warnings
warnings.simplefilter("ignore")
model = LogisticRegression(optimizer="lbfgs", max_passes=4)
model.fit(x, y)
model.predict_proba(x)
done = True
watcher.join()
print((peak - before) / size)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps_rollup"), reason="the system does not tell how much memory is used")
@pytest.mark.parametrize("case", ["csr", "float64", "float32", "memmap"])
def test_extra_memory_is_a_tenth_of_the_input(case, tmp_path):
    run = subprocess.run([sys.executable, "-c", MEASURE, case, str(tmp_path / "x.npy")], capture_output=True, text=True, check=True,
                         env=dict(os.environ, OMP_NUM_THREADS="1"))
    assert float(run.stdout) <= 0.1, run.stdout
