#include "lazylogit/io/label_dictionary.hpp"

#include <algorithm>

#include "lazylogit/data/class_table.hpp"
#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {
namespace {

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Blanks alone are a label that somebody forgot, in a file.
std::optional<std::string> canonical_class(std::string_view token) {
  return trimmed(token).empty() ? std::nullopt : data::canonical_label(token);
}

std::optional<std::string> canonical_set(std::string_view token) {
  if (trimmed(token).empty()) return std::string();
  std::vector<std::string> labels;
  for (std::size_t from = 0; from <= token.size();) {
    const std::size_t comma = std::min(token.find(',', from), token.size());
    const std::string_view part = trimmed(token.substr(from, comma - from));
    std::optional<std::string> label = part.empty() ? std::nullopt : data::canonical_label(part);
    if (!label) return std::nullopt;
    labels.push_back(std::move(*label));
    from = comma + 1;
  }
  std::vector<std::string> sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return std::nullopt;
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : ",") + label;
  return text;
}

}  // namespace

std::optional<std::uint32_t> LabelDictionary::intern(std::string_view token) {
  if (response_ == data::Response::number) {
    double value = 0;
    if (parse_number(trimmed(token), value) != NumberStatus::ok) return std::nullopt;
    numbers_.push_back(value);
    return static_cast<std::uint32_t>(numbers_.size() - 1);
  }
  const std::uint32_t id = recent_.intern(token, tokens_);
  if (id == canonical_.size()) {
    std::optional<std::string> canonical =
        response_ == data::Response::labels ? canonical_set(token) : canonical_class(token);
    valid_.push_back(canonical.has_value());
    canonical_.push_back(std::move(canonical).value_or(std::string()));
  }
  if (!valid_[id]) return std::nullopt;
  return id;
}

void LabelDictionary::clear() {
  tokens_ = data::Alphabet();
  canonical_.clear();
  valid_.clear();
  numbers_.clear();
  recent_.clear();
}

const char* LabelDictionary::expected() const noexcept {
  switch (response_) {
    case data::Response::number:
      return "a finite number as label, because of --loss squared";
    case data::Response::labels:
      return "labels separated by commas, none empty and none twice";
    case data::Response::classes:
      break;
  }
  return "a name or a finite number";
}

std::vector<std::string_view> labels_of_set(std::string_view canonical) {
  std::vector<std::string_view> labels;
  for (std::size_t from = 0; from < canonical.size();) {
    const std::size_t comma = std::min(canonical.find(',', from), canonical.size());
    labels.push_back(canonical.substr(from, comma - from));
    from = comma + 1;
  }
  return labels;
}

}  // namespace lazylogit::io
