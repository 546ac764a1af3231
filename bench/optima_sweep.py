#!/usr/bin/env python3
"""Fits every data set of bench/datasets.py with a prior of variance 1; writes docs/laplace_optima.md or docs/gaussian_optima.md.

    bench/optima_sweep.py [--prior laplace|gaussian] [--data ../shared/data] [--program build/lazylogit] [--only NAME…]
                          [--optimizer auto] [--peer-seconds 20]

For each set: the certified relative gap, or the reason why there is none. Laplace: also the zeros, and small sets are fitted by
scikit-learn (L1, C = 1/√2, the same error; saga, whose intercept is free of the penalty too) on the matrix that `lazylogit
convert` writes: its error must not be lower than our certified bound, and where it has converged as well its zeros are counted
beside ours. Results are kept in build/datasets/PRIOR.json, so that a run can be interrupted and continued; --again forgets them.
"""
import argparse, json, math, os, subprocess, tempfile, time
from pathlib import Path

import datasets

MOST_PEER_ENTRIES = 400_000  # rows × classes × entries per row that saga gets through in reasonable time

GAUSSIAN_END = """
kddcup99 has classes of two rows beside some of 280,000, and columns with tails of hundreds of deviations: L-BFGS comes within a few times of the optimum, Newton
steps that hold back the rows which they foretold wrongly do the rest."""


def fit(program, data_set, train, prior, seconds, optimizer):
    model = datasets.WORK / f"{prior}.safetensors"
    command = [program, "train", str(train), *data_set.options, "--prior", prior, "--variance", "1",
               "--max-seconds", str(seconds), "--optimizer", optimizer, "-o", str(model)]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    wall = time.monotonic() - began
    if done.returncode != 0:
        return {"reason": done.stderr.strip().splitlines()[-1]}
    done = subprocess.run([program, "inspect", str(model), "--json"], capture_output=True, text=True)
    record = json.loads(done.stdout)
    kept = [c for c in record["coefficients"] if c["feature"] != "(intercept)"]
    return {"seconds": wall, "optimizer": record["optimizer"], "termination": record["termination"],
            "reason": record["termination_message"], "error": record["error"], "features": record["num_features"],
            "classes": len(record["classes"]), "rows": record["num_examples"], "gap": record["certificate"]["relative_gap"],
            "lower_bound": record["certificate"]["lower_bound"], "coefficients": len(kept),
            "nonzeros": sum(1 for c in kept if c["coefficient"] != 0)}


def peer(program, data_set, train, seconds):
    """scikit-learn's error and number of zeros on the same matrix, or why there is none."""
    import numpy, warnings
    from sklearn.datasets import load_svmlight_file
    from sklearn.linear_model import LogisticRegression
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "data.svm"
        options = [o for o in data_set.options if o not in ("--standardize", "scale")]
        done = subprocess.run([program, "convert", str(train), str(target), *options], capture_output=True, text=True)
        if done.returncode != 0:
            return {"reason": done.stderr.strip().splitlines()[-1]}
        names = {}  # labels by their number: the peer's reader takes no names
        lines = [line.split(" ", 1) for line in target.read_text().splitlines()]
        numbers = [names.setdefault(parts[0], len(names)) for parts in lines]
        target.write_text("".join(f"{c} {parts[1] if len(parts) > 1 else ''}\n" for c, parts in zip(numbers, lines)))
        x, y = load_svmlight_file(str(target))
    x.indices, x.indptr = x.indices.astype("int32"), x.indptr.astype("int32")
    if x.nnz * len(set(y)) > MOST_PEER_ENTRIES:
        return {"reason": "too large"}
    if "--standardize" in data_set.options:
        mean = numpy.asarray(x.mean(axis=0)).ravel()
        deviation = numpy.sqrt(numpy.maximum(0, numpy.asarray(x.multiply(x).mean(axis=0)).ravel() - mean**2))
        x = x.multiply(1 / numpy.where(deviation > 1e-12, deviation, 1)).tocsr()
        x.indices, x.indptr = x.indices.astype("int32"), x.indptr.astype("int32")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began, most = time.monotonic(), 200
        model = LogisticRegression(l1_ratio=1, C=1 / math.sqrt(2), solver="saga", tol=1e-9, max_iter=most, warm_start=True, random_state=0)
        while True:
            model.fit(x, y)
            if model.n_iter_.max() < most or time.monotonic() - began > seconds:
                break
    scores = model.decision_function(x)
    if scores.ndim == 1:
        scores = numpy.column_stack([numpy.zeros_like(scores), scores])
    top = scores.max(axis=1, keepdims=True)
    log_p = scores - top - numpy.log(numpy.exp(scores - top).sum(axis=1, keepdims=True))
    labels = numpy.searchsorted(model.classes_, y)
    error = float(-log_p[numpy.arange(len(y)), labels].sum() + math.sqrt(2) * numpy.abs(model.coef_).sum())
    return {"error": error, "nonzeros": int((model.coef_ != 0).sum()), "converged": bool(model.n_iter_.max() < most)}


LAPLACE_TEXT = """For small sets scikit-learn's saga minimised the same error on the same matrix; the last two columns show how far
above ours its error is, and its coefficients that are not zero (in brackets where it had not converged in the time allowed). A minus sign
would mean that ours is not the optimum."""
LAPLACE_END = """ With a vector for every class an L1 optimum need not be unique, and saga leaves coefficients near zero that are zero at
the optimum: the errors agree, the counts need not."""


def write_page(results, prior, target):
    l1 = prior == "laplace"
    columns = ["data set", "rows", "features", "classes", "optimizer", "seconds", "relative gap"]
    columns += ["not zero", "scikit-learn: error above ours", "not zero"] if l1 else []
    lines = [f"# Certified optima under {prior.capitalize()} priors", "",
             "Made by `bench/optima_sweep.py`: every data set of [datasets.md](datasets.md), trained on its training part with",
             f"`--prior {prior} --variance 1`, the options given there and the optimizer named. The gap is proved by a point of",
             "the dual: the error is at most that fraction above the lowest possible.", *([LAPLACE_TEXT] if l1 else []), "",
             "| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    for name in (s.name for s in datasets.SETS):
        ours, theirs = results.get(name, {}).get("ours", {}), results.get(name, {}).get("peer", {})
        if not ours:
            continue
        if "error" not in ours:
            lines.append(f"| {name} | – | – | – | – | – | {ours['reason']} |" + (" – | – | – |" if l1 else ""))
            continue
        gap = "none" if ours["gap"] is None else f"{ours['gap']:.1e}"
        if ours["termination"] != "converged":
            gap += f" ({ours['reason']})"
        line = f"| {name} | {ours['rows']} | {ours['features']} | {ours['classes']} | {ours['optimizer']} | {ours['seconds']:.2f} | {gap} |"
        if l1:
            above = f"{(theirs['error'] - ours['error']) / ours['error']:.1e}" if "error" in theirs else "–"
            count = str(theirs.get("nonzeros", "–"))
            if "error" in theirs and not theirs["converged"]:
                count = f"({count})"
            line += f" {ours['nonzeros']} of {ours['coefficients']} | {above} | {count} |"
        lines.append(line)
    lines += ["", "Seconds are of the wall clock, reading included, on a machine that did other work." + (LAPLACE_END if l1 else GAUSSIAN_END)]
    Path(target).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("LAZYLOGIT_DATA", str(datasets.ROOT.parent / "shared" / "data")))
    parser.add_argument("--program", default=str(datasets.ROOT / "build" / "lazylogit"))
    parser.add_argument("--prior", choices=("laplace", "gaussian"), default="laplace")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--optimizer", default="auto")
    parser.add_argument("--peer-seconds", type=float, default=20, help="0: no peer")
    parser.add_argument("--write", help="the page [docs/PRIOR_optima.md]")
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    datasets.WORK.mkdir(parents=True, exist_ok=True)
    store = datasets.WORK / f"{arguments.prior}.json"
    results = {} if arguments.again or not store.exists() else json.loads(store.read_text())
    for data_set in datasets.SETS:
        if arguments.only and data_set.name not in arguments.only:
            continue
        entry = results.setdefault(data_set.name, {})
        train, _ = datasets.split_files(data_set, Path(arguments.data))
        if "ours" not in entry or arguments.only:
            entry["ours"] = fit(arguments.program, data_set, train, arguments.prior, arguments.seconds, arguments.optimizer)
        if arguments.prior == "laplace" and arguments.peer_seconds > 0 and "peer" not in entry:
            entry["peer"] = peer(arguments.program, data_set, train, arguments.peer_seconds)
        store.write_text(json.dumps(results, indent=1))
        print(data_set.name, entry["ours"].get("gap"), entry["ours"].get("reason"), entry.get("peer"), flush=True)
        write_page(results, arguments.prior, arguments.write or datasets.ROOT / "docs" / f"{arguments.prior}_optima.md")


if __name__ == "__main__":
    main()
