#include "lazylogit/bayes/gibbs.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <vector>

#include "lazylogit/bayes/curvature_frame.hpp"
#include "lazylogit/bayes/dense_rows.hpp"
#include "lazylogit/bayes/polya_gamma.hpp"
#include "lazylogit/math/vector.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

constexpr std::size_t most_features = 1000;
constexpr double largest_weight = 32;

}  // namespace

bool takes_gibbs(const objective::Problem& problem) {
  const auto family = problem.prior->family();
  if (family != prior::Gaussian::name && family != prior::Uniform::name) return false;
  if (!fits_dense_rows(problem, most_features)) return false;
  if (!problem.offsets.empty() && problem.shape.num_vectors() > 1) return false;
  for (const double w : problem.weights)
    if (w != std::floor(w) || w > largest_weight) return false;
  return true;
}

struct GibbsProblem::State {
  objective::Problem problem;
  Matrix x;  // rows × (features, intercept)
  std::vector<std::uint64_t> weights;
  std::vector<ClassId> labels;
  Column offsets;
  std::vector<Matrix> precision;  // of each vector
  std::vector<Column> mean;
  std::vector<std::vector<Index>> moving;  // of each vector: not pinned
  std::vector<std::size_t> flat_rows;
  // Features whose coefficients may be shifted together under their priors, and the factor of A.
  std::vector<Index> shiftable;
  Eigen::LLT<Matrix> shift_factor;
};

GibbsProblem::GibbsProblem(const objective::Problem& problem) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.problem = problem;
  const model::Shape& shape = problem.shape;
  const auto d = static_cast<Index>(shape.num_rows());
  const DenseRows rows = make_dense_rows(problem);
  const auto count = static_cast<Index>(rows.num_rows);
  s.x = Eigen::Map<const Matrix>(rows.x.data(), count, d);
  s.offsets = Eigen::Map<const Column>(rows.offsets.data(), count);
  s.labels = rows.labels;
  for (const double w : rows.weights) s.weights.push_back(static_cast<std::uint64_t>(w));
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    Matrix p = Matrix::Zero(d, d);
    Column m = Column::Zero(d);
    std::vector<Index> moving;
    for (Index i = 0; i < d; ++i) {
      const std::size_t at = shape.index(static_cast<std::size_t>(i), v);
      m(i) = problem.prior->mean(at);
      if (problem.prior->pinned(at)) continue;
      moving.push_back(i);
      p(i, i) = std::visit([](const auto& prior) { return prior.curvature(0); }, problem.prior->at(at));
    }
    s.precision.push_back(std::move(p));
    s.mean.push_back(std::move(m));
    s.moving.push_back(std::move(moving));
  }
  if (const prior::Coupling* coupling = problem.prior->coupling()) {
    const std::size_t m = coupling->group_size(), stride = shape.stride();
    const auto all = coupling->coordinates();
    for (std::size_t first = 0; first < all.size(); first += m)
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t k = 0; k < m; ++k)
          s.precision[all[first] % stride](static_cast<Index>(all[first + i] / stride),
                                           static_cast<Index>(all[first + k] / stride)) =
              coupling->precision(i, k);
  }
  s.flat_rows = flat_rows(problem);
  if (shape.reference) return;
  Matrix sum = Matrix::Zero(d, d);
  for (const Matrix& precision : s.precision) sum += precision;
  for (Index i = 0; i < d; ++i) {
    bool pinned = false;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      pinned = pinned || problem.prior->pinned(shape.index(static_cast<std::size_t>(i), v));
    if (!pinned && sum(i, i) > 0) s.shiftable.push_back(i);
  }
  const auto count_shiftable = static_cast<Index>(s.shiftable.size());
  Matrix inner(count_shiftable, count_shiftable);
  for (Index i = 0; i < count_shiftable; ++i)
    for (Index k = 0; k < count_shiftable; ++k)
      inner(i, k) = sum(s.shiftable[static_cast<std::size_t>(i)], s.shiftable[static_cast<std::size_t>(k)]);
  s.shift_factor.compute(inner);
}

GibbsProblem::~GibbsProblem() = default;

struct GibbsChain::State {
  Random random;
  Matrix b;       // (features, intercept) × vectors
  Matrix scores;  // rows × vectors
  math::Vector coefficients;
};

GibbsChain::GibbsChain(const GibbsProblem& problem, std::span<const double> start, std::uint64_t seed)
    : problem_(problem), state_(std::make_unique<State>(State{Random(seed), {}, {}, {}})) {
  const GibbsProblem::State& p = *problem_.state_;
  const model::Shape& shape = p.problem.shape;
  state_->coefficients.assign(start.begin(), start.end());
  state_->b.resize(p.x.cols(), static_cast<Index>(shape.num_vectors()));
  for (std::size_t i = 0; i < shape.num_rows(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      state_->b(static_cast<Index>(i), static_cast<Index>(v)) = start[shape.index(i, v)];
  state_->scores = p.x * state_->b;
}

GibbsChain::~GibbsChain() = default;

std::span<const double> GibbsChain::coefficients() const noexcept { return state_->coefficients; }

// The common shift of each feature's coefficients (symmetric form).
void GibbsChain::shift() {
  const GibbsProblem::State& p = *problem_.state_;
  State& s = *state_;
  for (const std::size_t row : p.flat_rows) {
    const auto at = static_cast<Index>(row);
    const double mean = s.b.row(at).mean();
    s.b.row(at).array() -= mean;
    s.scores.colwise() -= mean * p.x.col(at);
  }
  const auto count = static_cast<Index>(p.shiftable.size());
  if (count == 0) return;
  Column pull = Column::Zero(p.x.cols());
  for (std::size_t v = 0; v < p.precision.size(); ++v)
    pull += p.precision[v] * (p.mean[v] - s.b.col(static_cast<Index>(v)));
  Column draw(count);
  for (Index i = 0; i < count; ++i) draw(i) = pull(p.shiftable[static_cast<std::size_t>(i)]);
  p.shift_factor.matrixL().solveInPlace(draw);
  for (Index i = 0; i < count; ++i) draw(i) += s.random.normal();
  p.shift_factor.matrixU().solveInPlace(draw);
  for (Index i = 0; i < count; ++i) {
    const Index at = p.shiftable[static_cast<std::size_t>(i)];
    s.b.row(at).array() += draw(i);
    s.scores.colwise() += draw(i) * p.x.col(at);
  }
}

void GibbsChain::sweep() {
  const GibbsProblem::State& p = *problem_.state_;
  State& s = *state_;
  const model::Shape& shape = p.problem.shape;
  const Index rows = p.x.rows(), vectors = s.b.cols();
  Column omega(rows), pull(rows);
  for (Index v = 0; v < vectors; ++v) {
    const ClassId own = shape.class_of(static_cast<std::size_t>(v));
    for (Index j = 0; j < rows; ++j) {
      // ln Σ of e^{score} over the other classes; the reference's score is 0.
      double others = 0;
      if (vectors > 1) {
        double high = shape.reference ? 0.0 : -std::numeric_limits<double>::infinity();
        for (Index u = 0; u < vectors; ++u)
          if (u != v) high = std::max(high, s.scores(j, u));
        double sum = shape.reference ? std::exp(-high) : 0.0;
        for (Index u = 0; u < vectors; ++u)
          if (u != v) sum += std::exp(s.scores(j, u) - high);
        others = high + std::log(sum);
      }
      const double shift = others - p.offsets(j);
      const std::uint64_t w = p.weights[static_cast<std::size_t>(j)];
      omega(j) = draw_polya_gamma(w, s.scores(j, v) - shift, s.random);
      const double label = p.labels[static_cast<std::size_t>(j)] == own ? 1.0 : 0.0;
      pull(j) = static_cast<double>(w) * (label - 0.5) + omega(j) * shift;
    }
    const Matrix& prior = p.precision[static_cast<std::size_t>(v)];
    const Matrix weighted = omega.cwiseSqrt().asDiagonal() * p.x;
    Matrix precision = prior;
    precision.selfadjointView<Eigen::Lower>().rankUpdate(weighted.transpose());
    precision.triangularView<Eigen::StrictlyUpper>() = precision.transpose();
    const Column linear = prior * p.mean[static_cast<std::size_t>(v)] + p.x.transpose() * pull;
    // Given the pinned ones, which stay where they are.
    const std::vector<Index>& moving = p.moving[static_cast<std::size_t>(v)];
    const auto count = static_cast<Index>(moving.size());
    Matrix inner(count, count);
    Column right(count);
    Column pinned = s.b.col(v);
    for (const Index i : moving) pinned(i) = 0;
    const Column taken = precision * pinned;
    for (Index i = 0; i < count; ++i) {
      const Index at = moving[static_cast<std::size_t>(i)];
      right(i) = linear(at) - taken(at);
      for (Index k = 0; k < count; ++k) inner(i, k) = precision(at, moving[static_cast<std::size_t>(k)]);
    }
    const Eigen::LLT<Matrix> factor(inner);
    Column draw = factor.matrixL().solve(right);
    for (Index i = 0; i < count; ++i) draw(i) += s.random.normal();
    factor.matrixU().solveInPlace(draw);
    for (Index i = 0; i < count; ++i) s.b(moving[static_cast<std::size_t>(i)], v) = draw(i);
    s.scores.col(v).noalias() = p.x * s.b.col(v);
  }
  if (!shape.reference) shift();
  for (std::size_t i = 0; i < shape.num_rows(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      s.coefficients[shape.index(i, v)] = s.b(static_cast<Index>(i), static_cast<Index>(v));
}

}  // namespace lazylogit::bayes
