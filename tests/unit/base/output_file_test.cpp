#include "lazylogit/base/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "lazylogit/base/error.hpp"

namespace lazylogit {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    std::string pattern = testing::TempDir() + "/output_file_XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  ~OutputFileTest() override { fs::remove_all(directory_); }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  static std::string content(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  static void put(const std::string& file, const std::string& text) { std::ofstream(file) << text; }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory_), {}));
  }
  std::string directory_;
};

TEST_F(OutputFileTest, AppearsOnlyWithCommit) {
  put(path("m"), "old");
  {
    OutputFile out(path("m"));
    out.write("new");
    out.flush();
    EXPECT_EQ(content(path("m")), "old");
    EXPECT_EQ(entries(), 2u);
    out.commit();
    EXPECT_EQ(content(path("m")), "new");
  }
  EXPECT_EQ(content(path("m")), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputFileTest, RewritesWhatWasWritten) {
  OutputFile out(path("m"));
  out.write(std::string(300000, 'a'));
  out.write("end");
  out.rewrite(3, "bc");
  out.write("!");
  out.rewrite(300002, "D");
  out.commit();
  EXPECT_EQ(content(path("m")), "aaabc" + std::string(299995, 'a') + "enD!");
}

TEST_F(OutputFileTest, WithoutCommitNothingIsLeft) {
  { OutputFile(path("m")).write("new"); }
  EXPECT_EQ(entries(), 0u);
}

TEST_F(OutputFileTest, WritesMoreThanItsBuffer) {
  std::string expected;
  OutputFile out(path("m"));
  for (std::size_t i = 0; i < 40; ++i) {
    const std::string piece(i * 5000, static_cast<char>('a' + i % 26));
    out.write(piece);
    expected += piece;
  }
  const std::string large(1 << 20, 'z');
  out.write(large);
  out.write("end");
  expected += large + "end";
  EXPECT_EQ(out.bytes_written(), expected.size());
  out.commit();
  EXPECT_EQ(content(path("m")), expected);
}

TEST_F(OutputFileTest, KeepsPermissionsOfTheFileItReplaces) {
  put(path("m"), "old");
  ::chmod(path("m").c_str(), 0640);
  OutputFile out(path("m"));
  out.commit();
  struct stat status {};
  ASSERT_EQ(::stat(path("m").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(OutputFileTest, NewFileHasPermissionsOfTheUmask) {
  const mode_t mask = ::umask(027);
  OutputFile(path("m")).commit();
  ::umask(mask);
  struct stat status {};
  ASSERT_EQ(::stat(path("m").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(OutputFileTest, FollowsLinksToTheirTargets) {
  fs::create_directory(path("d"));
  fs::create_symlink("d/real", path("link"));
  fs::create_symlink("link", path("link2"));
  for (const std::string text : {"first", "second"}) {  // a target that does not exist, then one that does
    OutputFile out(path("link2"));
    out.write(text);
    out.commit();
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_TRUE(fs::is_symlink(path("link2")));
    EXPECT_EQ(content(path("d/real")), text);
  }
  fs::create_symlink("loop", path("loop"));
  EXPECT_THROW(OutputFile{path("loop")}, IoError);
}

TEST_F(OutputFileTest, FullDeviceIsAnErrorAndNeverReplaced) {
  OutputFile out("/dev/full");
  EXPECT_TRUE(out.is_direct());
  out.write("x");
  EXPECT_THROW(out.commit(), IoError);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFileTest, WritesDirectlyToDevices) {
  OutputFile out("/dev/null");
  out.write("x");
  out.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, NamesTheFileThatCannotBeWritten) {
  for (const auto& bad : {directory_, path("none/m"), path("m/")}) {
    try {
      OutputFile out(bad);
      FAIL() << bad;
    } catch (const IoError& error) {
      EXPECT_EQ(error.detail().file, bad);
      EXPECT_EQ(error.detail().kind, ErrorKind::environment);
    }
  }
  EXPECT_THROW(OutputFile{""}, ConfigError);
  EXPECT_EQ(entries(), 0u);
}

TEST_F(OutputFileTest, LongNamesStillGetATemporary) {
  const std::string name(255, 'n');
  OutputFile out(path(name));
  out.write("x");
  out.commit();
  EXPECT_EQ(content(path(name)), "x");
}

TEST_F(OutputFileTest, RemovePendingOutputsRemovesTemporariesOnly) {
  put(path("m"), "old");
  OutputFile out(path("m")), other(path("k"));
  out.write("x");
  EXPECT_EQ(entries(), 3u);
  remove_pending_outputs();
  EXPECT_EQ(entries(), 1u);
  EXPECT_EQ(content(path("m")), "old");
  EXPECT_THROW(out.commit(), IoError);
  EXPECT_EQ(content(path("m")), "old");
}

TEST_F(OutputFileTest, CommittedFilesAreNoLongerPending) {
  OutputFile out(path("m"));
  out.commit();
  remove_pending_outputs();
  EXPECT_TRUE(fs::exists(path("m")));
}

TEST_F(OutputFileTest, ManyOutputsOneAfterAnother) {
  for (int i = 0; i < 200; ++i) OutputFile(path("m")).commit();
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputFileTest, RefusesInputAsOutputThroughLinks) {
  put(path("a"), "1");
  put(path("b"), "1");
  fs::create_symlink("a", path("soft"));
  fs::create_hard_link(path("a"), path("hard"));
  for (const std::string name : {"a", "soft", "hard"})
    EXPECT_THROW(refuse_output_equal_to_input(path(name), {path("b"), path("a")}), ConfigError) << name;
  refuse_output_equal_to_input(path("new"), {path("a"), path("b")});
  refuse_output_equal_to_input(path("a"), {path("b"), path("none")});
  refuse_output_equal_to_input("/dev/null", {"/dev/null"});
}

}  // namespace
}  // namespace lazylogit
