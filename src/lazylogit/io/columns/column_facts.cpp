#include "lazylogit/io/columns/column_facts.hpp"

#include <algorithm>
#include <utility>

namespace lazylogit::io {

bool TableFacts::any_missing() const noexcept {
  return std::any_of(columns_.begin(), columns_.end(),
                     [](const ColumnFacts& facts) { return facts.missing > 0; });
}

void TableFacts::merge(std::size_t column, TableFacts& from) {
  ColumnFacts& into = columns_[column];
  const ColumnFacts& next = from.columns_[column];
  if (next.has_number != 0) {
    into.add_number(next.first);
    if (next.varied != 0) into.varied = 1;
  }
  into.add_missing(next.missing);
  if (next.has_other != 0) into.has_other = 1;
  if (next.has_nested != 0) into.has_nested = 1;
  if (from.rare_.empty() || from.rare_[column] == nullptr) return;
  std::unique_ptr<RareFacts> more = std::move(from.rare_[column]);
  reserve_rare();
  if (rare_[column] == nullptr) {
    rare_[column] = std::move(more);
    return;
  }
  RareFacts& rare = *rare_[column];
  rare.present += more->present;
  if (!rare.has_non_number()) rare.non_number = std::move(more->non_number);
  if (rare.nested == nullptr) rare.nested = std::move(more->nested);
  if (rare.texts == nullptr) {
    rare.texts = std::move(more->texts);
  } else if (more->texts != nullptr) {
    std::vector<std::uint64_t>& hashes = rare.texts->hashes;
    hashes.insert(hashes.end(), more->texts->hashes.begin(), more->texts->hashes.end());
    rare.texts->with_blanks += more->texts->with_blanks;
  }
}

void TableFacts::count_distinct() {
  for (const std::unique_ptr<RareFacts>& rare : rare_) {
    if (rare == nullptr || rare->texts == nullptr) continue;
    std::vector<std::uint64_t>& hashes = rare->texts->hashes;
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  }
}

}  // namespace lazylogit::io
