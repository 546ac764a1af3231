#include "lazylogit/io/formats/field_index.hpp"

#include <gtest/gtest.h>

#include <string>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {
namespace {

// Walks over the lines of `text` and compares marks and plain rows with what a look at every byte gives.
void expect_marks(const std::string& text, const Dialect& dialect, std::size_t num_fields) {
  const std::string padded = text + std::string(block_padding, ',');
  const char* const end = padded.data() + text.size();
  FieldIndex index(dialect);
  for (const char* record = padded.data(); record < end;) {
    std::vector<const char*> marks;
    const char* line_end = nullptr;
    for (const char* p = record; p < end && line_end == nullptr; ++p) {
      if (*p == dialect.delimiter || *p == '\n' || (dialect.quoting && *p == '"')) marks.push_back(p);
      if (*p == '\n') line_end = p;
    }
    if (line_end == nullptr) return;
    bool is_plain = marks.size() == num_fields;
    for (const char* mark : marks) is_plain = is_plain && *mark != '"';
    ASSERT_EQ(index.seek(record, end, marks.size()), true);
    for (std::size_t i = 0; i < marks.size(); ++i) ASSERT_EQ(index.mark(i), marks[i]);
    ASSERT_EQ(index.base() + static_cast<std::uint32_t>(index.marks()[-1] + 1), record);
    if (index.seek(record, end, num_fields)) {
      ASSERT_EQ(index.is_plain_row(num_fields), is_plain);
      if (is_plain) index.skip(num_fields);
    }
    record = line_end + 1;
  }
}

TEST(FieldIndex, MarksWhatALookAtEveryByteFinds) {
  Random random(4);
  const std::string alphabet = "0123456789abcdefghijklmnopqrst,,,\n\"";
  for (int round = 0; round < 300; ++round) {
    std::string text;
    const std::size_t letters =
        round % 3 == 0 ? alphabet.size() : alphabet.size() - 1;  // some have no quotes
    while (text.size() < 20U * static_cast<std::size_t>(round)) text += alphabet[random.next() % letters];
    expect_marks(text, {',', round % 2 == 0}, 1 + random.next() % 4);
  }
}

TEST(FieldIndex, MarksLongStretchesAndManyMarksInARow) {
  std::string text;
  for (int row = 0; row < 5000; ++row) text += "1.5,,,x,-2\n";
  expect_marks(text, {',', true}, 5);
  expect_marks(std::string(70000, ',') + "\n" + std::string(70000, ',') + "\n", {',', true}, 70001);
  expect_marks(std::string(70000, 'x') + ",\n1,2\n", {',', true}, 2);
}

}  // namespace
}  // namespace lazylogit::io
