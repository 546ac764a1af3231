// Which features each column of a table has, and which ids.
//
// Columns in file order, the features of a column together: numeric "age"; categorical "job=teacher", values
// in byte order; text "review:word" and sparse "key.sub" by first appearance; then "age=missing" where cells
// are missing ("age=(missing)" where a category is called "missing"). Under --hash-bits an id is a
// slot's, in ascending order of those in use, and several features may share it. Names of different columns that cannot be told apart are refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/io/columns/table_learner.hpp"

namespace lazylogit::io {

inline constexpr std::uint32_t no_feature = 0xFFFFFFFF;

struct ColumnFeatures {
  std::uint32_t feature = no_feature;         // numeric
  std::uint32_t indicator = no_feature;       // "column=missing"
  std::uint32_t impute_feature = no_feature;  // categorical: the most frequent value
  double impute = 0;                          // numeric: the mean
};

// The features of the n-grams of a column: one after another where none is left out or hashed.
struct GramFeatures {
  std::uint32_t first = 0;
  Buffer<std::uint32_t> others;  // else, by n-gram

  std::uint32_t of(std::uint32_t gram) const noexcept { return others.empty() ? first + gram : others[gram]; }
};

struct FeatureLayout {
  std::vector<ColumnFeatures> columns;      // as in the plan
  Buffer<std::uint32_t> value_features;     // per value of the table: its feature
  std::vector<GramFeatures> gram_features;  // per text slot, where there are not many
  data::Alphabet names;                     // of slots when hashed
  data::InputSpec input;                    // columns, target and roles
  std::vector<double> idf;                  // with tf-idf: per feature
  std::size_t num_features = 0;
  std::optional<std::uint64_t> hashed_features, shared_slots;
  std::vector<std::uint32_t> ends;  // of the features of each column of `input`

  // Makes `names` ready for find(). InputError where names of different columns cannot be told apart.
  void index_names();
};

// The values of a column in the order of their bytes, which is that of their features.
std::vector<std::uint32_t> byte_order(const ColumnValues& values, std::uint32_t column);

// Names have no index yet, which takes as much as they do: what they were made of may go before. The facts of the table need
// none that are rare.
FeatureLayout make_feature_layout(const LearnedTable& table, const TablePlan& plan,
                                  const ReadOptions& options, Log& log);

// What a feature is called.
std::string category_name(std::string_view column, std::string_view value);
std::string indicator_name(const data::ColumnSpec& column);
std::string ngram_name(std::string_view column, std::string_view ngram);
std::string nested_name(std::string_view column,
                        std::string_view key);  // "column.key"; "column[0]" for key "[0]"

// The features [first, last) of each column of `input` among `names`, in order: how a model's features are
// found again. A feature belongs to the first column, from the current one on, whose pattern it fits.
struct FeatureRange {
  std::uint32_t first = 0, last = 0;
};
// Those of one column start at `first`: where they end.
std::uint32_t end_of_features(const data::ColumnSpec& column, const data::Alphabet& names,
                              std::uint32_t first);
std::vector<FeatureRange> find_feature_ranges(const data::InputSpec& input, const data::Alphabet& names);

}  // namespace lazylogit::io
