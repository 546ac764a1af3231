# A thin front door: CMake does the work (CMakePresets.json), scripts/ holds the steps that are longer than a line.
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export JOBS FUZZ_SECONDS

.PHONY: all release deps deps-build demo test check-all bench bench-pages fuzz install format clean
all: release

release: deps-build  ## the program, at build/lazylogit
	cmake --preset release
	cmake --build build -j $(JOBS)

deps-build:
	@scripts/install_packages.sh build

deps:  ## every package that any target below needs
	@scripts/install_packages.sh build test bench

demo: release  ## train on a bundled real data set, evaluate, explain
	@scripts/demo.sh

test: deps-test  ## every test, in its short form
	@scripts/test.sh short

check-all: deps-test  ## sanitizers over the whole suite, long loops, fuzzing
	@scripts/test.sh long

deps-test:
	@scripts/install_packages.sh build test
.PHONY: deps-test

bench:  ## ratios against limits and peers, measured in one run
	@scripts/install_packages.sh build bench
	@scripts/bench.sh

bench-pages: release  ## the pages of docs that hold measurements, from public data sets; hours (bench/README.md)
	@bench/pages

fuzz:  ## each fuzz target for FUZZ_SECONDS
	@scripts/install_packages.sh build test
	@scripts/fuzz.sh

install: release  ## under PREFIX (and DESTDIR)
	DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

format:  ## clang-format, in place
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	cmake -E rm -rf build
