#include "arrow_column.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace lazylogit::python {
namespace {

constexpr struct {
  const char* format;
  ArrowKind kind;
} formats[] = {
    {"b", ArrowKind::boolean}, {"c", ArrowKind::i8},     {"C", ArrowKind::u8},         {"s", ArrowKind::i16},
    {"S", ArrowKind::u16},     {"i", ArrowKind::i32},    {"I", ArrowKind::u32},        {"l", ArrowKind::i64},
    {"L", ArrowKind::u64},     {"e", ArrowKind::f16},    {"f", ArrowKind::f32},        {"g", ArrowKind::f64},
    {"u", ArrowKind::text32},  {"U", ArrowKind::text64}, {"vu", ArrowKind::text_view}, {"n", ArrowKind::null},
};

}  // namespace

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

ArrowKind arrow_kind(const ArrowSchema& schema, const std::string& column) {
  for (const auto& row : formats)
    if (std::strcmp(row.format, schema.format) == 0) return row.kind;
  throw std::invalid_argument("column " + column + " has the Arrow type '" + schema.format +
                              "'; expected numbers, booleans, text or dictionaries of them");
}

ArrowColumn::ArrowColumn(const ArrowSchema& schema, const ArrowArray& array, const std::string& name)
    : schema_(schema), array_(array), name_(name), kind_(arrow_kind(schema, name)) {}

bool ArrowColumn::is_null(std::int64_t row) const {
  if (kind_ == ArrowKind::null) return true;
  if (array_.null_count == 0 || array_.buffers[0] == nullptr) return false;
  const std::int64_t at = row + array_.offset;
  return ((static_cast<const std::uint8_t*>(array_.buffers[0])[at / 8] >> (at % 8)) & 1) == 0;
}

bool ArrowColumn::has_null(std::int64_t first, std::int64_t count) const {
  if (array_.null_count == 0 && kind_ != ArrowKind::null) return false;
  for (std::int64_t row = first; row < first + count; ++row)
    if (is_null(row)) return true;
  return false;
}

data::DenseColumn ArrowColumn::cells(std::int64_t first) const {
  using enum data::CellType;
  constexpr struct {
    data::CellType type;
    std::int64_t size;  // bytes; of bits 0
  } types[] = {{bit, 0}, {i8, 1},  {u8, 1},  {i16, 2}, {u16, 2}, {i32, 4},
               {u32, 4}, {i64, 8}, {u64, 8}, {f16, 2}, {f32, 4}, {f64, 8}};  // in the order of ArrowKind
  const auto& type = types[static_cast<std::size_t>(kind_)];
  const auto* start = static_cast<const std::byte*>(array_.buffers[1]);
  const std::int64_t at = first + array_.offset;
  if (type.size == 0) return {start, 0, at, type.type};
  return {start + at * type.size, type.size, 0, type.type};
}

double ArrowColumn::number(std::int64_t row) const {
  switch (kind_) {
    case ArrowKind::boolean: {
      const std::int64_t place = row + array_.offset;
      return (static_cast<const std::uint8_t*>(array_.buffers[1])[place / 8] >> (place % 8)) & 1;
    }
    case ArrowKind::i8:
      return at<std::int8_t>(row);
    case ArrowKind::u8:
      return at<std::uint8_t>(row);
    case ArrowKind::i16:
      return at<std::int16_t>(row);
    case ArrowKind::u16:
      return at<std::uint16_t>(row);
    case ArrowKind::i32:
      return at<std::int32_t>(row);
    case ArrowKind::u32:
      return at<std::uint32_t>(row);
    case ArrowKind::i64:
      return static_cast<double>(at<std::int64_t>(row));
    case ArrowKind::u64:
      return static_cast<double>(at<std::uint64_t>(row));
    case ArrowKind::f16:
      return data::from_half(at<std::uint16_t>(row));
    case ArrowKind::f32:
      return static_cast<double>(at<float>(row));
    case ArrowKind::f64:
      return at<double>(row);
    default:
      return NAN;
  }
}

std::string_view ArrowColumn::text(std::int64_t row) const {
  const std::int64_t place = row + array_.offset;
  if (kind_ == ArrowKind::text_view) {
    // 16 bytes: length, then up to 12 bytes of text, or 4 bytes, a buffer's number and a place in it.
    const char* view = static_cast<const char*>(array_.buffers[1]) + 16 * place;
    std::int32_t length = 0, buffer = 0, start = 0;
    std::memcpy(&length, view, 4);
    if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
    std::memcpy(&buffer, view + 8, 4);
    std::memcpy(&start, view + 12, 4);
    return {static_cast<const char*>(array_.buffers[2 + buffer]) + start, static_cast<std::size_t>(length)};
  }
  const char* bytes = static_cast<const char*>(array_.buffers[2]);
  if (kind_ == ArrowKind::text32) {
    const auto* ends = static_cast<const std::int32_t*>(array_.buffers[1]);
    return {bytes + ends[place], static_cast<std::size_t>(ends[place + 1] - ends[place])};
  }
  const auto* ends = static_cast<const std::int64_t*>(array_.buffers[1]);
  return {bytes + ends[place], static_cast<std::size_t>(ends[place + 1] - ends[place])};
}

data::EncodedColumn ArrowColumn::encoded(std::int64_t first) const {
  data::EncodedColumn column;
  column.cells = cells(first);
  if (array_.null_count != 0 && array_.buffers[0] != nullptr) {
    column.present_bits = static_cast<const std::byte*>(array_.buffers[0]);
    column.first_present = first + array_.offset;
  }
  return column;
}

ArrowColumn ArrowColumn::dictionary() const { return {*schema_.dictionary, *array_.dictionary, name_}; }

std::int64_t ArrowColumn::dictionary_row(std::int64_t row) const {
  const auto place = static_cast<std::int64_t>(number(row));
  if (array_.dictionary == nullptr || place < 0 || place >= array_.dictionary->length)
    throw std::invalid_argument("column " + name_ + ": an index is outside its dictionary");
  return place;
}

void ArrowColumn::append_text(std::int64_t row, std::string& out) const {
  if (is_null(row)) return;
  if (schema_.dictionary != nullptr) return dictionary().append_text(dictionary_row(row), out);
  if (!is_number(kind_))
    out += text(row);
  else
    append_number(row, out);
}

void ArrowColumn::append_field(std::int64_t row, std::string& out) const {
  if (is_null(row)) return;
  if (schema_.dictionary != nullptr) return dictionary().append_field(dictionary_row(row), out);
  if (!is_number(kind_))
    append_quoted(text(row), out);
  else
    append_number(row, out);
}

void ArrowColumn::append_number(std::int64_t row, std::string& out) const {
  char digits[64];
  std::to_chars_result written{};
  if (kind_ == ArrowKind::i64)
    written = std::to_chars(digits, digits + sizeof digits, at<std::int64_t>(row));
  else if (kind_ == ArrowKind::u64)
    written = std::to_chars(digits, digits + sizeof digits, at<std::uint64_t>(row));
  else if (const double value = number(row); std::isfinite(value))
    written = kind_ == ArrowKind::f32 ? std::to_chars(digits, digits + sizeof digits, at<float>(row))
                                      : std::to_chars(digits, digits + sizeof digits, value);
  else if (std::isnan(value))
    return;
  else
    throw std::invalid_argument("Input X contains infinity: column " + name_);
  out.append(digits, written.ptr);
}

}  // namespace lazylogit::python
