#include "lazylogit/io/growing_names.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "lazylogit/io/index_lookup.hpp"
#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {

// A direct table for small keys, which are most; a map for the others, so that one large index costs one entry.
struct GrowingNames::Indices {
  static constexpr std::uint32_t direct_limit = std::uint32_t{1} << 20;
  std::uint64_t base = 1;
  std::vector<std::uint32_t> direct;  // IndexLookup::unknown: not seen
  absl::flat_hash_map<std::uint32_t, std::uint32_t> sparse;

  std::uint32_t& slot(std::uint32_t key) {
    if (key >= direct_limit) return sparse.try_emplace(key, IndexLookup::unknown).first->second;
    if (key >= direct.size())
      direct.resize(std::min<std::size_t>(direct_limit, std::max<std::size_t>(key + 1, 2 * direct.size())),
                    IndexLookup::unknown);
    return direct[key];
  }
};

GrowingNames::GrowingNames() = default;
GrowingNames::~GrowingNames() = default;

std::uint32_t GrowingNames::column_of(std::uint32_t key) {
  std::uint32_t& column = indices_->slot(key);
  if (column != IndexLookup::unknown) return column;
  char text[24];
  const auto written = std::to_chars(text, text + sizeof text, std::uint64_t{key} + indices_->base);
  features.append({text, static_cast<std::size_t>(written.ptr - text)});
  return column = static_cast<std::uint32_t>(features.size() - 1);
}

void GrowingNames::number_columns(int index_base) {
  indices_ = std::make_unique<Indices>();
  indices_->base = static_cast<std::uint64_t>(index_base);
  for (std::size_t id = 0; id < features.size(); ++id) {
    std::uint64_t index = 0;
    if (parse_integer(features.name(static_cast<FeatureId>(id)), 0xFFFFFFFF, index) == NumberStatus::ok &&
        index >= indices_->base)
      indices_->slot(static_cast<std::uint32_t>(index - indices_->base)) = static_cast<std::uint32_t>(id);
  }
}

}  // namespace lazylogit::io
