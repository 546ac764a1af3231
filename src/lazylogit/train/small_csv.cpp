#include "lazylogit/train/small_csv.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>

#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/base/utf8.hpp"

namespace lazylogit::train {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

CsvRecord split(const std::string& file, std::string_view line, std::uint64_t number) {
  CsvRecord record;
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && line[at] == ' ') ++at;
    CsvField field{{}, number, at + 1};
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size()) throw_at(file, field, "the quote is not closed on this line");
        if (line[at] == '"' && (at + 1 >= line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        field.text += line[at];
      }
      ++at;
      while (at < line.size() && line[at] == ' ') ++at;
      if (at < line.size() && line[at] != ',') throw_at(file, field, "text follows the closing quote");
    } else {
      const std::size_t end = std::min(line.find(',', at), line.size());
      field.text = trim(line.substr(at, end - at));
      at = end;
    }
    record.push_back(std::move(field));
    if (at >= line.size()) return record;
    ++at;
  }
}

// A longer line is no line of such a file: it would be read for ever from /dev/zero.
constexpr std::size_t longest_line = 1 << 20;

// The next line without its end; false after the last one.
bool next_line(const std::string& file, std::istream& in, std::uint64_t number, std::string& line) {
  line.clear();
  for (char c = 0; in.get(c);) {
    if (c == '\n') return true;
    if (line.size() == longest_line)
      throw LimitError(
          {.kind = ErrorKind::environment,
           .message = "a line is longer than " + std::to_string(longest_line) + " bytes, which is the limit",
           .file = input_name(file),
           .line = number,
           .column = 1});
    line += c;
  }
  return !line.empty();
}

void check_text(const std::string& file, const std::string& line, std::uint64_t number) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (const auto c = static_cast<unsigned char>(line[i]); (c < 0x20 && c != '\t') || c == 0x7F)
      throw_at(file, {line.substr(i, 1), number, i + 1},
               "a control character " + quote_text(line.substr(i, 1)));
  if (const std::size_t valid = utf8_valid_prefix(line); valid < line.size())
    throw_at(
        file, {line.substr(valid, 1), number, valid + 1},
        "found " + quote_text(line.substr(valid, 1)) + ", which is not valid UTF-8; expected UTF-8 text");
}

std::vector<CsvRecord> read_records(const std::string& file, std::istream& in) {
  std::vector<CsvRecord> records;
  std::string line;
  for (std::uint64_t number = 1; next_line(file, in, number, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (number == 1 && line.rfind("\xEF\xBB\xBF", 0) == 0) line.erase(0, 3);
    check_text(file, line, number);
    if (!trim(line).empty()) records.push_back(split(file, line, number));
  }
  if (in.bad()) throw IoError(input_name(file), "cannot be read");
  return records;
}

}  // namespace

void throw_at(const std::string& file, const CsvField& field, std::string message, std::string hint) {
  throw InputError({.kind = ErrorKind::input,
                    .message = std::move(message),
                    .hint = std::move(hint),
                    .file = input_name(file),
                    .line = field.line,
                    .column = field.column,
                    .found = quote_text(field.text)});
}

std::vector<CsvRecord> load_small_csv(const std::string& file) {
  std::error_code unknown;  // then opening it tells why
  const bool is_pipe = is_standard_input(file) || std::filesystem::is_fifo(file, unknown);
  if (!is_pipe) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw IoError(file, std::string("cannot be opened: ") + std::strerror(errno));
    return read_records(file, in);
  }
  // It can be read once, but each of the fits that tune makes asks for it.
  static std::mutex mutex;
  static std::map<std::string, std::vector<CsvRecord>> kept;
  const std::lock_guard lock(mutex);
  const auto found = kept.find(file);
  if (found != kept.end()) return found->second;
  std::ifstream in(file == "-" ? "/dev/stdin" : file, std::ios::binary);
  if (!in) throw IoError(input_name(file), std::string("cannot be opened: ") + std::strerror(errno));
  return kept[file] = read_records(file, in);
}

double parse_number(const std::string& file, const CsvField& field, const std::string& what,
                    NumberRule rule) {
  std::string_view text = field.text;
  if (text == "inf" || text == "+inf" || text == "Inf") {
    if (rule.allow_infinite) return std::numeric_limits<double>::infinity();
    throw_at(file, field, what + " is infinite; expected a finite number");
  }
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool letters = std::any_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z' && c != 'e') || (c >= 'A' && c <= 'Z' && c != 'E');
  });
  const std::string expected = std::string(rule.allow_negative ? "a number" : "a number of at least 0") +
                               (rule.allow_infinite ? " or inf" : "");
  if (error == std::errc::result_out_of_range)
    throw_at(file, field, what + " " + quote_text(field.text) + " is too large or too small for a number");
  if (error != std::errc() || end != text.data() + text.size() || letters || !std::isfinite(value))
    throw_at(file, field, what + " " + quote_text(field.text) + " is not a number; expected " + expected);
  if (value < 0 && !rule.allow_negative)
    throw_at(file, field, what + " " + quote_text(field.text) + " is negative; expected " + expected);
  return value;
}

}  // namespace lazylogit::train
