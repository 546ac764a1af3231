#include "lazylogit/optim/coordinate/model_matrix.hpp"

#include <algorithm>
#include <vector>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::optim {
namespace {

// The places of terms, feature by feature.
class Places {
 public:
  Places(std::span<const MatrixTerm> terms, std::size_t num_features)
      : begins_(num_features + 2, 0), order_(terms.size()) {
    for (const MatrixTerm& term : terms) ++begins_[term.feature + 1];
    for (std::size_t i = 0; i <= num_features; ++i) begins_[i + 1] += begins_[i];
    std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (std::size_t k = 0; k < terms.size(); ++k)
      order_[next[terms[k].feature]++] = static_cast<std::uint32_t>(k);
  }
  std::span<const std::uint32_t> of(std::size_t feature) const noexcept {
    return {order_.data() + begins_[feature], begins_[feature + 1] - begins_[feature]};
  }

 private:
  std::vector<std::uint32_t> begins_, order_;
};

struct Entry {
  std::uint32_t place, vector;
  double x, p;
};

// One row's entries among the terms, without vectors that hardly bend its loss.
class RowOfModel {
 public:
  RowOfModel(const objective::ScoreLine& line, std::span<const MatrixTerm> terms, const Places& places,
             const std::function<double(std::size_t, std::size_t)>& damping)
      : line_(line), terms_(terms), places_(places), damping_(damping), p_(line.num_vectors()), own_(p_) {}

  template <class Row>
  void set(const Row& row, std::size_t j) {
    for (std::size_t v = 0; v < p_.size(); ++v) {
      p_[v] = line_.probabilities(v)[j];
      own_[v] = p_[v] + damping_(j, v);
    }
    entries_.clear();
    for (std::size_t k = 0; k < row.size(); ++k) add(row.ids[k], row.value(k));
    add(line_.x().num_features, 1.0);
  }
  std::size_t size() const noexcept { return entries_.size(); }

  // Into the triangle h[place · side + earlier place].
  void add_products(double w, std::size_t side, double* h) const noexcept {
    for (std::size_t a = 0; a < entries_.size(); ++a)
      for (std::size_t b = a; b < entries_.size(); ++b) {
        const Entry &one = entries_[a], &two = entries_[b];
        const double shared = (one.vector == two.vector ? own_[one.vector] : 0.0) - one.p * two.p;
        const auto [low, high] = std::minmax(one.place, two.place);
        h[high * side + low] += w * one.x * two.x * shared;
      }
  }

 private:
  void add(std::size_t feature, double value) {
    constexpr double least = 1e-10;
    for (const std::uint32_t place : places_.of(feature))
      if (const std::uint32_t v = terms_[place].vector; own_[v] > least)
        entries_.push_back({place, v, value, p_[v]});
  }

  const objective::ScoreLine& line_;
  std::span<const MatrixTerm> terms_;
  const Places& places_;
  const std::function<double(std::size_t, std::size_t)>& damping_;
  math::Vector p_, own_;
  std::vector<Entry> entries_;
};

}  // namespace

std::optional<math::Vector> model_matrix(const objective::ScoreLine& line, std::span<const MatrixTerm> terms,
                                         const std::function<double(std::size_t, std::size_t)>& damping,
                                         double most_products, const std::function<bool()>& interrupted) {
  constexpr std::size_t rows_between_looks = 4096;
  constexpr double walk = 4;  // what an entry costs that is only looked at, twice
  const data::SparseMatrix& x = line.x();
  if (walk * static_cast<double>(x.num_nonzeros()) > most_products) return std::nullopt;
  const std::size_t side = terms.size(), rows = x.num_rows();
  const Places places(terms, x.num_features);
  // As many parts for any number of threads; each has a matrix.
  const std::size_t parts = std::clamp<std::size_t>(rows / 4096, 1, side <= 500 ? 8 : 2);
  const auto for_rows = [&](const auto& view, std::size_t part, const auto& body) {
    RowOfModel row(line, terms, places, damping);
    for (std::size_t j = rows * part / parts; j < rows * (part + 1) / parts; ++j) {
      if (j % rows_between_looks == 0 && interrupted()) return;
      if (line.weight(j) == 0) continue;
      row.set(view.row(j), j);
      body(row, line.weight(j));
    }
  };
  std::vector<double> products(parts, 0.0);
  std::vector<math::Vector> sums(parts);
  x.visit_rows([&](const auto& view) {
    parallel_blocks(parts, [&](std::size_t part) {
      for_rows(view, part, [&](const RowOfModel& row, double) {
        products[part] += 0.5 * static_cast<double>(row.size()) * static_cast<double>(row.size());
      });
    });
  });
  double all = 0;
  for (const double part : products) all += part;
  if (all > most_products) return std::nullopt;
  x.visit_rows([&](const auto& view) {
    parallel_blocks(parts, [&](std::size_t part) {
      sums[part].assign(side * side, 0.0);
      for_rows(view, part,
               [&](const RowOfModel& row, double w) { row.add_products(w, side, sums[part].data()); });
    });
  });
  if (interrupted()) return std::nullopt;
  math::Vector& h = sums[0];
  for (std::size_t part = 1; part < parts; ++part)
    for (std::size_t k = 0; k < h.size(); ++k) h[k] += sums[part][k];
  for (std::size_t i = 0; i < side; ++i) {
    h[i * side + i] += terms[i].curvature;
    for (std::size_t k = 0; k < i; ++k) h[k * side + i] = h[i * side + k];
  }
  return std::move(h);
}

}  // namespace lazylogit::optim
