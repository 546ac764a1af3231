#include "lazylogit/data/class_table.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "lazylogit/data/decimal.hpp"

namespace lazylogit::data {
namespace {

constexpr std::int64_t smallest_point = -400;  // 0.ddd x 10^point is then below every double but zero

bool equals_ignoring_case(std::string_view text, std::string_view lower) noexcept {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; });
}

bool names_no_finite_number(std::string_view token) noexcept {
  if (!token.empty() && (token[0] == '+' || token[0] == '-')) token.remove_prefix(1);
  return equals_ignoring_case(token, "nan") || equals_ignoring_case(token, "inf") ||
         equals_ignoring_case(token, "infinity");
}

}  // namespace

std::optional<std::string> canonical_label(std::string_view token) {
  if (names_no_finite_number(token)) return std::nullopt;
  std::optional<Decimal> number = parse_decimal(token);
  if (!number) return std::string(token);
  const bool plain_integer = token.find_first_of(".eE") == std::string_view::npos;
  if (!plain_integer && !number->fits_double()) return std::nullopt;
  if (number->point < smallest_point) return "0";  // as in values: underflow gives zero
  return number->text();
}

ClassTable ClassTable::from_labels(const std::vector<std::string>& labels, std::vector<ClassId>* old_to_new) {
  std::vector<Decimal> numbers;
  for (const std::string& label : labels) {
    std::optional<Decimal> number = parse_decimal(label);
    if (!number) {
      numbers.clear();
      break;
    }
    numbers.push_back(*std::move(number));
  }
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (numbers.size() == labels.size())
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  else
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return labels[a] < labels[b]; });
  std::vector<std::string> ordered;
  ordered.reserve(labels.size());
  if (old_to_new != nullptr) old_to_new->assign(labels.size(), unknown_class);
  for (const std::size_t old : order) {
    if (old_to_new != nullptr) (*old_to_new)[old] = static_cast<ClassId>(ordered.size());
    ordered.push_back(labels[old]);
  }
  return from_ordered(std::move(ordered));
}

ClassTable ClassTable::from_ordered(std::vector<std::string> labels) {
  ClassTable table;
  table.labels_ = std::move(labels);
  for (const std::string& label : table.labels_) table.index_.append(label);
  table.index_.build_index();
  return table;
}

ClassId ClassTable::find(std::string_view canonical) const noexcept {
  const std::optional<FeatureId> id = index_.find(canonical);
  return id ? static_cast<ClassId>(*id) : unknown_class;
}

}  // namespace lazylogit::data
