// Loading a model of a million features against merely reading its bytes: the price of checking everything.
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/model/model_file.hpp"
#include "stopwatch.hpp"

namespace {

using namespace lazylogit;

model::Model make_model(std::size_t num_features, bool words) {
  model::Model model;
  model.shape = {num_features, 2, ClassId{0}, true};
  model.classes = data::ClassTable::from_ordered({"0", "1"});
  for (std::size_t i = 0; i < num_features; ++i)
    model.features.append(words ? "word" + std::to_string(i * 7919 % 99999989) + " next"
                                : std::to_string(i + 1));
  model.coefficients.resize(model.shape.size());
  for (std::size_t i = 0; i < model.coefficients.size(); ++i)
    model.coefficients[i] = std::sin(static_cast<double>(i));
  model.record.prior = "gaussian";
  return model;
}

// Reads the file into new memory, as any loader must.
std::size_t read_bytes(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  Buffer<char> bytes;
  bytes.resize(std::filesystem::file_size(path));
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t got = ::read(file, bytes.data() + at, bytes.size() - at);
    if (got <= 0) break;
    at += static_cast<std::size_t>(got);
  }
  ::close(file);
  return at;
}

}  // namespace

int main() {
  const std::string path = std::filesystem::temp_directory_path() / "lazylogit_model_load_bench.safetensors";
  std::printf(
      "loading a model of 1,000,000 features, two classes (CPU ms, best of 9; the aim is 50 beyond "
      "reading)\n");
  for (const bool words : {false, true}) {
    model::save_model(make_model(1000000, words), path);
    bench::Best reading, loading;
    for (int round = 0; round < 9; ++round) {
      reading.add(bench::seconds_of([&] { read_bytes(path); }));
      loading.add(bench::seconds_of([&] { model::load_model(path); }));
    }
    std::printf("  %-22s %4zu MB   read %6.1f   load %6.1f   beyond reading %6.1f\n",
                words ? "names like \"word42 next\"" : "names 1, 2, ...",
                std::filesystem::file_size(path) >> 20, 1e3 * reading.seconds(), 1e3 * loading.seconds(),
                1e3 * (loading.seconds() - reading.seconds()));
  }
  std::filesystem::remove(path);
  return 0;
}
