#!/usr/bin/env python3
"""From a text file to a model, one pass of stochastic training: lazylogit against LIBLINEAR and scikit-learn.

    bench/peers/text_to_model.py BUILD_FOLDER [ROWS]

Every program reads the same libsvm file and writes a model, on one thread. Times are the best of three runs, by the wall
clock and by the processor (which is the one to read on a shared machine). Peers that are not installed are left out:
liblinear-train comes with liblinear-tools; scikit-learn is taken from $PEER_PYTHON, or from build/venv.
"""
import os
import resource
import shutil
import subprocess
import sys
import time

SKLEARN = """
import sys, pickle
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier
x, y = load_svmlight_file(sys.argv[1])
x.indices, x.indptr = x.indices.astype("int32"), x.indptr.astype("int32")
model = SGDClassifier(loss="log_loss", alpha=1.0 / x.shape[0], max_iter=1, tol=None).fit(x, y)
pickle.dump(model, open(sys.argv[2], "wb"))
"""


def run(command):
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.strip().splitlines()[-1:]}")
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peer_python(build):
    for python in (os.environ.get("PEER_PYTHON"), os.path.join(build, "..", "venv", "bin", "python3"), sys.executable):
        if python and shutil.which(python):
            if subprocess.run([python, "-c", "import sklearn"], capture_output=True).returncode == 0:
                return python
    return None


def main(build, rows):
    folder = os.path.join(build, "data")
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, f"rcv{rows}")
    data, model = base + ".train.svm", base + ".model"
    if not os.path.exists(data):
        subprocess.run([os.path.join(build, "bench", "generate_data"), "rcv", str(rows), base], check=True)
    contestants = {"lazylogit": [os.path.join(build, "lazylogit"), "train", data, "--optimizer", "sgd", "--epochs", "1",
                                 "--threads", "1", "--quiet", "-o", model + ".safetensors"]}
    if shutil.which("liblinear-train"):
        contestants["LIBLINEAR -s 0"] = ["liblinear-train", "-s", "0", "-q", data, model]
    if python := peer_python(build):
        contestants["scikit-learn SGDClassifier, one pass"] = [python, "-c", SKLEARN, data, model + ".pickle"]
    best = {name: [float("inf")] * 2 for name in contestants}
    for _ in range(3):
        for name, command in contestants.items():
            best[name] = [min(a, b) for a, b in zip(best[name], run(command))]
    print(f"text file to model, {rows} rows, {os.path.getsize(data) / 1e6:.0f} MB, one thread")
    ours = best["lazylogit"]
    for name, (wall, cpu) in best.items():
        print(f"  {name:38} {wall:7.2f} s wall {cpu:7.2f} s processor   {wall / ours[0]:5.1f} x, {cpu / ours[1]:5.1f} x lazylogit (aim 5)")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 200000)
