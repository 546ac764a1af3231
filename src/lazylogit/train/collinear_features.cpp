#include "lazylogit/train/collinear_features.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/data/feature_moments.hpp"

namespace lazylogit::train {
namespace {

constexpr std::size_t most_features = 1000;
constexpr double most_work = 3e8, negligible = 1e-9, least_part = 1e-4;

// Correlations of the columns that vary; `kept` says which those are.
Eigen::MatrixXd correlations(const data::SparseMatrix& x, std::span<const double> weights,
                             const data::FeatureMoments& moments, const std::vector<std::size_t>& kept) {
  std::vector<Eigen::Index> place(x.num_features, -1);
  for (std::size_t k = 0; k < kept.size(); ++k) place[kept[k]] = static_cast<Eigen::Index>(k);
  const auto d = static_cast<Eigen::Index>(kept.size());
  // Centred rows of dense tables; sparse entries have small means, so that subtracting at the end loses little.
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(d, d);
  double total = 0;
  x.visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      const double w = weights.empty() ? 1.0 : weights[j];
      if (w == 0) continue;
      total += w;
      const auto row = rows.row(j);
      for (std::size_t a = 0; a < row.size(); ++a) {
        const Eigen::Index pa = place[row.ids[a]];
        if (pa < 0) continue;
        const double va = w * row.value(a) / moments.deviations[row.ids[a]];
        for (std::size_t b = a; b < row.size(); ++b)
          if (const Eigen::Index pb = place[row.ids[b]]; pb >= 0)
            sums(pb, pa) += va * row.value(b) / moments.deviations[row.ids[b]];
      }
    }
  });
  for (Eigen::Index a = 0; a < d; ++a)
    for (Eigen::Index b = a; b < d; ++b) {
      const std::size_t fa = kept[static_cast<std::size_t>(a)], fb = kept[static_cast<std::size_t>(b)];
      const double value = sums(b, a) / total - moments.means[fa] / moments.deviations[fa] *
                                                    moments.means[fb] / moments.deviations[fb];
      sums(a, b) = sums(b, a) = value;
    }
  return sums;
}

}  // namespace

std::vector<Dependency> collinear_features(const data::SparseMatrix& x, std::span<const double> weights) {
  if (x.num_features == 0 || x.num_features > most_features) return {};
  double work = std::pow(static_cast<double>(x.num_features), 3) / 3;
  for (std::size_t j = 0; j < x.num_rows(); ++j) {
    const auto entries = static_cast<double>(x.row_size(j));
    work += entries * entries / 2;
  }
  if (work > most_work) return {};
  const data::FeatureMoments moments = data::feature_moments(x, weights);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < x.num_features; ++i)
    // Where the mean is far larger than the deviation, differences of products say nothing.
    if (moments.deviations[i] > 1e-3 * std::abs(moments.means[i]) && moments.deviations[i] > 0)
      kept.push_back(i);
  const Eigen::MatrixXd c = correlations(x, weights, moments, kept);
  const auto d = static_cast<Eigen::Index>(kept.size());
  // Row k of `l` belongs to column kept[k]; pivots in the order they were taken.
  Eigen::MatrixXd l = Eigen::MatrixXd::Zero(d, d);
  Eigen::VectorXd left = c.diagonal();
  std::vector<Eigen::Index> pivots;
  std::vector<bool> taken(kept.size(), false);
  for (Eigen::Index step = 0; step < d; ++step) {
    Eigen::Index pivot = -1;
    for (Eigen::Index k = 0; k < d; ++k)
      if (!taken[static_cast<std::size_t>(k)] && (pivot < 0 || left[k] > left[pivot] * (1 + 1e-6))) pivot = k;
    if (!(left[pivot] > negligible)) break;
    taken[static_cast<std::size_t>(pivot)] = true;
    const double root = std::sqrt(left[pivot]);
    for (Eigen::Index k = 0; k < d; ++k) {
      if (taken[static_cast<std::size_t>(k)] && k != pivot) continue;
      l(k, step) = (c(k, pivot) - l.row(k).head(step).dot(l.row(pivot).head(step))) / root;
      if (k != pivot) left[k] -= l(k, step) * l(k, step);
    }
    pivots.push_back(pivot);
  }
  const auto rank = static_cast<Eigen::Index>(pivots.size());
  Eigen::MatrixXd triangle(rank, rank);
  for (Eigen::Index k = 0; k < rank; ++k)
    triangle.row(k) = l.row(pivots[static_cast<std::size_t>(k)]).head(rank);
  std::vector<Dependency> found;
  for (Eigen::Index k = 0; k < d; ++k) {
    if (taken[static_cast<std::size_t>(k)]) continue;
    const Eigen::VectorXd parts =
        triangle.transpose().triangularView<Eigen::Upper>().solve(l.row(k).head(rank).transpose());
    std::vector<std::pair<double, std::size_t>> named;
    for (Eigen::Index p = 0; p < rank; ++p)
      if (std::abs(parts[p]) > least_part)
        named.emplace_back(-std::abs(parts[p]),
                           kept[static_cast<std::size_t>(pivots[static_cast<std::size_t>(p)])]);
    std::sort(named.begin(), named.end());
    Dependency dependency{kept[static_cast<std::size_t>(k)], {}};
    for (const auto& [part, feature] : named) dependency.others.push_back(feature);
    found.push_back(std::move(dependency));
  }
  return found;
}

std::string collinear_sentence(const data::Dataset& data, std::span<const double> weights) {
  constexpr std::size_t most_named = 3, most_others = 4;
  const std::vector<Dependency> found = collinear_features(data.x, weights);
  if (found.empty()) return {};
  const auto name_of = [&](std::size_t feature) {
    return data.features.empty() ? "#" + std::to_string(feature)
                                 : quote_text(data.features.name(static_cast<FeatureId>(feature)));
  };
  std::string text = "collinear features: ";
  for (std::size_t k = 0; k < std::min(most_named, found.size()); ++k) {
    const std::vector<std::size_t>& others = found[k].others;
    text += (k == 0 ? "" : "; ") + name_of(found[k].feature) +
            (others.size() < 2 ? " is a multiple of " : " is a combination of ");
    for (std::size_t m = 0; m < std::min(most_others, others.size()); ++m)
      text += (m == 0 ? "" : ", ") + name_of(others[m]);
    if (others.size() > most_others) text += fmt::format(" and {} more", others.size() - most_others);
  }
  if (found.size() > most_named)
    text += fmt::format("; and {} more such features", found.size() - most_named);
  return text;
}

}  // namespace lazylogit::train
