#include "lazylogit/io/formats/array_place.hpp"

namespace lazylogit::io {

ErrorDetail describe_array_error(const ArrayPlace& place, std::uint64_t offset, const std::string& message,
                                 const std::string& hint) {
  const std::string where = place.member.empty() ? "" : "member " + quote_text(place.member) + ": ";
  return {.kind = ErrorKind::input,
          .message = where + message,
          .hint = hint,
          .file = place.file,
          .byte = place.first_byte + (place.compressed ? 0 : offset),
          .code = "bad-array"};
}

void reject_array(const ArrayPlace& place, std::uint64_t offset, const std::string& message,
                  const std::string& hint) {
  throw InputError(describe_array_error(place, offset, message, hint));
}

}  // namespace lazylogit::io
