#include "lazylogit/io/writers/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <variant>

#include "lazylogit/io/formats/libsvm.hpp"

namespace lazylogit::io {
namespace {

constexpr std::uint32_t nowhere = 0xFFFFFFFF;

// A whole number as written by us: no sign, no leading zero.
std::optional<std::uint64_t> whole_number(std::string_view name) noexcept {
  if (name.empty() || name.size() > 10 || (name.size() > 1 && name[0] == '0')) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value <= max_libsvm_index ? std::optional(value) : std::nullopt;
}

// Was the table nested by write_jsonl?
bool is_nested(const data::InputSpec& input) {
  return input.kind == data::InputKind::columns && input.columns.size() == 1 &&
         input.columns[0].type == data::ColumnType::sparse && input.columns[0].name == nested_features_key;
}

}  // namespace

Table::Table(const data::Dataset& data) : data_(&data) {
  single_ = std::holds_alternative<Buffer<float>>(data.x.values);
  all_labelled_ = !data.labels.empty();
  for (const ClassId label : data.labels) {
    has_labels_ = has_labels_ || label != unknown_class;
    all_labelled_ = all_labelled_ && label != unknown_class;
  }
  std::vector<bool> present(data.x.num_features);
  for (const FeatureId id : data.x.ids) present[id] = true;
  std::vector<std::uint32_t> order;
  for (std::uint32_t id = 0; id < present.size(); ++id)
    if (present[id]) order.push_back(id);
  num_dropped_ = present.size() - order.size();

  // Hashed features have no names: their slots are counted from 1.
  const std::size_t prefix = is_nested(data.input) ? nested_features_key.size() + 1 : 0;
  std::vector<std::string> names(present.size());
  for (const std::uint32_t id : order)
    names[id] = data.features.empty() ? std::to_string(std::uint64_t{id} + 1)
                                      : std::string(data.features.name(id).substr(prefix));
  std::vector<std::uint64_t> numbers(present.size());
  bool all_numbers = true;
  for (const std::uint32_t id : order) {
    const auto number = whole_number(names[id]);
    all_numbers = all_numbers && number.has_value();
    numbers[id] = number.value_or(0);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return all_numbers ? numbers[a] < numbers[b] : names[a] < names[b];
  });
  position_.assign(present.size(), nowhere);
  for (const std::uint32_t id : order) {
    position_[id] = static_cast<std::uint32_t>(names_.size());
    names_.push_back(std::move(names[id]));
    if (all_numbers) indices_.push_back(numbers[id]);
  }
}

const std::vector<Cell>& Table::row(std::size_t i) {
  cells_.clear();
  for (std::uint64_t k = data_->x.row_offsets[i]; k < data_->x.row_offsets[i + 1]; ++k)
    cells_.push_back({position_[data_->x.ids[k]], data_->x.value(k)});
  std::sort(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) { return a.feature < b.feature; });
  return cells_;
}

std::string_view Table::label(std::size_t i) const noexcept {
  if (data_->labels.empty() || data_->labels[i] == unknown_class) return {};
  return data_->classes.label(data_->labels[i]);
}

void Table::append_number(std::string& out, double value) const {
  if (single_)
    fmt::format_to(std::back_inserter(out), "{}", static_cast<float>(value));
  else
    append_shortest(out, value);
}

Table::Numbering Table::number_features() const {
  Numbering numbering;
  const bool from_zero = !indices_.empty() && indices_.front() == 0;
  if (indices_.size() == names_.size() && !(from_zero && indices_.back() == max_libsvm_index)) {
    numbering.numbers = indices_;
    numbering.shifted = from_zero;
    if (numbering.shifted)
      for (auto& number : numbering.numbers) ++number;
    return numbering;
  }
  numbering.renamed = true;
  numbering.numbers.resize(names_.size());
  std::iota(numbering.numbers.begin(), numbering.numbers.end(), std::uint64_t{1});
  return numbering;
}

void append_shortest(std::string& out, double value) { fmt::format_to(std::back_inserter(out), "{}", value); }

}  // namespace lazylogit::io
