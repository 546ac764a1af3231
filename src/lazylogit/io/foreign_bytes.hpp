// What the first bytes of a file show that cannot be read here, so that errors can call it by its name: other
// compressions, archives, binary tables, documents and pictures; text in wide encodings.
//
// Only names are at stake: what begins as text that could be a label or a column ("PAR1", "GIF8") is taken for the binary
// file where bytes that no text may hold follow, and such a file would be refused anyway.
#pragma once

#include <string>
#include <string_view>

namespace lazylogit::io {

inline constexpr std::size_t foreign_head_bytes = 512;  // what is worth looking at

// InputError where `head`, the first bytes of `file`, is of something that no format takes. `within`: what was expanded to
// get at it ("gzip"), or empty.
void refuse_foreign(std::string_view head, const std::string& file, std::string_view within = {});

// InputError where `head` is of something that text formats do not take: wide encodings, archives.
void refuse_other_than_text(std::string_view head, const std::string& file);

}  // namespace lazylogit::io
