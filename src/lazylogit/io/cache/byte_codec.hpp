// Numbers and strings as bytes, little-endian, and back; every step of the way back is checked against what is there.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace lazylogit::io {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

class Encoder {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint64_t>(value.size()));
    bytes_ += value;
  }
  void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

// A step beyond the end gives zeros and makes ok() false for good.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T number() {
    T value{};
    const std::string_view from = take(sizeof value);
    if (!from.empty()) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  std::string_view text() {
    const auto size = number<std::uint64_t>();
    return size > bytes_.size() ? fail() : take(static_cast<std::size_t>(size));
  }
  // `count` items of `item` bytes.
  std::string_view raw(std::uint64_t count, std::size_t item) {
    return count > bytes_.size() / item ? fail() : take(static_cast<std::size_t>(count) * item);
  }
  bool ok() const noexcept { return ok_; }
  bool at_end() const noexcept { return bytes_.empty(); }
  void refuse() noexcept { ok_ = false; }

 private:
  std::string_view fail() {
    ok_ = false;
    return {};
  }
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) return fail();
    const std::string_view result = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return result;
  }
  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace lazylogit::io
