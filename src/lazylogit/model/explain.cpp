#include "lazylogit/model/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"

namespace lazylogit::model {

namespace {

void check_features(const Model& model, const data::Rows& rows) {
  if (rows.x.num_features > model.shape.num_features)
    throw ConfigError(fmt::format("the rows have {}, the model has {}",
                                  counted(rows.x.num_features, "feature"), model.shape.num_features));
}

double coefficient(const Model& model, std::size_t feature, ClassId c) {
  if (c == unknown_class) return 0;  // no rival
  const auto vector = model.shape.vector_of(c);
  return vector ? model.coefficients[model.shape.index(feature, *vector)] : 0.0;
}

double score(const Model& model, const data::Rows& rows, std::size_t row, ClassId c) {
  if (c == unknown_class) return 0;
  const Shape& shape = model.shape;
  double sum = shape.has_intercept ? coefficient(model, shape.num_features, c) : 0.0;
  rows.x.visit_rows([&](const auto& view) {
    const auto entries = view.row(row);
    for (std::size_t k = 0; k < entries.size(); ++k)
      sum += entries.value(k) * coefficient(model, entries.ids[k], c);
  });
  const bool classes = shape.response == data::Response::classes;
  const bool offset = !rows.offsets.empty() &&
                      (classes ? shape.num_classes == 2 && c == 1 : shape.response == data::Response::number);
  return sum + (offset ? rows.offsets[row] : 0.0);
}

}  // namespace

Explanation explain_row(const Model& model, const data::Rows& rows, std::size_t row, std::size_t top) {
  check_features(model, rows);
  // What speaks for a candidate does not depend on the others, which the decision does.
  if (!model.input.choices.column.empty()) return explain_between(model, rows, row, {1, 0}, top);
  ClassId best = unknown_class, rival = unknown_class;
  double best_score = 0, rival_score = 0;
  for (ClassId c = 0; c < static_cast<ClassId>(model.shape.num_classes); ++c) {
    const double s = score(model, rows, row, c);
    if (best == unknown_class || s > best_score) {
      rival = best;
      rival_score = best_score;
      best = c;
      best_score = s;
    } else if (rival == unknown_class || s > rival_score) {
      rival = c;
      rival_score = s;
    }
  }
  if (model.shape.response != data::Response::classes) rival = unknown_class;
  return explain_between(model, rows, row, {best, rival}, top);
}

Explanation explain_between(const Model& model, const data::Rows& rows, std::size_t row, ClassPair classes,
                            std::size_t top) {
  check_features(model, rows);
  Explanation result;
  result.best = classes.best;
  result.rival = classes.rival;
  result.margin = score(model, rows, row, classes.best) - score(model, rows, row, classes.rival);
  const auto add = [&](std::size_t feature, double value) {
    const double part =
        value * (coefficient(model, feature, classes.best) - coefficient(model, feature, classes.rival));
    if (part != 0) result.contributions.push_back({feature, value, part});
  };
  rows.x.visit_rows([&](const auto& view) {
    const auto entries = view.row(row);
    for (std::size_t k = 0; k < entries.size(); ++k) add(entries.ids[k], entries.value(k));
  });
  if (model.shape.has_intercept) add(model.shape.num_features, 1.0);
  std::sort(result.contributions.begin(), result.contributions.end(), [](const auto& x, const auto& y) {
    const double a = std::fabs(x.contribution), b = std::fabs(y.contribution);
    return a != b ? a > b : x.feature < y.feature;
  });
  if (result.contributions.size() > top) result.contributions.resize(top);
  return result;
}

std::string describe(const Explanation& explanation, const Model& model) {
  std::string text = explanation.rival == unknown_class
                         ? fmt::format("{} {:.5g}", model.classes.label(explanation.best), explanation.margin)
                         : fmt::format("{} over {} ({:+.3g})", model.classes.label(explanation.best),
                                       model.classes.label(explanation.rival), explanation.margin);
  const char* separator = ": ";
  for (const Contribution& part : explanation.contributions) {
    text += fmt::format("{}{} {:+.3g}", separator, model.feature_name(part.feature), part.contribution);
    separator = ", ";
  }
  return text;
}

}  // namespace lazylogit::model
