#include "lazylogit/bayes/curvature_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <variant>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/printable.hpp"
#include "lazylogit/bayes/singular_direction.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::bayes {
namespace {

bool is_flat(const objective::Problem& problem, std::size_t row) {
  const model::Shape& shape = problem.shape;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    const std::size_t i = shape.index(row, v);
    const auto any = problem.prior->at(i);
    const bool no_prior =
        std::visit([](const auto& prior) { return prior.slope() == 0 && prior.curvature(0) == 0; }, any);
    if (!no_prior || problem.prior->pinned(i)) return false;
  }
  return true;
}

}  // namespace

std::string coordinate_name(const model::Shape& shape, std::size_t coordinate, const Names& names) {
  const std::size_t row = coordinate / shape.stride();
  const ClassId c = shape.class_of(coordinate % shape.stride());
  std::string feature = row == shape.num_features ? model::intercept_name
                        : names.features && row < names.features->size()
                            ? printable(names.features->name(static_cast<FeatureId>(row)))
                            : fmt::format("#{}", row);
  if (shape.num_vectors() == 1) return feature;
  return fmt::format("{} ({})", feature,
                     names.classes ? printable(names.classes->label(c)) : fmt::format("{}", c));
}

std::vector<std::size_t> flat_rows(const objective::Problem& problem) {
  std::vector<std::size_t> rows;
  const bool shared = !problem.shape.reference && problem.shape.response == data::Response::classes;
  for (std::size_t row = 0; shared && row < problem.shape.num_rows(); ++row)
    if (is_flat(problem, row)) rows.push_back(row);
  return rows;
}

CurvatureFrame curvature_frame(objective::Posterior& objective, std::span<const double> b,
                               const Names& names) {
  const model::Shape& shape = objective.problem().shape;
  const auto fixed = objective.fixed();
  const auto slopes = objective.slopes(), kinks = objective.kinks();
  CurvatureFrame frame;
  if (b.size() > std::numeric_limits<std::uint32_t>::max())
    throw ConfigError(fmt::format("{} coefficients are too many for a posterior", b.size()), "posterior");
  frame.coordinates.reserve(shape.num_rows() * shape.num_vectors());
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!fixed.empty() && fixed[i]) continue;
    const bool kink = !slopes.empty() && slopes[i] > 0 && b[i] == (kinks.empty() ? 0.0 : kinks[i]);
    if (kink)
      frame.at_kink.push_back(i);
    else
      frame.coordinates.push_back(static_cast<std::uint32_t>(i));
  }
  frame.flat_rows = flat_rows(objective.problem());

  objective.set_curvature_point(b);
  math::Vector all(objective.size());
  objective.hessian_diagonal(all);
  frame.diagonal.reserve(frame.coordinates.size());
  for (const std::size_t i : frame.coordinates) {
    if (!(all[i] > 0)) refuse_undetermined(shape, i, names);
    frame.diagonal.push_back(all[i]);
  }
  for (const std::size_t row : frame.flat_rows) {
    double sum = 0;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) sum += all[shape.index(row, v)];
    frame.shift.push_back(sum / static_cast<double>(shape.num_vectors()));
  }
  return frame;
}

}  // namespace lazylogit::bayes
