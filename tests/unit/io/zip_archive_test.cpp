#include "lazylogit/io/zip_archive.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/writers/zip_writer.hpp"
#include "support/source_tree.hpp"

namespace lazylogit::io {
namespace {

std::string file_content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Written once by Python's zipfile: deflated.txt (deflated, 2000 × "lazy"), stored.bin (stored, "abc").
std::string python_archive() {
  return file_content((test::source_tree() / "tests/data/zip/python.zip").string());
}

std::string written_archive() {
  const std::string path = testing::TempDir() + "/zip_writer_test.zip";
  OutputFile out(path);
  const auto sink = make_byte_sink(out);
  ZipWriter zip(*sink);
  const std::string_view pieces[] = {"hello", "", " world"};
  zip.add("a.npy", pieces);
  zip.add("../../etc/b", {});
  zip.finish();
  sink->finish();
  out.commit();
  return file_content(path);
}

// Everything that can be done with an archive; the outcome is content or an error, never a crash.
std::string read_all(const std::string& bytes) {
  try {
    const ZipArchive archive(bytes, "x.npz", 1000);
    std::string all;
    for (const auto& member : archive.members()) {
      Buffer<char> storage;
      all += member.name + "=" + std::string(archive.read(member, storage)) + ";";
    }
    return all;
  } catch (const InputError& error) {
    EXPECT_EQ(error.detail().file, "x.npz");
    return "error: " + error.detail().message;
  } catch (const IoError& error) {
    return "limit: " + error.detail().message;
  }
}

TEST(ZipArchive, ReadsWhatTheWriterWrote) {
  EXPECT_EQ(read_all(written_archive()), "a.npy=hello world;../../etc/b=;");
}

TEST(ZipArchive, ReadsPythonsStoredAndDeflatedMembers) {
  std::string lazy;
  for (int i = 0; i < 2000; ++i) lazy += "lazy";
  EXPECT_EQ(read_all(python_archive()), "deflated.txt=" + lazy + ";stored.bin=abc;");
}

TEST(ZipArchive, RefusesEveryTruncationAndTrailingByte) {
  for (const std::string& whole : {written_archive(), python_archive()}) {
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_TRUE(read_all(whole.substr(0, size)).starts_with("error")) << size;
    EXPECT_TRUE(read_all(whole + "x").starts_with("error"));
    EXPECT_TRUE(read_all("x" + whole).starts_with("error"));
  }
}

TEST(ZipArchive, SurvivesEveryBitFlip) {
  for (const std::string& whole : {written_archive(), python_archive()}) {
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string bytes = whole;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
      read_all(bytes);
    }
  }
}

TEST(ZipArchive, NoticesDamagedData) {
  std::string bytes = written_archive();
  bytes[bytes.find("hello")] = 'j';
  EXPECT_NE(read_all(bytes).find("checksum"), std::string::npos);
}

TEST(ZipArchive, RefusesRepeatedNames) {
  const std::string path = testing::TempDir() + "/zip_repeated_test.zip";
  OutputFile out(path);
  const auto sink = make_byte_sink(out);
  ZipWriter zip(*sink);
  zip.add("a", {});
  zip.add("a", {});
  zip.finish();
  sink->finish();
  out.commit();
  EXPECT_NE(read_all(file_content(path)).find("repeated"), std::string::npos);
}

TEST(ZipArchive, LimitsExpansion) {
  // 66 MiB of zeros in 66 KiB: allowed with the default factor, not with a factor of 1.
  const std::string bytes = file_content((test::source_tree() / "tests/data/zip/zeros_66m.zip").string());
  const ZipArchive archive(bytes, "x.npz", 1);
  Buffer<char> storage;
  EXPECT_THROW(archive.read(archive.members()[0], storage), IoError);
  EXPECT_LT(storage.size(), std::size_t{1} << 20);
  EXPECT_FALSE(read_all(bytes).starts_with("limit"));
}

}  // namespace
}  // namespace lazylogit::io
