#include "lazylogit/io/choices.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/load.hpp"

namespace lazylogit::io {
namespace {

struct TextFile {
  TextFile(const std::string& suffix, const std::string& text)
      : path(testing::TempDir() + "/" + std::to_string(::getpid()) + "_choices" + suffix) {
    std::ofstream(path) << text;
  }
  ~TextFile() { ::unlink(path.c_str()); }
  std::string path;
};

data::Dataset read(const TextFile& file, ReadOptions options) {
  return load({file.path}, options, silent_log(), {}).data;
}

std::string choices_error(const std::string& text) {
  const TextFile file(".jsonl", text);
  ReadOptions options;
  options.choices = "modes";
  try {
    read(file, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Choices, LongRowsThatStandTogether) {
  const TextFile file(".csv", "trip,cost,taken\na,1,1\na,2,0\nb,3,0\nb,4,1\nb,5,0\nc,6,1\n");
  ReadOptions options;
  options.choices = "trip";
  options.target = "taken";
  const data::Dataset data = read(file, options);
  const std::vector<std::uint64_t> ends(data.choice_ends.begin(), data.choice_ends.end());
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{2, 5, 6}));
  EXPECT_EQ(data.features.size(), 1u);
  EXPECT_EQ(data.input.choices.column, "trip");
}

TEST(Choices, NestedLinesAreTheLongForm) {
  const TextFile nested(
      ".jsonl",
      "{\"taken\": \"bus\", \"income\": 3, \"modes\": {\"bus\": {\"cost\": 2}, \"car\": {\"cost\": 9, "
      "\"seats\": 4}}}\n\n"
      "{\"modes\": {\"a \\\"b\\\\\": {}, \"car\": {\"cost\": 1}}, \"income\": 5, \"taken\": 1}\n");
  ReadOptions options;
  options.choices = "modes";
  options.target = "taken";
  const data::Dataset data = read(nested, options);
  ASSERT_EQ(data.num_rows(), 4u);
  const std::vector<ClassId> labels(data.labels.begin(), data.labels.end());
  EXPECT_EQ(labels, (std::vector<ClassId>{1, 0, 0, 1}));
  EXPECT_EQ(data.choice_ends.size(), 2u);
  data::Alphabet names = data.features;
  names.build_index();
  for (const char* name : {"income", "cost", "modes=bus", "modes=car", "modes=a \"b\\"})
    EXPECT_TRUE(names.find(name).has_value()) << name;
  EXPECT_TRUE(data.input.choices.nested);
}

TEST(Choices, ListsHaveNumbers) {
  const TextFile file(".jsonl",
                      "{\"choice\": 1, \"modes\": [{\"x\": 1}, {\"x\": 2}, {\"x\": 0.5}]}\n{\"choice\": 0, "
                      "\"modes\": [{\"x\": 1}]}\n");
  ReadOptions options;
  options.choices = "modes";
  const data::Dataset data = read(file, options);
  const std::vector<ClassId> labels(data.labels.begin(), data.labels.end());
  EXPECT_EQ(labels, (std::vector<ClassId>{0, 1, 0, 1}));
}

TEST(Choices, FaultsHaveTheirPlace) {
  EXPECT_NE(choices_error("{\"choice\": 3, \"modes\": [{\"x\": 1}]}\n")
                .find("found 3, expected the number of a candidate from 0 to 0"),
            std::string::npos);
  EXPECT_NE(choices_error("{\"choice\": 0, \"modes\": [{\"x\": 1}]}\n{\"choice\": 0, \"modes\": [7]}\n")
                .find(":2:"),
            std::string::npos);
  EXPECT_NE(choices_error("{\"choice\": 0, \"modes\": []}\n").find("has no candidates"), std::string::npos);
  EXPECT_NE(choices_error("{\"choice\": 0, \"modes\": [{\"x\": 1}]}\n{\"choice\": 0}\n").find("has no key"),
            std::string::npos);
  EXPECT_NE(choices_error("{\"choice\": \"tram\", \"modes\": {\"bus\": {\"x\": 1}}}\n")
                .find("no candidate is called \"tram\""),
            std::string::npos);
  EXPECT_NE(choices_error("{\"choice\": 0, \"modes\": [{\"x\": 1}], }\n").find("jsonl"), std::string::npos);
}

TEST(Choices, NeedColumns) {
  const TextFile file(".svm", "1 1:2\n0 1:3\n");
  ReadOptions options;
  options.choices = "trip";
  EXPECT_THROW(read(file, options), ConfigError);
}

}  // namespace
}  // namespace lazylogit::io
