#!/usr/bin/env bash
# Runs every fuzz target for FUZZ_SECONDS with its seeds and dictionary. New inputs stay in build/fuzz/corpus; what
# makes a target fail is written to tests/fuzz/corpus/<target>, where the ordinary tests replay it from then on.
set -eu
cd "$(dirname "$0")/.."
cmake --preset fuzz
cmake --build build/fuzz -j "${JOBS:-$(nproc)}"
status=0
for target in build/fuzz/tests/fuzz/*_fuzz; do
  [ -x "$target" ] || continue
  name=$(basename "$target" _fuzz)
  seeds=tests/fuzz/corpus/$name
  grown=build/fuzz/corpus/$name
  mkdir -p "$seeds" "$grown"
  options=(-max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0
           -artifact_prefix="$seeds/found-")
  [ -f "tests/fuzz/dictionaries/$name.dict" ] && options+=(-dict="tests/fuzz/dictionaries/$name.dict")
  echo "== $name"
  "$target" "${options[@]}" "$grown" "$seeds" || { echo "failed: fuzz target $name"; status=1; }
done
exit $status
