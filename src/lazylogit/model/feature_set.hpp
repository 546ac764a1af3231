// Some of a model's features, a bit for each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lazylogit::model {

inline constexpr std::size_t some_rows = 2048;  // taken at a time

class FeatureSet {
 public:
  explicit FeatureSet(std::size_t num_features) : words_((num_features + 63) / 64) {}
  void add(std::uint64_t feature) noexcept { words_[feature / 64] |= std::uint64_t{1} << feature % 64; }
  // body(rows) for those in it, ascending, some at a time.
  template <class Body>
  void for_all(const Body& body) const {
    std::vector<std::uint64_t> rows;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
        rows.push_back(64 * w + static_cast<std::uint64_t>(std::countr_zero(bits)));
      if (rows.size() + 64 <= some_rows && w + 1 < words_.size()) continue;
      if (!rows.empty()) body(std::span<const std::uint64_t>(rows));
      rows.clear();
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace lazylogit::model
