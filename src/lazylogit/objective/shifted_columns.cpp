#include "lazylogit/objective/shifted_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/data/row_source.hpp"
#include "lazylogit/objective/centering.hpp"
#include "lazylogit/objective/separation.hpp"

namespace lazylogit::objective {
namespace {

constexpr double far_off = 1000;  // deviations

bool has_free_intercepts(const Problem& problem) {
  const model::Shape& shape = problem.shape;
  if (!shape.has_intercept) return false;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    const std::size_t i = shape.intercept_index(v);
    const bool free = std::visit([](const auto& p) { return p.value(1) == 0; }, problem.prior->at(i));
    if (!free || problem.prior->pinned(i)) return false;
  }
  const prior::Coupling* const coupling = problem.prior->coupling();
  if (coupling == nullptr) return true;
  const auto coupled = coupling->coordinates();
  return std::all_of(coupled.begin(), coupled.end(),
                     [&](std::size_t i) { return i < shape.intercept_index(0); });
}

// Features that some rows have in common and that vary little among them; a few rows tell most data that it has none.
bool may_have_far_columns(const Problem& problem) {
  constexpr std::size_t most_rows = 64, most_candidates = 4096;
  constexpr double little = 0.05;  // of its size, far beyond the spread of so many rows
  struct Seen {
    FeatureId id;
    double low, high;
  };
  std::vector<Seen> seen;
  std::size_t taken = 0;
  problem.x->visit_rows([&](const auto& rows) {
    const bool any_order = rows.source == nullptr || rows.source->random_access();
    const std::size_t step = any_order ? std::max<std::size_t>(1, rows.num_rows / most_rows) : 1;
    for (std::size_t j = 0; j < rows.num_rows && taken < most_rows; j += step) {
      if (problem.weight(j) == 0) continue;
      const auto row = rows.row(j);
      if (taken++ == 0) {
        for (std::size_t k = 0; k < std::min(row.size(), most_candidates); ++k)
          seen.push_back({row.ids[k], row.value(k), row.value(k)});
        continue;
      }
      std::size_t k = 0;
      std::erase_if(seen, [&](Seen& one) {
        while (k < row.size() && row.ids[k] < one.id) ++k;
        if (k == row.size() || row.ids[k] != one.id) return true;
        one.low = std::min(one.low, static_cast<double>(row.value(k)));
        one.high = std::max(one.high, static_cast<double>(row.value(k)));
        return !(one.high - one.low <= little * std::max(std::abs(one.low), std::abs(one.high)));
      });
      if (seen.empty()) return;
    }
  });
  return std::any_of(seen.begin(), seen.end(), [](const Seen& one) { return one.high > one.low; });
}

// Whether x − m is exact for all these x.
bool is_exact(double m, double low, double high) {
  if (m < 0) return is_exact(-m, -high, -low);
  return low >= m / 2 && high <= 2 * m;
}

// The means of the columns that are to be moved; 0 for the others.
std::vector<double> far_means(const Problem& problem) {
  const data::FeatureMoments moments = data::feature_moments(*problem.x, problem.weights);
  std::vector<double> means(moments.means.size(), 0.0);
  bool any = false;
  for (std::size_t i = 0; i < means.size(); ++i)
    if (moments.deviations[i] > 0 && std::abs(moments.means[i]) >= far_off * moments.deviations[i]) {
      means[i] = moments.means[i];
      any = true;
    }
  if (!any) return {};
  std::vector<double> low(means.size(), std::numeric_limits<double>::infinity()), high(means.size());
  std::vector<std::uint64_t> count(means.size(), 0);
  for (double& x : high) x = -std::numeric_limits<double>::infinity();
  std::uint64_t all = 0;
  problem.x->visit_rows([&]<class Value>(const data::RowsView<Value>& rows) {
    if constexpr (std::is_same_v<Value, float>)
      for (double& m : means) m = static_cast<double>(static_cast<float>(m));
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      if (problem.weight(j) == 0) continue;
      ++all;
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const std::size_t i = row.ids[k];
        low[i] = std::min(low[i], static_cast<double>(row.value(k)));
        high[i] = std::max(high[i], static_cast<double>(row.value(k)));
        ++count[i];
      }
    }
  });
  for (std::size_t i = 0; i < means.size(); ++i)
    if (means[i] != 0 && (count[i] != all || !is_exact(means[i], low[i], high[i]))) means[i] = 0;
  if (std::all_of(means.begin(), means.end(), [](double m) { return m == 0; })) return {};
  return means;
}

template <class Value>
data::SparseMatrix moved_rows(const data::RowsView<Value>& rows, const Problem& problem,
                              const std::vector<double>& centers) {
  using Stored = std::conditional_t<std::is_same_v<Value, float>, float, double>;
  data::SparseMatrix x;
  x.num_features = problem.x->num_features;
  Buffer<Stored> values;
  x.ids.reserve(problem.x->num_nonzeros());
  values.reserve(problem.x->num_nonzeros());
  for (std::size_t j = 0; j < rows.num_rows; ++j) {
    if (problem.weight(j) != 0) {
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double moved = row.value(k) - centers[row.ids[k]];
        if (moved == 0) continue;
        x.ids.push_back(FeatureId{row.ids[k]});
        values.push_back(static_cast<Stored>(moved));
      }
    }
    x.row_offsets.push_back(x.ids.size());
  }
  x.values = std::move(values);
  return x;
}

}  // namespace

std::unique_ptr<const ShiftedColumns> ShiftedColumns::of(const Problem& problem) {
  if (!problem.choice_ends.empty() || !problem.centers.empty() || problem.x->num_rows() == 0 ||
      !has_free_intercepts(problem) || !may_have_far_columns(problem))
    return nullptr;
  std::vector<double> centers = far_means(problem);
  if (centers.empty()) return nullptr;
  auto shifted = std::make_unique<ShiftedColumns>();
  shifted->x_ = problem.x->visit_rows([&](const auto& rows) { return moved_rows(rows, problem, centers); });
  shifted->centers_ = std::move(centers);
  shifted->original_ = problem;
  return shifted;
}

Problem ShiftedColumns::problem() const {
  Problem result = original_;
  result.x = &x_;
  return result;
}

math::Vector ShiftedColumns::shifted(std::span<const double> b) const {
  math::Vector result(b.begin(), b.end());
  to_centered(original_.shape, centers_, result.data());
  return result;
}

math::Vector ShiftedColumns::original(std::span<const double> b) const {
  math::Vector result(b.begin(), b.end());
  to_original(original_.shape, centers_, result.data());
  return result;
}

}  // namespace lazylogit::objective
