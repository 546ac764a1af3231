#include "lazylogit/io/convert.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/random.hpp"
#include "support/load_bytes.hpp"

namespace lazylogit::io {
namespace {

namespace fs = std::filesystem;

class ConvertTest : public testing::Test {
 protected:
  ConvertTest() {
    std::string pattern = testing::TempDir() + "/convert_XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  ~ConvertTest() override { fs::remove_all(directory_); }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  static std::string content(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::string put(const std::string& name, const std::string& text) {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  // Converts; labels of .npy files are found beside them.
  void run(const std::string& from, const std::string& to, ReadOptions options = {}) {
    if (from.find(".npy") != std::string::npos) options.labels_file = labels_path(from);
    convert({from}, to, Format::automatic, options, silent_log(), {});
  }
  std::string error_of(const std::string& from, const std::string& to, const ReadOptions& options = {}) {
    try {
      run(from, to, options);
    } catch (const Error& error) {
      EXPECT_FALSE(fs::exists(to));
      return error.what();
    }
    return "none";
  }
  std::string directory_;
};

// All that hold labels and features called by number.
const std::vector<std::string> all_formats = {"svm", "vw",  "csv",    "tsv",      "jsonl",
                                              "npy", "npz", "csv.gz", "jsonl.zst"};
// All that hold names.
const std::vector<std::string> named_formats = {"vw", "csv", "tsv", "jsonl"};

std::string random_libsvm(Random& random, std::size_t num_columns) {
  std::string text;
  const std::size_t rows = 3 + random.below(20);
  for (std::size_t i = 0; i < rows; ++i) {
    text += i < 2 ? std::to_string(i) : std::to_string(random.below(3));
    for (std::size_t j = 1; j <= num_columns; ++j) {
      if (random.uniform() < 0.6) continue;
      char value[64];
      const double scale = random.uniform() < 0.2 ? 1e-30 : random.uniform() < 0.2 ? 1e25 : 1;
      std::snprintf(value, sizeof value, " %zu:%.17g", j * j,
                    random.uniform() < 0.3 ? 1.0 : random.normal() * scale);
      text += value;
    }
    text += '\n';
  }
  return text;
}

TEST_F(ConvertTest, EveryPairOfFormatsThereAndBackGivesTheSameBytes) {
  Random random(7);
  const std::string source = put("source.svm", random_libsvm(random, 5));
  for (const auto& first : all_formats) {
    run(source, path("a." + first));
    for (const auto& second : all_formats) {
      run(path("a." + first), path("b." + second));
      run(path("b." + second), path("c." + first));
      EXPECT_EQ(content(path("a." + first)), content(path("c." + first))) << first << " " << second;
    }
  }
}

TEST_F(ConvertTest, TheSameTableHasTheSameMatrixInEveryFormat) {
  Random random(11);
  const std::string source = put("source.svm", random_libsvm(random, 6));
  run(source, path("plain.svm"));
  for (const auto& format : all_formats) {
    run(source, path("x." + format));
    run(path("x." + format), path("again.svm"));
    EXPECT_EQ(content(path("plain.svm")), content(path("again.svm"))) << format;
  }
}

TEST_F(ConvertTest, NamesWeightsOffsetsAndIdsComeThrough) {
  const std::string source = put(
      "source.vw", "spam 2.5 0.25 'r1| zeta:0.1 alpha\nham 1 0 'r2| b^c:-3e-7\nham 'r3| alpha:12345678.9\n");
  ReadOptions with_tag, with_names;
  with_tag.id = "tag";
  with_names.id = "id", with_names.weight = "weight", with_names.offset = "offset";
  const auto options = [&](const std::string& format) { return format == "vw" ? with_tag : with_names; };
  for (const auto& first : named_formats) {
    run(source, path("a." + first), with_tag);
    for (const auto& second : named_formats) {
      run(path("a." + first), path("b." + second), options(first));
      run(path("b." + second), path("c." + first), options(second));
      EXPECT_EQ(content(path("a." + first)), content(path("c." + first))) << first << " " << second;
    }
  }
  EXPECT_EQ(content(path("a.csv")),
            "id,label,weight,offset,alpha,b^c,zeta\nr1,spam,2.5,0.25,1,0,0.1\nr2,ham,1,0,0,-3e-07,0\n"
            "r3,ham,1,0,12345678.9,0,0\n");
  EXPECT_EQ(content(path("a.vw")),
            "spam 2.5 0.25 'r1| alpha zeta:0.1\nham 'r2| b^c:-3e-07\nham 'r3| alpha:12345678.9\n");
  run(source, path("w.npz"), with_tag);
  run(path("w.npz"), path("w.jsonl"), with_names);
  EXPECT_NE(content(path("w.jsonl")).find("\"weight\":2.5,\"offset\":0.25"), std::string::npos);
}

TEST_F(ConvertTest, WideTablesNestInJson) {
  std::string text;
  for (int i = 1; i <= 1500; ++i) text += std::to_string(i % 2) + " " + std::to_string(7 * i) + ":1\n";
  const std::string source = put("source.svm", text);
  run(source, path("a.jsonl"));
  EXPECT_EQ(content(path("a.jsonl")).substr(0, 35), "{\"label\":1,\"features\":{\"7\":1}}\n{\"la");
  run(path("a.jsonl"), path("a.svm"));
  EXPECT_EQ(content(path("a.svm")), text);
  run(path("a.jsonl"), path("b.vw"));
  run(path("b.vw"), path("b.jsonl"));
  EXPECT_EQ(content(path("a.jsonl")), content(path("b.jsonl")));
}

TEST_F(ConvertTest, TextLabelsAndQuotesSurvive) {
  const std::string source = put("s.csv", "label,\"a,b\",\"say \"\"hi\"\"\"\nNew York,1,2\n\" lead\",0,3\n");
  for (const std::string format : {"csv", "jsonl", "tsv"}) {
    run(source, path("a." + format));
    run(path("a." + format), path("b.csv"));
    run(source, path("c.csv"));
    EXPECT_EQ(content(path("b.csv")), content(path("c.csv"))) << format;
  }
  EXPECT_NE(error_of(source, path("x.vw")).find("vw cannot hold"), std::string::npos);
  EXPECT_NE(error_of(source, path("x.svm")).find("libsvm cannot hold the label"), std::string::npos);
  run(source, path("x.npz"));
}

TEST_F(ConvertTest, UnlabelledRowsStayUnlabelled) {
  const std::string source = put("s.vw", "| 1:2 3\n| 2\n");
  for (const auto& format : all_formats) {
    if (format == "npy") continue;
    run(source, path("a." + format));
    run(path("a." + format), path("b.vw"));
    EXPECT_EQ(content(path("b.vw")), "| 1:2 3\n| 2\n") << format;
  }
}

TEST_F(ConvertTest, RefusesWhatCannotBeHeld) {
  const std::string weighted = put("s.vw", "1 2 | a\n0 | b\n");
  EXPECT_NE(error_of(weighted, path("x.svm")).find("libsvm cannot hold example weights"), std::string::npos);
  EXPECT_NE(error_of(weighted, path("x.npy")).find("npy cannot hold example weights"), std::string::npos);
  EXPECT_NE(error_of(weighted, path("x.unknown")).find("cannot be told"), std::string::npos);
  EXPECT_NE(error_of(weighted, path("x.txt")).find("text cannot hold"), std::string::npos);
  const std::string wide = put("w.svm", "1 4000000000:1\n0 1:1\n");
  EXPECT_NE(error_of(wide, path("x.npy")).find("npz writes only what is not zero"), std::string::npos);
}

TEST_F(ConvertTest, NumbersFeaturesWithoutNumbers) {
  const std::string source = put("s.vw", "1 | b:2 a\n0 | c\n");
  run(source, path("x.svm"));
  EXPECT_EQ(content(path("x.svm")), "1 1:1 2:2\n0 3:1\n");
}

TEST_F(ConvertTest, OutputMustNotBeAnInput) {
  const std::string source = put("s.svm", "1 1:1\n0 2:1\n");
  EXPECT_THROW(convert({source}, source, Format::automatic, {}, silent_log(), {}), ConfigError);
  EXPECT_EQ(content(source), "1 1:1\n0 2:1\n");
}

TEST_F(ConvertTest, AFailureLeavesTheOldFile) {
  const std::string bad = put("s.svm", "1 1:x\n");
  put("x.csv", "old");
  EXPECT_THROW(run(bad, path("x.csv")), InputError);
  EXPECT_EQ(content(path("x.csv")), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), {}), 2);
}

TEST_F(ConvertTest, KeepsTheLargestIndex) {
  const std::string text = "1 5:1 4294967295:2\n-1 1000000000:1\n";
  run(put("a.svm", text), path("b.svm"));
  EXPECT_EQ(content(path("b.svm")), text);
  run(put("c.svm", "1 0:1 4294967294:2\n-1 5:1\n"), path("d.svm"), {.index_base = 0});
  EXPECT_EQ(content(path("d.svm")), "1 1:1 4294967295:2\n-1 6:1\n");
  // No room to count from 1: features are numbered anew.
  run(put("e.csv", "0,4294967295,y\n1,2,a\n3,4,b\n"), path("f.svm"), {.target = "y"});
  EXPECT_EQ(content(path("f.svm")), "a 1:1 2:2\nb 1:3 2:4\n");
}

TEST_F(ConvertTest, RefusesControlCharactersThatReadersWouldRefuse) {
  const std::string label = put("l.jsonl", "{\"x\":1,\"y\":\"p\\u0007\"}\n{\"x\":2,\"y\":\"q\"}\n");
  for (const std::string format : {"svm", "vw", "csv", "tsv", "npy", "npz"})
    EXPECT_NE(error_of(label, path("o." + format))
                  .find(" cannot hold the control character in the label \"p\\x07\"; jsonl can"),
              std::string::npos)
        << format;
  const std::string name = put("n.jsonl", "{\"x\":\"a\\u001bb\",\"y\":0}\n{\"x\":\"c\\r\",\"y\":1}\n");
  for (const std::string format : {"vw", "csv", "tsv"})
    EXPECT_NE(error_of(name, path("o." + format)).find(" cannot hold the control character in the feature"),
              std::string::npos)
        << format;
  for (const std::string& from : {label, name}) {
    run(from, path("o.jsonl"));
    run(path("o.jsonl"), path("p.jsonl"));
    EXPECT_EQ(content(path("o.jsonl")), content(path("p.jsonl")));
  }
  run(name, path("o.svm"));  // has no names
  EXPECT_EQ(content(path("o.svm")), "0 1:1\n1 2:1\n");
}

}  // namespace
}  // namespace lazylogit::io
