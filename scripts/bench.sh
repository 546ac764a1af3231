#!/usr/bin/env bash
# Builds the benchmarks and runs them with the peers: LIBLINEAR from the distribution, scikit-learn, pandas and Vowpal Wabbit in a private
# environment in build/venv. A peer that cannot be had is left out; the ratios against limits do not need it.
set -eu
cd "$(dirname "$0")/.."
cmake --preset bench
cmake --build build/bench -j "${JOBS:-$(nproc)}"
python=/usr/bin/python3
[ -x "$python" ] || python=python3
if [ ! -f build/venv/peers ]; then
  if "$python" -m venv build/venv && build/venv/bin/python3 -m pip install --quiet --disable-pip-version-check scikit-learn pandas; then
    touch build/venv/peers
    build/venv/bin/python3 -m pip install --quiet --disable-pip-version-check vowpalwabbit ||
      echo "note: Vowpal Wabbit could not be installed; going on without it" >&2
  else
    echo "note: scikit-learn and pandas could not be installed; going on without these peers" >&2
  fi
fi
# The Python package, made in the folder of the benchmarks so that only its module is compiled.
if [ -f build/venv/peers ]; then
  build/venv/bin/python3 -m pip install --quiet --disable-pip-version-check nanobind scikit-build-core &&
    build/venv/bin/python3 -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall \
      --config-settings=build-dir=build/bench --config-settings=cmake.build-type=Release \
      --config-settings=cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O3 --config-settings=cmake.define.LAZYLOGIT_BENCH=ON \
      --config-settings=cmake.define.LAZYLOGIT_WERROR=ON . ||
    echo "note: the Python package could not be installed; going on without its benchmark" >&2
fi
export PEER_PYTHON=$PWD/build/venv/bin/python3
exec bench/run build/bench
