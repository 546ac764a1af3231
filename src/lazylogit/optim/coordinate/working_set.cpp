#include "lazylogit/optim/coordinate/working_set.hpp"

#include <algorithm>
#include <cmath>

namespace lazylogit::optim {

std::vector<Term> working_set(Descent& descent, std::span<const FreeIntercept> intercepts,
                              std::size_t newcomers) {
  const objective::Posterior& objective = descent.objective();
  const model::Shape& shape = objective.problem().shape;
  const Point& point = descent.point();
  const auto slopes = objective.slopes();
  const auto kinks = objective.kinks();
  const std::size_t stride = shape.stride();
  std::vector<std::size_t> set, entering;
  for (std::size_t i = 0; i < point.b.size(); ++i) {
    if (!descent.free(i)) continue;
    if (i / stride == shape.num_features && intercepts[i % stride].present) continue;
    const double l = slopes.empty() ? 0.0 : slopes[i];
    const bool rests = l > 0 && point.b[i] == (kinks.empty() ? 0.0 : kinks[i]);
    (rests ? entering : set).push_back(i);
  }
  if (entering.size() > newcomers) {
    std::nth_element(entering.begin(), entering.begin() + static_cast<std::ptrdiff_t>(newcomers),
                     entering.end(), [&](std::size_t i, std::size_t h) {
                       const double a = std::abs(point.pseudo()[i]) / slopes[i];
                       const double c = std::abs(point.pseudo()[h]) / slopes[h];
                       return a != c ? a > c : i < h;
                     });
    entering.resize(newcomers);
  }
  set.insert(set.end(), entering.begin(), entering.end());
  std::vector<Term> terms;
  terms.reserve(set.size());
  for (const std::size_t i : set)
    terms.push_back({.index = i,
                     .feature = static_cast<FeatureId>(i / stride),
                     .vector = static_cast<std::uint32_t>(i % stride)});
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return a.vector != b.vector ? a.vector < b.vector : a.feature < b.feature;
  });
  return terms;
}

}  // namespace lazylogit::optim
