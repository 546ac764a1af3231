"""Measures the memory that reading takes beside X: measure_memory.py CASE ACT[,ACT...] [FILE]

Prints for each act (fit, predict, read), in bytes, the most that was used beside what was there before, the size of X with everything it holds, and the size of the
matrix and the names that were made where X is no matrix (0 elsewhere). The memory is the proportional set size, in which a page
that is mapped many times counts once: rows of a dense matrix share the pages of their column numbers. Pages of files are left out:
those of libraries count for more as soon as another process that has them ends.
"""
import gc
import re
import sys
import threading
import time
import warnings

import numpy as np
import scipy.sparse as sp

from lazylogit import LogisticRegression, _core
from lazylogit._rows import labelled_rows

ROWS, WIDTH = 60_000, 400
NAMES = [f"c{i}" for i in range(WIDTH)]


def memory():
    with open("/proc/self/smaps_rollup") as file:
        return 1024 * sum(int(size) for size in re.findall(r"^Pss_(?:Anon|Shmem):\s+(\d+)", file.read(), re.M))


def compressed(random, case):
    short = "short" in case  # five entries in a column
    n, per_row, features = (150_000, 30, 900_000) if short else (120_000, 100, 5000)
    columns = random.integers(0, features // per_row, size=(n, per_row)) + features // per_row * np.arange(per_row)
    x = sp.csr_matrix((random.normal(size=n * per_row), columns.ravel().astype(np.int32), np.arange(n + 1, dtype=np.int32) * per_row),
                      shape=(n, features))
    del columns
    if "zeros" in case:
        x.data[::5] = 0
    if "single" in case:
        x.data = x.data.astype(np.float32)
    if case.startswith("csc"):
        x = x.tocsc()
    if case.endswith("64"):
        x.indices, x.indptr = x.indices.astype(np.int64), x.indptr.astype(np.int64)
    return x, x.data.nbytes + x.indices.nbytes


def dense(random, case, path):
    kind = np.float32 if case == "float32" else np.float64
    x = random.random((ROWS, WIDTH), dtype=kind)
    x += kind(0.1)
    if "zeros" in case:
        x[:, ::3] = 0
        x[::2, 1] = 0
    if case.startswith("fortran"):
        x = np.asfortranarray(x)
    if case == "memmap":
        np.save(path, x)
        x = np.load(path, mmap_mode="r")
        x.sum()
    size = x.nbytes
    if case == "pandas":
        import pandas
        x = pandas.DataFrame({name: pandas.Series(x[:, i].copy()) for i, name in enumerate(NAMES)}, copy=False)
    if case == "pandas block":
        import pandas
        x = pandas.DataFrame(x, columns=NAMES, copy=False)
    if case == "polars":
        import polars
        x = polars.DataFrame({name: x[:, i] for i, name in enumerate(NAMES)})
    if case == "arrow":
        import pyarrow
        x = pyarrow.table([pyarrow.chunked_array([x[:20_000, i].copy(), x[20_000:, i].copy()]) for i in range(WIDTH)], names=NAMES)
    return x, size


def typed(random, case):
    """Half of the columns are numbers, some of them missing, half are categories or names."""
    import pandas
    texts, rows = np.array([f"category {i}" for i in range(30)]), 3 * ROWS // 2
    columns = {}
    for i in range(WIDTH):
        codes = random.integers(-1 if i % 5 == 1 else 0, 30, rows)
        if i % 2:
            columns[NAMES[i]] = pandas.Categorical.from_codes(codes, texts)
        else:
            columns[NAMES[i]] = np.where(codes == 3, np.nan, random.normal(size=rows))
    x = pandas.DataFrame(columns, copy=False)
    if "texts" in case:
        x = pandas.DataFrame({name: x[name].astype("str") if i % 2 else x[name] for i, name in enumerate(NAMES)}, copy=False)
    size = int(x.memory_usage(deep=True).sum())
    if case.startswith("polars"):
        import polars
        kind = polars.String if "texts" in case else polars.Categorical
        x = polars.DataFrame({name: polars.Series([cell if isinstance(cell, str) else None for cell in x[name]], dtype=kind) if i % 2 else
                              x[name].to_numpy() for i, name in enumerate(NAMES)})
        size = int(x.estimated_size())
    if case.startswith("arrow"):
        import pyarrow
        x = pyarrow.Table.from_pandas(x, preserve_index=False)
        size = x.nbytes
    return x, size


def documents(random, case):
    words = [f"word{i}" for i in range(20_000)]
    if case == "dictionaries":
        x = [{words[w]: float(v) for w, v in zip(row, random.random(30))} for row in random.integers(0, 20_000, size=(40_000, 30))]
        return x, sys.getsizeof(x) + sum(sys.getsizeof(row) + 24 * len(row) for row in x)
    x = [" ".join(words[w] for w in row) for row in (20_000 * random.random((40_000, 60)) ** 3).astype(int)]
    size = sys.getsizeof(x) + sum(map(sys.getsizeof, x))
    if case == "column of texts":
        import pandas
        x = pandas.DataFrame({"text": x, "number": random.normal(size=len(x))})
        size = int(x.memory_usage(deep=True).sum())
    return x, size


def made(data):
    """Bytes of a matrix and its names, which have an index of 8 bytes and up to four times that in it."""
    ends, columns, values = _core.parts(data)
    names = data.features
    return ends.nbytes + columns.nbytes + (0 if values is None else values.nbytes) + sum(map(len, names)) + 48 * len(names)


def watched(work):
    """The most memory that was used while `work` ran, beside what was there before, and its result."""
    gc.collect()
    before, peak, done = memory(), 0, False

    def watch():
        nonlocal peak
        while not done:
            peak = max(peak, memory())
            time.sleep(0.002)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        result = work()
    finally:
        done = True
        watcher.join()
    return peak - before, result


def main(case, acts, path=None):
    random = np.random.default_rng(1)
    small = random.normal(size=(50, 3))
    warm = LogisticRegression(optimizer="lbfgs", max_passes=3).fit(small, np.arange(50) % 2)  # everything is imported
    warm.predict_proba(small)
    LogisticRegression().fit(["a b", "b c"], [0, 1])
    new = case in ("texts", "dictionaries", "column of texts")
    x, size = (documents(random, case) if new else compressed(random, case) if case.startswith("cs") else
               typed(random, case) if "categories" in case or "texts" in case else dense(random, case, path))
    y = random.integers(0, 2, size=len(x) if isinstance(x, list) else x.shape[0])
    warnings.simplefilter("ignore")
    for act in acts.split(","):
        model = LogisticRegression(optimizer="lbfgs", max_passes=4)
        if act == "predict":
            part = x.slice(0, 2000) if hasattr(x, "slice") else x[:2000]
            model.fit(part, y[:2000])
        work = {"read": lambda: labelled_rows(model, x, y), "predict": lambda: model.predict_proba(x) is None,
                "fit": lambda: model.fit(x, y) is None}[act]
        extra, rows = watched(work)
        print(extra, size, made(rows.data) if new else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
