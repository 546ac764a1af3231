// json_pass FILE: what simdjson alone needs to parse every document of a .jsonl file into its own
// form, from the file to the last document, touching nothing in them. Prints like timed_load.
#include <simdjson.h>

#include <cstdio>
#include <exception>

#include "support/measure.hpp"

int main(int argc, char** argv) {
  using namespace lazylogit;
  if (argc < 2) {
    std::fputs("usage: json_pass FILE\n", stderr);
    return 2;
  }
  try {
    std::size_t documents = 0, bytes = 0;
    const bench::Seconds taken = bench::time_of([&] {
      const simdjson::padded_string text = simdjson::padded_string::load(argv[1]);
      simdjson::dom::parser parser;
      parser.threaded = false;
      simdjson::dom::document_stream stream = parser.parse_many(text);
      documents = 0;
      for (const auto document : stream) documents += document.error() == simdjson::SUCCESS ? 1 : 0;
      bytes = text.size();
    });
    std::printf("%.4f s wall %.4f s processor %.1f MB/s %zu rows\n", taken.wall, taken.cpu,
                static_cast<double>(bytes) / 1e6 / taken.wall, documents);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
