"""Every header compiles alone: headers_alone.py ROOT COMPILER. One translation unit per header, syntax only."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
compiler = sys.argv[2]
headers = sorted((root / "src" / "lazylogit").rglob("*.hpp"))
flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{root / 'src'}", "-x", "c++", "-"]


def compile_alone(header):
    name = header.relative_to(root / "src")
    unit = f'#include "{name}"\n#include "{name}"\n'  # twice: the include guard is there
    run = subprocess.run([compiler, *flags], input=unit, capture_output=True, text=True)
    return name, run.returncode, run.stderr


bad = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for name, code, messages in pool.map(compile_alone, headers):
        if code:
            bad += 1
            print(f"{name} does not compile alone:\n{messages}")
print(f"{len(headers)} headers, {bad} problems")
sys.exit(1 if bad or not headers else 0)
