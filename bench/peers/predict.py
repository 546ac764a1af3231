#!/usr/bin/env python3
"""Prediction from libsvm text against LIBLINEAR's predict, in one run: rows per second with the same coefficients.

    bench/peers/predict.py BUILD_FOLDER [ROWS]

BUILD_FOLDER holds lazylogit and bench/generate_data. The model is trained by us and handed to LIBLINEAR in its own format, so
both do the same arithmetic; their decisions are compared.
"""

import csv
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

build = pathlib.Path(sys.argv[1])
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
lazylogit, generate = build / "lazylogit", build / "bench" / "generate_data"
peer = shutil.which("liblinear-predict")
environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def timed(*command):
    """Wall and CPU seconds of one run."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([str(word) for word in command], check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_peer_model(coefficients, path):
    """Our coefficients (class,feature,coefficient; features are numbers) as a LIBLINEAR model of two classes."""
    values, described, bias = {}, None, 0.0
    with open(coefficients, newline="") as file:
        for row in csv.DictReader(file):
            described = row["class"]
            if row["feature"] == "(intercept)":
                bias = float(row["coefficient"])
            else:
                values[int(row["feature"])] = float(row["coefficient"])
    other = {"1": "-1", "-1": "1", "0": "1"}.get(described, "0")
    with open(path, "w") as file:
        file.write(f"solver_type L2R_LR\nnr_class 2\nlabel {described} {other}\nnr_feature {max(values)}\nbias 1\nw\n")
        for index in range(1, max(values) + 1):
            file.write(f"{values.get(index, 0.0):.17g} \n")
        file.write(f"{bias:.17g} \n")


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    timed(generate, "rcv", rows, folder / "rcv")
    data, model = folder / "rcv.train.svm", folder / "model.safetensors"
    timed(lazylogit, "train", folder / "rcv.test.svm", "--max-passes", "5", "--quiet", "-o", model)
    with open(folder / "coefficients.csv", "w") as file:
        subprocess.run([lazylogit, "inspect", model, "--coefficients"], check=True, stdout=file)
    write_peer_model(folder / "coefficients.csv", folder / "peer.model")
    commands = {
        "lazylogit predict, all threads": (lazylogit, "predict", model, data, "--quiet", "-o", folder / "ours.csv"),
        "lazylogit predict, one thread": (lazylogit, "predict", model, data, "--quiet", "--threads", "1", "-o", folder / "ours.csv"),
    }
    if peer:
        commands["LIBLINEAR predict -b 1"] = (peer, "-b", "1", data, folder / "peer.model", folder / "peer.txt")
    best = {name: [1e9, 1e9] for name in commands}
    for _ in range(5):  # in turns: a slow moment of the machine hits all of them
        for name, command in commands.items():
            best[name] = [min(pair) for pair in zip(best[name], timed(*command))]
    count = sum(1 for _ in open(folder / "ours.csv")) - 1
    print(f"predict from libsvm text: {count} rows, {data.stat().st_size / 1e6:.0f} MB")
    for name, (wall, cpu) in best.items():
        print(f"  {name:32} {count / wall:>10,.0f} rows/s   {wall:.3f} s wall, {cpu:.3f} s CPU")
    if peer:
        theirs = best["LIBLINEAR predict -b 1"]
        for name in list(best)[:2]:
            print(f"  {name:32} {theirs[0] / best[name][0]:>6.1f} x LIBLINEAR by the wall clock, {theirs[1] / best[name][1]:.1f} x by CPU time (aim: 5)")
        ours = [row["prediction"] for row in csv.DictReader(open(folder / "ours.csv"))]
        other = [line.split()[0] for line in open(folder / "peer.txt").read().splitlines()[1:]]
        print(f"  decisions that differ: {sum(a != b for a, b in zip(ours, other))}")
    else:
        print("  liblinear-predict is not installed (package liblinear-tools): no ratio")
