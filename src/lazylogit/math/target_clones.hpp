// One source, several instruction sets: a function marked LAZYLOGIT_TARGET_CLONES is compiled for plain
// x86-64, AVX2 and AVX-512 and chosen when the program starts.
//
// Only for functions in .cpp files whose loops have independent iterations or a fixed order of sums: the
// project compiles without contraction (ISO mode) and without -ffast-math, so every clone gives the same
// bytes. clang 14 has no target_clones, and sanitizers do not get along with the start-up dispatch: there the
// mark means nothing.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define LAZYLOGIT_TARGET_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define LAZYLOGIT_TARGET_CLONES
#endif
