#include "lazylogit/objective/choice_differences.hpp"

#include <map>

namespace lazylogit::objective {

ChoiceDifferences::ChoiceDifferences(const Problem& choices) : choices_(choices) {
  x_.num_features = choices.x->num_features;
  Buffer<double> values;
  choices.x->visit_rows([&](const auto& rows) {
    std::size_t first = 0;
    for (const std::uint64_t last : choices.choice_ends) {
      std::size_t taken = first;
      for (std::size_t j = first; j < last; ++j)
        if (choices.labels[j] == 1) taken = j;
      for (std::size_t j = first; j < last; ++j) {
        if (j == taken) continue;
        std::map<FeatureId, double> difference;
        const auto own = rows.row(taken), other = rows.row(j);
        for (std::size_t k = 0; k < own.size(); ++k) difference[own.ids[k]] += own.value(k);
        for (std::size_t k = 0; k < other.size(); ++k) difference[other.ids[k]] -= other.value(k);
        for (const auto& [feature, value] : difference)
          if (value != 0) x_.ids.push_back(feature), values.push_back(value);
        x_.row_offsets.push_back(x_.ids.size());
        labels_.push_back(1);
        weights_.push_back(choices.weight(j));
      }
      first = last;
    }
  });
  x_.values = std::move(values);
}

Problem ChoiceDifferences::problem() const {
  Problem problem = choices_;
  problem.choice_ends = {};
  problem.offsets = {};
  problem.x = &x_;
  problem.labels = labels_;
  problem.weights = weights_;
  return problem;
}

}  // namespace lazylogit::objective
