// libsvm text to CSR, fully validated, against the bare parse of the same text in memory.
//   libsvm_reader_bench [FILE [REPEATS]]        default: an rcv1-like file of 200,000 rows is made in the
//   working directory
#include <fast_float/fast_float.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/formats/libsvm.hpp"
#include "lazylogit/io/parse_number.hpp"
#include "support/measure.hpp"
#include "support/resident_bytes.hpp"
#include "support/synthetic_data.hpp"

namespace {

using namespace lazylogit;

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string bytes(static_cast<std::size_t>(file.tellg()), '\0');
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.append(64, '\0');
  return bytes;
}

// The ceiling: eight digits at a time for indices, fast_float for values, no check of anything.
std::size_t bare_parse(const char* p, const char* end, std::uint32_t* ids, float* values) {
  std::size_t count = 0;
  while (p < end) {
    while (*p != ' ' && *p != '\n') ++p;
    while (*p == ' ') {
      ++p;
      const io::number::Digits digits = io::number::leading_digits(io::number::load8(p));
      if (digits.count == 0) break;
      ids[count] = digits.value;
      p = fast_float::from_chars(p + digits.count + 1, end, values[count]).ptr;
      ++count;
    }
    while (p < end && *p != '\n') ++p;
    ++p;
  }
  return count;
}

io::Loaded load_file(const std::string& path, std::size_t threads) {
  const ThreadLimit limit(threads);
  std::vector<io::Input> inputs = io::expand_inputs({path}, {});
  return io::libsvm_format().load(inputs, {}, silent_log(), {});
}

}  // namespace

int main(int argc, char** argv) {
  std::string path = argc > 1 ? argv[1] : "";
  const int repeats = argc > 2 ? static_cast<int>(bench::count_from(argv[2])) : 5;
  if (path.empty()) {
    path = "libsvm_reader_bench.train.svm";
    if (access(path.c_str(), R_OK) != 0) bench::write_synthetic({.rows = 200000}, path, "");
  }
  const std::string text = file_bytes(path);
  const std::size_t size = text.size() - 64;
  const double megabytes = static_cast<double>(size) / 1e6;

  std::vector<std::uint32_t> ids(size / 3 + 16);
  std::vector<float> values(size / 3 + 16);
  std::size_t entries = 0;
  const auto bare = bench::best_of(
      repeats, [&] { entries = bare_parse(text.data(), text.data() + size, ids.data(), values.data()); });
  std::size_t loaded_entries = 0;
  const auto one =
      bench::best_of(repeats, [&] { loaded_entries = load_file(path, 1).data.x.num_nonzeros(); });
  const auto two =
      bench::best_of(repeats, [&] { bench::use(static_cast<double>(load_file(path, 2).data.num_rows())); });

  std::printf("libsvm reader: %s, %.1f MB, %zu non-zeros (loaded %zu)\n", path.c_str(), megabytes, entries,
              loaded_entries);
  std::printf("  bare parse, 1 thread        %7.1f MB/s wall  %7.1f MB per CPU second\n",
              megabytes / bare.wall, megabytes / bare.cpu);
  std::printf(
      "  load, 1 thread              %7.1f MB/s wall  %7.1f MB per CPU second   %.2f of bare (goal 0.60)\n",
      megabytes / one.wall, megabytes / one.cpu, bare.cpu / one.cpu);
  std::printf(
      "  load, 2 threads             %7.1f MB/s wall  %7.1f MB per CPU second   %.2f of 1 thread by wall "
      "(goal 1.70)\n",
      megabytes / two.wall, megabytes / two.cpu, one.wall / two.wall);
  std::size_t resident = 0;
  {
    const io::Loaded loaded = load_file(path, 2);
    resident = bench::resident_bytes(loaded.data);
  }
  const std::size_t peak = bench::peak_bytes_of([&] { load_file(path, 2); });
  std::printf(
      "  peak memory of loading      %7.1f MB, resident form %.1f MB, ceiling 1.3 x + 64 MB = %.1f MB\n",
      static_cast<double>(peak) / 1e6, static_cast<double>(resident) / 1e6,
      1.3 * static_cast<double>(resident) / 1e6 + 64);
  return 0;
}
