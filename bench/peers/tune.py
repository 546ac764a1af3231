#!/usr/bin/env python3
"""The whole of `tune`: fifty values, five folds, on rcv1-like rows, against cv.glmnet and LogisticRegressionCV.

    bench/peers/tune.py BUILD_FOLDER [ROWS [l1|l2]…]

Each program reads the file, cross-validates and fits the best again, on one thread, by the processor; a program that takes more than
PATIENCE seconds is named with its lower bound. The held-out loss is each program's own lowest mean over folds (their folds differ).
glmnet comes with r-cran-glmnet; scikit-learn is taken from $PEER_PYTHON, or from build/venv.
"""
import json
import os
import resource
import shutil
import subprocess
import sys

PATIENCE = float(os.environ.get("PATIENCE", "600"))
GLMNET = """
suppressMessages({library(glmnet); library(Matrix)})
a <- commandArgs(TRUE); lines <- readLines(a[1]); parts <- strsplit(lines, " ", fixed = TRUE)
y <- as.numeric(vapply(parts, `[`, "", 1)); n <- length(y); long <- lengths(parts) - 1L
kv <- strsplit(unlist(lapply(parts, `[`, -1)), ":", fixed = TRUE)
j <- as.integer(vapply(kv, `[`, "", 1)); v <- as.numeric(vapply(kv, `[`, "", 2))
x <- sparseMatrix(i = rep(seq_len(n), long), j = j, x = v)
cv <- cv.glmnet(x, y, family = "binomial", standardize = FALSE, alpha = as.numeric(a[2]), nlambda = 50, nfolds = 5)
cat(min(cv$cvm) / 2, length(cv$lambda), "\\n")
"""
SKLEARN = """
import sys, numpy
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegressionCV
x, y = load_svmlight_file(sys.argv[1])
x.indices, x.indptr = x.indices.astype("int32"), x.indptr.astype("int32")
l1 = sys.argv[2] == "1"
fit = LogisticRegressionCV(Cs=numpy.logspace(-4, 4, 50), cv=5, scoring="neg_log_loss", l1_ratios=(1.0 if l1 else 0.0,),
                           solver="liblinear" if l1 else "lbfgs", max_iter=1000, use_legacy_attributes=False).fit(x, y)
print(-numpy.max(numpy.mean(fit.scores_, axis=0)), 50)
"""


def run(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None, f"not done after {PATIENCE:.0f} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return None, "failed: " + done.stderr.strip().splitlines()[-1][:150]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def ours(program, data, prior):
    seconds, text = run([program, "tune", data, "--prior", prior, "--threads", "1", "--json", "-q", "-o", data + ".tuned"])
    if seconds is None:
        return seconds, text
    points = json.loads(text)["points"]
    return seconds, f"{min(point['log_loss'] for point in points)} {len(points)}"


def main(build, rows, penalties):
    program, base = os.path.join(build, "lazylogit"), os.path.join(build, "data", f"rcv{rows}")
    python = os.environ.get("PEER_PYTHON", os.path.join(build, "..", "venv", "bin", "python3"))
    data = base + ".train.svm"
    os.makedirs(os.path.dirname(base), exist_ok=True)
    if not os.path.exists(data):
        subprocess.run([os.path.join(build, "bench", "generate_data"), "rcv", str(rows), base], check=True)
    for penalty in penalties:
        l1 = penalty == "l1"
        contestants = {"lazylogit tune": lambda: ours(program, data, "laplace" if l1 else "gaussian")}
        if shutil.which("Rscript"):
            contestants["cv.glmnet"] = lambda: run(["Rscript", "-e", GLMNET, data, "1" if l1 else "0"])
        if shutil.which(python):
            contestants["LogisticRegressionCV"] = lambda: run([python, "-c", SKLEARN, data, "1" if l1 else "0"])
        own = None
        for name, contest in contestants.items():
            seconds, text = contest()
            if seconds is None:
                print(f"{penalty}  {name:24} {text}", flush=True)
                continue
            loss, count = text.split()
            own = own or seconds
            print(f"{penalty}  {name:24} {seconds:8.2f} s processor  {seconds / own:6.2f} x  lowest held-out loss {float(loss):.5f} of {count} values",
                  flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20000, sys.argv[3:] or ["l2", "l1"])
