#include "lazylogit/model/derived_record.hpp"

#include <gtest/gtest.h>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/input_record.hpp"

namespace lazylogit::model {
namespace {

const std::string file = "m";
const JsonPlace place{&file, "input", false};

data::InputSpec make_input() {
  data::InputSpec input;
  input.kind = data::InputKind::columns;
  input.columns = {{.name = "age", .type = data::ColumnType::numeric},
                   {.name = "job", .type = data::ColumnType::categorical}};
  input.derived.logs = {"age"};
  input.derived.bins = {{.column = "age", .edges = {1.5, 20, 1e300}, .drop_first = true}};
  input.derived.interactions = {{"age", "job"}, {".", "."}};
  input.derived.polynomial = 3;
  input.derived.normalize = data::RowNorm::max;
  input.derived.num_base = 7;
  return input;
}

TEST(DerivedRecord, ComesBackAsItWasWritten) {
  const data::InputSpec input = make_input();
  const data::DerivedSpec back = parse_input_record(write_input_record(input), place).derived;
  EXPECT_EQ(back.logs, input.derived.logs);
  EXPECT_EQ(back.log1ps, input.derived.log1ps);
  EXPECT_EQ(back.interactions, input.derived.interactions);
  EXPECT_EQ(back.polynomial, 3);
  EXPECT_EQ(back.normalize, data::RowNorm::max);
  EXPECT_EQ(back.num_base, 7U);
  ASSERT_EQ(back.bins.size(), 1U);
  EXPECT_EQ(back.bins[0].column, "age");
  EXPECT_EQ(back.bins[0].edges, input.derived.bins[0].edges);
  EXPECT_TRUE(back.bins[0].drop_first);
  EXPECT_EQ(write_input_record(parse_input_record(write_input_record(input), place)),
            write_input_record(input));
}

TEST(DerivedRecord, ReadersThatDoNotKnowItSeeAnUnknownKind) {
  EXPECT_NE(write_input_record(make_input()).find("columns-derived"), std::string::npos);
  data::InputSpec plain = make_input();
  plain.derived = {};
  EXPECT_EQ(write_input_record(plain).find("derived"), std::string::npos);
}

TEST(DerivedRecord, RefusesWhatNobodyWrites) {
  const auto refused = [](const auto& change) {
    data::InputSpec input = make_input();
    change(input.derived);
    EXPECT_THROW(parse_input_record(write_input_record(input), place), InputError);
  };
  refused([](data::DerivedSpec& d) { d.logs = {"job"}; });
  refused([](data::DerivedSpec& d) { d.log1ps = {"absent"}; });
  refused([](data::DerivedSpec& d) { d.bins[0].edges = {2, 1}; });
  refused([](data::DerivedSpec& d) { d.bins[0].column = "job"; });
  refused([](data::DerivedSpec& d) { d.interactions = {{"age"}}; });
  refused([](data::DerivedSpec& d) { d.polynomial = 9; });
}

}  // namespace
}  // namespace lazylogit::model
