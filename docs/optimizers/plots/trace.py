#!/usr/bin/env python3
"""Draws how each optimizer comes down to the optimum, as SVG, with nothing but the standard library.

    docs/optimizers/plots/trace.py build/lazylogit a9a.zst [NAME…]

One figure per optimizer: (error − optimum)/optimum after each pass over the data, beside sgd and lbfgs. The published figures
are of a9a (32,561 × 123, two classes, LIBSVM's data page) with the Gaussian prior of variance 1, that of coordinate with the
Laplace prior, for which it is made.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "explanation", "plots"))
import draw as plots  # noqa: E402

FLOOR = 1e-9  # below it rounding is all there is to see
EXTRA = {"gd": ["--max-passes", "400"], "saga": ["--gap", "1e-9", "--epochs", "150"]}
STOCHASTIC = ["sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax", "ftrl"]
EXACT = ["gd", "cg", "newton", "irls", "lm", "bfgs", "lbfgs", "saga"]
SPARSE = ["coordinate"]


def passes(program, data, name, prior):
    options = ["--epochs", "60", "--tolerance", "0"] if name in STOCHASTIC else EXTRA.get(name, ["--gap", "1e-11"])
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([program, "train", data, "--optimizer", name, "--prior", prior, "--log", "json", "-o",
                              os.path.join(folder, "model"), *options], capture_output=True, text=True, check=True)
    events = [json.loads(line) for line in run.stderr.splitlines() if line.startswith('{"event":"pass"')]
    return [(e["pass"], e["error"]) for e in events if e["pass"] > 0]


def figures(program, data, prior, wanted):
    traces = {name: passes(program, data, name, prior) for name in dict.fromkeys(wanted + ["sgd", "lbfgs", "newton"])}
    best = min(error for trace in traces.values() for _, error in trace)
    excess = {name: [(x, max(FLOOR, (error - best) / best)) for x, error in trace] for name, trace in traces.items()}
    for name in wanted:
        shown = list(dict.fromkeys([name, "sgd", "lbfgs"]))
        plots.HERE = HERE
        plots.draw(name, f"{name} on a9a, {prior.capitalize()} prior of variance 1", "passes over the data",
                   "(error − optimum)/optimum", {key: excess[key] for key in shown}, log_x=True, log_y=True)
        print(f"{name}: excess {excess[name][-1][1]:.2g} after {excess[name][-1][0]} passes")


def main(program, data, names):
    for prior, group in (("gaussian", STOCHASTIC + EXACT), ("laplace", SPARSE)):
        wanted = [name for name in group if not names or name in names]
        if wanted:
            figures(program, data, prior, wanted)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
