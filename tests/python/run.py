#!/usr/bin/env python3
"""Builds the wheel, installs it into a new environment and runs the package's tests there.

    run.py SOURCE BUILD_FOLDER WORK PROGRAM BUILD_TYPE FLAGS

The wheel is made in the build folder that the tests run from, with its flags, so that only the module is compiled. Ends with 77,
which skips the test, where the package index cannot be reached.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import venv

PACKAGES = ["numpy", "scipy", "scikit-learn", "pandas", "pytest"]
OPTIONAL = ["polars", "pyarrow", "onnx", "onnxruntime", "matplotlib"]  # tests that need them say that they are skipped


def main(source, build, work, program, build_type, flags):
    work = pathlib.Path(work)
    shutil.rmtree(work / "env", ignore_errors=True)
    venv.create(work / "env", with_pip=True)
    python = work / "env" / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    if subprocess.run([*pip, "install", *PACKAGES, "scikit-build-core", "nanobind"]).returncode != 0:
        print("skipped: the Python packages that the tests need could not be installed")
        return 77
    for package in OPTIONAL if subprocess.run([*pip, "install", *OPTIONAL]).returncode != 0 else []:
        subprocess.run([*pip, "install", package])
    shutil.rmtree(work / "wheel", ignore_errors=True)
    settings = {"build-dir": build, "cmake.build-type": build_type, f"cmake.define.CMAKE_CXX_FLAGS_{build_type.upper()}": flags,
                "cmake.define.LAZYLOGIT_WERROR": "ON", "cmake.define.LAZYLOGIT_TESTS": "ON"}
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", work / "wheel",
                    *(f"--config-settings={name}={value}" for name, value in settings.items()), source], check=True)
    subprocess.run([*pip, "install", "--no-deps", *(work / "wheel").glob("lazylogit-*.whl")], check=True)
    environment = dict(os.environ, LAZYLOGIT_PROGRAM=program, SCIPY_ARRAY_API="1")
    tests = pathlib.Path(source) / "tests" / "python"
    return subprocess.run([python, "-m", "pytest", "-q", "-x", "-rs", "-p", "no:cacheprovider", tests, "--doctest-modules",
                           "--pyargs", "lazylogit"], cwd=work, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
