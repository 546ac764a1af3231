// A table in memory gives the names, encodings and rows that its csv file gives.
#include "lazylogit/io/columns/typed_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "lazylogit/base/error.hpp"
#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

// Columns that are built cell by cell; the file is written beside them.
class Both {
 public:
  void numbers(const std::string& name, const std::vector<double>& cells) {
    auto& kept = numbers_.emplace_back(cells);
    data::EncodedColumn column;
    column.cells = {reinterpret_cast<const std::byte*>(kept.data()), sizeof(double), 0, data::CellType::f64};
    table_.columns.push_back({name, {TypedPart{column, nullptr}}});
    std::vector<std::string> texts;
    for (const double cell : cells) {
      char text[32];
      std::snprintf(text, sizeof text, "%.17g", cell);
      texts.emplace_back(std::isnan(cell) ? "" : text);
    }
    write(name, texts);
  }
  void codes(const std::string& name, const std::vector<std::string>& cells) {
    auto& kept = codes_.emplace_back();
    auto texts = std::make_shared<data::Alphabet>();
    texts->intern("never seen");
    for (const std::string& cell : cells)
      kept.push_back(cell.empty() ? std::int16_t{-1} : static_cast<std::int16_t>(texts->intern(cell)));
    data::EncodedColumn column;
    column.cells = {reinterpret_cast<const std::byte*>(kept.data()), sizeof(std::int16_t), 0,
                    data::CellType::i16};
    table_.columns.push_back({name, {TypedPart{column, texts}}});
    write(name, cells);
  }
  const TypedTable& table() const { return table_; }
  std::string csv() const {
    std::string text;
    for (std::size_t r = 0; r < lines_.size(); ++r)
      text += lines_[r] + (r == 0 ? "label" : r % 2 == 1 ? "yes" : "no") + "\n";
    return text;
  }

 private:
  void write(const std::string& name, const std::vector<std::string>& cells) {
    lines_.resize(cells.size() + 1);
    lines_[0] += name + ",";
    for (std::size_t r = 0; r < cells.size(); ++r) lines_[r + 1] += cells[r] + ",";
    table_.batch_rows = {cells.size()};
  }
  TypedTable table_;
  std::deque<std::vector<double>> numbers_;
  std::deque<std::vector<std::int16_t>> codes_;
  std::vector<std::string> lines_;
};

ReadOptions labelled() {
  ReadOptions options;
  options.target = "label";
  return options;
}

void expect_stored_rows(const data::SparseMatrix& found, const data::SparseMatrix& expected) {
  const data::SparseMatrix x = found.source != nullptr ? data::stored(found) : found;
  ASSERT_EQ(x.num_nonzeros(), expected.num_nonzeros());
  EXPECT_EQ(x.num_features, expected.num_features);
  for (std::size_t r = 0; r <= expected.num_rows(); ++r) EXPECT_EQ(x.row_offsets[r], expected.row_offsets[r]);
  for (std::size_t k = 0; k < x.num_nonzeros(); ++k) {
    EXPECT_EQ(x.ids[k], expected.ids[k]) << k;
    EXPECT_EQ(x.value(k), expected.value(k)) << k;
  }
}

void expect_same_as_file(const Both& both, const ReadOptions& options) {
  const Loaded file = table_reading::load_string(Format::csv, both.csv(), options);
  table_reading::KeepingLog log;
  const auto found = learn_typed(both.table(), options, log);
  ASSERT_TRUE(found);
  expect_stored_rows(found->x, file.data.x);
  ASSERT_EQ(found->features.size(), file.data.features.size());
  for (FeatureId f = 0; f < found->features.size(); ++f)
    EXPECT_EQ(found->features.name(f), file.data.features.name(f));
  const data::InputSpec &a = found->input, &b = file.data.input;
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.ignored, b.ignored);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    EXPECT_EQ(a.columns[c].name, b.columns[c].name);
    EXPECT_EQ(a.columns[c].type, b.columns[c].type);
    EXPECT_EQ(a.columns[c].missing_indicator, b.columns[c].missing_indicator);
    EXPECT_EQ(a.columns[c].indicator, b.columns[c].indicator);
    EXPECT_EQ(a.columns[c].impute_number, b.columns[c].impute_number);
    EXPECT_EQ(a.columns[c].impute_category, b.columns[c].impute_category);
    EXPECT_EQ(a.columns[c].has_dropped_category, b.columns[c].has_dropped_category);
    EXPECT_EQ(a.columns[c].dropped_category, b.columns[c].dropped_category);
  }
}

Both mixed(const std::vector<std::string>& sizes = {"10", "2", "2", "", "10.5", "2", "0"}) {
  const double nan = std::nan("");
  Both both;
  both.numbers("age", {31.5, nan, 0, 54.25, 0.1, nan, 7});
  both.codes("job", {"smith", "baker", "", "smith", "NA", "cook", "?"});
  both.codes("size", sizes);  // all numbers, but for a text that no cell has
  both.codes("odd", {"missing", "1", "x", "", "missing", "x", "x"});
  both.numbers("none", std::vector<double>(7, nan));
  both.codes("empty", std::vector<std::string>(7));
  both.numbers("whole", {1, 2, 3, 4, 5, 6, 7});
  return both;
}

TEST(TypedTable, IsReadAsItsFileIs) {
  expect_same_as_file(mixed(), labelled());
  ReadOptions options = labelled();
  options.drop_first_category = true;
  expect_same_as_file(mixed(), options);
  options.min_count = 2;
  expect_same_as_file(mixed(), options);
  options.ignore = {"age", "odd"};
  options.categorical = {"size"};
  expect_same_as_file(mixed(), options);
}

TEST(TypedTable, NewRowsHaveTheFeaturesOfTheModel) {
  const Both first = mixed();
  table_reading::KeepingLog log;
  auto data = learn_typed(first.table(), labelled(), log);
  ASSERT_TRUE(data);
  data->features.build_index();
  const FixedNames names{.input = &data->input,
                         .features = &data->features,
                         .idf = &data->idf,
                         .classes = &data->classes,
                         .num_features = data->x.num_features};
  const auto again = apply_typed(first.table(), names);
  ASSERT_TRUE(again);
  expect_stored_rows(*again, data::stored(data->x));
  Both other;
  other.codes("job", {"cook", "judge", ""});
  other.numbers("age", {1, std::nan(""), 2});
  EXPECT_FALSE(apply_typed(other.table(), names));  // columns of the model are not there
  Both numbers = mixed();
  numbers.numbers("job", std::vector<double>(7, 1));
  EXPECT_TRUE(apply_typed(numbers.table(), names));  // the first of that name counts
  EXPECT_FALSE(
      apply_typed(mixed({"10", "2", "big", "", "1", "2", "0"}).table(), names));  // the model has numbers
}

TEST(TypedTable, WhatOnlyTextWillDoForIsLeftToTheReader) {
  table_reading::KeepingLog log;
  Both documents = mixed();
  documents.codes("review",
                  {"a good one", "a bad one", "not good", "so so", "very bad", "no idea", "well done"});
  EXPECT_FALSE(learn_typed(documents.table(), labelled(), log));
  const auto refused = [&](const auto& change) {
    ReadOptions options = labelled();
    change(options);
    return !learn_typed(mixed().table(), options, log).has_value();
  };
  EXPECT_TRUE(refused([](ReadOptions& o) { o.hash_bits = 4; }));
  EXPECT_TRUE(refused([](ReadOptions& o) { o.text = {"job"}; }));
  EXPECT_TRUE(refused([](ReadOptions& o) { o.categorical = {"age"}; }));
  EXPECT_TRUE(refused([](ReadOptions& o) { o.missing = data::MissingPolicy::error; }));
  EXPECT_TRUE(refused([](ReadOptions& o) { o.derived.polynomial = 2; }));
}

TEST(TypedTable, CellsThatCannotBeAreRefused) {
  Both infinite;
  infinite.numbers("x", {1, -HUGE_VAL});
  EXPECT_THROW(check_cells(infinite.table()), InputError);
  Both outside;
  outside.codes("c", {"a", "b"});
  TypedTable table = outside.table();
  table.columns[0].parts[0].texts = std::make_shared<data::Alphabet>();
  EXPECT_THROW(check_cells(table), InputError);
  EXPECT_NO_THROW(check_cells(mixed().table()));
}

}  // namespace
}  // namespace lazylogit::io
