#include "lazylogit/train/holdout.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "lazylogit/objective/likelihood.hpp"

namespace lazylogit::train {
namespace {

struct Holdout {
  std::vector<ClassId> labels;
  std::vector<double> weights, targets;
  double total = 0;
  std::unique_ptr<objective::Likelihood> likelihood;
};

}  // namespace

std::function<double(std::span<const double>)> make_holdout_loss(const data::Rows& rows,
                                                                 const model::Shape& shape,
                                                                 std::span<const double> centers) {
  auto holdout = std::make_shared<Holdout>();
  for (std::size_t j = 0; j < rows.num_rows(); ++j) {
    bool known = true;
    if (shape.response == data::Response::classes) {
      known = rows.labels[j] != unknown_class;
      holdout->labels.push_back(known ? rows.labels[j] : 0);
    } else if (shape.response == data::Response::number) {
      known = !std::isnan(rows.targets[j]);
      holdout->targets.push_back(known ? rows.targets[j] : 0);
    }
    holdout->weights.push_back(!known ? 0.0 : rows.weights.empty() ? 1.0 : rows.weights[j]);
    holdout->total += holdout->weights.back();
  }
  objective::Problem problem;
  problem.x = &rows.x;
  problem.labels = holdout->labels;
  problem.targets = holdout->targets;
  if (shape.response == data::Response::labels) problem.label_sets = &rows.label_sets;
  problem.weights = holdout->weights;
  problem.offsets = rows.offsets.span();
  problem.choice_ends = rows.choice_ends.span();
  if (!rows.choice_ends.empty()) {  // one term per choice
    holdout->total = 0;
    std::uint64_t first = 0;
    for (const std::uint64_t last : rows.choice_ends)
      holdout->total += holdout->weights[std::exchange(first, last)];
  }
  problem.shape = shape;
  problem.centers = centers;
  holdout->likelihood = std::make_unique<objective::Likelihood>(problem);
  return [holdout](std::span<const double> b) {
    if (!(holdout->total > 0)) return std::numeric_limits<double>::quiet_NaN();
    return holdout->likelihood->value(b.data()) / holdout->total;
  };
}

}  // namespace lazylogit::train
