// Which characters text may hold is the same in all formats.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/load.hpp"

namespace lazylogit::io {
namespace {

struct Reading {
  std::string error;
  Loaded loaded;
};

Reading read(Format format, const std::string& text, bool skip = false) {
  ReadOptions options;
  options.format = format;
  if (format == Format::csv || format == Format::tsv) {
    options.header = false;
    options.target = "1";
  }
  options.skip_bad_rows = skip;
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("t", text));
  Reading reading;
  try {
    reading.loaded = load(std::move(inputs), options, silent_log(), {});
  } catch (const Error& error) {
    reading.error = error.what();
  }
  return reading;
}

// A row of each format whose label is given.
struct RowForm {
  Format format;
  std::string before, after;
};
const RowForm forms[] = {
    {Format::libsvm, "", " 1:2"},       {Format::vw, "", " | a b:2"},
    {Format::csv, "", ",1,u"},          {Format::tsv, "", "\t1\tu"},
    {Format::text, "", "\tsome words"}, {Format::jsonl, "{\"label\": \"", "\", \"a\": 1}"},
};

std::string rows(const RowForm& form, const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += form.before + label + form.after + "\n";
  return text;
}

TEST(Characters, AByteOrderMarkWithinAFileIsAnErrorInEveryFormat) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const RowForm& form : forms) {
    const std::string file = rows(form, {"x", "y", "x"});
    EXPECT_EQ(read(form.format, mark + file).error, "");
    const Reading joined = read(form.format, mark + file + mark + file);
    EXPECT_TRUE(joined.error.starts_with("t:4:1: error: found a byte order mark within the file"))
        << joined.error;
    const Reading skipped = read(form.format, mark + file + mark + file, true);
    EXPECT_EQ(skipped.error, "");
    EXPECT_EQ(skipped.loaded.summary.bad_rows, 1U);
    EXPECT_EQ(skipped.loaded.summary.rows, 5U);
  }
}

TEST(Characters, AsciiControlsAreErrorsAndTheUpperOnesAreText) {
  for (const RowForm& form : forms) {
    for (const char control : {'\x01', '\x08', '\x0B', '\x0C', '\x1B', '\x1F', '\x7F'}) {
      const Reading reading = read(form.format, rows(form, {"x", std::string("y") + control, "x"}));
      EXPECT_TRUE(reading.error.find("control character") != std::string::npos) << reading.error;
      EXPECT_TRUE(reading.error.starts_with("t:2:")) << reading.error;
    }
    // U+0080, U+0085 (a line end for some), U+0096 (a dash, once), U+009F: characters like any other.
    for (const std::string upper : {"\xC2\x80", "\xC2\x85", "\xC2\x96", "\xC2\x9F"}) {
      const Reading reading = read(form.format, rows(form, {"x", "y" + upper, "x"}));
      EXPECT_EQ(reading.error, "");
      ASSERT_EQ(reading.loaded.data.num_rows(), 3U);
      EXPECT_EQ(reading.loaded.data.classes.size(), 2U);
    }
  }
}

TEST(Characters, AMarkWithinQuotesIsText) {
  const std::string text = "x,\"two\n\xEF\xBB\xBFlines\",1\ny,v,2\nx,v,3\n";
  const Reading reading = read(Format::csv, text);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.loaded.data.num_rows(), 3U);
}

}  // namespace
}  // namespace lazylogit::io
