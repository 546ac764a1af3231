"""The generated page in the tree is what the program prints now."""

import pathlib
import subprocess
import sys

program, page = sys.argv[1:]
printed = subprocess.run([program, "--reference"], capture_output=True, check=True).stdout
if printed != pathlib.Path(page).read_bytes():
    sys.exit(f"{page} is out of date: run  lazylogit --reference >docs/reference/commands.md")
