#include "lazylogit/io/inputs.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "lazylogit/base/error.hpp"
#include "support/compressed.hpp"

namespace lazylogit::io {
namespace {

namespace fs = std::filesystem;

class InputsTest : public testing::Test {
 protected:
  InputsTest() {
    std::string name = fs::temp_directory_path() / "lazylogit-inputs-XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~InputsTest() override { fs::remove_all(directory_); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
    return directory_ / name;
  }
  static std::string all(Input& input) {
    const auto source = input.open();
    std::string out(100000, '\0');
    out.resize(read_fully(*source, out.data(), out.size()));
    return out;
  }
  static std::string error_of(const std::vector<std::string>& arguments) {
    try {
      for (Input& input : expand_inputs(arguments, {})) all(input);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
  fs::path directory_;
};

TEST_F(InputsTest, BytesThatAreMadeCanBeReadAgain) {
  int times = 0;
  Input input = Input::from_maker("made", [&times] {
    ++times;
    return make_memory_source("a line\n");
  });
  input.keep_while_reading();  // no reason for a temporary file
  EXPECT_EQ(input.name(), "made");
  EXPECT_EQ(input.peek(3), "a l");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(all(input), "a line\n");
  EXPECT_EQ(times, 3);
}

TEST_F(InputsTest, ExpandsPatternsInByteOrder) {
  write("b.svm", "");
  write("a.svm", "");
  write("B.svm", "");
  const auto inputs = expand_inputs({directory_ / "*.svm", "-"}, {});
  ASSERT_EQ(inputs.size(), 4u);
  EXPECT_EQ(inputs[0].name(), directory_ / "B.svm");
  EXPECT_EQ(inputs[1].name(), directory_ / "a.svm");
  EXPECT_EQ(inputs[2].name(), directory_ / "b.svm");
  EXPECT_EQ(inputs[3].name(), "<stdin>");
}

TEST_F(InputsTest, AFileWithAStarInItsNameIsThatFile) {
  const std::string path = write("x*.svm", "star");
  write("xy.svm", "other");
  auto inputs = expand_inputs({path}, {});
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(all(inputs[0]), "star");
}

TEST_F(InputsTest, NamesWhatCannotBeOpened) {
  EXPECT_EQ(error_of({"/no/such/file"}), "/no/such/file: error: cannot open: No such file or directory");
  EXPECT_EQ(error_of({"/no/such/*.svm"}), "/no/such/*.svm: error: no file matches this pattern");
  EXPECT_NE(error_of({directory_}).find("is a directory"), std::string::npos);
  EXPECT_NE(error_of({"-", "-"}).find("twice"), std::string::npos);
}

TEST_F(InputsTest, PeekLosesNothingAndFilesOpenAgain) {
  const std::string path = write("x.gz", test::gzip("hello world"));
  Input input(path, {});
  EXPECT_EQ(input.peek(5), "hello");
  EXPECT_EQ(input.peek(3), "hel");
  EXPECT_EQ(all(input), "hello world");
  EXPECT_EQ(all(input), "hello world");
  EXPECT_EQ(input.peek(100), "hello world");
  EXPECT_EQ(all(input), "hello world");
}

TEST_F(InputsTest, APipeCanBeReadOnceUnlessItIsKept) {
  const std::string path = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  for (const bool keep : {false, true}) {
    for (const bool look : {false, true}) {
      std::thread writer([&] { std::ofstream(path, std::ios::binary) << test::zstd("from the pipe"); });
      Input input(path, {});
      if (look) {
        EXPECT_EQ(input.peek(4), "from");
      }
      if (keep) input.make_rewindable();
      EXPECT_EQ(all(input), "from the pipe");
      if (keep) {
        EXPECT_EQ(all(input), "from the pipe");
        EXPECT_EQ(input.peek(4), "from");
        EXPECT_EQ(all(input), "from the pipe");
      } else {
        EXPECT_THROW(input.open(), IoError);
      }
      writer.join();
    }
  }
}

TEST_F(InputsTest, APipeIsKeptAsFarAsItIsRead) {
  const std::string path = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string text(90000, 'x');  // more than a pipe holds
  for (const std::size_t part : {std::size_t{0}, std::size_t{5}, text.size()}) {
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });
    Input input(path, {});
    input.keep_while_reading();
    EXPECT_EQ(input.peek(4), "xxxx");
    {
      const auto source = input.open();
      std::string bytes(part, ' ');
      EXPECT_EQ(read_fully(*source, bytes.data(), part), part);
    }
    EXPECT_EQ(input.peek(4), "xxxx");
    EXPECT_TRUE(all(input) == text);
    EXPECT_TRUE(all(input) == text);
    writer.join();
  }
}

TEST(Input, FromMemoryOpensAgain) {
  Input input = Input::from_memory("m", "abc");
  EXPECT_EQ(input.peek(), "abc");
  for (int i = 0; i < 2; ++i) {
    char bytes[8];
    EXPECT_EQ(read_fully(*input.open(), bytes, 8), 3u);
  }
}

}  // namespace
}  // namespace lazylogit::io
