#include "text_codes.hpp"

#include <limits>
#include <stdexcept>
#include <type_traits>

namespace lazylogit::python {

void TextCodes::add(std::string_view text) {
  with_blanks_ += text.find(' ') != std::string_view::npos ? 1 : 0;
  const FeatureId code = texts_->intern(text);
  if (code > static_cast<FeatureId>(std::numeric_limits<std::int32_t>::max()))
    throw std::invalid_argument("a column has more than 2147483647 different texts");
  append(static_cast<std::int32_t>(code));
}

std::size_t TextCodes::size() const noexcept {
  return std::visit([](const auto& codes) { return codes.size(); }, codes_);
}

template <class Wide>
void TextCodes::widen() {
  Buffer<Wide> wide;
  std::visit(
      [&](const auto& codes) {
        wide.reserve(codes.size());
        for (const auto code : codes) wide.push_back(static_cast<Wide>(code));
      },
      codes_);
  codes_ = std::move(wide);
}

void TextCodes::append(std::int32_t code) {
  if (code > std::numeric_limits<std::int16_t>::max()) {
    if (!std::holds_alternative<Buffer<std::int32_t>>(codes_)) widen<std::int32_t>();
  } else if (code > std::numeric_limits<std::int8_t>::max()) {
    if (std::holds_alternative<Buffer<std::int8_t>>(codes_)) widen<std::int16_t>();
  }
  std::visit([&]<class Code>(Buffer<Code>& codes) { codes.push_back(static_cast<Code>(code)); }, codes_);
}

io::TypedPart TextCodes::part(std::size_t first) const {
  io::TypedPart part;
  part.texts = texts_;
  std::visit(
      [&]<class Code>(const Buffer<Code>& codes) {
        part.column.cells.cells = reinterpret_cast<const std::byte*>(codes.data() + first);
        part.column.cells.stride = sizeof(Code);
        part.column.cells.type = std::is_same_v<Code, std::int8_t>    ? data::CellType::i8
                                 : std::is_same_v<Code, std::int16_t> ? data::CellType::i16
                                                                      : data::CellType::i32;
      },
      codes_);
  return part;
}

}  // namespace lazylogit::python
