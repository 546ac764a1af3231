#!/usr/bin/env bash
# Builds and runs the tests; the last line printed is the total over all parts: "N passed, M failed, K skipped".
#   test.sh short   g++ build and the whole suite; everything again with clang++ and ASan/UBSan, unit and fuzz corpora
#   test.sh long    also the whole suite under ASan/UBSan and TSan, long loops, and every fuzz target for FUZZ_SECONDS
set -u
cd "$(dirname "$0")/.."
mode=${1:-short}
jobs=${JOBS:-$(nproc)}
passed=0 failed=0 skipped=0
failures=()

finish() {
  for name in ${failures[@]+"${failures[@]}"}; do echo "failed: $name"; done
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}

count_failure() { failed=$((failed + 1)); failures+=("$1"); }

# build PRESET: nothing after a build that fails can be trusted, so it ends the run.
build() {
  echo "== build: $1"
  if cmake --preset "$1" >"build/configure-$1.log" 2>&1 && cmake --build "build/$1" -j "$jobs"; then
    passed=$((passed + 1))
  else
    grep -A5 'CMake Error' "build/configure-$1.log"
    count_failure "build of preset $1"
    finish
  fi
}

# run PRESET CTEST-ARGUMENTS: adds ctest's own counts to the total.
run() {
  local preset=$1
  shift
  local report=$PWD/build/$preset/junit.xml
  echo "== tests: $preset"
  rm -f "$report"
  ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --progress --output-junit "$report" "$@"
  [ -s "$report" ] || { count_failure "ctest in build/$preset wrote no report"; return; }
  local all bad skip
  all=$(sed -n 's/.*\btests="\([0-9]*\)".*/\1/p' "$report" | head -n 1)
  bad=$(sed -n 's/.*\bfailures="\([0-9]*\)".*/\1/p' "$report" | head -n 1)
  skip=$(grep -c 'status="notrun"' "$report")
  passed=$((passed + all - bad - skip)) failed=$((failed + bad)) skipped=$((skipped + skip))
  while read -r name; do failures+=("$preset: $name"); done < <(sed -n 's/.*<testcase name="\([^"]*\)".*status="fail".*/\1/p' "$report")
}

mkdir -p build
build dev
if [ "$mode" = long ]; then
  LAZYLOGIT_LONG=1 run dev
  build asan
  run asan -LE 'checks|install'
  build tsan
  run tsan -LE 'checks|install|process'
  echo "== fuzzing"
  if scripts/fuzz.sh; then passed=$((passed + 1)); else count_failure "fuzzing"; fi
else
  run dev
  build asan
  run asan -L 'unit|fuzz|cli'
fi
finish
