// ChoiceRows: a softmax over the rows of each choice. Blocks hold whole choices.
#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/math/softmax.hpp"
#include "lazylogit/objective/likelihood_passes.hpp"
#include "lazylogit/objective/row_losses.hpp"

namespace lazylogit::objective {
namespace {

// Calls body(first, last, weight) for the choices of the rows [begin, end).
template <class Body>
void for_choices(const Problem& problem, std::size_t begin, std::size_t end, const Body& body) {
  auto choice = std::upper_bound(problem.choice_ends.begin(), problem.choice_ends.end(), begin);
  for (std::size_t first = begin; first < end; ++choice) {
    const std::size_t last = *choice;
    body(first, last, problem.weight(first));
    first = last;
  }
}

double is_taken(const Problem& problem, std::size_t row) { return problem.labels[row] == 1 ? 1.0 : 0.0; }

// Scores of a choice → probabilities; returns log Σ exp.
double softmax_in_place(double* s, std::size_t count) {
  const double largest = *std::max_element(s, s + count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += s[i] = std::exp(s[i] - largest);
  for (std::size_t i = 0; i < count; ++i) s[i] /= sum;
  return largest + std::log(sum);
}

}  // namespace

void ChoiceRows::residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
                           double* losses) noexcept {
  std::fill_n(losses, end - begin, 0.0);
  for_choices(problem, begin, end, [&](std::size_t first, std::size_t last, double w) {
    double* own = s + (first - begin);
    const std::size_t count = last - first;
    if (w == 0) {
      std::fill_n(own, count, 0.0);
      return;
    }
    double taken = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (is_taken(problem, first + i) > 0) taken = own[i];
    losses[first - begin] = w * (softmax_in_place(own, count) - taken);
    for (std::size_t i = 0; i < count; ++i) own[i] = w * (own[i] - is_taken(problem, first + i));
  });
}

void ChoiceRows::kept(const Problem& problem, std::size_t begin, std::size_t end, double* s) noexcept {
  for_choices(problem, begin, end, [&](std::size_t first, std::size_t last, double w) {
    double* own = s + (first - begin);
    if (w == 0)
      std::fill_n(own, last - first, 0.0);
    else
      softmax_in_place(own, last - first);
  });
}

void ChoiceRows::kept_of_residuals(const Problem& problem, std::size_t begin, std::size_t end,
                                   double* r) noexcept {
  for (std::size_t j = begin; j < end; ++j) {
    const double w = problem.weight(j);
    r[j - begin] = w == 0 ? 0 : r[j - begin] / w + is_taken(problem, j);
  }
}

void ChoiceRows::products(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                          double* u) noexcept {
  for_choices(problem, begin, end, [&](std::size_t first, std::size_t last, double w) {
    double mean = 0;
    for (std::size_t j = first; j < last; ++j) mean += kept[j - begin] * u[j - begin];
    for (std::size_t j = first; j < last; ++j) u[j - begin] = w * kept[j - begin] * (u[j - begin] - mean);
  });
}

void ChoiceRows::variances(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                           double* h) noexcept {
  for (std::size_t j = begin; j < end; ++j) {
    const double p = kept[j - begin];
    h[j - begin] = problem.weight(j) * p * (1 - p);
  }
}

// Σ over choices of w (Σ_i p_i x_i x_iᵀ − x̄ x̄ᵀ), x̄ = Σ_i p_i x_i: rows of a choice are coupled.
void Likelihood::add_choice_curvature(double* diagonal, double* matrix) {
  const model::Shape& shape = problem_.shape;
  const std::size_t size = shape.size();
  problem_.x->visit_rows([&](const auto& rows) {
    math::Vector mean(size, 0.0), scratch(block_rows_);
    std::vector<FeatureId> touched;
    for (std::size_t shard = 0; shard < shards_.count(); ++shard)
      for_blocks(shard, [&](std::size_t begin, std::size_t end, double*) {
        const double* p = remembered(rows, begin, end, scratch.data());
        for_choices(problem_, begin, end, [&](std::size_t first, std::size_t last, double w) {
          if (w == 0) return;
          touched.clear();
          for (std::size_t j = first; j < last; ++j) {
            const auto row = rows.row(j);
            const double weight = w * p[j - begin];
            for (std::size_t k = 0; k < row.size(); ++k) {
              if (mean[row.ids[k]] == 0) touched.push_back(row.ids[k]);
              mean[row.ids[k]] += p[j - begin] * row.value(k);
              if (diagonal != nullptr) diagonal[row.ids[k]] += weight * row.value(k) * row.value(k);
              for (std::size_t h = 0; h < row.size() && matrix != nullptr; ++h)
                matrix[row.ids[k] * size + row.ids[h]] += weight * row.value(k) * row.value(h);
            }
          }
          std::sort(touched.begin(), touched.end());
          touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
          for (const FeatureId i : touched) {
            if (diagonal != nullptr) diagonal[i] -= w * mean[i] * mean[i];
            if (matrix != nullptr)
              for (const FeatureId h : touched) matrix[i * size + h] -= w * mean[i] * mean[h];
          }
          for (const FeatureId i : touched) mean[i] = 0;
        });
      });
  });
}

double Likelihood::choice_divergence(const double* b, double tau) const {
  std::vector<double> parts(shards_.count());
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      double sum = 0;
      for_blocks(shard, [&](std::size_t begin, std::size_t end, double* p) {
        block_scores(problem_, rows, begin, end, b, true, p);
        ChoiceRows::kept(problem_, begin, end, p);
        for (std::size_t j = begin; j < end; ++j)
          sum += problem_.weight(j) *
                 divergence_term(p[j - begin], (1 - tau) * (is_taken(problem_, j) - p[j - begin]));
      });
      parts[shard] = sum;
    });
  });
  return sum_in_order(parts);
}

}  // namespace lazylogit::objective
