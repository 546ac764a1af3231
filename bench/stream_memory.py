#!/usr/bin/env python3
"""The memory of a long stream: rows with hashed features that no other row need have, from a pipe, against the bound
model with its optimizer state + 64 MB.

    bench/stream_memory.py BUILD_FOLDER [ROWS [HASH_BITS]]
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1])
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
bits = int(sys.argv[3]) if len(sys.argv) > 3 else 24
record_bytes = 4 * 8  # of a feature: coefficient, squared gradients, scale, clock
rng = random.Random(1)
per_block, per_row = 1000, 8

with tempfile.TemporaryDirectory() as folder:
    command = [str(build / "lazylogit"), "train", "-", "--stream", "--format", "vw", "--hash-bits", str(bits), "-o", os.path.join(folder, "m")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for _ in range(rows // per_block):
        digits = f"{rng.getrandbits(24 * per_block * per_row + 4):x}"  # six digits for each name
        lines = []
        for r in range(per_block):
            at = r * per_row * 6
            label = "1" if int(digits[at], 16) > 7 else "-1"
            lines.append(f"{label} | " + " ".join(digits[at + 6 * k:at + 6 * k + 6] for k in range(per_row)) + "\n")
        process.stdin.write("".join(lines).encode())
    process.stdin.close()
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    model = (1 << bits) * record_bytes
    peak = usage.ru_maxrss * 1024
    print(output)
    print(f"{rows} rows, 2^{bits} hashed features: peak {peak / 1e6:.0f} MB, model with state {model / 1e6:.0f} MB + 64 MB = {model / 1e6 + 64:.0f} MB: "
          f"{'within' if peak <= model + 64e6 else 'BEYOND'} the bound")
