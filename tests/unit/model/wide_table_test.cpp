// Models of wide tables, whose columns are tensors of their own (model/column_tensors.hpp).
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/input_record.hpp"
#include "lazylogit/model/model_file.hpp"
#include "support/model_bytes.hpp"
#include "support/sample_models.hpp"

namespace lazylogit::model {
namespace {

constexpr std::size_t many = 20'000;

std::string number_text(std::size_t i) { return std::to_string(i); }

// Columns of every type, with and without each of what a column may have.
Model wide_model() {
  Model model = test::columns_model();
  data::InputSpec& input = model.input;
  input.columns.clear();
  for (std::size_t c = 0; c < many; ++c) {
    data::ColumnSpec column;
    column.name = "näme " + number_text(c);
    column.type = static_cast<data::ColumnType>(c % 4);
    column.missing_indicator = c % 3 == 0;
    if (c % 5 == 0) column.indicator = "(missing)";
    column.impute_number = c % 4 == 0 ? 0.1 * static_cast<double>(c) : 0;
    if (c % 4 == 1) column.impute_category = "cook " + number_text(c);
    column.has_dropped_category = c % 8 == 1;
    if (column.has_dropped_category) column.dropped_category = c % 16 == 1 ? "" : "baker";
    input.columns.push_back(column);
  }
  return model;
}

std::string header_of(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  return bytes.substr(8, length);
}

using test::refusal;
using test::resealed;

TEST(WideTable, ColumnsSurviveTheRoundTripAndLeaveTheHeaderSmall) {
  const Model model = wide_model();
  const std::string bytes = serialize(model);
  EXPECT_LT(header_of(bytes).size(), 16'384U);
  EXPECT_NE(header_of(bytes).find("columns-wide"), std::string::npos);
  const Model again = deserialize(bytes, "m");
  EXPECT_EQ(write_input_record(again.input), write_input_record(model.input));
  EXPECT_EQ(again.input.ignored, model.input.ignored);
  EXPECT_EQ(serialize(again), bytes);
}

TEST(WideTable, ManyIgnoredColumnsAreTensorsToo) {
  Model model = test::columns_model();
  for (std::size_t i = 0; i < many; ++i) model.input.ignored.push_back("empty " + number_text(i));
  const std::string bytes = serialize(model);
  EXPECT_LT(header_of(bytes).size(), 16'384U);
  EXPECT_EQ(deserialize(bytes, "m").input.ignored, model.input.ignored);
  EXPECT_EQ(header_of(serialize(test::columns_model())).find("wide"), std::string::npos);
}

// What versions before 1.4 wrote, whatever the number of columns.
TEST(WideTable, ColumnsInTheRecordAreStillRead) {
  const std::string file = "m";
  const data::InputSpec input = wide_model().input;
  std::optional<WideTable> wide;
  const data::InputSpec again = parse_input_record(write_input_record(input), {&file, "input", false}, &wide);
  EXPECT_FALSE(wide);
  EXPECT_EQ(write_input_record(again), write_input_record(input));
}

TEST(WideTable, ContentIsCheckedEvenWhenTheChecksumFits) {
  const std::string bytes = serialize(wide_model());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = bytes;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return refusal(resealed(changed.replace(at, from.size(), to)));
  };
  EXPECT_NE(with(R"(\"num_columns\":20000)", R"(\"num_columns\":20001)"), "");
  EXPECT_NE(with(R"(\"num_columns\":20000)", R"(\"num_columns\":99999)"), "");
  EXPECT_NE(with(R"(\"num_ignored\":2)", R"(\"num_ignored\":3)"), "");
  EXPECT_NE(with("columns-wide", "columns-xide"), "");
  EXPECT_NE(with("n\xC3\xA4me 17", "n\xC3\xC3me 17"), "");
  // The last tensors of bytes are the kinds, the names and the words of columns, features and the ignored: a kind first.
  std::string kinds;
  for (std::size_t c = 0; c < 64; ++c)
    kinds += static_cast<char>(c % 4 + (c % 3 == 0 ? 4 : 0) + (c % 8 == 1 ? 8 : 0));
  std::string bad = kinds;
  bad[5] = 16;
  EXPECT_NE(with(kinds, bad).find("unknown kind 16"), std::string::npos) << with(kinds, bad);
}

TEST(WideTable, TheLimitOfTheHeaderIsKnownBeforeTraining) {
  data::InputSpec input = test::columns_model().input;
  EXPECT_NO_THROW(check_header(input, {}));
  input.target = std::string(std::size_t{1} << 16, 'x');
  EXPECT_NO_THROW(check_header(input, {}));
  try {
    check_header(input, {.header_bytes = 4096});
    FAIL();
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("more than the limit of 4096"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--max-header-bytes"), std::string::npos);
  }
}

}  // namespace
}  // namespace lazylogit::model
