"""Runs transcripts of a terminal: transcript.py PROGRAM FILE.t [--update]

    # a comment; the first one says what is shown
    $ lazylogit train data.csv        a command, run by bash in a fresh folder that the file's commands share
    > more of the command             (a here-document, say)
    a line of standard output
    ! a line of standard error
    [2]                               the exit code, when it is not 0

`[..]` within a line stands for any text, a line `...` (or `! ...`) for any number of lines; blank lines of
output are left out. $DATA is the folder of test data, beside this
file. --update writes what the commands print into the file, keeping lines that match with their wildcards.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile


def parse(lines):
    """Steps of (comment lines, command lines, expected stdout, expected stderr, exit code)."""
    steps, comments = [], []
    for line in lines:
        if line.startswith("$ "):
            steps.append({"before": comments, "command": [line[2:]], "out": [], "err": [], "code": 0})
            comments = []
        elif line.startswith("> ") and steps:
            steps[-1]["command"].append(line[2:])
        elif line == ">" and steps:
            steps[-1]["command"].append("")
        elif line.startswith("#") or line == "":
            comments.append(line)
        elif line.startswith("! "):
            steps[-1]["err"].append(line[2:])
        elif match := re.fullmatch(r"\[(-?\d+)\]", line):
            steps[-1]["code"] = int(match.group(1))
        else:
            steps[-1]["out"].append(line)
    return steps, comments


def line_matches(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.split("[..]"))
    return re.fullmatch(pattern, actual) is not None


def matches(expected, actual):
    """Whether the lines match; `...` stands for any number of them."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and line_matches(expected[0], actual[0]) and matches(expected[1:], actual[1:])


def run(step, folder, environment):
    finished = subprocess.run(["bash", "-c", "\n".join(step["command"])], cwd=folder, env=environment, capture_output=True, timeout=120,
                              stdin=subprocess.DEVNULL)
    text = lambda stream: [line for line in stream.decode("utf-8", "backslashreplace").splitlines() if line]
    return text(finished.stdout), text(finished.stderr), finished.returncode


def show(step, out, err, code):
    lines = ["$ " + step["command"][0]] + ["> " + line for line in step["command"][1:]]
    lines += out + ["! " + line for line in err]
    return lines + ([f"[{code}]"] if code else [])


def main():
    program, file = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    update = "--update" in sys.argv
    steps, rest = parse(file.read_text(encoding="utf-8").splitlines())
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "DATA": str(file.resolve().parent / "data")}
    failed, updated = 0, []
    with tempfile.TemporaryDirectory(prefix="lazylogit-cli-") as folder:
        for step in steps:
            out, err, code = run(step, folder, environment)
            good = matches(step["out"], out) and matches(step["err"], err) and code == step["code"]
            updated += step["before"] + (show(step, step["out"], step["err"], code) if good else show(step, out, err, code))
            if not good:
                failed += 1
                print("\n".join([f"{file.name}: expected"] + show(step, step["out"], step["err"], step["code"]) + ["but found"] + show(step, out, err, code)[len(step["command"]):] + [""]))
    if update:
        file.write_text("\n".join(updated + rest) + "\n", encoding="utf-8")
    print(f"{len(steps) - failed} of {len(steps)} commands as expected")
    return 1 if failed and not update else 0


sys.exit(main())
