// A column of texts as codes: each distinct text once, and its number for every row, in the narrowest type that holds it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/io/columns/typed_table.hpp"

namespace lazylogit::python {

class TextCodes {
 public:
  void add(std::string_view text);
  void add_missing() { append(-1); }
  std::size_t size() const noexcept;

  // Whether the texts are sentences rather than names of categories, as far as the rows so far tell: most hold a blank and
  // most are different. Then codes do not pay.
  bool are_documents() const noexcept {
    constexpr std::size_t few = 1024;
    return size() >= few && 2 * with_blanks_ > size() && 2 * texts_->size() > size();
  }

  // The rows from `first` on; they read the codes of this object, which must stay.
  io::TypedPart part(std::size_t first) const;
  // Gives the texts back when names have been made of them.
  void forget_texts() { texts_ = std::make_shared<data::Alphabet>(); }

 private:
  void append(std::int32_t code);
  template <class Wide>
  void widen();

  std::size_t with_blanks_ = 0;
  std::shared_ptr<data::Alphabet> texts_ = std::make_shared<data::Alphabet>();
  std::variant<Buffer<std::int8_t>, Buffer<std::int16_t>, Buffer<std::int32_t>> codes_;
};

}  // namespace lazylogit::python
