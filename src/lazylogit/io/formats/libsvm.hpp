// libsvm text: `label index:value index:value ... # comment`, one row a line.
//
// Blanks and tabs separate; blank lines and comments are skipped; indices come in any order, each at most
// once a row. A feature is an index that occurs with a value other than zero; its name is the index in
// decimal. A label is a number, or a name that holds no ':' or ','.
// `qid:N` is ignored with a notice.
#pragma once

#include <string_view>

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

FormatEntry libsvm_format();

// Whether a (canonical) label can be written to libsvm text and read back.
bool libsvm_carries_label(std::string_view label) noexcept;

inline constexpr std::uint64_t max_libsvm_index = 4294967295;

}  // namespace lazylogit::io
