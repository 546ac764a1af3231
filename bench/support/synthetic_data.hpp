// Synthetic sparse data in libsvm text, the same bytes for the same seed.
#pragma once

#include <cstdint>
#include <string>

namespace lazylogit::bench {

enum class Kind {
  rcv,   // two classes, 47,236 terms with Zipf frequencies, tf-idf, rows of length 1, about 75 terms a row
  news,  // `classes` classes, 62,061 terms, a topic per class, about 80 terms a row
  ctr,   // 39 categorical fields hashed into 2^20 columns, values 1, about a fifth positive
};

struct SyntheticOptions {
  Kind kind = Kind::rcv;
  int classes = 2;
  long rows = 0;
  std::uint64_t seed = 1;
};

// Writes a training file and, with `test_path` not empty, a test file of a tenth of the rows.
void write_synthetic(const SyntheticOptions& options, const std::string& train_path,
                     const std::string& test_path);

}  // namespace lazylogit::bench
