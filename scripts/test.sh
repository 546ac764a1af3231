#!/usr/bin/env bash
# Builds and runs the tests; the last line printed is the total over all parts: "N passed, M failed, K skipped".
#   test.sh short   g++ build and the whole suite; everything again with clang++ and ASan/UBSan, unit and fuzz corpora
#   test.sh long    also the whole suite under ASan/UBSan and TSan, long loops, clang-tidy where it is installed, and every
#                   fuzz target for FUZZ_SECONDS
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

# build PRESET [TARGET]: nothing after a build that fails can be trusted, so it ends the run.
build() {
  echo "== build: $1"
  if cmake --preset "$1" >"build/configure-$1.log" 2>&1 && cmake --build "build/$1" -j "$jobs" ${2:+--target "$2"}; then
    passed=$((passed + 1))
  else
    grep -A5 'CMake Error' "build/configure-$1.log"
    count_failure "build of preset $1"
    finish
  fi
}

# run PRESET CTEST-ARGUMENTS: adds ctest's own counts to the total. A test whose program is missing has failed.
run() {
  local preset=$1
  shift
  local report=$PWD/build/$preset/junit.xml names status
  echo "== tests: $preset"
  rm -f "$report"
  ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --progress --output-junit "$report" "$@"
  status=$?
  [ -s "$report" ] || { count_failure "ctest in build/$preset wrote no report"; return; }
  names=$(awk -v FS='"' '
    /<testcase / { name = $2; state = $8; if (state == "run") passed++; if (state == "fail") print "fail", name }
    /<skipped message=/ { if ($2 ~ /^SKIP_/) skipped++; else if (state == "notrun") print "fail", name }
    /<testcase .*status="disabled"/ { skipped++ }
    END { print "count", passed + 0, skipped + 0 }' "$report")
  while read -r kind first rest; do
    case $kind in
      fail) count_failure "$preset: $first" ;;
      count) passed=$((passed + first)) skipped=$((skipped + rest)) ;;
    esac
  done <<<"$names"
  if [ "$status" -ne 0 ] && ! grep -q '^fail' <<<"$names"; then count_failure "$preset: ctest ended with $status"; fi
}

mkdir -p build
build dev
if [ "$mode" = long ]; then
  LAZYLOGIT_LONG=1 run dev
  build asan
  run asan -LE 'checks|install'
  build tsan
  run tsan -LE 'checks|install|process'
  if command -v clang-tidy >/dev/null; then build tidy; else echo "skipped: clang-tidy is not installed"; skipped=$((skipped + 1)); fi
  echo "== fuzzing"
  if scripts/fuzz.sh; then passed=$((passed + 1)); else count_failure "fuzzing"; fi
else
  run dev
  build asan short_sanitizer_tests
  run asan -L 'unit|fuzz|cli'
fi
finish
