// Numbers: against the C library's strtod behind an independent check of the grammar, and exact decimals.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <regex>
#include <string>

#include "lazylogit/data/class_table.hpp"
#include "lazylogit/io/parse_number.hpp"
#include "support/reference_number.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lazylogit;
  if (size > 600) return 0;  // the regular expression below recurses
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  static const std::regex grammar("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?");
  const bool is_number = text.find('\0') == std::string::npos && std::regex_match(text, grammar);
  double value = -1;
  const io::NumberStatus status = io::parse_number(text, value);
  if ((status != io::NumberStatus::malformed) != is_number) std::abort();
  if (is_number) {
    const double expected = test::reference_number(text);
    if (std::isfinite(expected) != (status == io::NumberStatus::ok)) std::abort();
    if (status == io::NumberStatus::ok && value != expected) std::abort();
  }
  std::string padded = text + " 1.5" + std::string(64, '\0');
  double scanned = -1;
  io::NumberStatus scan_status = io::NumberStatus::malformed;
  const char* stop = io::scan_number(padded.data(), padded.data() + size + 4, scanned, scan_status);
  if (is_number && (stop != padded.data() + size || scan_status != status ||
                    (status == io::NumberStatus::ok && scanned != value)))
    std::abort();
  std::uint64_t integer = 0;
  io::parse_integer(text, 4294967295, integer);
  if (const auto label = data::canonical_label(text); label && data::canonical_label(*label) != label)
    std::abort();
  return 0;
}
