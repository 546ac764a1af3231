"""What is read where it lies costs no memory worth speaking of. Each case runs in a process of its own: measure_memory.py."""
import os
import pathlib
import subprocess
import sys

import pytest

LIBRARIES = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow", "column": "pandas"}
ROLLUP = pathlib.Path("/proc/self/smaps_rollup")
needs_figures = pytest.mark.skipif(not (ROLLUP.exists() and "Pss_Anon" in ROLLUP.read_text()), reason="the system does not tell how much memory is used")


def measured(case, acts, *path):
    """For each act bytes beside X, the size of X, and of what had to be made."""
    if library := LIBRARIES.get(case.split()[0]):
        pytest.importorskip(library)
    script = pathlib.Path(__file__).with_name("measure_memory.py")
    # Large blocks that are freed go back at once, not into the allocator's keeping.
    environment = dict(os.environ, OMP_NUM_THREADS="1", MALLOC_MMAP_THRESHOLD_="131072")
    run = subprocess.run([sys.executable, script, case, acts, *path], capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr
    return [map(int, line.split()) for line in run.stdout.splitlines()]


@needs_figures
@pytest.mark.parametrize("case", ["csr", "csr 64", "csr zeros", "csc", "csc 64", "float64", "float32", "zeros", "fortran", "fortran zeros",
                                  "memmap", "pandas", "pandas block", "polars", "arrow", "pandas categories", "polars categories",
                                  "arrow categories"])
def test_extra_memory_is_a_tenth_of_the_input(case, tmp_path):
    acts = ["predict", "fit"]
    for act, (extra, size, _) in zip(acts, measured(case, ",".join(acts), str(tmp_path / "x.npy"))):
        assert extra <= 0.1 * size, (act, extra / size)


@needs_figures
@pytest.mark.parametrize("case", ["pandas texts", "polars texts", "arrow texts"])
def test_names_in_columns_become_codes_of_a_tenth_of_the_input(case):
    [(extra, size, _)] = measured(case, "fit")
    assert extra <= 0.1 * size, extra / size


@needs_figures
@pytest.mark.parametrize("case", ["csc short", "csc short zeros", "csc short 64"])
def test_columns_of_few_entries_take_a_tenth_more_than_rows(case):
    """Numbers per feature, of which the optimizer has some dozens, are most of what a fit takes here: rows take them too."""
    [(by_rows, _, _)] = measured(case.replace("csc", "csr"), "fit")
    [(extra, size, _)] = measured(case, "fit")
    assert extra - by_rows <= 0.1 * size, (extra - by_rows) / size


@needs_figures
@pytest.mark.parametrize("case", ["texts", "dictionaries", "column of texts"])
def test_beside_a_matrix_that_is_made_there_is_no_copy(case):
    """What the reader of files is held to, and blocks of text that do not grow with the input."""
    [(extra, size, matrix)] = measured(case, "read")
    assert extra <= 1.3 * matrix + 0.1 * size + 16e6, (extra, size, matrix)


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


MANY_FITS = """
import re
import numpy as np
from lazylogit import LogisticRegression

def used():
    with open("/proc/self/status") as file:
        return int(re.search(r"RssAnon:\\s+(\\d+)", file.read()).group(1))

x, y = np.random.default_rng(1).normal(size=(300, 8)), np.arange(300) % 3
for count in (50, 300):
    before = used()
    for _ in range(count):
        LogisticRegression(optimizer="newton", n_jobs=1).fit(x, y).predict(x)
print(used() - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the system does not tell how much memory is used")
def test_fits_leave_nothing_behind():
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", MANY_FITS], capture_output=True, text=True)
    assert int(run.stdout) < 1000, run.stderr  # kilobytes; with a thread for each fit they were 2400
