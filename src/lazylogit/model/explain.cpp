#include "lazylogit/model/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"

namespace lazylogit::model {

Explanation explain_row(const Model& model, const data::Rows& rows, std::size_t row, std::size_t top) {
  const Shape& shape = model.shape;
  if (rows.x.num_features > shape.num_features)
    throw ConfigError(
        fmt::format("the rows have {} features, the model has {}", rows.x.num_features, shape.num_features));
  const auto coefficient = [&](std::size_t feature, ClassId c) {
    const auto vector = shape.vector_of(c);
    return vector ? model.coefficients[shape.index(feature, *vector)] : 0.0;
  };
  const auto ids = rows.x.row_ids(row);
  const std::uint64_t first = rows.x.row_offsets[row];
  const double offset = rows.offsets.empty() || shape.num_classes != 2 ? 0.0 : rows.offsets[row];

  const auto score = [&](ClassId c) {
    double sum = shape.has_intercept ? coefficient(shape.num_features, c) : 0.0;
    for (std::size_t k = 0; k < ids.size(); ++k) sum += rows.x.value(first + k) * coefficient(ids[k], c);
    return sum + (c == 1 ? offset : 0.0);
  };
  Explanation result;
  double best_score = 0, rival_score = 0;
  for (ClassId c = 0; c < static_cast<ClassId>(shape.num_classes); ++c) {
    const double s = score(c);
    if (result.best == unknown_class || s > best_score) {
      result.rival = result.best;
      rival_score = best_score;
      result.best = c;
      best_score = s;
    } else if (result.rival == unknown_class || s > rival_score) {
      result.rival = c;
      rival_score = s;
    }
  }
  result.margin = best_score - rival_score;

  const auto add = [&](std::size_t feature, double value) {
    const double part = value * (coefficient(feature, result.best) - coefficient(feature, result.rival));
    if (part != 0) result.contributions.push_back({feature, value, part});
  };
  for (std::size_t k = 0; k < ids.size(); ++k) add(ids[k], rows.x.value(first + k));
  if (shape.has_intercept) add(shape.num_features, 1.0);
  std::sort(result.contributions.begin(), result.contributions.end(), [](const auto& a, const auto& b) {
    const double x = std::fabs(a.contribution), y = std::fabs(b.contribution);
    return x != y ? x > y : a.feature < b.feature;
  });
  if (result.contributions.size() > top) result.contributions.resize(top);
  return result;
}

std::string describe(const Explanation& explanation, const Model& model) {
  std::string text = fmt::format("{} over {} ({:+.3g})", model.classes.label(explanation.best),
                                 model.classes.label(explanation.rival), explanation.margin);
  const char* separator = ": ";
  for (const Contribution& part : explanation.contributions) {
    text += fmt::format("{}{} {:+.3g}", separator, model.feature_name(part.feature), part.contribution);
    separator = ", ";
  }
  return text;
}

}  // namespace lazylogit::model
