// timed_load FILE [THREADS [NGRAMS]]: loads a file as training would and prints the seconds, by the wall clock
// and by the processor. With NGRAMS, 1..8, text is lowercased and counted up to that length.
#include <cstdio>
#include <exception>
#include <filesystem>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/load.hpp"
#include "support/measure.hpp"

int main(int argc, char** argv) {
  using namespace lazylogit;
  if (argc < 2) {
    std::fputs("usage: timed_load FILE [THREADS [NGRAMS]]\n", stderr);
    return 2;
  }
  const ThreadLimit limit(argc > 2 ? static_cast<std::size_t>(bench::count_from(argv[2])) : 1);
  io::ReadOptions options;
  options.lowercase = argc > 3;
  options.ngrams = argc > 3 ? static_cast<int>(bench::count_from(argv[3])) : 1;
  try {
    io::Loaded loaded;  // peers' clocks stop before they free what they have read, too
    const bench::Seconds taken =
        bench::time_of([&] { loaded = io::load({argv[1]}, options, silent_log(), {}); });
    const std::size_t rows = loaded.data.num_rows(), entries = loaded.data.x.num_nonzeros();
    const double megabytes = static_cast<double>(std::filesystem::file_size(argv[1])) / 1e6;
    std::printf("%.4f s wall %.4f s processor %.1f MB/s %zu rows %zu non-zeros\n", taken.wall, taken.cpu,
                megabytes / taken.wall, rows, entries);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
