#include "lazylogit/io/foreign_bytes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/load.hpp"
#include "support/compressed.hpp"

namespace lazylogit::io {
namespace {

using namespace std::string_literals;
using test::gzip;

std::string load_error(const std::string& name, const std::string& bytes, Format format = Format::automatic) {
  ReadOptions options;
  options.format = format;
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory(name, bytes));
  try {
    load(std::move(inputs), options, silent_log(), {});
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

constexpr Format text_formats[] = {Format::libsvm, Format::vw,    Format::csv,
                                   Format::tsv,    Format::jsonl, Format::text};

TEST(ForeignBytes, AreCalledByTheirNameInEveryFormat) {
  const std::pair<std::string, std::string> files[] = {
      {"BZh91AY&SY\x12\x34\x00\x80\x01"s, "bzip2-compressed data"},
      {"\xFD"
       "7zXZ\0\0\x04\xE6"s,
       "xz-compressed data"},
      {"\x04\x22\x4D\x18\x64\x40\xA7"s, "lz4-compressed data"},
      {"\x1F\x9D\x90\x61"s, "data compressed by compress"},
      {"7z\xBC\xAF\x27\x1C\0\x04"s, "a 7z archive"},
      {"PAR1\x15\x04\x15\x00"s, "a Parquet file"},
      {"SQLite format 3\0\x10\0"s, "an SQLite database"},
      {"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n"s, "a PDF document"},
      {"\x89HDF\r\n\x1A\n\0\0"s, "an HDF5 file"},
      {"\x80\x04\x95\x10\0\0\0\0\0\0\0"s, "a Python pickle"},
      {"data.csv"s + std::string(249, '\0') + "ustar\0"s + std::string(200, '\0'), "a tar archive"},
      {"\0\0\x08\x03\0\0\xEA\x60"s, "an idx file"},
      {"\x10\0\0\0\0\0\0\0{\"a\":1}      "s, "a safetensors file"},
  };
  for (const auto& [bytes, name] : files) {
    for (const Format format : text_formats)
      EXPECT_TRUE(load_error("f", bytes, format).starts_with("f: error: this is " + name)) << name;
    EXPECT_TRUE(load_error("f", bytes).starts_with("f: error: this is " + name)) << load_error("f", bytes);
    EXPECT_TRUE(load_error("f.npy", bytes).starts_with("f.npy: error: this is " + name)) << name;
    EXPECT_TRUE(load_error("f.csv", gzip(bytes)).starts_with("f.csv: error: this is " + name)) << name;
  }
}

TEST(ForeignBytes, ArchivesAreNoText) {
  for (const Format format : text_formats)
    EXPECT_TRUE(
        load_error("f", "PK\x03\x04\x14\0\0\0"s, format).starts_with("f: error: this is a zip archive"));
}

TEST(ForeignBytes, CompressionWithinCompressionIsCalledThat) {
  EXPECT_TRUE(load_error("f.csv", gzip(gzip("a,y\n1,0\n2,1\n")))
                  .starts_with("f.csv: error: this is gzip data within gzip data, which is not read"));
}

TEST(ForeignBytes, TextThatBeginsAsABinaryFileDoesIsText) {
  for (const std::string name :
       {"PAR1", "BZh91", "GIF8", "ORC", "RDX3", "LZIP", "MATLAB 5", "%PDF-1.4", "FEA1"})
    EXPECT_EQ(load_error("t.csv", name + ",y\n1,a\n2,b\n"), "") << name;
  // A character that the look at the first bytes cuts in two is no binary data.
  const std::string cut = "PAR1,y\n" + std::string(foreign_head_bytes - 8, 'x') + "\xC3\xA4,a\nz,b\n";
  EXPECT_EQ(load_error("t.csv", cut), "");
}

}  // namespace
}  // namespace lazylogit::io
