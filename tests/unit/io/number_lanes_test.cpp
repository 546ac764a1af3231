#include "lazylogit/io/columns/number_lanes.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/columns/short_number.hpp"

namespace lazylogit::io {
namespace {

// A row of fields, read both ways.
void expect_as_one_by_one(const std::vector<std::string>& fields) {
  std::string text = "before,";
  const std::size_t record = text.size();
  std::vector<std::uint32_t> ends, columns;
  for (std::size_t c = 0; c < fields.size(); ++c) {
    text += fields[c];
    ends.push_back(static_cast<std::uint32_t>(text.size()));
    text += ',';
    if (c % 5 != 3) columns.push_back(static_cast<std::uint32_t>(c));  // some are no numbers
  }
  text += std::string(64, '7');
  std::vector<double> values(columns.size() + number_group);
  std::vector<std::uint8_t> taken(columns.size() / number_group + 1);
  number_reader()({text.data() + record, text.data(), ends.data()}, columns, values.data(), taken.data());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::uint32_t c = columns[i];
    const std::string padded = fields[c] + "," + std::string(16, '7');
    double expected = 0;
    const bool is_short = read_short_number(padded.data(), fields[c].size(), expected);
    EXPECT_EQ((taken[i / number_group] >> i % number_group & 1) != 0, is_short) << '"' << fields[c] << '"';
    if (!is_short) continue;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(expected))
        << '"' << fields[c] << '"';
  }
}

TEST(NumberLanes, ReadWhatIsReadOneByOne) {
  expect_as_one_by_one({"0",   "-0",       "1",        "12345678", "-12345678", "1.5",       "-1.5", ".5",
                        "-.5", "5.",       "0.000001", "9999999.", "1234567.8", "123456789", "",     "-",
                        ".",   "-.",       "..",       "1..2",     "1.2.3",     "1e5",       "+1",   " 1",
                        "1 ",  "NA",       "nan",      "1-2",      "--1",       "0x1",       "1,",   "/",
                        ":",   "00000000", "00.00000", "-0.00",    "99.99999",  "\xC3\xA4",  "\x80", "1\r"});
  for (std::size_t count = 0; count < 20; ++count)
    expect_as_one_by_one(std::vector<std::string>(count, "-3.25"));
}

TEST(NumberLanes, ReadAnyBytesAsTheyAreReadOneByOne) {
  Random random(3);
  const std::string alphabet = "0123456789..-- e";
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> fields(1 + random.next() % 30);
    for (std::string& field : fields)
      for (std::size_t size = random.next() % 11; field.size() < size;)
        field += random.next() % 50 == 0 ? static_cast<char>(random.next())
                                         : alphabet[random.next() % alphabet.size()];
    expect_as_one_by_one(fields);
  }
}

}  // namespace
}  // namespace lazylogit::io
