// Sums and updates over one column when rows are candidates of choices, whose curvature w (diag p − p pᵀ) couples them.
//
// r_j is kept without the share of the choice's mean score s = Σ p D: r_j − a_j s is meant, a_j = w p_j. So a change
// of one coefficient touches the rows of its column and the means of their choices, not the other candidates.
#pragma once

#include <cstdint>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/score_line.hpp"
#include "lazylogit/optim/coordinate/column_kernels.hpp"

namespace lazylogit::optim {

class ChoiceMeans {
 public:
  explicit ChoiceMeans(const objective::ScoreLine& line) : line_(line), means_(line.choice_ends().size()) {
    choice_of_.reserve(line.num_rows());
    for (std::size_t c = 0; c < means_.size(); ++c)
      choice_of_.resize(line.choice_ends()[c], static_cast<std::uint32_t>(c));
  }
  bool present() const noexcept { return !means_.empty(); }

  // s of every choice, from the scores of all rows.
  void set(const double* scores) noexcept {
    const double* p = line_.probabilities(0);
    std::fill(means_.begin(), means_.end(), 0.0);
    for (std::size_t j = 0; j < choice_of_.size(); ++j) means_[choice_of_[j]] += p[j] * scores[j];
  }
  double of_row(std::size_t j) const noexcept { return means_[choice_of_[j]]; }

  // Σ x_j (r_j − w_j p_j s)
  template <class Value>
  double slope(const data::RowView<Value>& column, const RowRecord* records) const noexcept {
    const double* p = line_.probabilities(0);
    double sum = 0;
    for (std::size_t k = 0; k < column.size(); ++k) {
      const FeatureId j = column.ids[k];
      sum += column.value(k) * (records[j].residual - line_.weight(j) * p[j] * of_row(j));
    }
    return sum;
  }
  // Σ x² a − Σ over choices of w (Σ p x)²; rows of a choice follow each other in the column.
  template <class Value>
  double square(const data::RowView<Value>& column, const RowRecord* records) const noexcept {
    const double* p = line_.probabilities(0);
    double sum = 0, mean = 0;
    for (std::size_t k = 0; k < column.size(); ++k) {
      const FeatureId j = column.ids[k];
      const double x = column.value(k);
      sum += x * x * records[j].weight;
      mean += p[j] * x;
      if (k + 1 < column.size() && choice_of_[column.ids[k + 1]] == choice_of_[j]) continue;
      sum -= line_.weight(j) * mean * mean;
      mean = 0;
    }
    return std::max(0.0, sum);
  }
  // The scores of the column's rows rise by x · step.
  template <class Value>
  void add(const data::RowView<Value>& column, double step) noexcept {
    const double* p = line_.probabilities(0);
    for (std::size_t k = 0; k < column.size(); ++k)
      means_[choice_of_[column.ids[k]]] += p[column.ids[k]] * column.value(k) * step;
  }

 private:
  const objective::ScoreLine& line_;
  std::vector<std::uint32_t> choice_of_;
  math::Vector means_;
};

}  // namespace lazylogit::optim
