#include "lazylogit/io/columns/column_watch.hpp"

#include <algorithm>
#include <utility>

#include "lazylogit/config/nearest.hpp"

namespace lazylogit::io {

using data::ColumnSpec;
using data::ColumnType;
using data::MissingPolicy;

namespace {

constexpr std::size_t most_unknown = 32;

std::string_view stand_in(const ColumnSpec& column) {
  switch (column.type) {
    case ColumnType::numeric:
      return "the mean of the training data";
    case ColumnType::categorical:
      return "the most frequent value of the training data";
    case ColumnType::text:
      return "no word";
    case ColumnType::sparse:
      break;
  }
  return "zero";
}

}  // namespace

void ColumnSightings::clear() {
  file = nullptr;
  missing.clear();
  keys.clear();
  unknown.clear();
  num_unknown = 0;
  more_unknown = nested_unknown = false;
}

void ColumnSightings::add_unknown(std::string_view key, bool is_nested) {
  ++num_unknown;
  nested_unknown = nested_unknown || is_nested;
  if (more_unknown || std::find(unknown.begin(), unknown.end(), key) != unknown.end()) return;
  if (unknown.size() < most_unknown)
    unknown.emplace_back(key);
  else
    more_unknown = true;
}

void ColumnWatch::take(const RowBlock& block) {
  if (block.sightings.file == nullptr) return;
  if (block.sightings.file != file_.name) {
    end_file();
    file_ = {};
    file_.name = block.sightings.file;
  }
  add(block);
}

void ColumnWatch::add(const RowBlock& block) {
  const ColumnSightings& seen = block.sightings;
  file_.rows += block.num_rows() + block.dropped_rows;
  file_.seen.keys.resize(std::max(file_.seen.keys.size(), seen.keys.size()), 0);
  for (std::size_t c = 0; c < seen.keys.size(); ++c) file_.seen.keys[c] |= seen.keys[c];
  file_.seen.missing.resize(std::max(file_.seen.missing.size(), seen.missing.size()), 0);
  for (std::size_t c = 0; c < seen.missing.size(); ++c) {
    file_.seen.missing[c] += seen.missing[c];
    // The end of a stream may never come.
    if (seen.missing[c] > 0 && names_.growing != nullptr) note_missing(c);
  }
  note_unknown(seen);
}

void ColumnWatch::note_unknown(const ColumnSightings& seen) {
  for (const std::string& key : seen.unknown) {
    file_.seen.add_unknown(key, seen.nested_unknown);
    const std::size_t before = all_.unknown.size();
    all_.add_unknown(key, seen.nested_unknown);
    if (all_.unknown.size() > before && names_.growing != nullptr)
      log_->notice("key " + quote_text(key) + " is not in the first rows of the stream; it is left out");
  }
  all_.num_unknown += seen.num_unknown - seen.unknown.size();
  all_.more_unknown = all_.more_unknown || seen.more_unknown;
}

void ColumnWatch::note_missing(std::size_t column) {
  const ColumnSpec& spec = names_.input->columns[column];
  if (spec.missing_indicator || names_.input->missing != MissingPolicy::impute) return;
  said_missing_.resize(names_.input->columns.size());
  if (said_missing_[column]) return;
  said_missing_[column] = true;
  log_->notice("column " + quote_text(spec.name) + " has missing values, as training had not; " +
               std::string(stand_in(spec)) + " stands for them");
}

// Whether a column that no row of the file has a value of looks like a mistake.
bool ColumnWatch::is_suspicious(std::size_t column) const {
  const ColumnSpec& spec = names_.input->columns[column];
  const bool has_key = file_.seen.keys.empty() || file_.seen.keys[column] != 0;
  if (spec.type == ColumnType::sparse) return !has_key && file_.seen.nested_unknown;
  return !spec.missing_indicator || (!has_key && !file_.seen.unknown.empty());
}

void ColumnWatch::end_file() {
  if (file_.rows == 0) return;
  refuse_other_keys();
  std::vector<std::size_t> empty;
  for (std::size_t c = 0; c < names_.input->columns.size(); ++c) {
    const std::uint64_t missing = file_.seen.missing.empty() ? 0 : file_.seen.missing[c];
    const bool is_sparse = names_.input->columns[c].type == ColumnType::sparse;
    if ((is_sparse || missing == file_.rows) && is_suspicious(c))
      empty.push_back(c);
    else if (missing > 0)
      note_missing(c);
  }
  if (!empty.empty()) warn_of(empty);
}

void ColumnWatch::refuse_other_keys() const {
  const std::vector<ColumnSpec>& columns = names_.input->columns;
  const std::vector<unsigned char>& keys = file_.seen.keys;
  const bool any_plain = std::any_of(columns.begin(), columns.end(), [](const ColumnSpec& column) {
    return column.type != ColumnType::sparse;
  });
  if (!any_plain || keys.empty() || file_.seen.unknown.empty() ||
      std::any_of(keys.begin(), keys.end(), [](unsigned char seen) { return seen != 0; }))
    return;
  NameList found, expected;
  for (const std::string& key : file_.seen.unknown) found.add(key);
  std::vector<std::size_t> all;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    expected.add(columns[c].name);
    all.push_back(c);
  }
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = *file_.name;
  detail.found = found.text();
  detail.expected = expected.text();
  detail.message =
      "no row has a column of the model: found the keys " + detail.found + ", expected " + detail.expected;
  detail.hint = nearest_key(all);
  detail.hint += std::string(detail.hint.empty() ? "" : " ") + "null says that a value is missing";
  detail.code = "unknown-columns";
  throw InputError(std::move(detail));
}

void ColumnWatch::warn_of(const std::vector<std::size_t>& columns) const {
  NameList names;
  for (const std::size_t c : columns) names.add(names_.input->columns[c].name);
  const bool one = columns.size() == 1;
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = *file_.name;
  detail.message = "no row has a value for " + names.text() +
                   (one ? ", a column of the model; " : ", columns of the model; ");
  if (names_.input->missing == MissingPolicy::drop_row)
    detail.message += "rows without one are dropped";
  else
    detail.message += one ? std::string(stand_in(names_.input->columns[columns.front()])) + " stands for it"
                          : "means and most frequent values of the training data, or zeros, stand for them";
  detail.hint = nearest_key(columns);
  detail.code = "empty-columns";
  log_->warning(detail);
}

// The key that comes nearest to one of the columns, as a question; empty: none is near.
std::string ColumnWatch::nearest_key(const std::vector<std::size_t>& columns) const {
  constexpr std::size_t tried = 1024;
  for (std::size_t k = 0; k < std::min(tried, columns.size()); ++k) {
    const std::string& name = names_.input->columns[columns[k]].name;
    if (const auto key = config::nearest(name, file_.seen.unknown))
      return "is " + quote_text(*key) + " meant to be " + quote_text(name) + "?";
  }
  return {};
}

void ColumnWatch::finish() {
  end_file();
  file_ = {};
  if (all_.unknown.empty()) return;
  constexpr std::size_t shown = 8;
  NameList names;
  for (std::size_t k = 0; k < std::min(shown, all_.unknown.size()); ++k) names.add(all_.unknown[k]);
  const bool others = all_.more_unknown || all_.unknown.size() > shown;
  log_->notice("keys that the model does not use: " + names.text() + (others ? " and others; " : "; ") +
               std::to_string(all_.num_unknown) +
               (all_.num_unknown == 1 ? " value left out" : " values left out"));
}

}  // namespace lazylogit::io
