#include "support/measure.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

namespace lazylogit::bench {
namespace {

double wall_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_now() {
  timespec t = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// A line such as "VmHWM:  1234 kB" of /proc/self/status, in bytes.
std::size_t status_bytes(const std::string& key) {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word) {
    if (word != key) continue;
    std::size_t kilobytes = 0;
    file >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

Seconds time_of(const std::function<void()>& work) {
  const double wall = wall_now(), cpu = cpu_now();
  work();
  return {wall_now() - wall, cpu_now() - cpu};
}

Seconds best_of(int repeats, const std::function<void()>& work) {
  work();
  Seconds best{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  for (int i = 0; i < repeats; ++i) {
    const Seconds taken = time_of(work);
    best.cpu = std::min(best.cpu, taken.cpu);
    best.wall = std::min(best.wall, taken.wall);
  }
  return best;
}

std::size_t peak_bytes_of(const std::function<void()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    // Freed blocks that the allocator kept would serve the work unseen; the peak starts anew.
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;
    const std::size_t before = status_bytes("VmRSS:");
    work();
    const std::size_t peak = status_bytes("VmHWM:");
    const std::size_t extra = peak > before ? peak - before : 0;
    const bool sent = write(ends[1], &extra, sizeof extra) == static_cast<ssize_t>(sizeof extra);
    _exit(sent ? 0 : 1);
  }
  std::size_t extra = 0;
  close(ends[1]);
  if (read(ends[0], &extra, sizeof extra) != static_cast<ssize_t>(sizeof extra)) extra = 0;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return extra;
}

long count_from(const char* text) {
  long value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

void use(double value) { asm volatile("" : : "g"(value) : "memory"); }

}  // namespace lazylogit::bench
