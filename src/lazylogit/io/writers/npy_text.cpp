#include "lazylogit/io/writers/npy_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "lazylogit/base/utf8.hpp"

namespace lazylogit::io {
namespace {

std::optional<std::int64_t> whole_label(std::string_view label) noexcept {
  std::int64_t value = 0;
  const auto result = std::from_chars(label.data(), label.data() + label.size(), value);
  if (result.ec != std::errc() || result.ptr != label.data() + label.size()) return std::nullopt;
  return value;
}

std::vector<std::uint32_t> code_points(std::string_view text) {
  std::vector<std::uint32_t> points;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_sequence_length(text), 1);
    constexpr unsigned lead_mask[] = {0x7F, 0x1F, 0x0F, 0x07};
    std::uint32_t point = static_cast<unsigned char>(text[0]) & lead_mask[length - 1];
    for (std::size_t k = 1; k < length; ++k)
      point = point << 6 | (static_cast<unsigned char>(text[k]) & 0x3F);
    points.push_back(point);
    text.remove_prefix(length);
  }
  return points;
}

}  // namespace

std::string npy_header(std::string_view type, std::string_view shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  constexpr std::size_t prelude = 10, alignment = 64;
  while ((prelude + text.size() + 1) % alignment != 0) text += ' ';
  text += '\n';
  std::string header = "\x93NUMPY";
  header += '\1';
  header += '\0';
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

std::string npy_labels(const Table& table) {
  std::vector<std::int64_t> numbers;
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    texts.push_back(table.label(i));
    if (const auto number = whole_label(texts.back())) numbers.push_back(*number);
  }
  if (numbers.size() < texts.size()) return npy_texts(texts);
  return npy_header("<i8", fmt::format("({},)", numbers.size())) +
         std::string(raw_bytes(numbers.data(), numbers.size()));
}

std::string npy_texts(const std::vector<std::string_view>& texts) {
  std::size_t width = 1;
  for (const std::string_view text : texts) width = std::max(width, code_points(text).size());
  std::string bytes = npy_header(fmt::format("<U{}", width), fmt::format("({},)", texts.size()));
  for (const std::string_view text : texts) {
    std::vector<std::uint32_t> points = code_points(text);
    points.resize(width);
    bytes += raw_bytes(points.data(), points.size());
  }
  return bytes;
}

}  // namespace lazylogit::io
