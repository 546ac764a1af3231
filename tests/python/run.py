#!/usr/bin/env python3
"""Builds the wheel, installs it into an environment of its own and runs the package's tests there.

    run.py SOURCE BUILD_FOLDER WORK PROGRAM BUILD_TYPE FLAGS

The wheel is made in the build folder that the tests run from, with its flags, so that only the module is compiled. What the
tests need is installed once a week: headers that are new would have the module compiled again each time. Ends with 77, which
skips the test, where the package index cannot be reached.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time
import venv

PACKAGES = ["numpy", "scipy", "scikit-learn", "pandas", "pytest", "pytest-xdist", "scikit-build-core", "nanobind"]
OPTIONAL = ["polars", "pyarrow", "onnx", "onnxruntime", "matplotlib"]  # tests that need them say that they are skipped
WEEK = 7 * 24 * 3600


def environment_of(work):
    """The folder of the environment, made anew where it is old or other packages are wanted; None: no package index."""
    folder, wanted = work / "env", f"{sys.version}\n{PACKAGES}\n{OPTIONAL}\n"
    stamp = folder / "made-of"
    if stamp.exists() and stamp.read_text() == wanted and time.time() - stamp.stat().st_mtime < WEEK:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    # Compiled when they are imported: most modules never are.
    install = [*pip_of(folder), "install", "--no-compile"]
    if subprocess.run([*install, *PACKAGES, *OPTIONAL]).returncode != 0:
        if subprocess.run([*install, *PACKAGES]).returncode != 0:
            return None
        for package in OPTIONAL:
            subprocess.run([*install, package])
    stamp.write_text(wanted)
    return folder


def pip_of(folder):
    return [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "--quiet"]


def main(source, build, work, program, build_type, flags):
    work = pathlib.Path(work)
    folder = environment_of(work)
    if folder is None:
        print("skipped: the Python packages that the tests need could not be installed")
        return 77
    pip = pip_of(folder)
    shutil.rmtree(work / "wheel", ignore_errors=True)
    settings = {"build-dir": build, "cmake.build-type": build_type, f"cmake.define.CMAKE_CXX_FLAGS_{build_type.upper()}": flags,
                "cmake.define.LAZYLOGIT_WERROR": "ON", "cmake.define.LAZYLOGIT_TESTS": "ON"}
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", work / "wheel",
                    *(f"--config-settings={name}={value}" for name, value in settings.items()), source], check=True)
    subprocess.run([*pip, "uninstall", "--yes", "lazylogit"], check=True)  # leaves nothing behind that the wheel lacks
    subprocess.run([*pip, "install", "--no-deps", *(work / "wheel").glob("lazylogit-*.whl")], check=True)
    environment = dict(os.environ, LAZYLOGIT_PROGRAM=program, SCIPY_ARRAY_API="1")
    tests = pathlib.Path(source) / "tests" / "python"
    return subprocess.run([folder / "bin" / "python", "-m", "pytest", "-q", "-x", "-rs", "-n", "2", "-p", "no:cacheprovider", tests,
                           "--doctest-modules", "--pyargs", "lazylogit"], cwd=work, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
