#!/usr/bin/env python3
"""Builds the wheel, installs it into a new environment and runs the package's tests there.

    run.py SOURCE WORK PROGRAM CMAKE_BUILD_TYPE CMAKE_FLAGS

The wheel is compiled with the flags of the build that runs the test, so that a compiler cache has it already. Ends with 77, which
skips the test, where the package index cannot be reached.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import venv

PACKAGES = ["numpy", "scipy", "scikit-learn", "pandas", "pytest"]


def main(source, work, program, build_type, flags):
    work = pathlib.Path(work)
    shutil.rmtree(work / "env", ignore_errors=True)
    venv.create(work / "env", with_pip=True)
    python = work / "env" / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    if subprocess.run([*pip, "install", *PACKAGES, "scikit-build-core", "nanobind"]).returncode != 0:
        print("skipped: the Python packages that the tests need could not be installed")
        return 77
    shutil.rmtree(work / "wheel", ignore_errors=True)
    variable = f"CMAKE_CXX_FLAGS_{build_type.upper()}"
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", work / "wheel", "-C", f"build-dir={work / 'build'}",
                    "-C", f"cmake.build-type={build_type}", "-C", f"cmake.define.{variable}={flags}", "-C", "cmake.define.LAZYLOGIT_WERROR=ON",
                    source], check=True)
    subprocess.run([*pip, "install", "--no-deps", *(work / "wheel").glob("lazylogit-*.whl")], check=True)
    environment = dict(os.environ, LAZYLOGIT_PROGRAM=program, SCIPY_ARRAY_API="1")
    tests = pathlib.Path(source) / "tests" / "python"
    return subprocess.run([python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", tests, "--doctest-modules",
                           "--pyargs", "lazylogit"], cwd=work, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
