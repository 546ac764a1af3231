#!/usr/bin/env python3
"""Loading tables and text: lazylogit against pandas.read_csv, a bare simdjson pass and CountVectorizer, in one run.

    bench/peers/readers_columns.py BUILD_FOLDER [MEGABYTES]

Every reader starts from the same file in the page cache and is timed within its process, without its start. They run in
turns; medians of five, by the wall clock and by the processor (which is the one to read on a shared machine). pandas and
scikit-learn are taken from $PEER_PYTHON, or from build/venv; without them their comparisons are left out.
"""
import os
import random
import shutil
import statistics
import subprocess
import sys

REPEATS = 5
PANDAS = """
import sys, time, pandas
wall, cpu = time.perf_counter(), time.process_time()
frame = pandas.read_csv(sys.argv[1], engine=sys.argv[2])
print(f"{time.perf_counter() - wall} s wall {time.process_time() - cpu} s processor")
"""
VECTORIZER = """
import sys, time
from sklearn.feature_extraction.text import CountVectorizer
wall, cpu = time.perf_counter(), time.process_time()
with open(sys.argv[1], encoding="utf-8") as file:
    next(file)
    x = CountVectorizer(ngram_range=(1, 2), lowercase=True).fit_transform(line.rstrip("\\n").split("\\t")[1] for line in file)
print(f"{time.perf_counter() - wall} s wall {time.process_time() - cpu} s processor")
"""
SYLLABLES = ["ba", "co", "di", "fu", "ge", "ha", "ki", "lo", "mu", "ne", "pa", "ri", "so", "tu", "ve", "zo"]


def numeric_rows(draw):
    yield ",".join(["label"] + [f"x{c}" for c in range(20)])
    while True:
        yield ",".join([draw.choice("ab")] + [f"{draw.gauss(0, 1):.6f}" for _ in range(20)])


def mixed_rows(draw):
    """Connections of a network: few protocols and services, many small counts and rates, most of them zero."""
    services = [f"service_{i}" for i in range(66)]
    rates = ["0.00"] * 6 + ["1.00"] * 3 + [f"{i / 100:.2f}" for i in range(1, 100, 7)]
    yield ",".join(["duration", "protocol", "service", "flag", "sent", "received"] + [f"count{i}" for i in range(20)]
                   + [f"rate{i}" for i in range(15)] + ["label"])
    while True:
        counts = [str(draw.randrange(512)) if draw.random() < 0.3 else "0" for _ in range(20)]
        yield ",".join([str(draw.randrange(60)), draw.choice(["tcp", "udp", "icmp"]), draw.choice(services),
                        draw.choice(["SF", "S0", "REJ", "RSTO"]), str(draw.randrange(9000)), str(draw.randrange(9000))]
                       + counts + draw.choices(rates, k=15) + [draw.choice(["normal", "neptune", "smurf", "back"])])


def json_rows(draw):
    while True:
        numbers = ", ".join(f'"x{c}": {draw.gauss(0, 1):.6f}' for c in range(12))
        yield f'{{"label": "{draw.choice("ab")}", {numbers}, "kind": "{draw.choice(SYLLABLES)}", "place": "{draw.choice(SYLLABLES)}"}}'


def text_rows(draw):
    words = ["".join(draw.choices(SYLLABLES, k=1 + draw.randrange(4))) for _ in range(30000)]
    yield "label\ttext"
    while True:
        sentence = " ".join(words[int(len(words) * draw.random() ** 3)] for _ in range(12 + draw.randrange(20)))
        yield draw.choice("abcd") + "\t" + sentence.capitalize()


def make_file(path, rows, megabytes):
    """Distinct rows up to a tenth of the size, then the same again: making them is slow."""
    if os.path.exists(path):
        return
    lines, size, repeats = [], 0, 10
    for row in rows(random.Random(1)):
        lines.append(row + "\n")
        size += len(row) + 1
        if size * repeats > megabytes * 1e6:
            break
    header = lines.pop(0) if rows is not json_rows else ""
    with open(path + ".part", "w") as file:
        file.write(header)
        for _ in range(repeats):
            file.writelines(lines)
    os.rename(path + ".part", path)


def seconds(command):
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.strip()[-300:]}")
    words = done.stdout.split()
    return float(words[0]), float(words[3])


def has_modules(python, modules):
    return subprocess.run([python, "-c", "import " + modules], capture_output=True).returncode == 0


def peer_python(build):
    for python in (os.environ.get("PEER_PYTHON"), os.path.join(build, "..", "venv", "bin", "python3"), sys.executable):
        if python and shutil.which(python):
            if has_modules(python, "pandas, sklearn"):
                return python
    return None


def compare(title, path, commands, peer, aim):
    taken = {name: [] for name in commands}
    for _ in range(REPEATS):  # in turns: a slow moment of the machine hits all of them
        for name, command in commands.items():
            seconds(command)  # the host of a virtual machine may take back what the last program freed, and be slow to give it
            taken[name].append(seconds(command))
    medians = {name: [statistics.median(clock) for clock in zip(*runs)] for name, runs in taken.items()}
    size = os.path.getsize(path) / 1e6
    print(f"{title}, {size:.0f} MB")
    theirs = medians.get(peer)
    for name, (wall, cpu) in medians.items():
        line = f"  {name:30} {wall:7.3f} s wall {cpu:7.3f} s processor {size / wall:7.1f} MB/s"
        if theirs and name != peer:
            line += f"   {theirs[0] / wall:5.2f} x {peer} by the wall clock, {theirs[1] / cpu:.2f} x by the processor"
            line += f" (aim {aim})" if name.startswith("lazylogit") else ""
        print(line, flush=True)
    if not theirs:
        print(f"  {peer} is not installed: no ratio")


def main(build, megabytes):
    folder = os.path.join(build, "data")
    os.makedirs(folder, exist_ok=True)
    load, python = os.path.join(build, "bench", "timed_load"), peer_python(build)

    def contest(title, name, rows, size, peer, peer_command, aim, *options, others=None):
        path = os.path.join(folder, name)
        make_file(path, rows, size)
        commands = {f"lazylogit, {n} thread{'s' * (n > 1)}": [load, path, str(n), *options] for n in (1, 2)}
        if peer_command:
            commands[peer] = peer_command(path)
            commands.update({name: command(path) for name, command in (others or {}).items()})
        compare(title, path, commands, peer, aim)

    def run(program, *arguments):
        return (lambda path: [python, "-c", program, path, *arguments]) if python else None

    pandas, vectorizer = run(PANDAS, "c"), run(VECTORIZER)
    # For information.
    arrow = {"pandas.read_csv, pyarrow": run(PANDAS, "pyarrow")} if python and has_modules(python, "pyarrow") else None
    contest("csv, numbers", f"numbers{megabytes}.csv", numeric_rows, megabytes, "pandas.read_csv", pandas, 3, others=arrow)
    contest("csv, numbers and categories", f"mixed{megabytes}.csv", mixed_rows, megabytes, "pandas.read_csv", pandas, 3,
            others=arrow)
    contest("jsonl", f"rows{megabytes}.jsonl", json_rows, megabytes, "simdjson alone",
            lambda path: [os.path.join(build, "bench", "json_pass"), path], 0.5)
    contest("text, words and pairs", f"text{megabytes}.tsv", text_rows, megabytes / 5, "CountVectorizer", vectorizer, 5, "2")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 100)
