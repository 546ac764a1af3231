// A small csv file of a user's making (priors, class weights): fields with their places, for exact messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"

namespace lazylogit::train {

struct CsvField {
  std::string text;  // unquoted
  std::uint64_t line = 0, column = 0;
};
using CsvRecord = std::vector<CsvField>;

// All records but blank lines. Quotes as in RFC 4180, without line breaks inside. Throws IoError when the
// file cannot be read, InputError for unclosed quotes, control characters and what is no UTF-8. "-" is standard input,
// <stdin> in messages. What a pipe held is kept: it may be asked for again.
std::vector<CsvRecord> load_small_csv(const std::string& file);

// An InputError at a field.
[[noreturn]] void throw_at(const std::string& file, const CsvField& field, std::string message,
                           std::string hint = {});

// A number of a field: decimal, or "inf" where `allow_infinite`. Not negative where `allow_negative` is
// false.
struct NumberRule {
  bool allow_infinite = false;
  bool allow_negative = false;
};
double parse_number(const std::string& file, const CsvField& field, const std::string& what, NumberRule rule);

}  // namespace lazylogit::train
