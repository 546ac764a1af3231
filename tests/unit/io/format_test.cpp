#include "lazylogit/io/formats/format.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {
namespace {

std::string detected(const std::vector<std::pair<std::string, std::string>>& files,
                     const ReadOptions& options = {}) {
  std::vector<Input> inputs;
  for (const auto& file : files) inputs.push_back(Input::from_memory(file.first, file.second));
  try {
    return std::string(detect_format(inputs, options).name);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(FormatCatalog, NamesAndExtensionsAreUnique) {
  std::set<std::string_view> names, extensions;
  std::set<Format> formats;
  for (const FormatEntry& entry : format_catalog()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(formats.insert(entry.format).second) << entry.name;
    for (const std::string_view extension : entry.extensions)
      EXPECT_TRUE(extensions.insert(extension).second) << extension;
    EXPECT_NE(entry.precision, Precision::automatic);
    EXPECT_EQ(entry.sniff(""), 0) << entry.name;
  }
}

TEST(DetectFormat, GoesByExtensionThenByContent) {
  EXPECT_EQ(detected({{"a/b.svm", "x,y\n"}}), "libsvm");
  EXPECT_EQ(detected({{"b.SVM.gz", "x,y\n"}}), "libsvm");
  EXPECT_EQ(detected({{"b.libsvm.zst", ""}}), "libsvm");
  EXPECT_EQ(detected({{"a9a", "1 1:1 2:2\n-1 3:4\n"}}), "libsvm");
  EXPECT_EQ(detected({{"dir.csv/a9a.t", "1 1:1 2:2\n-1 3:4\n"}}), "libsvm");
  EXPECT_EQ(detected({{"<stdin>", "1 1:1 2:2\n-1 3:4\n"}, {"x.svm", ""}}), "libsvm");
}

TEST(DetectFormat, TextWithoutTabsGoesByContent) {
  EXPECT_EQ(detected({{"a.txt", "1 1:1 2:2\n-1 3:4\n"}}), "libsvm");
  EXPECT_EQ(detected({{"a.txt.gz", "x,z,y\n1,2,a\n"}}), "csv");
  EXPECT_EQ(detected({{"a.txt", "1 | a b\n"}}), "vw");
  EXPECT_EQ(detected({{"a.txt", "{\"a\":1}\n"}}), "jsonl");
  EXPECT_EQ(detected({{"a.txt", "spam\t1, 2\nham\t3, 4\n"}}), "text");
  EXPECT_EQ(detected({{"a.txt", "spam\tx\ty\nham\tx\n"}}), "text");
  EXPECT_EQ(detected({{"a.txt", "time | size | class\n11:30 | 1 | 1\n12:30 | 2 | 0\n"}}), "csv");
  EXPECT_EQ(detected({{"a.txt", "good day, sir\nno comma here\n"}}), "text");
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("a.txt", "a,b\nc,d\n"));
  EXPECT_EQ(detect_format(inputs, {}, data::InputKind::text).name, "text");
}

// Read as documents, a table would make its first column the label without a word.
TEST(DetectFormat, ATableCalledTxtIsNotTakenForDocuments) {
  const std::string table = "age\tjob\ty\n3\ta\tno\n4\tb\tyes\n";
  EXPECT_EQ(detected({{"a.txt", table}}),
            "a.txt: error: the content could be a table of 3 columns or, as the name says, documents with "
            "labels; --format tsv reads columns, --format text reads label<TAB>text");
  EXPECT_EQ(detected({{"a.txt", "\xEF\xBB\xBF" + table}}).substr(0, 12), "a.txt: error");
  EXPECT_EQ(detected({{"a.txt", "age\ty\n1\t3\tno\n2\t4\tyes\n"}}).substr(0, 12), "a.txt: error");  // R
  EXPECT_EQ(detected({{"a.txt", "spam\tx\nham\ty\tz\nham\ty\tz\n"}}), "text");  // tabs within documents
  EXPECT_EQ(detected({{"a.txt", "spam\tx\ty"}}), "text");
  EXPECT_EQ(detected({{"a.txt", "spam\tx\t" + std::string(1 << 20, 'y')}}), "text");
  EXPECT_EQ(detected({{"a.txt", "age\tjob\ty\n"}}), "text");
  ReadOptions options;
  options.format = Format::text;
  EXPECT_EQ(detected({{"a.txt", table}}, options), "text");
  const auto of_model = [&](const std::string& content, data::InputKind kind) {
    std::vector<Input> inputs;
    inputs.push_back(Input::from_memory("a.txt", content));
    return detect_format(inputs, {}, kind).name;
  };
  EXPECT_EQ(of_model(table, data::InputKind::columns), "tsv");
  EXPECT_EQ(of_model("x\ty\n1\t2\n", data::InputKind::columns), "tsv");
  EXPECT_EQ(of_model(table, data::InputKind::text), "text");
}

TEST(DetectFormat, LabelsThatAreNotSupportedAreVowpalWabbitAllTheSame) {
  EXPECT_EQ(detected({{"a", "1:2:0.4 | a b\n2:1:0.5 | a c\n"}}), "vw");
  EXPECT_EQ(detected({{"a", "10:30|a|b\n11:15|c|d\n"}}), "csv");
}

TEST(DetectFormat, TheOptionWins) {
  ReadOptions options;
  options.format = Format::libsvm;
  EXPECT_EQ(detected({{"x.csv", "a,b\n"}}, options), "libsvm");
}

TEST(DetectFormat, SaysWhatToNameWhenItCannotTell) {
  EXPECT_NE(detected({{"x", ""}}).find("--format"), std::string::npos);
  EXPECT_NE(detected({{"x", std::string("\x00\x01\x02\x03", 4)}}).find("--format"), std::string::npos);
  const std::string differ = detected({{"x.svm", ""}, {"y.csv", "a,b\n1,2\n"}});
  EXPECT_NE(differ.find("option --format: the inputs differ"), std::string::npos);
}

}  // namespace
}  // namespace lazylogit::io
