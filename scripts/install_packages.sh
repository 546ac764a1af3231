#!/usr/bin/env bash
# Installs the Debian packages that are missing, and nothing else: install_packages.sh GROUP...
# The list below is the only one in the project. Nothing is removed, replaced or upgraded on purpose (apt's --no-remove).
set -eu

# group | package | command that makes it unnecessary ("-": look for the package itself) | reason
list='
build | g++                | g++          | the compiler
build | cmake              | cmake        | describes the build
build | ninja-build        | ninja        | runs the build
build | ccache             | ccache       | makes the second build quick
build | libabsl-dev        | -            | hash maps of feature names
build | libeigen3-dev      | -            | dense linear algebra
build | libfast-float-dev  | -            | numbers from text
build | libfmt-dev         | -            | formatting
build | libhwy-dev         | -            | SIMD with run-time dispatch
build | libsimdjson-dev    | -            | JSON lines
build | libtbb-dev         | -            | threads
build | libxxhash-dev      | -            | checksums and feature hashing
build | libzstd-dev        | -            | .zst input
build | nlohmann-json3-dev | -            | model headers, --json output
build | zlib1g-dev         | -            | .gz input
test  | clang              | clang++      | the second compiler, sanitizers, libFuzzer
test  | libclang-rt-14-dev | -            | run-time libraries of the sanitizers
test  | clang-format       | clang-format | the format check
test  | libgtest-dev       | -            | unit tests
test  | python3            | python3      | checks and process tests
test  | python3-venv       | -            | a private place for the safetensors package
test  | python3-dev        | -            | the module of the Python package
bench | python3            | python3      | tables of the results
bench | python3-venv       | -            | a private place for the peers
bench | liblinear-tools    | liblinear-train | a peer
'

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed$'; }

missing=()
declare -A reason_of=()
while IFS='|' read -r group package command reason; do
  group=${group// /} package=${package// /} command=${command// /}
  [ -n "$group" ] && [[ " $* " == *" $group "* ]] || continue
  [ "$command" != - ] && command -v "$command" >/dev/null 2>&1 && continue
  command -v dpkg-query >/dev/null 2>&1 && installed "$package" && continue
  [ -z "${reason_of[$package]:-}" ] || continue
  missing+=("$package")
  reason_of[$package]=${reason# }
done <<<"$list"

[ ${#missing[@]} -gt 0 ] || exit 0
if ! command -v apt-get >/dev/null 2>&1; then
  echo "note: this is not a Debian system; the build needs what these packages hold: ${missing[*]}" >&2
  exit 0
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "error: these Debian packages are missing and there is neither root nor sudo to install them: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing missing Debian packages (nothing is removed):"
for package in "${missing[@]}"; do printf '  %-20s %s\n' "$package" "${reason_of[$package]}"; done
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"${apt[@]}" update >"$log" 2>&1 || echo "note: apt-get update had trouble; going on with the package lists there are" >&2
if ! "${apt[@]}" install -y --no-remove --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
  tail -n 30 "$log" >&2
  echo "error: apt-get could not install: ${missing[*]}" >&2
  exit 1
fi
