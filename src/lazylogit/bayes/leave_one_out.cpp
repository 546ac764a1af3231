#include "lazylogit/bayes/leave_one_out.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/model/score_covariance.hpp"
#include "lazylogit/objective/row_scores.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;

// The step of one row in the space of its own scores.
struct RowStep {
  Eigen::VectorXd scores, probabilities, z, change;  // of the vectors; change = A z
  double influence = 0;
};

}  // namespace

class LeaveOneOut::RowSteps {
 public:
  RowSteps(const objective::Problem& problem, const model::Model& model)
      : problem_(problem),
        model_(model),
        covariance_(model),
        vectors_(static_cast<Index>(covariance_.num_vectors())) {}

  template <class Row>
  void operator()(const Row& row, std::size_t j, model::ScoreCovariance::Scratch& scratch,
                  RowStep& step) const {
    const model::Shape& shape = problem_.shape;
    const double* b = model_.coefficients.data();
    std::vector<double> padded(shape.stride());
    if (vectors_ == 1)
      padded[0] = objective::row_score(problem_, row, j, b);
    else
      objective::row_scores(problem_, row, j, b, padded.data());
    step.scores = Eigen::Map<const Eigen::VectorXd>(padded.data(), vectors_);
    step.probabilities = step.scores;
    math::apply_softmax({step.probabilities.data(), static_cast<std::size_t>(vectors_)}, reference());
    Eigen::MatrixXd a(vectors_, vectors_);
    covariance_(row, a.data(), scratch);
    const double w = problem_.weight(j);
    const Eigen::VectorXd& p = step.probabilities;
    Eigen::VectorXd residual = w * p;
    if (const auto own = shape.vector_of(problem_.labels[j])) residual(static_cast<Index>(*own)) -= w;
    Eigen::MatrixXd curvature = -w * p * p.transpose();
    curvature.diagonal() += w * p;
    const Eigen::MatrixXd rest = Eigen::MatrixXd::Identity(vectors_, vectors_) - curvature * a;
    step.z = rest.partialPivLu().solve(residual);
    step.change = a * step.z;
    step.influence = std::max(0.0, step.z.dot(step.change));
  }

  double log_probability(const Eigen::VectorXd& scores, ClassId label) const {
    const auto normalizer =
        math::log_normalizer({scores.data(), static_cast<std::size_t>(scores.size())}, reference());
    const auto own = problem_.shape.vector_of(label);
    return normalizer.log_probability(own ? scores(static_cast<Index>(*own)) : 0.0);
  }

 private:
  math::ReferenceClass reference() const {
    return problem_.shape.reference ? math::ReferenceClass::present : math::ReferenceClass::absent;
  }
  const objective::Problem& problem_;
  const model::Model& model_;
  model::ScoreCovariance covariance_;
  Index vectors_;
};

LeaveOneOut::LeaveOneOut(const objective::Problem& problem, const model::Model& model)
    : problem_(problem), model_(model), steps_(std::make_unique<RowSteps>(problem_, model)) {}

LeaveOneOut::~LeaveOneOut() = default;

std::vector<LeftOut> LeaveOneOut::rows() const {
  const objective::Problem& problem = problem_;
  const RowSteps& steps = *steps_;
  const std::size_t rows = problem.x->num_rows();
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<LeftOut> result(rows, {unknown, unknown, 0});
  constexpr std::size_t block_rows = 64;
  problem.x->visit_rows([&](const auto& view) {
    parallel_blocks(num_blocks_of(rows, block_rows), [&](std::size_t block) {
      model::ScoreCovariance::Scratch scratch;
      RowStep step;
      for (std::size_t j = block * block_rows; j < std::min(rows, (block + 1) * block_rows); ++j) {
        if (!(problem.weight(j) > 0)) continue;
        steps(view.row(j), j, scratch, step);
        result[j].in_sample = steps.log_probability(step.scores, problem.labels[j]);
        // The row's label can only become less probable without it; a step that says otherwise has left the region where
        // one Newton step means something.
        result[j].log_probability = std::min(
            result[j].in_sample, steps.log_probability(step.scores + step.change, problem.labels[j]));
        result[j].influence = step.influence;
      }
    });
  });
  return result;
}

math::Vector LeaveOneOut::step(std::size_t row) const {
  const objective::Problem& problem = problem_;
  const RowSteps& steps = *steps_;
  const model::PosteriorApproximation& posterior = *model_.posterior;
  const model::Shape& shape = problem.shape;
  math::Vector direction(shape.size(), 0.0), out(shape.size(), 0.0);  // Xᵀz, then Σ Xᵀz
  problem.x->visit_rows([&](const auto& view) {
    model::ScoreCovariance::Scratch scratch;
    RowStep step;
    const auto entries = view.row(row);
    steps(entries, row, scratch, step);
    const auto add = [&](std::size_t feature, double x) {
      for (std::size_t v = 0; v < shape.num_vectors(); ++v)
        direction[shape.index(feature, v)] += x * step.z(static_cast<Index>(v));
    };
    for (std::size_t k = 0; k < entries.size(); ++k) add(entries.ids[k], entries.value(k));
    if (shape.has_intercept) add(shape.num_features, 1.0);
  });
  if (posterior.kind == model::PosteriorKind::full) {
    for (std::size_t i = 0; i < posterior.coordinates.size(); ++i)
      for (std::size_t k = 0; k <= i; ++k) {
        const double c = posterior.covariance[i * (i + 1) / 2 + k];
        out[posterior.coordinates[i]] += c * direction[posterior.coordinates[k]];
        if (k != i) out[posterior.coordinates[k]] += c * direction[posterior.coordinates[i]];
      }
    return out;
  }
  const std::size_t rank = posterior.rank;
  std::vector<double> inner(rank, 0.0);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t r = 0; direction[i] != 0 && r < rank; ++r)
      inner[r] += static_cast<double>(posterior.factor[i * rank + r]) * direction[i];
  for (std::size_t i = 0; i < out.size(); ++i) {
    double base = posterior.variance[i], dot = 0;
    for (std::size_t r = 0; r < rank; ++r) {
      const double f = static_cast<double>(posterior.factor[i * rank + r]);
      base += f * f;
      dot += f * inner[r];
    }
    out[i] = base * direction[i] - dot;
  }
  return out;
}

}  // namespace lazylogit::bayes
