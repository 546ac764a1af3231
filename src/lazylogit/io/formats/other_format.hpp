// Text under another format's name: which format it seems to be in, so that the file can be read or its error can say so.
#pragma once

#include <string_view>

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

// The format that the first bytes of an input clearly are in and that is not `taken`; nullptr: none, or several.
const FormatEntry* other_format(std::string_view prefix, const FormatEntry& taken);

// `error` with a hint at --format, where it is about the first rows of a file that looks like another format; only files
// can be looked at again. Otherwise `error` as it is.
InputError with_format_hint(const InputError& error, const FormatEntry& taken, const Limits& limits);

// The rows of `source`, whose errors get that hint.
std::unique_ptr<RowSource> hinting_at_format(std::unique_ptr<RowSource> source, const FormatEntry& taken,
                                             const Limits& limits);

}  // namespace lazylogit::io
