// What a user can say about how data is to be read. Field tables for the command line are in
// read_options.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/config/field.hpp"
#include "lazylogit/data/input_spec.hpp"

namespace lazylogit::io {

enum class Format { automatic, libsvm, vw, csv, tsv, jsonl, text, npy, npz, cache };
enum class Precision {
  automatic,
  float32,
  float64
};  // automatic: float32 for libsvm, vw, text; float64 otherwise

// Every limit has an option and is named in the error that it causes (kind environment, exit 3).
struct Limits {
  std::uint64_t max_line_bytes = std::uint64_t{256} << 20;  // --max-line-bytes
  std::uint64_t max_name_bytes = std::uint64_t{64} << 10;   // --max-name-bytes: class and feature names
  std::uint64_t max_field_bytes = std::uint64_t{1}
                                  << 20;  // --max-field-bytes: other fields (not text documents)
  std::uint64_t max_row_features = std::uint64_t{16} << 20;  // --max-row-features
  std::uint64_t max_classes = std::uint64_t{1} << 20;        // --max-classes
  int max_json_depth = 64;                                   // --max-json-depth
  std::uint64_t max_expansion = 1000;                        // --max-expansion: beyond the first 64 MiB
  std::uint64_t max_memory = 0;                              // --max-memory, bytes; 0: no own limit
};

// Features computed from others; data/derived_spec.hpp says what they are.
struct DerivedOptions {
  std::vector<std::string> interactions = {};  // "A*B", "A*B*C"; "." stands for every column
  int polynomial = 1;
  std::vector<std::string> log = {}, log1p = {};
  std::vector<std::string> bins = {};  // "NAME=N"
  data::RowNorm normalize = data::RowNorm::none;

  bool adds_features() const noexcept {
    return !interactions.empty() || polynomial > 1 || !log.empty() || !log1p.empty() || !bins.empty();
  }
};

struct ReadOptions {
  Format format = Format::automatic;
  std::optional<char> delimiter = {};
  bool header = true;  // --no-header
  bool quote = false;  // --quote: tsv with RFC 4180 quoting
  std::string target = {};
  std::string labels_file = {};  // --labels, for npy and npz
  std::string id = {}, weight = {}, offset = {}, count = {};
  std::string choices = {};  // the column that tells choices apart
  std::vector<std::string> ignore = {}, categorical = {}, text = {};
  int index_base = 1;                 // --index-base 0|1, for libsvm
  std::optional<int> hash_bits = {};  // 1..30
  std::uint64_t min_count = 1;
  int ngrams = 1;  // 1..8
  bool lowercase = false;
  bool tfidf = false;
  data::MissingPolicy missing = data::MissingPolicy::impute;
  DerivedOptions derived = {};
  bool skip_bad_rows = false;  // --on-bad-row skip
  std::optional<std::uint64_t> max_bad_rows = {};
  std::uint64_t max_errors = 1;  // report so many before stopping
  Precision precision = Precision::automatic;
  Limits limits = {};
  std::vector<std::string> given = {};  // names of the options that were set from text, whatever their values

  data::Response response =
      data::Response::classes;       // set by --loss and --multilabel of train, or by a model
  bool drop_first_category = false;  // set by train under the uniform prior; not an option of its own
  bool labels_required = true;       // training, evaluation: yes; prediction: the label may be absent
};

// Groups "Input" (how the files are read: every command that takes data), "Columns" (roles of columns),
// "Features" (what becomes a feature: learned in training, fixed afterwards), "Derived features" (computed from them)
// and "Limits". Columns of --log come with the general option of that name.
const config::Table<ReadOptions>& read_fields();

// Group "Columns" of commands that read data with a model: columns that are called otherwise than in training.
const config::Table<ReadOptions>& other_column_fields();

std::string_view format_name(Format format);  // "libsvm", …; "auto"

}  // namespace lazylogit::io
