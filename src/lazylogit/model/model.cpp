#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

std::string Model::feature_name(std::size_t feature) const {
  if (feature == shape.num_features) return intercept_name;
  if (features.empty()) return "#" + std::to_string(feature);
  return std::string(features.name(static_cast<FeatureId>(feature)));
}

}  // namespace lazylogit::model
