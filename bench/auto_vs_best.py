#!/usr/bin/env python3
"""Is `--optimizer auto` the fastest? Runs `lazylogit compare` on every data set of a folder.

    bench/auto_vs_best.py [--data ../shared/data] [--program build/lazylogit] [--gap 1e-4] [--only NAME…]
                          [--optimizers lbfgs,newton,…,auto] [--seconds 20] [-- train options]

For each data set: the processor seconds that auto and the fastest single optimizer need to come and stay within the
relative gap of the optimum, one thread. auto must not take more than 1.3 times as long wherever the fastest needs 0.1 s
or more; exit code 1 if it does anywhere, if a data set fails, or if there was none to compare. The first run of a process also pays for the memory that the others reuse,
so auto comes last.
"""
import argparse, json, subprocess, sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from datasets import ROOT, SETS

ALLOWED, LEAST = 1.3, 0.1


def seconds_to(run, gap):
    for line in run["reached"]:
        if line["gap"] <= gap * 1.0001:
            return line["cpu_seconds"]
    return float("inf")


def compare(program, data, one, options):
    command = [program, "compare", str(data / one.train), *one.options, *options, "--threads", "1", "-q", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stderr.strip().splitlines() or ["failed"])[-1]
    return json.loads(done.stdout), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--program", default=str(ROOT / "build" / "lazylogit"))
    parser.add_argument("--gap", type=float, default=1e-4)
    parser.add_argument("--optimizers", default="lbfgs,newton,coordinate,cg,saga,sgd,auto")
    parser.add_argument("--seconds", default="20")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("options", nargs="*", help="further options of compare, after --")
    arguments = parser.parse_args()
    options = ["--optimizers", arguments.optimizers, "--max-seconds", arguments.seconds, "--gap", str(arguments.gap / 10),
               *arguments.options]
    slow = failed = compared = 0
    for one in SETS:
        if arguments.only and one.name not in arguments.only:
            continue
        result, failure = compare(arguments.program, arguments.data, one, options)
        if result is None:
            failed += 1
            print(f"{one.name:20} {failure}", flush=True)
            continue
        compared += 1
        times = {run["asked"]: seconds_to(run, arguments.gap) for run in result["optimizers"]}
        chosen = next(run["optimizer"] for run in result["optimizers"] if run["asked"] == "auto")
        auto = times.pop("auto")
        best = min(times, key=times.get)
        ratio = auto / times[best] if times[best] > 0 else 1.0
        judged = times[best] >= LEAST
        wrong = judged and not ratio <= ALLOWED
        slow += wrong
        cells = "  ".join(f"{name} {seconds:.3f}" for name, seconds in sorted(times.items(), key=lambda t: t[1]))
        print(f"{one.name:20} auto={chosen:10} {auto:7.3f} s, {ratio:5.2f} x {best}{'  TOO SLOW' if wrong else ''}   ({cells})",
              flush=True)
    print(f"auto is too slow on {slow} of {compared} data sets; {failed} failed")
    return 1 if slow or failed or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
