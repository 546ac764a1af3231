#include "lazylogit/data/kernel_map.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/data/dense_rows.hpp"
#include "lazylogit/data/transpose.hpp"

namespace lazylogit::data {
namespace {

constexpr std::size_t rows_per_block = 64;
constexpr double dense_share = 0.2;  // from this share of non-zero entries on a dense product is faster

double power(double base, int exponent) noexcept {
  double result = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 != 0) result *= base;
  return result;
}

// A row's own share in its products with others: |x̂|² and center·x̂, x̂ scaled but not centred.
struct OwnTerms {
  double square = 0, shift = 0;
};

template <class Row>
OwnTerms own_terms(const Row& row, const KernelMap& map) {
  OwnTerms own;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::size_t i = row.ids[k];
    const double value = map.scale.empty() ? row.value(k) : row.value(k) / map.scale[i];
    own.square += value * value;
    if (!map.center.empty()) own.shift += map.center[i] * value;
  }
  return own;
}

// All entries of a row, scaled and centred.
template <class Row>
void centred_entries(const Row& row, const KernelMap& map, std::vector<double>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = map.center.empty() ? 0.0 : -map.center[i];
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::size_t i = row.ids[k];
    const double value = map.scale.empty() ? row.value(k) : row.value(k) / map.scale[i];
    entries[i] = map.center.empty() ? value : value - map.center[i];
  }
}

double square_of(const std::vector<double>& vector) {
  double sum = 0;
  for (const double number : vector) sum += number * number;
  return sum;
}

}  // namespace

double Kernel::operator()(double dot, double square_x, double square_y) const noexcept {
  switch (family) {
    case KernelFamily::linear:
      return dot;
    case KernelFamily::polynomial:
      return power(dot + 1, degree);
    default:
      return std::exp(-std::max(0.0, square_x + square_y - 2 * dot) / (2 * width * width));
  }
}

const char* kernel_name(KernelFamily family) noexcept {
  constexpr std::array names{"linear", "polynomial", "gaussian"};
  return names[static_cast<std::size_t>(family)];
}

Alphabet kernel_feature_names(const KernelMap& map) {
  Alphabet names;
  for (std::size_t m = 0; m < map.num_features(); ++m)
    names.append(map.form == KernelForm::fourier ? fmt::format("wave {}", m + 1)
                 : map.factor.empty()            ? fmt::format("row {}", map.kept_numbers[m] + 1)
                                                 : fmt::format("component {}", m + 1));
  return names;
}

double squared_distance(const SparseMatrix& x, std::size_t a, std::size_t b, const KernelMap& map) {
  return x.visit_rows([&](const auto& rows) {
    const auto one = rows.row(a), other = rows.row(b);
    double sum = 0;
    for (std::size_t i = 0, k = 0; i < one.size() || k < other.size();) {
      const bool left = k == other.size() || (i < one.size() && one.ids[i] <= other.ids[k]);
      const bool right = i == one.size() || (k < other.size() && other.ids[k] <= one.ids[i]);
      const std::size_t id = left ? one.ids[i] : other.ids[k];
      double difference = 0;
      if (left) difference += one.value(i++);
      if (right) difference -= other.value(k++);
      if (!map.scale.empty()) difference /= map.scale[id];
      sum += difference * difference;
    }
    return sum;
  });
}

SparseMatrix rows_to_keep(const SparseMatrix& x, std::span<const std::size_t> which) {
  SparseMatrix kept;
  kept.num_features = x.num_features;
  Buffer<double> values;
  x.visit_rows([&](const auto& rows) {
    for (const std::size_t j : which) {
      const auto row = rows.row(j);
      kept.ids.append(row.ids);
      for (std::size_t k = 0; k < row.size(); ++k) values.push_back(row.value(k));
      kept.row_offsets.push_back(kept.ids.size());
    }
  });
  kept.values = std::move(values);
  return kept;
}

std::vector<double> self_kernels(const SparseMatrix& x, const KernelMap& map) {
  std::vector<double> diagonal;
  std::vector<double> entries(map.center.empty() ? 0 : map.num_inputs);
  x.visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      double square = 0;
      if (map.center.empty()) {
        square = own_terms(rows.row(j), map).square;
      } else {
        centred_entries(rows.row(j), map, entries);
        for (const double entry : entries) square += entry * entry;
      }
      diagonal.push_back(map.kernel.family == KernelFamily::gaussian ? 1
                                                                     : map.kernel(square, square, square));
    }
  });
  return diagonal;
}

KernelMapper::KernelMapper(const KernelMap& map) : map_(&map) {
  const std::size_t features = map.num_features(), inputs = map.num_inputs;
  if (map.form == KernelForm::fourier) {
    is_dense_ = true;
    dense_.resize(inputs * features);
    Random random(map.seed);
    for (double& frequency : dense_) frequency = random.normal() / map.kernel.width;
    for (std::size_t m = 0; m < features; ++m) squares_.push_back(2 * std::numbers::pi * random.uniform());
    for (std::size_t i = 0; i < inputs && !map.scale.empty(); ++i)
      for (std::size_t m = 0; m < features; ++m) dense_[i * features + m] /= map.scale[i];
    return;
  }
  const double cells = static_cast<double>(features) * static_cast<double>(inputs);
  is_dense_ = static_cast<double>(map.kept.num_nonzeros()) >= dense_share * cells;
  if (!is_dense_) {
    sparse_ = transposed(map.kept);
    const double center_square = square_of(map.center);
    map.kept.visit_rows([&](const auto& rows) {
      for (std::size_t m = 0; m < features; ++m) {
        const OwnTerms own = own_terms(rows.row(m), map);
        squares_.push_back(own.square);
        shifts_.push_back(own.shift - center_square);
      }
    });
    return;
  }
  dense_.resize(inputs * features);
  std::vector<double> entries(inputs);
  map.kept.visit_rows([&](const auto& rows) {
    for (std::size_t m = 0; m < features; ++m) {
      centred_entries(rows.row(m), map, entries);
      for (std::size_t i = 0; i < inputs; ++i) dense_[i * features + m] = entries[i];
    }
  });
}

void KernelMapper::compare_dense(const std::vector<double>& entries, double* to) const {
  const std::size_t features = map_->num_features();
  const bool distances = map_->kernel.family == KernelFamily::gaussian;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double value = entries[i];
    const double* const from = dense_.data() + i * features;
    if (distances)
      for (std::size_t m = 0; m < features; ++m) to[m] += (value - from[m]) * (value - from[m]);
    else if (value != 0)
      for (std::size_t m = 0; m < features; ++m) to[m] += value * from[m];
  }
  for (std::size_t m = 0; m < features; ++m)
    to[m] = distances ? map_->kernel(0, to[m], 0) : map_->kernel(to[m], 0, 0);
}

void KernelMapper::dense(const SparseMatrix& x, std::size_t first, std::size_t last, double* out) const {
  const KernelMap& map = *map_;
  const std::size_t features = map.num_features();
  const double amplitude = std::sqrt(2 / static_cast<double>(features));
  const bool waves = map.form == KernelForm::fourier;
  std::vector<double> entries(is_dense_ && !waves ? map.num_inputs : 0);
  x.visit_rows([&](const auto& rows) {
    for (std::size_t j = first; j < last; ++j) {
      const auto row = rows.row(j);
      double* const to = out + (j - first) * features;
      std::fill(to, to + features, 0.0);
      if (is_dense_ && !waves) {
        centred_entries(row, map, entries);
        compare_dense(entries, to);
        continue;
      }
      for (std::size_t k = 0; k < row.size(); ++k) {
        const std::size_t i = row.ids[k];
        const double scale = map.scale.empty() || waves ? 1 : map.scale[i];
        const double value = row.value(k) / (scale * scale);
        if (waves) {
          const double* const from = dense_.data() + i * features;
          for (std::size_t m = 0; m < features; ++m) to[m] += value * from[m];
        } else {
          const auto others = sparse_.row_ids(i);
          const double* const values =
              std::get<Buffer<double>>(sparse_.values).data() + sparse_.row_offsets[i];
          for (std::size_t e = 0; e < others.size(); ++e) to[others[e]] += value * values[e];
        }
      }
      if (waves) {
        for (std::size_t m = 0; m < features; ++m) to[m] = amplitude * std::cos(to[m] + squares_[m]);
        continue;
      }
      const OwnTerms own = own_terms(row, map);
      const bool centred = !map.center.empty() && map.kernel.family != KernelFamily::gaussian;
      for (std::size_t m = 0; m < features; ++m)
        to[m] = map.kernel(centred ? to[m] - own.shift - shifts_[m] : to[m], own.square, squares_[m]);
    }
  });
  if (map.factor.empty()) return;
  const auto size = static_cast<Eigen::Index>(features);
  const Eigen::Map<const Eigen::MatrixXd> factor(map.factor.data(), size, size);
  Eigen::Map<Eigen::MatrixXd> block(out, size, static_cast<Eigen::Index>(last - first));
  factor.triangularView<Eigen::Lower>().solveInPlace(block);
}

SparseMatrix KernelMapper::operator()(const SparseMatrix& x) const {
  const std::size_t features = map_->num_features(), rows = x.num_rows();
  if (x.num_features > map_->num_inputs)
    throw ConfigError(fmt::format("rows have {}, the kernel was made for {}",
                                  counted(x.num_features, "feature"), map_->num_inputs));
  Buffer<double> values;
  values.resize(rows * features);
  parallel_blocks(num_blocks_of(rows, rows_per_block), [&](std::size_t block) {
    const std::size_t first = block * rows_per_block, last = std::min(rows, first + rows_per_block);
    dense(x, first, last, values.data() + first * features);
  });
  return sparse_from_dense(std::move(values), rows, features);
}

}  // namespace lazylogit::data
