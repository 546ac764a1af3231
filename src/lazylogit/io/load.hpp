// The front door of io: from what the user typed (paths, globs, "-") to rows in memory or to a stream of row
// blocks.
//
// Two ways in. `load` learns names, classes and encodings from training data. `open_rows` applies what a
// model knows (InputSpec + names) to new data, block by block in input order, in bounded memory; `load_with`
// collects all of it. Parsing runs on all threads of the current ThreadLimit; ids and everything after them
// do not depend on their number. Errors: InputError with file, line, column; IoError for the file system and
// limits; ConfigError for options.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::io {

class GrowingNames;
class Input;

// What reading found, for the summary on stderr.
struct ReadSummary {
  std::uint64_t rows = 0;
  std::uint64_t bad_rows = 0;                    // skipped under --on-bad-row skip
  std::uint64_t dropped_rows = 0;                // --missing drop-row
  std::uint64_t unknown_features = 0;            // occurrences ignored (fixed names only)
  std::uint64_t unknown_labels = 0;              // rows whose label the model does not know
  std::uint64_t text_bytes = 0;                  // after decompression
  std::optional<std::uint64_t> hashed_features;  // distinct features seen under --hash-bits
  std::optional<std::uint64_t> shared_slots;     // of those, how many share a slot with another one
  Format format = Format::automatic;             // as detected
  std::string target;                            // the label column taken, if any
};

struct Loaded {
  data::Dataset data;
  ReadSummary summary;
};

Loaded load(const std::vector<std::string>& inputs, const ReadOptions& options, Log& log,
            const CancelToken& cancel);
// Of inputs that are at hand, bytes in memory for one.
Loaded load(std::vector<Input> inputs, const ReadOptions& options, Log& log, const CancelToken& cancel);

// What a model fixes about its input. All pointers must outlive the reader; names.build_index() has been
// called.
struct FixedNames {
  const data::InputSpec* input;
  const data::Alphabet* features;  // of slots ("#12") when hashed; empty: every slot is a column
  const std::vector<double>* idf;  // as in Dataset
  const data::ClassTable* classes;
  std::size_t num_features;
  // A stream: unknown features and labels are added here instead, and Rows::labels are positions in its labels.
  GrowingNames* growing = nullptr;
};

class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual bool next(
      data::Rows& rows) = 0;  // false at the end; rows in input order, about a block of text each
  virtual const ReadSummary& summary() const = 0;  // complete after next() returned false
};

std::unique_ptr<RowSource> open_rows(const std::vector<std::string>& inputs, const FixedNames& names,
                                     const ReadOptions& options, Log& log, const CancelToken& cancel);
std::unique_ptr<RowSource> open_rows(std::vector<Input> inputs, const FixedNames& names,
                                     const ReadOptions& options, Log& log, const CancelToken& cancel);

// A stream: `input` is a model's, or what outline_stream() says of the data; names grow as rows come, and the labels of
// rows are positions in growing.labels. One thread reads and parses ahead of the caller. Rows hold their features in an
// order that depends on the row alone. What the references name must outlive the source.
data::InputSpec outline_stream(std::vector<Input>& inputs, const ReadOptions& options, Log& log);
std::unique_ptr<RowSource> open_stream(std::vector<Input> inputs, const data::InputSpec& input,
                                       GrowingNames& growing, const ReadOptions& options, Log& log,
                                       const CancelToken& cancel);

// All rows at once: for `check MODEL DATA` and `evaluate` where several passes are needed.
data::Rows load_with(const std::vector<std::string>& inputs, const FixedNames& names,
                     const ReadOptions& options, Log& log, const CancelToken& cancel, ReadSummary* summary);

}  // namespace lazylogit::io
