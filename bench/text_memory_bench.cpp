// What loading takes at its peak where n-grams are tens of millions, against its ceiling: 1.3 times the rows, the names and a
// coefficient each, and 64 MB. As labelled text and as a column of csv.
// Usage: text_memory_bench [MEGABYTES] (214 by default; files stay in the current folder and are used again)
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/io/load.hpp"
#include "support/measure.hpp"
#include "support/resident_bytes.hpp"

namespace {

using namespace lazylogit;

// 100 words a line out of 400,000, the more common ones a few hundred times as often as the rarest.
void write_lines(const std::string& path, std::size_t bytes, const std::string& header, char delimiter) {
  constexpr std::size_t num_words = 400000, per_line = 100;
  Random random(5);
  std::vector<std::string> words(num_words);
  for (std::size_t i = 0; i < num_words; ++i) {
    for (std::uint64_t letters = 1 + random.below(5); letters > 0; --letters)
      words[i] += static_cast<char>('a' + random.below(26));
    for (std::size_t rest = i; rest > 0; rest /= 26) words[i] += static_cast<char>('a' + rest % 26);
  }
  std::ofstream out(path);
  out << header;
  for (std::size_t written = 0; written < bytes;) {
    std::string line = random.below(2) == 0 ? "no" : "yes";
    for (std::size_t k = 0; k < per_line; ++k) {
      line += k == 0 ? delimiter : ' ';
      line += words[static_cast<std::size_t>(std::pow(random.uniform(), 2.5) * num_words)];
    }
    line += '\n';
    out << line;
    written += line.size();
  }
}

void measure(const std::string& path, int ngrams, bool tfidf) {
  const ThreadLimit limit(2);
  io::ReadOptions options;
  options.ngrams = ngrams;
  options.tfidf = tfidf;
  std::size_t resident = 0, features = 0;
  {
    const io::Loaded loaded = io::load({path}, options, silent_log(), {});
    features = loaded.data.features.size();
    resident = bench::resident_bytes(loaded.data) + loaded.data.idf.size() * sizeof(double);
  }
  const std::size_t peak = bench::peak_bytes_of(
      [&] { bench::use(static_cast<double>(io::load({path}, options, silent_log(), {}).data.num_rows())); });
  std::printf(
      "  %s, 1..%d-grams%s: %.1f million features; peak %.0f MB, resident form %.0f MB, ceiling %.0f MB\n",
      path.c_str(), ngrams, tfidf ? ", tf-idf" : "", static_cast<double>(features) / 1e6,
      static_cast<double>(peak) / 1e6, static_cast<double>(resident) / 1e6,
      1.3 * static_cast<double>(resident) / 1e6 + 64);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t megabytes = argc > 1 ? static_cast<std::size_t>(bench::count_from(argv[1])) : 214;
  const std::string text = "text_memory_bench." + std::to_string(megabytes) + ".txt";
  const std::string table = "text_memory_bench." + std::to_string(megabytes) + ".csv";
  if (!std::filesystem::exists(text)) write_lines(text, megabytes * 1000000, "", '\t');
  if (!std::filesystem::exists(table)) write_lines(table, megabytes * 1000000, "label,text\n", ',');
  std::printf("peak memory of loading text, %zu MB, 2 threads\n", megabytes);
  for (const std::string& path : {text, table})
    for (const int ngrams : {1, 2, 3}) measure(path, ngrams, false);
  for (const std::string& path : {text, table}) measure(path, 2, true);
  return 0;
}
