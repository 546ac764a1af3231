#include "lazylogit/io/formats/npy_header.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/npy_element.hpp"

namespace lazylogit::io {
namespace {

std::string npy_bytes(const std::string& dictionary, char major = 1) {
  std::string text = dictionary + "\n";
  std::string bytes = std::string(npy_magic) + major + '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes += static_cast<char>((text.size() >> (8 * i)) & 0xFF);
  return bytes + text;
}

NpyHeader parse(const std::string& dictionary, char major = 1) {
  return parse_npy_header(npy_bytes(dictionary, major), {.file = "x.npy"});
}

std::string header_error(const std::string& bytes) {
  try {
    parse_npy_header(bytes, {.file = "x.npy"});
  } catch (const InputError& error) {
    EXPECT_TRUE(error.detail().byte.has_value());
    return error.what();
  }
  return "no error";
}

TEST(NpyHeader, ReadsAllVersionsAndOrders) {
  for (const char major : {'\1', '\2', '\3'}) {
    const NpyHeader header = parse("{'descr': '>f4', 'fortran_order': True, 'shape': (3, 4), }   ", major);
    EXPECT_EQ(header.kind, NpyKind::floating);
    EXPECT_EQ(header.item_bytes, 4u);
    EXPECT_TRUE(header.big_endian);
    EXPECT_TRUE(header.fortran_order);
    EXPECT_EQ(header.shape, (std::vector<std::uint64_t>{3, 4}));
    EXPECT_EQ(header.data_bytes, 48u);
  }
}

TEST(NpyHeader, ReadsEveryNumericType) {
  for (const std::string type :
       {"|b1", "|i1", "<i2", "<i4", ">i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8"})
    EXPECT_EQ(parse("{'descr': '" + type + "', 'fortran_order': False, 'shape': (2,)}").data_bytes,
              2u * static_cast<unsigned>(type[2] - '0'));
  EXPECT_EQ(parse("{'descr': '<U3', 'fortran_order': False, 'shape': (2,)}").data_bytes, 24u);
  EXPECT_EQ(parse("{'shape': (), 'descr': \"|S5\", 'fortran_order': False}").data_bytes, 5u);
}

TEST(NpyHeader, RefusesOtherTypesByName) {
  const auto type_error = [](const std::string& type) {
    return header_error(npy_bytes("{'descr': " + type + ", 'fortran_order': False, 'shape': (2,)}"));
  };
  EXPECT_NE(type_error("'|O'").find("Python objects"), std::string::npos);
  EXPECT_NE(type_error("'|O8'").find("Python objects"), std::string::npos);
  EXPECT_NE(type_error("'<c16'").find("complex"), std::string::npos);
  EXPECT_NE(type_error("'<M8[ns]'").find("date"), std::string::npos);
  EXPECT_NE(type_error("'|V8'").find("structured"), std::string::npos);
  EXPECT_NE(type_error("[('a', '<f8')]").find("structured"), std::string::npos);
  EXPECT_NE(type_error("'<f16'").find("size"), std::string::npos);
  EXPECT_NE(type_error("'<i3'").find("size"), std::string::npos);
  EXPECT_NE(type_error("''").find("unknown"), std::string::npos);
}

TEST(NpyHeader, RefusesBadShapes) {
  const auto shape_error = [](const std::string& shape) {
    return header_error(npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + "}"));
  };
  EXPECT_NE(shape_error("(-1, 2)").find("negative"), std::string::npos);
  EXPECT_NE(shape_error("(99999999999999999999,)").find("too large"), std::string::npos);
  EXPECT_NE(shape_error("(4611686018427387904, 4611686018427387904)").find("overflows"), std::string::npos);
  EXPECT_NE(shape_error("(2.5,)").find("expected"), std::string::npos);
  EXPECT_NE(shape_error("3").find("tuple"), std::string::npos);
  EXPECT_NE(shape_error("(3").find("expected"), std::string::npos);
  EXPECT_NE(shape_error("(__import__('os'),)").find("expected"), std::string::npos);
}

TEST(NpyHeader, RefusesMalformedHeaders) {
  EXPECT_NE(header_error("hello").find("not a .npy file"), std::string::npos);
  EXPECT_NE(header_error("\x80\x04\x95").find("pickle"), std::string::npos);
  EXPECT_NE(header_error(npy_bytes("{}", 4)).find("version 4.0"), std::string::npos);
  EXPECT_NE(header_error(npy_bytes("{}")).find("lacks a key"), std::string::npos);
  EXPECT_NE(header_error(npy_bytes("{'descr': '<f8', 'descr': '<f8'}")).find("repeated"), std::string::npos);
  EXPECT_NE(header_error(npy_bytes("{'evil': 1}")).find("unknown key"), std::string::npos);
  EXPECT_NE(
      header_error(npy_bytes("{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}")).find("True or False"),
      std::string::npos);
  EXPECT_NE(
      header_error(npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x")).find("after"),
      std::string::npos);
}

TEST(NpyHeader, RefusesEveryTruncation) {
  const std::string whole = npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(header_error(whole.substr(0, size)), "no error") << size;
}

NpyHeader type_of(const std::string& type) {
  return parse("{'descr': '" + type + "', 'fortran_order': False, 'shape': (1,)}");
}

double number_of(const std::string& type, const std::string& bytes) {
  double value = 0;
  decode_npy_numbers(type_of(type), bytes.data(), bytes.size(), 1, &value);
  return value;
}

TEST(NpyElement, DecodesNumbersOfBothByteOrders) {
  using namespace std::string_literals;
  EXPECT_EQ(number_of("|b1", "\1"), 1);
  EXPECT_EQ(number_of("|i1", "\xff"), -1);
  EXPECT_EQ(number_of("|u1", "\xff"), 255);
  EXPECT_EQ(number_of("<i2", "\xfe\xff"), -2);
  EXPECT_EQ(number_of(">i2", "\xff\xfe"), -2);
  EXPECT_EQ(number_of(">u4", "\0\0\1\0"s), 256);
  EXPECT_EQ(number_of("<i8", std::string(8, '\xff')), -1);
  EXPECT_EQ(number_of("<u8", std::string(8, '\xff')), 0x1p64);
  EXPECT_EQ(number_of(">f4", "\x3f\x80\0\0"s), 1);
  EXPECT_EQ(number_of("<f8", "\0\0\0\0\0\0\xf0\xbf"s), -1);
  EXPECT_EQ(number_of("<f2", "\x00\x3c"s), 1);
}

TEST(NpyElement, HalfPrecisionMatchesItsDefinition) {
  EXPECT_EQ(half_to_double(0x0001), 0x1p-24);
  EXPECT_EQ(half_to_double(0x03FF), 1023 * 0x1p-24);
  EXPECT_EQ(half_to_double(0x0400), 0x1p-14);
  EXPECT_EQ(half_to_double(0x7BFF), 65504);
  EXPECT_EQ(half_to_double(0xC000), -2);
  EXPECT_TRUE(std::isinf(half_to_double(0xFC00)));
  EXPECT_TRUE(std::isnan(half_to_double(0x7C01)));
  EXPECT_TRUE(std::signbit(half_to_double(0x8000)));
}

TEST(NpyElement, LabelsKeepAllDigitsAndText) {
  const std::int64_t large = 9007199254740993;
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &large, 8);
  EXPECT_EQ(npy_label(type_of("<i8"), bytes.data()), "9007199254740993");
  const float tenth = 0.1f;
  std::memcpy(bytes.data(), &tenth, 4);
  EXPECT_EQ(npy_label(type_of("<f4"), bytes.data()), "0.1");
  EXPECT_EQ(npy_label(type_of("|S4"), "ab\0\0"), "ab");
  EXPECT_EQ(npy_label(type_of("|S2"), "\xff\xff"), std::nullopt);
  EXPECT_EQ(npy_label(type_of("<U2"), "\xe4\0\0\0\0\0\0\0"), "\xc3\xa4");
  EXPECT_EQ(npy_label(type_of(">U1"), "\0\x01\xf6\x00"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(npy_label(type_of("<U1"), "\x00\xd8\0\0"), std::nullopt);
}

TEST(NpyElement, IndicesAreNonNegativeIntegers) {
  EXPECT_EQ(npy_index(type_of("|i1"), "\x7f"), 127u);
  EXPECT_EQ(npy_index(type_of("|i1"), "\x80"), std::nullopt);
  EXPECT_EQ(npy_index(type_of("|u1"), "\x80"), 128u);
  EXPECT_EQ(npy_index(type_of("<f2"), "\0\0"), std::nullopt);
}

}  // namespace
}  // namespace lazylogit::io
