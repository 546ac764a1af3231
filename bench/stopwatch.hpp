// Time for benchmarks: the thread's CPU clock, because machines are shared, and the best of several runs.
#pragma once

#include <time.h>

#include <algorithm>

namespace lazylogit::bench {

inline double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Body>
double seconds_of(Body&& body) {
  const double from = cpu_seconds();
  body();
  return cpu_seconds() - from;
}

// Runs of several contestants taken in turns, so that a slow moment of the machine hits all of them.
class Best {
 public:
  void add(double seconds) { best_ = std::min(best_, seconds); }
  double seconds() const { return best_; }

 private:
  double best_ = 1e300;
};

}  // namespace lazylogit::bench
