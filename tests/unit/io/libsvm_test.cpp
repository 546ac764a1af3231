#include "lazylogit/io/formats/libsvm.hpp"

#include <gtest/gtest.h>

#include "lazylogit/base/error.hpp"
#include "support/libsvm_text.hpp"

namespace lazylogit::io {
namespace {

using test::error_of;
using test::load_text_as_libsvm;

std::vector<ClassId> labels_of(const Loaded& loaded) {
  return {loaded.data.labels.begin(), loaded.data.labels.end()};
}

TEST(Libsvm, ReadsRowsLabelsAndNames) {
  const Loaded loaded =
      load_text_as_libsvm("+1 1:0.5 3:2\n-1 2:1e1 # note\n\n# only a comment\n1.0\t7:-3.25\n");
  const data::Dataset& d = loaded.data;
  ASSERT_EQ(d.num_rows(), 3u);
  EXPECT_EQ(d.classes.labels(), (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(labels_of(loaded), (std::vector<ClassId>{1, 0, 1}));
  ASSERT_EQ(d.x.num_features, 4u);
  EXPECT_EQ(d.features.name(0), "1");
  EXPECT_EQ(d.features.name(3), "7");
  EXPECT_EQ(d.x.value(0), 0.5);
  EXPECT_EQ(d.x.value(2), 10.0);
  EXPECT_EQ(d.x.value(3), -3.25);
  EXPECT_EQ(d.x.row_ids(2)[0], 3u);
  EXPECT_EQ(d.input.kind, data::InputKind::indexed);
  EXPECT_EQ(loaded.summary.rows, 3u);
  EXPECT_EQ(loaded.summary.format, Format::libsvm);
}

TEST(Libsvm, LineEndsBlanksAndOrderDoNotMatter) {
  const std::string plain = test::describe(load_text_as_libsvm("1 1:1 2:2 10:3\n2 5:4\n"));
  for (const char* text :
       {"1 1:1 2:2 10:3\r\n2 5:4\r\n", "1 10:3 1:1 2:2\n2 5:4", "  1\t1:1   2:2\t10:3  \n\n \t \n2 5:4 \n",
        "\xEF\xBB\xBF"
        "1 1:1 2:2 10:3#c\n# \xC3\xBC\n2 5:4 # c",
        "1 1:1 2:2 3:0 10:3 11:0.000\n2 5:4 5000000:-0\n", "+1 00001:1.0 2:0.2e1 10:30e-1\n2.0 5:+4\r\n",
        "1 1:1 2:2 4:1e-400 10:3\n2 5:4\r"})
    EXPECT_EQ(test::describe(load_text_as_libsvm(text)), plain) << text;
}

TEST(Libsvm, NamesAreLabelsToo) {
  const Loaded loaded = load_text_as_libsvm("spam 1:1\nham 2:1\n12345678901234567890123 1:2\n");
  EXPECT_EQ(loaded.data.classes.labels(),
            (std::vector<std::string>{"12345678901234567890123", "ham", "spam"}));
}

TEST(Libsvm, ALabelThatMerelyBeginsWithANumberIsAName) {
  for (const char* label : {"1abc", "0x10", "--1", "+", "1e", "1.2.3", ".", "1_000"}) {
    const Loaded loaded = load_text_as_libsvm(std::string(label) + " 1:1\n1 2:1\n");
    const std::vector<std::string>& labels = loaded.data.classes.labels();
    EXPECT_EQ(std::count(labels.begin(), labels.end(), label), 1) << label;
    EXPECT_EQ(labels.size(), 2u);
  }
}

TEST(Libsvm, RefusesFieldsBeyondTheLimit) {
  ReadOptions options;
  options.limits.max_field_bytes = 8;
  EXPECT_EQ(test::error_of("1 1:1 2:0.500000\n", options),
            "x.svm:1:7: error: a field is longer than the limit of 8 bytes; --max-field-bytes raises it");
}

TEST(Libsvm, NamesThePlaceOfBadLabels) {
  EXPECT_EQ(error_of("1 1:1\n1:2 2:3\n"),
            "x.svm:2:1: error: the row has no label: it begins with \"1:2\", expected a label before the "
            "first index:value");
  EXPECT_EQ(error_of("1,2 1:1\n"),
            "x.svm:1:1: error: found several labels \"1,2\", expected one label; --multilabel takes "
            "several");
  for (const char* label : {"nan", "inf", "-Infinity", "1e999"})
    EXPECT_EQ(error_of(std::string("  ") + label + " 1:1\n"), "x.svm:1:3: error: found the label \"" +
                                                                  std::string(label) +
                                                                  "\", expected a name or a finite number");
}

TEST(Libsvm, NamesThePlaceOfBadPairs) {
  const std::string index = ", expected an integer from 1 to 4294967295";
  EXPECT_EQ(error_of("1 1:1\n1 2\n"), "x.svm:2:3: error: found \"2\", expected index:value");
  EXPECT_EQ(error_of("1 a b c\n"), "x.svm:1:3: error: found \"a\", expected index:value");
  EXPECT_EQ(error_of("1 1:1 :5\n"), "x.svm:1:7: error: the index is missing in \":5\", expected index:value");
  EXPECT_EQ(error_of("1 1:1 2:\n"), "x.svm:1:7: error: the value is missing in \"2:\", expected index:value");
  EXPECT_EQ(error_of("1 1:1 3:"),
            "x.svm:1:7: error: the value is missing in \"3:\", expected index:value; the last line "
            "seems to be cut off");
  EXPECT_EQ(error_of("1 2: 3:4\n"), "x.svm:1:3: error: the value is missing in \"2:\", expected index:value");
  EXPECT_EQ(error_of("1 0:1\n"), "x.svm:1:3: error: found the index \"0\"" + index +
                                     "; if indices start at 0, use --index-base 0");
  EXPECT_EQ(error_of("1 -3:1\n"), "x.svm:1:3: error: found the negative index \"-3\"" + index);
  for (const char* bad :
       {"1.5", "abc", "1e3", "+1", "0x1", "4294967296", "99999999999999999999", "18446744073709551617"})
    EXPECT_EQ(error_of(std::string("1 ") + bad + ":1\n"),
              "x.svm:1:3: error: found the index \"" + std::string(bad) + "\"" + index);
}

TEST(Libsvm, NamesThePlaceOfBadValues) {
  for (const char* bad :
       {"nan", "inf", "-inf", "0x1p3", "1_0", "abc", "1.2.3", "1e", "--1", "1:2", "12345678x"})
    EXPECT_EQ(
        error_of(std::string("1 1:1 2:") + bad + " 3:1\n"),
        "x.svm:1:9: error: found the value \"" + std::string(bad) + "\", expected a finite decimal number");
  EXPECT_EQ(error_of("1 1:1,5\n"),
            "x.svm:1:5: error: found the value \"1,5\", expected a finite decimal number; write decimals "
            "with a point");
  EXPECT_EQ(error_of("1 1:1e400\n"),
            "x.svm:1:5: error: found the value \"1e400\", expected a number within the range of a double");
  EXPECT_EQ(error_of("1 1:1e39\n"),
            "x.svm:1:5: error: found the value \"1e39\", expected a number within the range of "
            "float32; use --precision float64");
  ReadOptions options;
  options.precision = Precision::float64;
  EXPECT_EQ(load_text_as_libsvm("1 1:1e39\n", options).data.x.value(0), 1e39);
}

TEST(Libsvm, RefusesRepeatedIndices) {
  EXPECT_EQ(error_of("1 3:1 1:2 3:4\n"),
            "x.svm:1:11: error: the row repeats the index \"3\", expected each index at most once");
  EXPECT_EQ(error_of("1 3:0 3:0\n"),
            "x.svm:1:7: error: the row repeats the index \"3\", expected each index at most once");
  EXPECT_EQ(error_of("1 3:1 003:2 # 3:9\n"),
            "x.svm:1:7: error: the row repeats the index \"003\", expected each index at most once");
}

TEST(Libsvm, RefusesBytesThatAreNotText) {
  using namespace std::string_literals;
  EXPECT_EQ(error_of("1 1:1\n1\0 2:1\n"s), "x.svm:2:2: error: found a NUL byte, expected text");
  EXPECT_EQ(error_of("1 1:\x1b[0m\n"),
            "x.svm:1:5: error: found the control character \"\\x1b\", expected text");
  EXPECT_EQ(error_of("1 1:1 # \xff\n"),
            "x.svm:1:9: error: found \"\\xff\", which is not valid UTF-8; expected UTF-8 text; "
            "text from Windows becomes UTF-8 with iconv -f WINDOWS-1252 -t UTF-8");
  EXPECT_EQ(error_of("1 1:1\r2 1:1\n"),
            "x.svm:1:6: error: found a carriage return without a line feed, expected LF or CRLF line ends");
  EXPECT_NE(error_of("1 1:1\n\x01\n").find("x.svm:2:1: error: found the control character"),
            std::string::npos);
}

TEST(Libsvm, RefusesOtherFormats) {
  EXPECT_NE(error_of("5.1,3.5,1.4,setosa\n"), "none");
  EXPECT_NE(error_of("{\"label\": 1, \"a\": 2}\n"), "none");
  EXPECT_NE(error_of("1 | a b c:2\n"), "none");
  EXPECT_NE(error_of("\x93NUMPY\x01"), "none");
  EXPECT_NE(error_of("PK\x03\x04 abc"), "none");
}

TEST(Libsvm, AFileWithoutRowsIsAnError) {
  for (const char* text : {"", "\n\n", "# nothing\n"})
    EXPECT_EQ(error_of(text), "x.svm: error: found no rows; expected at least one");
}

TEST(Libsvm, MessagesStayShortWhateverTheTokens) {
  EXPECT_LE(error_of("1 " + std::string(100000, 'a') + "\n").size(), 500u);
  EXPECT_LE(error_of("1 1:" + std::string(100000, '7') + "\n").size(), 500u);
  EXPECT_LE(error_of("1 " + std::string(100000, '9') + ":1\n").size(), 500u);
}

TEST(Libsvm, TokensOfAnyLengthAreReadExactly) {
  const std::string zeros(3000, '0');
  const Loaded loaded = load_text_as_libsvm("1 " + zeros.substr(0, 9) + "7:0." + zeros + "5 8:" + zeros +
                                            "2.5e" + zeros + "1\n");
  EXPECT_EQ(loaded.data.x.num_nonzeros(), 1u);
  EXPECT_EQ(loaded.data.x.value(0), 25.0);
}

TEST(Libsvm, CountsIndicesFromTheBase) {
  ReadOptions options;
  options.index_base = 0;
  const Loaded loaded = load_text_as_libsvm("1 0:1 4294967295:2\n", options);
  EXPECT_EQ(loaded.data.features.name(0), "0");
  EXPECT_EQ(loaded.data.features.name(1), "4294967295");
  EXPECT_EQ(loaded.data.input.index_base, 0);
  EXPECT_EQ(load_text_as_libsvm("1 1:1 4294967295:2\n").data.x.num_features, 2u);
}

TEST(Libsvm, QueryIdsAreNoFeatures) {
  test::KeepingLog log;
  const Loaded loaded = load_text_as_libsvm("1 qid:3 1:1\n2 qid:4 2:1\n", {}, log);
  EXPECT_EQ(loaded.data.x.num_features, 2u);
  EXPECT_EQ(log.notices, (std::vector<std::string>{"query ids (qid:N) are ignored"}));
  EXPECT_NE(error_of("1 qid:x 1:1\n"), "none");
}

TEST(Libsvm, LimitsAreNamed) {
  ReadOptions options;
  options.limits.max_row_features = 2;
  EXPECT_EQ(error_of("1 1:1 2:1\n1 1:1 2:1 3:1\n", options),
            "x.svm:2:11: error: a row has more than 2 features, which is the limit; see --max-row-features");
  options = {};
  options.limits.max_classes = 2;
  EXPECT_NE(error_of("1 1:1\n2 1:1\n3 1:1\n", options).find("--max-classes"), std::string::npos);
  options = {};
  options.limits.max_name_bytes = 4;
  EXPECT_NE(error_of("abcde 1:1\n", options).find("--max-name-bytes"), std::string::npos);
  options = {};
  options.limits.max_memory = 10;
  EXPECT_NE(error_of("1 1:1 2:1\n", options).find("--max-memory"), std::string::npos);
}

TEST(Libsvm, SniffsByContent) {
  const auto sniff = libsvm_format().sniff;
  EXPECT_GT(sniff("1 1:2 3:4\n-1 7:1\n"), 50);
  EXPECT_GT(sniff("# c\nspam qid:1 1:2 3:4\n-1 7:1 8:"), 50);
  for (const char* other :
       {"", "a,b\n1,2\n", "1 |f a:1\n", "{\"a\":1}\n", "spam\tfree money now\n", "1\n2\n", "1:2,3:4\n"})
    EXPECT_EQ(sniff(other), 0) << other;
}

}  // namespace
}  // namespace lazylogit::io
