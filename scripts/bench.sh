#!/usr/bin/env bash
# Builds the benchmarks and runs each; bench/run, where it exists, adds the peers and prints the ratios.
set -eu
cd "$(dirname "$0")/.."
cmake --preset bench
cmake --build build/bench -j "${JOBS:-$(nproc)}"
if [ -x bench/run ]; then exec bench/run build/bench; fi
for program in build/bench/bench/*_bench; do
  [ -x "$program" ] && "$program"
done
