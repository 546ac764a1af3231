#!/usr/bin/env bash
# Installs into a fresh prefix, builds examples/cpp against that prefix alone, and runs it: SOURCE BUILD COMPILER.
set -eu
source_dir=$1 build_dir=$2 compiler=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

env -u DESTDIR cmake --install "$build_dir" --prefix "$prefix" >"$scratch/install.log" || { cat "$scratch/install.log"; exit 1; }
for file in bin/lazylogit share/man/man1/lazylogit.1 share/bash-completion/completions/lazylogit \
            share/zsh/site-functions/_lazylogit share/fish/vendor_completions.d/lazylogit.fish include/lazylogit/lazylogit.hpp; do
  [ -s "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
grep -rl --include='*.cmake' -e "$source_dir" -e "$build_dir" "$prefix" && { echo "the package points into the source or build tree"; exit 1; }

cp -r "$source_dir/examples/cpp" "$scratch/project"
cmake -S "$scratch/project" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" >"$scratch/configure.log" ||
  { cat "$scratch/configure.log"; exit 1; }
cmake --build "$scratch/build" -j 2
printf 'hours,city,passed\n1,Graz,no\n2,Graz,no\n3,Linz,no\n4,Linz,yes\n5,Graz,yes\n6,Linz,yes\n' >"$scratch/study.csv"
output=$("$scratch/build/train_and_predict" "$scratch/study.csv" "$scratch/model.safetensors")
echo "$output"
[ "$(head -n 1 <<<"$output")" = "2 classes, 6 rows" ]
"$prefix/bin/lazylogit" check "$scratch/model.safetensors"
