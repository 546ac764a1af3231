#include "lazylogit/io/byte_source.hpp"

#include <gtest/gtest.h>

#include "lazylogit/base/error.hpp"
#include "support/compressed.hpp"

namespace lazylogit::io {
namespace {

using test::gzip;
using test::zstd;

// All bytes, `step` at a time.
std::string expand(std::string_view bytes, std::size_t step = 7, std::uint64_t max_expansion = 1000) {
  const auto source = make_expanding_source(make_memory_source(bytes), "x", max_expansion);
  std::string out, part(step, '\0');
  while (const std::size_t count = source->read(part.data(), step)) out.append(part, 0, count);
  EXPECT_EQ(source->consumed(), bytes.size());
  return out;
}

const std::string text = [] {
  std::string s;
  for (int i = 0; i < 3000; ++i) s += std::to_string(i * i) + (i % 7 == 0 ? "\n" : " ");
  return s;
}();

TEST(ExpandingSource, PassesPlainBytesThrough) {
  EXPECT_EQ(expand(""), "");
  EXPECT_EQ(expand("a"), "a");
  EXPECT_EQ(expand(text, 4096), text);
}

TEST(ExpandingSource, RecognisesCompressionByContent) {
  for (const std::size_t step : {1u, 7u, 100000u}) {
    EXPECT_EQ(expand(gzip(text), step), text);
    EXPECT_EQ(expand(zstd(text), step), text);
  }
  EXPECT_EQ(expand(gzip("")), "");
  EXPECT_EQ(expand(zstd("")), "");
}

TEST(ExpandingSource, AFrameThatIsNotAsLongAsItSaysIsDamaged) {
  const std::string frame("\x28\xb5\x2f\xfd\x60\x00\x00\x01\x00\x00", 10);  // says 256 bytes, has none
  for (const std::size_t step : {1U, 13U, 70000U}) EXPECT_THROW(expand(frame, step), InputError) << step;
}

TEST(ExpandingSource, ConcatenatedMembersAreOneStream) {
  EXPECT_EQ(expand(gzip("ab") + gzip("") + gzip(text)), "ab" + text);
  EXPECT_EQ(expand(zstd("ab") + zstd("") + zstd(text)), "ab" + text);
}

TEST(ExpandingSource, RefusesEveryTruncation) {
  for (const std::string& whole : {gzip("hello, hello"), zstd("hello, hello")})
    for (std::size_t size = 4; size < whole.size(); ++size)
      EXPECT_THROW(expand(whole.substr(0, size)), InputError) << size;
}

TEST(ExpandingSource, RefusesTrailingGarbage) {
  for (const std::string& garbage :
       {std::string("x"), std::string("\0", 1), std::string("plain text follows")}) {
    EXPECT_THROW(expand(gzip("ab") + garbage), InputError);
    EXPECT_THROW(expand(zstd("ab") + garbage), InputError);
  }
  EXPECT_THROW(expand(gzip("ab") + zstd("ab")), InputError);
}

TEST(ExpandingSource, NeverTakesDamageForTheText) {
  for (const std::string& whole : {gzip(text.substr(0, 500)), zstd(text.substr(0, 500))}) {
    for (std::size_t bit = 32; bit < whole.size() * 8; ++bit) {  // the first four bytes decide what it is
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
      try {
        const auto source = make_expanding_source(make_memory_source(damaged), "x", 1000);
        std::string out(2000, '\0');
        out.resize(read_fully(*source, out.data(), out.size()));
        EXPECT_EQ(out, text.substr(0, 500))
            << "bit " << bit;  // a bit that carries nothing, such as a time stamp
      } catch (const Error&) {
      }
    }
  }
}

TEST(ExpandingSource, AFrameWhoseHeaderLooksLikeAFrameIsNotSkipped) {
  const std::string bytes("\x28\xb5\x2f\xfd\x55\x2a\x4d\x18\x04\0\0\0\x08\0\x52\x29", 16);
  for (const std::size_t step : {1u, 13u, 65536u}) EXPECT_THROW(expand(bytes, step), InputError);
}

TEST(ExpandingSource, NamesTheByteOfDamage) {
  const std::string whole = gzip(text);
  try {
    expand(whole.substr(0, whole.size() - 3));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "x: byte " + std::to_string(whole.size() - 3) +
                                             ": error: the gzip data is cut off: expected more bytes");
  }
}

TEST(ExpandingSource, LimitsExpansionBeyondTheFirst64MiB) {
  const std::string zeros(std::size_t{80} << 20, '\0');
  const std::string small = zstd(zeros);
  EXPECT_EQ(expand(small, 1 << 20, 100000).size(), zeros.size());
  try {
    expand(small, 1 << 20, 10);
    FAIL();
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("--max-expansion"), std::string::npos);
  }
}

}  // namespace
}  // namespace lazylogit::io
