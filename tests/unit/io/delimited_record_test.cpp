#include "lazylogit/io/formats/delimited_record.hpp"

#include <gtest/gtest.h>

namespace lazylogit::io {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows split_all(std::string_view text, Dialect dialect = {}) {
  Rows rows;
  std::vector<Field> fields;
  std::string scratch;
  for (std::size_t from = 0; from < text.size();) {
    const RecordSplit split = split_record(text, from, dialect, fields);
    EXPECT_EQ(split.status, RecordStatus::complete);
    if (split.status != RecordStatus::complete) break;
    rows.emplace_back();
    for (const Field& field : fields) rows.back().emplace_back(field_value(field, scratch));
    from = split.next;
  }
  return rows;
}

RecordSplit split_first(std::string_view text, Dialect dialect = {}) {
  std::vector<Field> fields;
  return split_record(text, 0, dialect, fields);
}

TEST(DelimitedRecord, EndsRecordsAtLfAndCrlfAndTheEndOfText) {
  EXPECT_EQ(split_all("a,b\r\nc,\n,d"), (Rows{{"a", "b"}, {"c", ""}, {"", "d"}}));
  EXPECT_EQ(split_all("a,\"b\"\r\n\"c\"\r\n"), (Rows{{"a", "b"}, {"c"}}));
  EXPECT_EQ(split_all("\n,\n"), (Rows{{""}, {"", ""}}));
}

TEST(DelimitedRecord, KeepsDelimitersQuotesAndLineBreaksInsideQuotes) {
  EXPECT_EQ(split_all("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\nx,y,z"),
            (Rows{{"a,b", "say \"hi\"", "two\nlines"}, {"x", "y", "z"}}));
  EXPECT_EQ(split_all("\"\",\"\"\"\""), (Rows{{"", "\""}}));
}

TEST(DelimitedRecord, TakesQuotesAsTextWithoutQuoting) {
  EXPECT_EQ(split_all("\"a\tb\"c\td\"", {'\t', false}), (Rows{{"\"a", "b\"c", "d\""}}));
}

TEST(DelimitedRecord, LocatesMisplacedQuotes) {
  EXPECT_EQ(split_first("a,\"bc").status, RecordStatus::unclosed_quote);
  EXPECT_EQ(split_first("a,\"bc").at, 2u);
  EXPECT_EQ(split_first("a,\"b\"c,d").status, RecordStatus::text_after_quote);
  EXPECT_EQ(split_first("a,\"b\"c,d").at, 5u);
  EXPECT_EQ(split_first("a,b\"c").status, RecordStatus::quote_in_field);
  EXPECT_EQ(split_first("a,b\"c").at, 3u);
}

TEST(DelimitedRecord, CountsFieldsThatAreNotKept) {
  std::vector<Field> fields;
  const RecordSplit split = split_record("a,\"b\",c,d\ne", 0, {}, fields, 2);
  EXPECT_EQ(split.status, RecordStatus::complete);
  EXPECT_EQ(split.num_fields, 4u);
  EXPECT_EQ(split.next, 10u);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[1].text, "b");
}

TEST(DelimitedRecord, FindsTheLastRecordEndOutsideQuotes) {
  EXPECT_EQ(last_record_end("a\nb\nc", {}), 4u);
  EXPECT_EQ(last_record_end("a\n\"b\nc", {}), 2u);
  EXPECT_EQ(last_record_end("\"a\nb", {}), 0u);
  EXPECT_EQ(last_record_end("a\n\"b\nc", {'\t', false}), 5u);
}

}  // namespace
}  // namespace lazylogit::io
