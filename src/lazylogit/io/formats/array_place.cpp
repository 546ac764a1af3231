#include "lazylogit/io/formats/array_place.hpp"

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {

void reject_array(const ArrayPlace& place, std::uint64_t offset, const std::string& message,
                  const std::string& hint) {
  const std::string where = place.member.empty() ? "" : "member " + quote_text(place.member) + ": ";
  throw InputError({.message = where + message,
                    .hint = hint,
                    .file = place.file,
                    .byte = place.first_byte + (place.compressed ? 0 : offset),
                    .code = "bad-array"});
}

}  // namespace lazylogit::io
