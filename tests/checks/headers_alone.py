"""Every header compiles alone: headers_alone.py ROOT COMPILER.

A header that its own .cpp file includes before anything else is compiled alone by the build itself; the others get a
translation unit each, syntax only."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
compiler = sys.argv[2]
headers = sorted((root / "src" / "lazylogit").rglob("*.hpp"))
flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{root / 'src'}", "-x", "c++", "-"]
first_include = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


def comes_first_in_its_source(header):
    source = header.with_suffix(".cpp")
    found = first_include.search(source.read_text()) if source.exists() else None
    return found is not None and found.group(1) == str(header.relative_to(root / "src"))


def compile_alone(header):
    unit = f'#include "{header.relative_to(root / "src")}"\n'
    run = subprocess.run([compiler, *flags], input=unit, capture_output=True, text=True)
    return header, run.returncode, run.stderr


bad = 0
for header in headers:
    if "\n#pragma once\n" not in "\n" + header.read_text():
        bad += 1
        print(f"{header.relative_to(root)} has no #pragma once")
alone = [header for header in headers if not comes_first_in_its_source(header)]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for header, code, messages in pool.map(compile_alone, alone):
        if code:
            bad += 1
            print(f"{header.relative_to(root)} does not compile alone:\n{messages}")
print(f"{len(headers)} headers, {len(alone)} of them compiled here, {bad} problems")
sys.exit(1 if bad or not headers else 0)
