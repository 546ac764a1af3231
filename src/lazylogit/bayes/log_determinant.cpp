#include "lazylogit/bayes/log_determinant.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/bayes/curvature_block.hpp"
#include "lazylogit/bayes/probe.hpp"
#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;

constexpr std::size_t num_probes = 4;
constexpr std::size_t at_once =
    1;  // probes that share passes: two are quicker, but their vectors take memory
constexpr std::size_t most_steps = 30;
constexpr double step_tolerance = 1e-3;  // relative change of the quadrature at which more steps add nothing
constexpr double shortest = 1e-6;        // a direction that is rounding alone
constexpr std::size_t rows_of_block = 128;

// e₁ᵀ log(T) e₁ of the tridiagonal matrix of Lanczos coefficients.
double quadrature(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const auto m = static_cast<Index>(diagonal.size());
  Eigen::VectorXd d = Eigen::Map<const Eigen::VectorXd>(diagonal.data(), m);
  Eigen::VectorXd e = Eigen::Map<const Eigen::VectorXd>(beside.data(), m - 1);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
  eigen.computeFromTridiagonal(d, e);
  double sum = 0;
  for (Index k = 0; k < m; ++k)
    sum += eigen.eigenvectors()(0, k) * eigen.eigenvectors()(0, k) *
           std::log(std::max(eigen.eigenvalues()(k), 1e-300));
  return sum;
}

// The loops over vectors; `Columns` numbers for each weight, sums side by side: they run in vector registers, in the same
// order on every instruction set.
template <std::size_t Columns>
LAZYLOGIT_ALWAYS_INLINE void add_dots(const float* weight, const float* a, const float* b,
                                      std::size_t vectors, float* sums) noexcept {
  for (std::size_t v = 0; v < vectors; ++v)
    for (std::size_t c = 0; c < Columns; ++c) {
      const std::size_t k = v * Columns + c;
      sums[k] += weight[v] * (a[k] * b[k]);
    }
}

struct RowsOf {
  std::size_t count, vectors, columns, width;
};

LAZYLOGIT_TARGET_CLONES void add_dots_of_rows(const RowsOf& rows, const float* weight, const float* a,
                                              const float* b, float* sums) noexcept {
  for (std::size_t row = 0; row < rows.count; ++row, weight += rows.vectors, a += rows.width, b += rows.width)
    if (rows.columns == 2)
      add_dots<2>(weight, a, b, rows.vectors, sums);
    else
      add_dots<1>(weight, a, b, rows.vectors, sums);
}

// b −= factor · a
LAZYLOGIT_TARGET_CLONES void subtract_rows(const RowsOf& rows, const float* factor, const float* a,
                                           float* b) noexcept {
  for (std::size_t row = 0; row < rows.count; ++row, a += rows.width, b += rows.width)
    for (std::size_t k = 0; k < rows.width; ++k) b[k] -= factor[k] * a[k];
}

// to = factor · (product + prior · y) / d − old · to; 0 where d is.
LAZYLOGIT_TARGET_CLONES void advance_row(const float* product, const float* prior, const float* y,
                                         const float* d, const float* factor, const float* old,
                                         std::size_t width, float* to) noexcept {
  for (std::size_t k = 0; k < width; ++k) {
    const float next = factor[k] * (product[k] + prior[k] * y[k]) / d[k] - old[k] * to[k];
    to[k] = d[k] > 0 ? next : 0.0F;
  }
}

// Lanczos steps of a few probes side by side. Vectors are kept as y = d^{−1/2} (the vector), for which A becomes
// diag(1/d) H and inner products are weighted by d: nothing has to be scaled before or after a pass. Their lengths are kept
// apart: the vectors are y · factor.
class LanczosBlock {
 public:
  LanczosBlock(objective::Posterior& objective, const CurvatureFrame& frame)
      : objective_(objective),
        frame_(frame),
        shape_(objective.problem().shape),
        block_(objective, at_once),
        width_(block_.width()),
        columns_(block_.columns()),
        weight_(shape_.num_rows() * shape_.num_vectors(), 0.0F),
        now_(shape_.num_rows() * width_),
        before_(now_.size()) {
    for (std::size_t i = 0; i < frame.coordinates.size(); ++i) {
      const std::size_t at = frame.coordinates[i];
      weight(at / shape_.stride(), at % shape_.stride()) = static_cast<float>(frame.diagonal[i]);
    }
  }

  // Estimates of tr log A by the probes [first, first + columns).
  std::vector<double> values(std::uint64_t seed, std::size_t first, const CancelToken& cancel) {
    start(seed, first);
    const std::size_t count = frame_.coordinates.size();
    std::vector<std::vector<double>> diagonal(columns_), beside(columns_);
    std::vector<double> value(columns_, 0.0), factor(columns_, 1.0), old(columns_, 0.0);
    std::vector<bool> done(columns_, false);
    for (std::size_t step = 0; step < std::min(most_steps, count); ++step) {
      cancel.throw_if_cancelled();
      multiply(factor, old);
      std::vector<double> alpha = dots(now_, before_);
      std::vector<float> shift(width_, 0.0F);
      for (std::size_t b = 0; b < columns_; ++b) {
        alpha[b] *= factor[b];
        for (std::size_t k = b; k < width_; k += columns_)
          shift[k] = static_cast<float>(alpha[b] * factor[b]);
      }
      for_blocks([&](std::size_t, std::size_t begin, std::size_t end) {
        subtract_rows(rows(end - begin), shift.data(), now_.data() + begin * width_,
                      before_.data() + begin * width_);
      });
      const std::vector<double> norm = dots(before_, before_);
      for (std::size_t b = 0; b < columns_; ++b) {
        const double length = std::sqrt(norm[b]);
        // The next vector is before_/length; of the current one −length · (now_ · factor) will be added.
        old[b] = length * factor[b];
        factor[b] = length > 0 ? 1 / length : 0;
        if (done[b]) continue;
        diagonal[b].push_back(alpha[b]);
        const double last = value[b];
        value[b] = quadrature(diagonal[b], beside[b]);
        const double change = std::abs(value[b] - last);
        done[b] =
            length < shortest || (step > 3 && change <= step_tolerance * std::max(std::abs(value[b]), 1e-3));
        beside[b].push_back(length);
      }
      if (std::all_of(done.begin(), done.end(), [](bool is) { return is; })) break;
      now_.swap(before_);
    }
    // zᵀ (A − I) z has a known mean: what the probe's is off by, zᵀ log(A) z is about off by, too.
    for (std::size_t b = 0; b < columns_; ++b)
      value[b] = static_cast<double>(count) * (value[b] - (diagonal[b].front() - 1)) + excess_trace();
    return value;
  }

 private:
  // tr(A − I): what flat directions were lifted by.
  double excess_trace() {
    double sum = 0;
    for (std::size_t f = 0; f < frame_.flat_rows.size(); ++f)
      for (std::size_t v = 0; v < shape_.num_vectors(); ++v) {
        const float d = weight(frame_.flat_rows[f], v);
        if (d > 0) sum += frame_.shift[f] / static_cast<double>(d);
      }
    return sum;
  }

  float& weight(std::size_t row, std::size_t vector) { return weight_[row * shape_.num_vectors() + vector]; }
  RowsOf rows(std::size_t count) const { return {count, shape_.num_vectors(), columns_, width_}; }

  // Of a coordinate: its first column.
  std::ptrdiff_t place(std::size_t coordinate) const {
    return static_cast<std::ptrdiff_t>(coordinate / shape_.stride() * width_ +
                                       coordinate % shape_.stride() * columns_);
  }

  void start(std::uint64_t seed, std::size_t first) {
    std::fill(now_.begin(), now_.end(), 0.0F);
    std::fill(before_.begin(), before_.end(), 0.0F);
    const auto count = static_cast<double>(frame_.coordinates.size());
    for (std::size_t i = 0; i < frame_.coordinates.size(); ++i)
      for (std::size_t b = 0; b < columns_; ++b)
        now_[static_cast<std::size_t>(place(frame_.coordinates[i])) + b] =
            static_cast<float>(sign_of(seed, first + b, i) / std::sqrt(frame_.diagonal[i] * count));
  }

  std::vector<float> spread(const std::vector<double>& of_columns) const {
    std::vector<float> result(width_);
    for (std::size_t k = 0; k < width_; ++k) result[k] = static_cast<float>(of_columns[k % columns_]);
    return result;
  }

  // before ← factor · diag(1/d) H now − old · before
  void multiply(const std::vector<double>& factor, const std::vector<double>& old) {
    const std::vector<float> factors = spread(factor), olds = spread(old);
    block_(now_.data(), [&](std::size_t row, const float* product) {
      thread_local std::vector<float> prior, d;
      prior.assign(width_, 0.0F);
      d.assign(width_, 0.0F);
      for (std::size_t v = 0; v < shape_.num_vectors(); ++v)
        for (std::size_t b = 0; b < columns_; ++b) {
          prior[v * columns_ + b] = static_cast<float>(objective_.prior_curvature(shape_.index(row, v)));
          d[v * columns_ + b] = weight(row, v);
        }
      const std::size_t at = row * width_;
      advance_row(product, prior.data(), now_.data() + at, d.data(), factors.data(), olds.data(), width_,
                  before_.data() + at);
    });
    for (std::size_t f = 0; f < frame_.flat_rows.size(); ++f)
      add_lift(frame_.flat_rows[f], frame_.shift[f], factor);
    if (const prior::Coupling* coupling = objective_.problem().prior->coupling())
      add_coupling(*coupling, factor);
  }

  void add(std::size_t row, std::size_t vector, std::size_t b, double h) {
    const std::size_t k = row * width_ + vector * columns_ + b;
    if (const float d = weight(row, vector); d > 0)
      before_[k] += static_cast<float>(h / static_cast<double>(d));
  }

  // What is added to H along a flat direction.
  void add_lift(std::size_t row, double shift, const std::vector<double>& factor) {
    for (std::size_t b = 0; b < columns_; ++b) {
      double sum = 0;
      for (std::size_t v = 0; v < shape_.num_vectors(); ++v)
        sum += static_cast<double>(now_[row * width_ + v * columns_ + b]);
      for (std::size_t v = 0; v < shape_.num_vectors(); ++v) add(row, v, b, factor[b] * shift * sum);
    }
  }

  // What a prior with a covariance adds to H off its diagonal.
  void add_coupling(const prior::Coupling& coupling, const std::vector<double>& factor) {
    for (std::size_t b = 0; b < columns_; ++b) {
      math::Vector in(shape_.size(), 0.0), out(shape_.size(), 0.0);
      for (const std::size_t i : coupling.coordinates())
        in[i] = factor[b] * static_cast<double>(now_[static_cast<std::size_t>(place(i)) + b]);
      coupling.add_product(in, out);
      for (const std::size_t i : coupling.coordinates())
        add(i / shape_.stride(), i % shape_.stride(), b, out[i]);
    }
  }

  // Runs body(block, first, last) for blocks of rows of the layout, in parallel.
  template <class Body>
  void for_blocks(const Body& body) const {
    parallel_blocks(num_blocks_of(shape_.num_rows(), rows_of_block), [&](std::size_t block) {
      body(block, block * rows_of_block, std::min(shape_.num_rows(), (block + 1) * rows_of_block));
    });
  }

  // Σ d a b of each column.
  std::vector<double> dots(const math::AlignedVector<float>& a, const math::AlignedVector<float>& b) const {
    std::vector<double> parts(num_blocks_of(shape_.num_rows(), rows_of_block) * columns_, 0.0);
    for_blocks([&](std::size_t block, std::size_t begin, std::size_t end) {
      std::vector<float> sums(width_, 0.0F);
      add_dots_of_rows(rows(end - begin), weight_.data() + begin * shape_.num_vectors(),
                       a.data() + begin * width_, b.data() + begin * width_, sums.data());
      for (std::size_t k = 0; k < shape_.num_vectors() * columns_; ++k)
        parts[block * columns_ + k % columns_] += static_cast<double>(sums[k]);
    });
    std::vector<double> totals(columns_, 0.0);
    for (std::size_t k = 0; k < parts.size(); ++k) totals[k % columns_] += parts[k];
    return totals;
  }

  objective::Posterior& objective_;
  const CurvatureFrame& frame_;
  model::Shape shape_;
  CurvatureBlock block_;
  std::size_t width_, columns_;
  math::AlignedVector<float> weight_;  // d of every vector of every row; 0: takes no part
  math::AlignedVector<float> now_, before_;
};

}  // namespace

LogDeterminant estimate_log_determinant(objective::Posterior& objective, const CurvatureFrame& frame,
                                        std::uint64_t seed, const CancelToken& cancel) {
  LogDeterminant result;
  for (const double d : frame.diagonal) result.value += std::log(d);
  for (const double shift : frame.shift)
    result.value -= std::log(shift * static_cast<double>(objective.problem().shape.num_vectors()));
  LanczosBlock lanczos(objective, frame);
  std::vector<double> values;
  while (values.size() < num_probes)
    for (const double value : lanczos.values(seed, values.size(), cancel)) values.push_back(value);
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  result.value += mean;
  result.standard_error = std::sqrt(squares / static_cast<double>(values.size() * (values.size() - 1)));
  return result;
}

}  // namespace lazylogit::bayes
