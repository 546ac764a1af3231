#include "lazylogit/io/formats/npy_element.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "lazylogit/base/utf8.hpp"

namespace lazylogit::io {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are swapped for big-endian files only");

std::uint8_t swap_bytes(std::uint8_t v) noexcept { return v; }
std::uint16_t swap_bytes(std::uint16_t v) noexcept { return __builtin_bswap16(v); }
std::uint32_t swap_bytes(std::uint32_t v) noexcept { return __builtin_bswap32(v); }
std::uint64_t swap_bytes(std::uint64_t v) noexcept { return __builtin_bswap64(v); }

template <class Word>
Word load_word(const char* bytes, bool swap) noexcept {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return swap ? swap_bytes(word) : word;
}

template <class Word, class Convert>
void decode_each(const NpyHeader& header, const char* bytes, std::uint64_t stride, std::size_t count,
                 double* out, Convert convert) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    out[i] = convert(load_word<Word>(bytes + i * stride, header.big_endian));
}

template <class Word, class Number>
void decode_as(const NpyHeader& header, const char* bytes, std::uint64_t stride, std::size_t count,
               double* out) noexcept {
  decode_each<Word>(header, bytes, stride, count, out,
                    [](Word word) { return static_cast<double>(std::bit_cast<Number>(word)); });
}

std::optional<std::string> unicode_label(const NpyHeader& header, const char* bytes) {
  std::string out;
  std::uint64_t units = header.item_bytes / 4;
  const auto unit = [&](std::uint64_t i) {
    return load_word<std::uint32_t>(bytes + 4 * i, header.big_endian);
  };
  while (units > 0 && unit(units - 1) == 0) --units;
  for (std::uint64_t i = 0; i < units; ++i) {
    const std::uint32_t c = unit(i);
    if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return std::nullopt;
    char sequence[4];
    out.append(sequence, encode_utf8(c, sequence));
  }
  return out;
}

std::int64_t signed_value(const NpyHeader& header, const char* bytes) noexcept {
  switch (header.item_bytes) {
    case 1:
      return static_cast<std::int8_t>(*bytes);
    case 2:
      return std::bit_cast<std::int16_t>(load_word<std::uint16_t>(bytes, header.big_endian));
    case 4:
      return std::bit_cast<std::int32_t>(load_word<std::uint32_t>(bytes, header.big_endian));
    default:
      return std::bit_cast<std::int64_t>(load_word<std::uint64_t>(bytes, header.big_endian));
  }
}

std::uint64_t unsigned_value(const NpyHeader& header, const char* bytes) noexcept {
  switch (header.item_bytes) {
    case 1:
      return static_cast<std::uint8_t>(*bytes);
    case 2:
      return load_word<std::uint16_t>(bytes, header.big_endian);
    case 4:
      return load_word<std::uint32_t>(bytes, header.big_endian);
    default:
      return load_word<std::uint64_t>(bytes, header.big_endian);
  }
}

}  // namespace

double half_to_double(std::uint16_t bits) noexcept {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  double magnitude = 0;
  if (exponent == 0x1F)
    magnitude = fraction == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 0x400, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

void decode_npy_numbers(const NpyHeader& header, const char* bytes, std::uint64_t stride, std::size_t count,
                        double* out) noexcept {
  switch (header.kind) {
    case NpyKind::boolean:
      return decode_each<std::uint8_t>(header, bytes, stride, count, out,
                                       [](std::uint8_t word) { return word != 0 ? 1.0 : 0.0; });
    case NpyKind::signed_integer:
      switch (header.item_bytes) {
        case 1:
          return decode_as<std::uint8_t, std::int8_t>(header, bytes, stride, count, out);
        case 2:
          return decode_as<std::uint16_t, std::int16_t>(header, bytes, stride, count, out);
        case 4:
          return decode_as<std::uint32_t, std::int32_t>(header, bytes, stride, count, out);
        default:
          return decode_as<std::uint64_t, std::int64_t>(header, bytes, stride, count, out);
      }
    case NpyKind::unsigned_integer:
      switch (header.item_bytes) {
        case 1:
          return decode_as<std::uint8_t, std::uint8_t>(header, bytes, stride, count, out);
        case 2:
          return decode_as<std::uint16_t, std::uint16_t>(header, bytes, stride, count, out);
        case 4:
          return decode_as<std::uint32_t, std::uint32_t>(header, bytes, stride, count, out);
        default:
          return decode_as<std::uint64_t, std::uint64_t>(header, bytes, stride, count, out);
      }
    case NpyKind::floating:
      switch (header.item_bytes) {
        case 2:
          return decode_each<std::uint16_t>(header, bytes, stride, count, out, half_to_double);
        case 4:
          return decode_as<std::uint32_t, float>(header, bytes, stride, count, out);
        default:
          return decode_as<std::uint64_t, double>(header, bytes, stride, count, out);
      }
    case NpyKind::byte_text:
    case NpyKind::unicode_text:
      break;  // the caller has refused text
  }
}

std::optional<std::uint64_t> npy_index(const NpyHeader& header, const char* bytes) noexcept {
  std::uint64_t value = 0;
  if (header.kind == NpyKind::unsigned_integer)
    value = unsigned_value(header, bytes);
  else if (header.kind == NpyKind::signed_integer)
    value = static_cast<std::uint64_t>(signed_value(header, bytes));
  else
    return std::nullopt;
  if (value >> 63 != 0) return std::nullopt;  // negative, or too large for anything here
  return value;
}

std::optional<std::string> npy_label(const NpyHeader& header, const char* bytes) {
  switch (header.kind) {
    case NpyKind::boolean:
      return std::string(*bytes != 0 ? "1" : "0");
    case NpyKind::signed_integer:
      return fmt::format("{}", signed_value(header, bytes));
    case NpyKind::unsigned_integer:
      return fmt::format("{}", unsigned_value(header, bytes));
    case NpyKind::floating: {
      if (header.item_bytes == 4) {
        float value = 0;
        const auto word = load_word<std::uint32_t>(bytes, header.big_endian);
        std::memcpy(&value, &word, sizeof value);
        return fmt::format("{}", value);  // the shortest form of a float is not that of the same double
      }
      double value = 0;
      decode_npy_numbers(header, bytes, header.item_bytes, 1, &value);
      return fmt::format("{}", value);
    }
    case NpyKind::byte_text: {
      std::string_view text(bytes, header.item_bytes);
      while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
      if (utf8_valid_prefix(text) != text.size()) return std::nullopt;
      return std::string(text);
    }
    case NpyKind::unicode_text:
      return unicode_label(header, bytes);
  }
  return std::nullopt;
}

}  // namespace lazylogit::io
