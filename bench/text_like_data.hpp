// Synthetic rows with the look of text: ids follow Zipf's law (or are uniform), scattered over the columns;
// labels come from a planted model.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::bench {

struct TextLikeData {
  data::SparseMatrix x;
  std::vector<ClassId> labels;
};

struct TextLikeOptions {
  std::size_t num_rows = 100000;
  std::size_t per_row = 75;
  std::size_t num_features = 47236;
  std::size_t num_classes = 2;
  bool zipf = true;
};

inline TextLikeData make_text_like(const TextLikeOptions& o) {
  TextLikeData data;
  Random random(7);
  std::vector<FeatureId> place;
  if (o.zipf) {
    place.resize(o.num_features);
    std::iota(place.begin(), place.end(), FeatureId{0});
    random.shuffle(std::span(place));
  }
  const double range = std::log((static_cast<double>(o.num_features) + 20) / 20);
  Buffer<float> values;
  std::vector<FeatureId> ids;
  for (std::size_t r = 0; r < o.num_rows; ++r) {
    ids.clear();
    for (std::size_t k = 0; k < o.per_row; ++k) {
      const double u = random.uniform();
      const auto rank = static_cast<std::size_t>(o.zipf ? 20 * std::expm1(u * range)
                                                        : u * static_cast<double>(o.num_features));
      const std::size_t bounded = std::min(rank, o.num_features - 1);
      ids.push_back(o.zipf ? place[bounded] : static_cast<FeatureId>(bounded));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    double score = 0;
    for (const FeatureId id : ids) {
      const auto value =
          static_cast<float>((0.5 + random.uniform()) / std::sqrt(static_cast<double>(o.per_row)));
      data.x.ids.push_back(id);
      values.push_back(value);
      score += static_cast<double>(value) * static_cast<double>((id * 2654435761u) >> 16 & 1023) / 512 -
               1.0 * static_cast<double>(value);
    }
    data.x.row_offsets.push_back(data.x.ids.size());
    const double noisy = score + 0.3 * random.normal();
    data.labels.push_back(
        o.num_classes == 2
            ? (noisy > 0 ? 1 : 0)
            : static_cast<ClassId>(static_cast<std::uint64_t>(std::abs(noisy) * 40) % o.num_classes));
  }
  data.x.values = std::move(values);
  data.x.num_features = o.num_features;
  return data;
}

}  // namespace lazylogit::bench
