#include "lazylogit/io/columns/number_lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/columns/short_number.hpp"

namespace lazylogit::io {
namespace {

// A row of fields, where they end, and what they are one by one.
struct FieldRow {
  explicit FieldRow(const std::vector<std::string>& fields) : texts(fields), text("before,first,") {
    ends.push_back(static_cast<std::uint32_t>(text.size()) - 1);
    for (const std::string& field : fields) {
      text += field;
      ends.push_back(static_cast<std::uint32_t>(text.size()));
      text += ',';
      const std::string padded = field + "," + std::string(16, '7');
      double value = 0;
      is_short.push_back(read_short_number(padded.data(), field.size(), value));
      values.push_back(value);
    }
    text += std::string(64, '7');
    ends.resize(ends.size() + 16);
  }
  NumberFields from(std::size_t at) const {
    return {text.data(), ends.data() + 1 + at, static_cast<std::uint32_t>(100 + at),
            static_cast<std::uint32_t>(texts.size() - at)};
  }

  std::vector<std::string> texts;
  std::string text;
  std::vector<std::uint32_t> ends;
  std::vector<bool> is_short;
  std::vector<double> values;
};

std::uint64_t double_bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// Reads the row with all columns known; where it stops, the group is checked, and reading goes on behind it.
void expect_as_one_by_one(const std::vector<std::string>& fields) {
  const FieldRow row(fields);
  std::vector<SeenNumbers> seen(fields.size() / number_group + 1);
  for (SeenNumbers& group : seen) {
    std::fill_n(group.first, number_group, 7.0);
    group.known = 0xFF;
  }
  for (std::size_t from = 0; from < fields.size();) {
    std::vector<std::uint32_t> ids(fields.size() + number_group);
    std::vector<double> values(fields.size() + number_group);
    NumberEntries entries = {ids.data(), values.data(), 0};
    StoppedGroup stopped;
    const std::size_t stop =
        from + number_taker()(row.from(from), seen.data() + from / number_group, entries, stopped);
    std::size_t size = 0;
    for (std::size_t i = from; i < stop; ++i) {
      EXPECT_TRUE(row.is_short[i]) << '"' << fields[i] << '"';
      EXPECT_EQ(seen[i / number_group].varied >> i % number_group & 1, row.values[i] != 7.0 ? 1 : 0);
      if (row.values[i] == 0) continue;
      ASSERT_LT(size, entries.size);
      EXPECT_EQ(ids[size], 100 + i);
      EXPECT_EQ(double_bits(values[size++]), double_bits(row.values[i])) << '"' << fields[i] << '"';
    }
    EXPECT_EQ(entries.size, size);
    if (stop == fields.size()) return;
    ASSERT_EQ(stop % number_group, 0U);
    bool all = true;
    from = std::min(fields.size(), stop + number_group);
    for (std::size_t i = stop; i < from; ++i) {
      all = all && row.is_short[i];
      EXPECT_EQ((stopped.taken >> (i - stop) & 1) != 0, row.is_short[i]) << '"' << fields[i] << '"';
      if (!row.is_short[i]) continue;
      EXPECT_EQ(double_bits(stopped.values[i - stop]), double_bits(row.values[i])) << '"' << fields[i] << '"';
    }
    EXPECT_FALSE(all);
  }
}

const std::vector<std::string>& awkward_fields() {
  static const std::vector<std::string> fields = {
      "0",   "-0",       "1",        "12345678", "-12345678", "1.5",       "-1.5", ".5",
      "-.5", "5.",       "0.000001", "9999999.", "1234567.8", "123456789", "",     "-",
      ".",   "-.",       "..",       "1..2",     "1.2.3",     "1e5",       "+1",   " 1",
      "1 ",  "NA",       "nan",      "1-2",      "--1",       "0x1",       "1,",   "/",
      ":",   "00000000", "00.00000", "-0.00",    "99.99999",  "\xC3\xA4",  "\x80", "1\r"};
  return fields;
}

TEST(NumberLanes, ReadWhatIsReadOneByOne) {
  expect_as_one_by_one(awkward_fields());
  for (std::size_t count = 0; count < 90; ++count)
    expect_as_one_by_one(std::vector<std::string>(count, "-3.25"));
}

TEST(NumberLanes, OneFieldAmongNumbersIsFoundWhereverItIs) {
  for (const std::string& field : awkward_fields())
    for (std::size_t at = 0; at < 9; ++at) {
      std::vector<std::string> fields(9, at % 2 == 0 ? "12.5" : "3");
      fields[at] = field;
      expect_as_one_by_one(fields);
    }
}

TEST(NumberLanes, ReadAnyBytesAsTheyAreReadOneByOne) {
  Random random(3);
  const std::string alphabet = "0123456789..-- e";
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> fields(1 + random.next() % 40);
    const std::size_t first = round % 2 == 0 ? 0 : 4;  // every other row has few signs and points
    for (std::string& field : fields)
      for (std::size_t size = random.next() % 11; field.size() < size;)
        field += random.next() % 50 == 0 ? static_cast<char>(random.next())
                                         : alphabet[random.next() % (alphabet.size() - first)];
    expect_as_one_by_one(fields);
  }
}

TEST(NumberLanes, QuotientsAreRoundedOnce) {
  Random random(5);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> fields(16);
    for (std::string& field : fields) {
      const std::size_t size = 1 + random.next() % 7, point = random.next() % (size + 1);
      for (std::size_t i = 0; i < size; ++i) {
        if (i == point) field += '.';
        field += static_cast<char>('0' + random.next() % 10);
      }
    }
    expect_as_one_by_one(fields);
    if (HasFailure()) return;
  }
}

TEST(NumberLanes, StopAtColumnsWithoutANumberSoFar) {
  const FieldRow row(std::vector<std::string>(20, "2"));
  std::vector<SeenNumbers> seen(3);
  seen[0].known = 0xFF;
  seen[1].known = 0xEF;
  std::vector<std::uint32_t> ids(40);
  std::vector<double> values(40);
  NumberEntries entries = {ids.data(), values.data(), 0};
  StoppedGroup stopped;
  EXPECT_EQ(number_taker()(row.from(0), seen.data(), entries, stopped), 8U);
  EXPECT_EQ(entries.size, 8U);
  EXPECT_EQ(stopped.taken, 0xFF);
  EXPECT_EQ(seen[1].varied, 0);
}

}  // namespace
}  // namespace lazylogit::io
