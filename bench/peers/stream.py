#!/usr/bin/env python3
"""Learning from a stream against Vowpal Wabbit, in one run: CPU and wall seconds from text on standard input to the model, and the
progressive log loss of the same rows.

    bench/peers/stream.py BUILD_FOLDER [ROWS [DATA_FOLDER [make]]]

Both learn logistic loss in one pass without a prior; VW with its defaults and -b 20, ours with its defaults and --hash-bits 20 where the
features have names. Standard input is a pipe from `cat`, a third process beside two threads, and then the file itself (`< file`), for both
sides alike. VW is the package vowpalwabbit of $PEER_PYTHON; its start (without rows) is measured and taken off. Runs are interleaved,
medians of five. A table of numbers and categories goes to us as csv and to VW, which reads none, as the same features in its
own text. Also: a grid of eight priors beside one, and the memory of a stream of ten times the rows beside one of the rows alone.
Data is kept in DATA_FOLDER and used again; `make` only makes it.
"""

import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

build = pathlib.Path(sys.argv[1])
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
kept = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
only_make = sys.argv[4:] == ["make"]
lazylogit, generate = build / "lazylogit", build / "bench" / "generate_data"
peer_python = os.environ.get("PEER_PYTHON", sys.executable)
has_peer = subprocess.run([peer_python, "-c", "import vowpalwabbit"], stderr=subprocess.DEVNULL).returncode == 0


def run(command, source, times=1, way="pipe"):
    """Wall seconds, CPU seconds, peak bytes and all output of a run whose standard input is `source`: from a pipe, `times` over, or as a file."""
    start = time.monotonic()
    feeder = subprocess.Popen(["cat"] + [str(source)] * times, stdout=subprocess.PIPE) if way == "pipe" else None
    with feeder.stdout if feeder else open(source, "rb") as stdin:
        process = subprocess.Popen([str(word) for word in command], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if feeder:
        feeder.wait()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command}: {output}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output


def ours(folder, *options):
    return [lazylogit, "train", "-", "--stream", "--prior", "uniform", "-o", folder / "ours.m", *options]


def loss_of(output):
    found = re.search(r"progressive +log loss ([0-9.e-]+)", output) or re.search(r"average loss = ([0-9.]+)", output)
    return float(found.group(1))


def write_vw(svm, vw):
    with open(svm) as source, open(vw, "w") as target:
        for line in source:
            label, _, features = line.partition(" ")
            target.write(("1" if float(label) > 0 else "-1") + " | " + features)


def write_table(count, csv, vw):
    """Ten numbers and ten categories with a long tail in a row, and a label that depends on them."""
    rng = random.Random(5)
    numbers, kinds = [f"n{i}" for i in range(10)], [f"c{i}" for i in range(10)]
    with open(csv, "w") as table, open(vw, "w") as text:
        table.write(",".join(numbers + kinds + ["label"]) + "\n")
        for _ in range(count):
            x = [round(rng.random(), 4) for _ in numbers]
            c = [int(2000 ** rng.random()) for _ in kinds]
            label = "1" if sum(x[:5]) - sum(x[5:]) + sum((k * 2654435761 >> 7) % 5 - 2 for k in c) / 3 + rng.gauss(0, 1) > 0 else "-1"
            table.write(",".join(map(str, x)) + "," + ",".join(f"v{k}" for k in c) + f",{label}\n")
            text.write(f"{label} | " + " ".join(f"{n}:{v}" for n, v in zip(numbers, x)) + " " + " ".join(f"{n}=v{k}" for n, k in zip(kinds, c)) + "\n")


def compare(kind, jobs, peer_source):
    """Runs interleaved; a line for each of our jobs and ways to read."""
    if has_peer:
        peer = [peer_python, "-m", "vowpalwabbit", "--loss_function", "logistic", "-b", "20", "-d", "/dev/stdin", "-f", folder / "peer.model"]
        jobs = {**jobs, "VW": (peer, peer_source), "VW start": (peer, empty)}
    ways = ("pipe", "file")
    seen = {(name, way): [] for way in ways for name in jobs}
    for _ in range(5):
        for name, way in seen:
            seen[name, way].append(run(*jobs[name], way=way))
    median = {key: [statistics.median(r[i] for r in all_) for i in (0, 1)] for key, all_ in seen.items()}
    for name, way in seen:
        if name.startswith("VW"):
            continue
        own = median[name, way]
        line = f"{kind} {rows} rows, ours from {name} by {way}: {own[0]:.2f} s wall, {own[1]:.2f} s CPU, log loss {loss_of(seen[name, way][0][3]):.5f}"
        if has_peer:
            wall, cpu = (median["VW", way][i] - median["VW start", way][i] for i in (0, 1))
            line += (f"; VW {wall:.2f} s wall, {cpu:.2f} s CPU, log loss {loss_of(seen['VW', way][0][3]):.5f}: "
                     f"{wall / own[0]:.2f} x by wall, {cpu / own[1]:.2f} x by CPU")
        print(line, flush=True)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    empty = folder / "empty"
    empty.touch()
    data = kept or folder
    data.mkdir(exist_ok=True)
    for kind in ("rcv", "ctr"):
        svm, vw = data / f"{kind}.train.svm", data / f"{kind}.vw"
        if not vw.exists():
            subprocess.run([str(generate), kind, str(rows), str(data / kind)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            write_vw(svm, vw)
        if only_make:
            continue
        compare(kind, {"libsvm": (ours(folder, "--format", "libsvm"), svm), "vw": (ours(folder, "--format", "vw", "--hash-bits", "20"), vw)}, vw)
    table, table_vw = data / "table.csv", data / "table.vw"
    if not table_vw.exists():
        write_table(rows, table, table_vw)
    if only_make:
        sys.exit()
    compare("table", {"csv": (ours(folder, "--format", "csv", "--hash-bits", "20"), table)}, table_vw)

    one = ours(folder, "--format", "libsvm")
    one[one.index("uniform")] = "gaussian"
    eight = [*one, "--grid", "0.01,0.03,0.1,0.3,1,3,10,30"]
    times = [[run(command, data / "ctr.train.svm")[i] for command in (one, eight) for i in (0, 1)] for _ in range(3)]
    wall1, cpu1, wall8, cpu8 = (statistics.median(column) for column in zip(*times))
    print(f"ctr {rows} rows, a grid of eight priors: {wall8:.2f} s wall, {cpu8:.2f} s CPU beside {wall1:.2f} and {cpu1:.2f} of one: {wall8 / wall1:.2f} x by wall, {cpu8 / cpu1:.2f} x by CPU")

    few = run(ours(folder, "--format", "libsvm"), data / "ctr.train.svm")[2]
    many = run(ours(folder, "--format", "libsvm"), data / "ctr.train.svm", times=10)[2]
    print(f"memory of {rows} rows {few / 1e6:.1f} MB, of {10 * rows} rows {many / 1e6:.1f} MB; model {os.path.getsize(folder / 'ours.m') / 1e6:.1f} MB")
