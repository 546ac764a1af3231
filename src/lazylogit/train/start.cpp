#include "lazylogit/train/start.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/objective/intercept_levels.hpp"

namespace lazylogit::train {
namespace {

bool is_free(const prior::PriorTable& table, std::size_t i) {
  return !table.pinned(i) && std::visit([](const auto& p) { return p.value(1) == 0; }, table.at(i));
}

// Subtracts the reference's coefficient, so that scores against the reference are those of the old model.
double old_coefficient(const model::Model& model, std::size_t feature, ClassId c) {
  const auto v = model.shape.vector_of(c);
  return v ? model.coefficients[model.shape.index(feature, *v)] : 0.0;
}

}  // namespace

math::Vector mean_start(const Prepared& prepared) {
  math::Vector b(prepared.shape.size(), 0.0);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = prepared.prior.mean(i);
  return b;
}

math::Vector default_start(const Prepared& prepared) {
  math::Vector b = mean_start(prepared);
  if (!prepared.rows->offsets.empty()) return b;
  const std::vector<double> levels = objective::intercept_levels(prepared.problem());
  for (std::size_t v = 0; v < levels.size(); ++v) {
    const std::size_t i = prepared.shape.intercept_index(v);
    if (is_free(prepared.prior, i) && std::isfinite(levels[v])) b[i] = levels[v];
  }
  return b;
}

math::Vector warm_start(const Prepared& prepared, data::Dataset& data, const model::Model& model) {
  const model::Shape& shape = prepared.shape;
  math::Vector b = mean_start(prepared);
  std::vector<ClassId> old_class(shape.num_classes, unknown_class);
  std::size_t known = 0;
  if (model.shape.response != shape.response)
    throw ConfigError(
        fmt::format("the labels of the model are {}, those of the data {}",
                    data::response_name(model.shape.response), data::response_name(shape.response)),
        "warm-start");
  if (shape.response == data::Response::number) {
    old_class[0] = 0;  // whatever the target is called
    known = 1;
  }
  for (std::size_t c = 0; c < shape.num_classes && shape.response != data::Response::number; ++c) {
    old_class[c] = model.classes.find(data.classes.label(static_cast<ClassId>(c)));
    if (old_class[c] != unknown_class) ++known;
  }
  if (known == 0) throw ConfigError("none of the model's classes occurs in the data", "warm-start");
  const ClassId old_reference =
      shape.reference ? old_class[static_cast<std::size_t>(*shape.reference)] : unknown_class;
  const auto copy_row = [&](std::size_t from, std::size_t to) {
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      const ClassId old = old_class[static_cast<std::size_t>(shape.class_of(v))];
      const std::size_t at = shape.index(to, v);
      if (old == unknown_class || prepared.prior.pinned(at)) continue;
      b[at] = old_coefficient(model, from, old) -
              (old_reference != unknown_class ? old_coefficient(model, from, old_reference) : 0.0);
    }
  };
  if (model.input.hash_bits != data.input.hash_bits || model.features.empty() != data.features.empty() ||
      (model.features.empty() && model.shape.num_features != shape.num_features))
    throw ConfigError("the model and the data do not have the same hashed features", "warm-start",
                      "use the same --hash-bits");
  if (model.features.empty()) {
    for (std::size_t i = 0; i < shape.num_features; ++i) copy_row(i, i);
  } else {
    data.features.build_index();
    for (std::size_t i = 0; i < model.shape.num_features; ++i)
      if (const auto to = data.features.find(model.features.name(static_cast<FeatureId>(i))))
        copy_row(i, *to);
  }
  if (model.shape.has_intercept && shape.has_intercept)
    copy_row(model.shape.num_features, shape.num_features);
  return prepared.centered(b);
}

math::Vector random_start(const Prepared& prepared, std::uint64_t seed, std::uint64_t restart) {
  const model::Shape& shape = prepared.shape;
  const std::vector<double> deviations = data::feature_moments(prepared.rows->x, prepared.weights).deviations;
  Random random(seed * 0x9e3779b97f4a7c15ULL + restart);
  math::Vector b = default_start(prepared);
  const double spread = 3 / std::sqrt(static_cast<double>(
                                std::max<std::size_t>(1, std::min<std::size_t>(shape.num_features, 100))));
  for (std::size_t i = 0; i < shape.num_features; ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      const double draw = random.normal() * (1 + 2 * random.uniform());
      const std::size_t at = shape.index(i, v);
      if (!prepared.prior.pinned(at)) b[at] += spread * draw / (deviations[i] > 0 ? deviations[i] : 1.0);
    }
  return b;
}

}  // namespace lazylogit::train
