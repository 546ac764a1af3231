#include "lazylogit/io/formats/libsvm_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "lazylogit/base/ascii.hpp"
#include "lazylogit/io/formats/libsvm.hpp"
#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {
namespace {

ErrorDetail fault(const TextBlock& block, std::string_view found, std::string message, std::string expected,
                  std::string code) {
  ErrorDetail detail = block.place(found.data());
  detail.found = quote_text(found);
  detail.message = std::move(message) + " " + detail.found + ", expected " + expected;
  detail.expected = std::move(expected);
  detail.code = std::move(code);
  return detail;
}

std::string_view between(const char* from, const char* to) noexcept {
  return {from, static_cast<std::size_t>(to - from)};
}

bool all_digits(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

ErrorDetail index_error(const TextBlock& block, std::string_view text, int index_base) {
  const std::string expected =
      "an integer from " + std::to_string(index_base) + " to " + std::to_string(max_libsvm_index);
  if (text[0] == '-' && all_digits(text.substr(1)))
    return fault(block, text, "found the negative index", expected, "negative-index");
  if (!all_digits(text)) return fault(block, text, "found the index", expected, "bad-index");
  std::uint64_t index = 0;
  if (parse_integer(text, max_libsvm_index, index) == NumberStatus::overflow)
    return fault(block, text, "found the index", expected, "index-too-large");
  ErrorDetail detail = fault(block, text, "found the index", expected, "index-zero");
  detail.hint = "if indices start at 0, use --index-base 0";
  return detail;
}

ErrorDetail value_error(const TextBlock& block, std::string_view text, bool float32) {
  double value = 0;
  const NumberStatus status = parse_number(text, value);
  if (status == NumberStatus::overflow)
    return fault(block, text, "found the value", "a number within the range of a double", "value-overflow");
  if (status == NumberStatus::ok && float32) {
    ErrorDetail detail =
        fault(block, text, "found the value", "a number within the range of float32", "value-overflow");
    detail.hint = "use --precision float64";
    return detail;
  }
  ErrorDetail detail = fault(block, text, "found the value", "a finite decimal number", "bad-value");
  double ignored = 0;
  std::string with_point(text.substr(0, 64));
  if (std::count(text.begin(), text.end(), ',') == 1) {
    std::replace(with_point.begin(), with_point.end(), ',', '.');
    if (parse_number(with_point, ignored) == NumberStatus::ok) detail.hint = "write decimals with a point";
  }
  return detail;
}

}  // namespace

const char* token_end(const char* p, const char* end) noexcept {
  while (p < end && !is_blank(*p) && *p != '\n' && *p != '#' &&
         !(*p == '\r' && (p + 1 == end || p[1] == '\n')))
    ++p;
  return p;
}

ErrorDetail label_error(const TextBlock& block, const char* p, const char* stop,
                        const LabelDictionary& labels) {
  const std::string_view token = between(p, stop);
  if (const char* bad = find_bad_byte(token)) return bad_byte_error(block, bad);
  if (token.find(':') != std::string_view::npos)
    return fault(block, token, "the row has no label: it begins with", "a label before the first index:value",
                 "label-absent");
  if (token.find(',') != std::string_view::npos && labels.response() == data::Response::classes) {
    ErrorDetail detail = fault(block, token, "found several labels", "one label", "several-labels");
    detail.hint = "--multilabel takes several";
    return detail;
  }
  return fault(block, token, "found the label", labels.expected(), "bad-label");
}

ErrorDetail pair_error(const TextBlock& block, const char* p, const char* end, int index_base, bool float32) {
  const char* const stop = token_end(p, end);
  const std::string_view token = between(p, stop);
  if (token.empty()) return bad_byte_error(block, p);
  if (const char* bad = find_bad_byte(token)) return bad_byte_error(block, bad);
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos) return fault(block, token, "found", "index:value", "no-colon");
  if (colon == 0) return fault(block, token, "the index is missing in", "index:value", "no-index");
  std::uint64_t index = 0;
  const std::string_view index_text = token.substr(0, colon);
  if (parse_integer(index_text, max_libsvm_index, index) != NumberStatus::ok ||
      index < static_cast<std::uint64_t>(index_base))
    return index_error(block, index_text, index_base);
  if (colon + 1 == token.size()) {
    ErrorDetail detail = fault(block, token, "the value is missing in", "index:value", "no-value");
    if (stop == end) detail.hint = "the last line seems to be cut off";
    return detail;
  }
  return value_error(block, token.substr(colon + 1), float32);
}

const char* pair_place(const char* pairs, const char* end, std::uint64_t position) noexcept {
  for (const char* p = pairs; p < end && *p != '\n' && *p != '#';) {
    const char* const stop = token_end(p, end);
    if (stop > p && *p != 'q' && position-- == 0) return p;
    p = stop + (stop == p ? 1 : 0);
  }
  return pairs;
}

ErrorDetail repeated_error(const TextBlock& block, const char* line, const char* end, std::uint64_t index) {
  int seen = 0;
  const char* p = line;
  while (p < end && *p != '\n' && *p != '#') {
    const char* const stop = token_end(p, end);
    const std::string_view token = between(p, stop);
    std::uint64_t here = 0;
    const std::size_t colon = token.find(':');
    if (colon != std::string_view::npos &&
        parse_integer(token.substr(0, colon), max_libsvm_index, here) == NumberStatus::ok && here == index &&
        ++seen == 2)
      return fault(block, token.substr(0, colon), "the row repeats the index", "each index at most once",
                   "repeated-index");
    p = stop + 1;
  }
  return fault(block, between(line, line), "the row repeats an index in", "each index at most once",
               "repeated-index");
}

}  // namespace lazylogit::io
