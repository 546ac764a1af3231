// Everything that turns a raw row into features, apart from the feature names: kept in the model, applied at
// prediction.
//
// Learned while training data is read; read-only afterwards. Names of features live in the Alphabet beside
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/data/derived_spec.hpp"
#include "lazylogit/data/response.hpp"

namespace lazylogit::data {

enum class InputKind {
  indexed,  // libsvm, npy, npz: features are called by their number ("1", "2", …)
  named,    // vw: "name", or "namespace^name" outside the default namespace
  columns,  // csv, tsv, jsonl: one or more features per column
  text,     // label<TAB>text: features are n-grams
};

enum class ColumnType {
  numeric,
  categorical,
  text,
  sparse,  // jsonl: an object of numbers ("column.key") or an array of numbers ("column[0]"); absent is zero
};

// A column that yields features. Numeric: one feature called like the column. Categorical: one feature per
// value, "column=value". Text: one feature per n-gram, "column:token" (plain "token" when the input is
// `text`).
struct ColumnSpec {
  std::string name;
  ColumnType type = ColumnType::numeric;
  bool missing_indicator = false;  // values were missing in training: "column=missing" is a feature
  std::string indicator =
      "missing";                     // its value in the feature's name; another where a category is called so
  double impute_number = 0;          // numeric: the mean of the values present
  std::string impute_category = {};  // categorical: the most frequent value
  bool has_dropped_category = false;
  std::string dropped_category = {};  // categorical under the uniform prior: the value that has no feature
};

struct TextSpec {
  int ngrams = 1;
  bool lowercase = false;
  bool tfidf =
      false;  // count × idf, rows scaled to length 1; the idf of each feature is in Dataset/Model::idf
};

enum class MissingPolicy { impute, error, drop_row };

// Which rows are candidates of the same choice (io/choices.hpp); no column: rows stand for themselves.
struct ChoiceSpec {
  std::string column;
  bool nested = false;  // a line of JSON holds its candidates under this key
  std::string target;   // nested: the key that says which was taken
  bool operator==(const ChoiceSpec&) const = default;
};

struct InputSpec {
  InputKind kind = InputKind::indexed;
  int index_base = 1;               // indexed: the number of the first feature
  std::vector<ColumnSpec> columns;  // columns: in file order
  std::string target;               // names of columns with a role; empty: none
  std::string id, weight, offset, count;
  bool has_header = true;  // false: columns are called 1, 2, …, and tables have no header line
  std::vector<std::string> ignored;
  TextSpec text;
  MissingPolicy missing = MissingPolicy::impute;
  Response response = Response::classes;  // what labels are
  std::optional<int>
      hash_bits;  // features are hashed into 2^bits columns; their names are those of the slots in use, "#12"
  ChoiceSpec choices = {};
  DerivedSpec derived = {};  // features computed from those that the rest describes
};

}  // namespace lazylogit::data
