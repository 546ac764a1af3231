// Which Unicode characters belong to a word, and their lower case.
//
// A word character is a letter, a digit (or another character with a numeric value) or the underscore:
// exactly what Python's `\w` matches, so that tokens agree with the tools users come from. Combining marks
// and punctuation end a word. Lower case is the one-to-one mapping of Unicode (final sigma becomes the
// ordinary one, U+0130 becomes "i"). Both are table lookups; any code point up to U+10FFFF may be asked for.
#pragma once

namespace lazylogit::io {

bool is_word_character(char32_t code) noexcept;
char32_t to_lower(char32_t code) noexcept;

}  // namespace lazylogit::io
