// .npy and .npz as a whole, on files that NumPy and SciPy wrote (tests/data/arrays).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "lazylogit/io/formats/npy.hpp"
#include "lazylogit/io/formats/npz.hpp"
#include "lazylogit/io/writers/npy_text.hpp"
#include "lazylogit/io/writers/zip_writer.hpp"
#include "support/load_bytes.hpp"
#include "support/source_tree.hpp"

namespace lazylogit::io {
namespace {

const std::string folder = (test::source_tree() / "tests/data/arrays/").string();
const std::string rows_yes_no = "1|1:1 3:2.5;0|3:-3;1|1:0.5 2:4;0|;";

std::string bytes_of(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(folder + name, std::ios::binary).rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

ReadOptions with_labels(const std::string& name) {
  return test::options_with([&](auto& o) { o.labels_file = name.empty() ? "" : folder + name; });
}

std::string rows_of(Format format, const std::string& bytes, const std::string& labels = "") {
  return test::describe(test::load_bytes(format, bytes, with_labels(labels)).data);
}

std::string array_error(Format format, const std::string& bytes, const std::string& labels = "") {
  return test::load_error(format, bytes, with_labels(labels));
}

std::string write_text(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/arrays_test_" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

template <class T>
std::string array(std::string_view type, std::string_view shape, const std::vector<T>& values) {
  return npy_header(type, shape) + std::string(raw_bytes(values.data(), values.size()));
}

std::string archive(const std::vector<std::pair<std::string, std::string>>& members) {
  const std::string path = testing::TempDir() + "/arrays_test_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".npz";
  OutputFile out(path);
  const auto sink = make_byte_sink(out);
  ZipWriter zip(*sink);
  for (const auto& [name, content] : members) {
    const std::string_view pieces[] = {content};
    zip.add(name + ".npy", pieces);
  }
  zip.finish();
  sink->finish();
  out.commit();
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Npy, ReadsBothOrdersOfBytesAndAxes) {
  EXPECT_EQ(rows_of(Format::npy, bytes_of("c_order.npy"), "labels_int.npy"), rows_yes_no);
  EXPECT_EQ(rows_of(Format::npy, bytes_of("fortran_big_endian.npy"), "labels_int.npy"), rows_yes_no);
}

TEST(Npy, TakesTextLabelsAndLinesOfText) {
  EXPECT_EQ(rows_of(Format::npy, bytes_of("c_order.npy"), "labels_text.npy"),
            "yes|1:1 3:2.5;no|3:-3;yes|1:0.5 2:4;n\xC3\xB6|;");
  const auto lines = [&](const std::string& text) {
    return test::options_with([&](auto& o) { o.labels_file = write_text("labels.txt", text); });
  };
  EXPECT_EQ(
      test::describe(test::load_bytes(Format::npy, bytes_of("c_order.npy"), lines("1.0\r\n0\n+1\n0")).data),
      rows_yes_no);
  const std::string missing = test::load_error(Format::npy, bytes_of("c_order.npy"), lines("1\n\n1\n0\n"));
  EXPECT_NE(missing.find("labels.txt:2:1: error: row 2 has no label"), std::string::npos) << missing;
}

TEST(Npy, SaysWhatIsWrongWithLabels) {
  EXPECT_NE(array_error(Format::npy, bytes_of("c_order.npy")).find("option --labels: \"x\" holds no labels"),
            std::string::npos);
  const std::string five = array<std::int64_t>("<i8", "(5,)", {1, 2, 3, 4, 5});
  const std::string three = array<std::int64_t>("<i8", "(3,)", {1, 2, 3});
  for (const auto& bytes : {five, three}) {
    const auto options = test::options_with([&](auto& o) { o.labels_file = write_text("count.npy", bytes); });
    EXPECT_NE(test::load_error(Format::npy, bytes_of("c_order.npy"), options).find("labels for"),
              std::string::npos);
  }
}

TEST(Npy, PredictionNeedsNoLabels) {
  const auto options = test::options_with([](auto& o) { o.labels_required = false; });
  EXPECT_EQ(test::describe(test::load_bytes(Format::npy, bytes_of("c_order.npy"), options).data),
            "|1:1 3:2.5;|3:-3;|1:0.5 2:4;|;");
}

TEST(Npy, RefusesObjectsTextAndOtherRanks) {
  EXPECT_NE(array_error(Format::npy, bytes_of("objects.npy")).find("pickle"), std::string::npos);
  EXPECT_NE(array_error(Format::npy, bytes_of("labels_text.npy")).find("text"), std::string::npos);
  EXPECT_NE(array_error(Format::npy, bytes_of("labels_int.npy")).find("two dimensions"), std::string::npos);
  EXPECT_NE(array_error(Format::npy, npy_header("<f8", "(9, 0)")).find("no columns"), std::string::npos);
  EXPECT_NE(array_error(Format::npy, npy_header("<f8", "(1, 99999999999)")).find("columns"),
            std::string::npos);
}

TEST(Npy, NamesRowAndColumnOfWhatIsNotFinite) {
  const std::string bytes = array<double>("<f8", "(2, 2)", {1, 2, 3, NAN});
  const auto options = test::options_with([](auto& o) { o.labels_required = false; });
  EXPECT_EQ(test::load_error(Format::npy, bytes, options),
            "x: byte 152: error: the value in row 2, column 2 is nan; expected a finite number");
}

TEST(Npy, EveryTruncationAndTrailingByteIsRefused) {
  for (const std::string name : {"c_order.npy", "fortran_big_endian.npy"}) {
    const std::string whole = bytes_of(name);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_NE(array_error(Format::npy, whole.substr(0, size), "labels_int.npy"), "none") << name << size;
    EXPECT_NE(array_error(Format::npy, whole + "x", "labels_int.npy").find("after the end"),
              std::string::npos);
  }
}

TEST(Npy, AClaimedShapeAllocatesNothing) {
  // 2^40 columns of 8 bytes in a file of 128 bytes; 2^60 rows likewise.
  const auto options = test::options_with([](auto& o) { o.labels_required = false; });
  for (const std::string shape : {"(1, 4294967290)", "(1152921504606846975, 1)", "(1073741824, 1073741824)"})
    EXPECT_NE(test::load_error(Format::npy, npy_header("<f8", shape), options), "none") << shape;
}

TEST(Npy, EveryBitFlipGivesRowsOrAnError) {
  const std::string whole = bytes_of("c_order.npy");
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    array_error(Format::npy, bytes, "labels_int.npy");
  }
}

TEST(Npz, ReadsScipysLayouts) {
  for (const std::string name : {"scipy_csr.npz", "scipy_csr_stored.npz", "scipy_csc.npz", "scipy_coo.npz"})
    EXPECT_EQ(rows_of(Format::npz, bytes_of(name), "labels_int.npy"), rows_yes_no) << name;
  EXPECT_NE(
      array_error(Format::npz, bytes_of("scipy_bsr.npz"), "labels_int.npy").find("\"bsr\" is not supported"),
      std::string::npos);
}

TEST(Npz, ReadsXAndY) {
  EXPECT_EQ(rows_of(Format::npz, bytes_of("x_y.npz")), rows_yes_no);
  EXPECT_EQ(rows_of(Format::npz, bytes_of("x_y_compressed.npz")), "b|1:1 3:2.5;a|3:-3;b|1:0.5 2:4;a|;");
  EXPECT_EQ(rows_of(Format::npz, bytes_of("x_y_compressed.npz"), "labels_int.npy"), rows_yes_no);
  EXPECT_NE(array_error(Format::npz, bytes_of("scipy_csr.npz")).find("--labels"), std::string::npos);
}

TEST(Npz, SumsRepeatedEntries) {
  const std::string text = npy_header("|S3", "()") + "csr";
  const std::string bytes = archive({{"format", text},
                                     {"shape", array<std::int64_t>("<i8", "(2,)", {2, 3})},
                                     {"data", array<double>("<f8", "(4,)", {1, 2, 3, 4})},
                                     {"indices", array<std::int32_t>("<i4", "(4,)", {2, 0, 2, 1})},
                                     {"indptr", array<std::int32_t>("<i4", "(3,)", {0, 3, 4})},
                                     {"y", array<std::int64_t>("<i8", "(2,)", {0, 1})}});
  EXPECT_EQ(rows_of(Format::npz, bytes), "0|1:2 3:4;1|2:4;");
}

TEST(Npz, ChecksTheSparseTripleCompletely) {
  struct Case {
    std::vector<std::int64_t> shape, pointers;
    std::vector<std::int32_t> indices;
    std::string error;
  };
  const Case cases[] = {
      {{2, 3}, {0, 3, 2}, {0, 1}, "not an index below 3"},
      {{2, 3}, {0, 2, 1}, {0, 1}, "smaller than the one before"},
      {{2, 3}, {1, 1, 2}, {0, 1}, "first pointer is not 0"},
      {{2, 3}, {0, 1, 1}, {0, 1}, "the last pointer is 1"},
      {{2, 3}, {0, 1}, {0, 1}, "pointers; the shape needs 3"},
      {{2, 3}, {0, 1, 2}, {0, 3}, "not an index below 3"},
      {{2, 3}, {0, 1, 2}, {0, -1}, "not an index below 3"},
      {{2, 3}, {0, 1, 2}, {0}, "1 indices for 2 values"},
      {{-2, 3}, {0, 1, 2}, {0, 1}, "not an index"},
      {{2}, {0, 1, 2}, {0, 1}, "expected two numbers"},
  };
  for (const Case& c : cases) {
    const auto shape = [](const auto& v) { return "(" + std::to_string(v.size()) + ",)"; };
    const std::string bytes = archive({{"format", npy_header("|S3", "()") + "csr"},
                                       {"shape", array("<i8", shape(c.shape), c.shape)},
                                       {"data", array<double>("<f8", "(2,)", {1, 2})},
                                       {"indices", array("<i4", shape(c.indices), c.indices)},
                                       {"indptr", array("<i8", shape(c.pointers), c.pointers)},
                                       {"y", array<std::int64_t>("<i8", "(2,)", {0, 1})}});
    const std::string error = array_error(Format::npz, bytes);
    EXPECT_NE(error.find(c.error), std::string::npos) << error << " / " << c.error;
    EXPECT_NE(error.find("member"), std::string::npos);
  }
}

TEST(Npz, SaysWhatTheArchiveHas) {
  const std::string error =
      array_error(Format::npz, archive({{"weights", array<double>("<f8", "(1,)", {1})}}));
  EXPECT_NE(error.find("it has \"weights.npy\""), std::string::npos) << error;
}

TEST(Npz, EveryTruncationIsRefusedAndNoBitFlipCrashes) {
  for (const std::string name : {"scipy_csr_stored.npz", "x_y_compressed.npz", "scipy_coo.npz"}) {
    const std::string whole = bytes_of(name);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_NE(array_error(Format::npz, whole.substr(0, size), "labels_int.npy"), "none") << name << size;
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string bytes = whole;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
      array_error(Format::npz, bytes, "labels_int.npy");
    }
  }
}

TEST(Npz, ManyEmptyRowsOfACooMatrixAreNotAllocated) {
  const std::string bytes = archive({{"format", npy_header("|S3", "()") + "coo"},
                                     {"shape", array<std::int64_t>("<i8", "(2,)", {4000000000, 3})},
                                     {"data", array<double>("<f8", "(1,)", {1})},
                                     {"row", array<std::int32_t>("<i4", "(1,)", {0})},
                                     {"col", array<std::int32_t>("<i4", "(1,)", {0})}});
  EXPECT_NE(array_error(Format::npz, bytes, "labels_int.npy").find("does not fit the data"),
            std::string::npos);
}

}  // namespace
}  // namespace lazylogit::io
