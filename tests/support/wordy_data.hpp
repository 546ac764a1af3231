// Rows of a few words each, some of which tell the class.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/data/dataset.hpp"

namespace lazylogit::test {

// Each row has `length` words or fewer, of which three in ten are those of its class.
inline data::Dataset wordy_data(std::size_t rows, std::size_t features, std::size_t length,
                                std::size_t classes) {
  data::Dataset data;
  for (std::size_t i = 0; i < features; ++i) data.features.append("w" + std::to_string(i));
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < classes; ++c) labels.push_back(std::string(1, static_cast<char>('a' + c)));
  data.classes = data::ClassTable::from_ordered(labels);
  Random random(5);
  Buffer<double> values;
  for (std::size_t j = 0; j < rows; ++j) {
    const auto label = static_cast<ClassId>(random.below(classes));
    std::vector<FeatureId> ids;
    for (std::size_t k = 0; k < length; ++k) {
      const std::uint64_t drawn = random.below(features);
      const bool own = random.uniform() < 0.3;
      ids.push_back(static_cast<FeatureId>(
          own ? (drawn - drawn % classes + static_cast<std::uint64_t>(label)) % features : drawn));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const FeatureId id : ids) {
      data.x.ids.push_back(id);
      values.push_back(1 / std::sqrt(static_cast<double>(length)));
    }
    data.x.row_offsets.push_back(data.x.ids.size());
    data.labels.push_back(label);
  }
  data.x.values = std::move(values);
  data.x.num_features = features;
  return data;
}

}  // namespace lazylogit::test
