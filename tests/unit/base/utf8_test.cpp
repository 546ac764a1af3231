#include "lazylogit/base/utf8.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace lazylogit {
namespace {

TEST(Utf8, EncodesWhatItRecognises) {
  for (char32_t code = 1; code <= 0x10FFFF; code += code < 0x1000 ? 1 : 97) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    char bytes[4];
    const std::size_t length = encode_utf8(code, bytes);
    EXPECT_EQ(utf8_sequence_length(std::string_view(bytes, length)), length)
        << static_cast<std::uint32_t>(code);
  }
}

TEST(Utf8, RefusesOverlongFormsSurrogatesAndCutSequences) {
  for (const std::string_view bad :
       {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"})
    EXPECT_EQ(utf8_sequence_length(bad), 0u);
  EXPECT_EQ(utf8_valid_prefix("0123456789\xFF"), 10u);
}

}  // namespace
}  // namespace lazylogit
