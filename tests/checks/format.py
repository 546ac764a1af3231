"""clang-format has nothing to change in any C++ file of the tree. Skipped (77) where there is no clang-format."""

import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
program = shutil.which("clang-format")
if not program:
    print("skipped: no clang-format")
    sys.exit(77)
folders = ["src", "apps", "tests", "bench", "examples"]
files = sorted(str(path) for folder in folders for path in (root / folder).rglob("*.[ch]pp"))
run = subprocess.run([program, "--dry-run", "-Werror", *files], capture_output=True, text=True)
for line in run.stderr.splitlines():
    if "error:" in line:
        print(line.replace(f"{root}/", ""))
print(f"{len(files)} files; `make format` repairs" if run.returncode else f"{len(files)} files")
sys.exit(1 if run.returncode else 0)
