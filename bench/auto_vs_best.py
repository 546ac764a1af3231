#!/usr/bin/env python3
"""Is `--optimizer auto` the fastest? Runs `lazylogit compare` on every data set of a folder.

    bench/auto_vs_best.py [--data ../shared/data] [--program build/lazylogit] [--gap 1e-4] [--only NAME…]
                          [--optimizers lbfgs,newton,…,auto] [--seconds 20] [--again 4] [-- train options]

For each data set: the processor seconds that auto and the fastest single optimizer need to come and stay within the
relative gap of the optimum, one thread. auto must not take more than 1.3 times as long wherever the fastest needs 0.1 s
or more; exit code 1 if it does anywhere, if a data set fails, or if there was none to compare. The first run of a process also pays for the memory that the others reuse,
so auto comes last. Where auto seems too slow, the set is run --again times more, with auto and the optimizers that came near the best,
and the medians are judged: one run of a tenth of a second is off by a third now and then.
"""
import argparse, json, subprocess, sys
from statistics import median
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from datasets import ROOT, SETS

ALLOWED, LEAST, NEAR = 1.3, 0.1, 2


def seconds_to(run, gap):
    for line in run["reached"]:
        if line["gap"] <= gap * 1.0001:
            return line["cpu_seconds"]
    return float("inf")


class Failure(Exception):
    pass


def compare(arguments, one, optimizers):
    """Seconds of each optimizer that was asked for, and which one auto took."""
    command = [arguments.program, "compare", str(arguments.data / one.train), *one.options, "--optimizers", ",".join(optimizers),
               "--max-seconds", arguments.seconds, "--gap", str(arguments.gap / 10), *arguments.options,
               "--threads", "1", "-q", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure((done.stderr.strip().splitlines() or ["failed"])[-1])
    runs = json.loads(done.stdout)["optimizers"]
    times = {run["asked"]: seconds_to(run, arguments.gap) for run in runs}
    return times, next(run["optimizer"] for run in runs if run["asked"] == "auto")


def best_single(times):
    return min((name for name in times if name != "auto"), key=times.get)


def too_slow(times):
    best = times[best_single(times)]
    return best >= LEAST and not times["auto"] <= ALLOWED * best


def judged(arguments, one):
    times, chosen = compare(arguments, one, arguments.optimizers.split(","))
    if not too_slow(times):
        return times, chosen
    best = times[best_single(times)]
    near = [name for name in times if times[name] <= NEAR * best and name != "auto"]
    runs = [times] + [compare(arguments, one, [*near, "auto"])[0] for _ in range(arguments.again)]
    return {**times, **{name: median(run[name] for run in runs) for name in [*near, "auto"]}}, chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--program", default=str(ROOT / "build" / "lazylogit"))
    parser.add_argument("--gap", type=float, default=1e-4)
    parser.add_argument("--optimizers", default="lbfgs,newton,coordinate,cg,saga,sgd,auto")
    parser.add_argument("--seconds", default="20")
    parser.add_argument("--again", type=int, default=4)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("options", nargs="*", help="further options of compare, after --")
    arguments = parser.parse_args()
    slow = failed = compared = 0
    for one in SETS:
        if arguments.only and one.name not in arguments.only:
            continue
        try:
            times, chosen = judged(arguments, one)
        except Failure as failure:
            failed += 1
            print(f"{one.name:20} {failure}", flush=True)
            continue
        compared += 1
        best = best_single(times)
        ratio = times["auto"] / times[best] if times[best] > 0 else 1.0
        wrong = too_slow(times)
        slow += wrong
        cells = "  ".join(f"{name} {times[name]:.3f}" for name in sorted(times, key=times.get) if name != "auto")
        print(f"{one.name:20} auto={chosen:10} {times['auto']:7.3f} s, {ratio:5.2f} x {best}{'  TOO SLOW' if wrong else ''}   ({cells})",
              flush=True)
    print(f"auto is too slow on {slow} of {compared} data sets; {failed} failed")
    return 1 if slow or failed or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
