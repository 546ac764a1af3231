// Time and memory of a piece of work, for ratios within one run.
#pragma once

#include <cstddef>
#include <functional>

namespace lazylogit::bench {

struct Seconds {
  double wall = 0;
  double cpu = 0;  // of all threads of the process
};

// One run, as it comes.
Seconds time_of(const std::function<void()>& work);

// The best of `repeats` runs after one to warm up, by each clock.
Seconds best_of(int repeats, const std::function<void()>& work);

// Runs `work` in a child process; the bytes by which its peak resident set exceeds what it had at the start.
std::size_t peak_bytes_of(const std::function<void()>& work);

// A count from the command line; 0 when it is none.
long count_from(const char* text);

// Keeps a result from being optimised away.
void use(double value);

}  // namespace lazylogit::bench
