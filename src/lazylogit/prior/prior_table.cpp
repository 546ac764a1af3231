#include "lazylogit/prior/prior_table.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lazylogit::prior {

PriorTable::PriorTable(AnyPrior prior, std::size_t num_penalized, std::size_t size)
    : prior_(std::move(prior)), num_penalized_(num_penalized), size_(size) {
  assert(num_penalized <= size);
}

std::string_view PriorTable::family() const noexcept {
  return std::visit([](const auto& p) { return std::string_view(p.name); }, prior_);
}

bool PriorTable::convex() const noexcept {
  return std::visit([](const auto& p) { return p.convex; }, prior_);
}

namespace {

// The member of a family that exerts no pull.
template <class P>
P free_prior() {
  P prior{};
  if constexpr (std::is_same_v<P, Gaussian>) prior.precision = 0;
  if constexpr (std::is_same_v<P, Laplace>) prior.l1 = 0;
  if constexpr (std::is_same_v<P, Cauchy>) prior.inverse_square = 0;
  if constexpr (std::is_same_v<P, ElasticNet>) prior.l1 = prior.l2 = 0;
  return prior;
}

}  // namespace

void PriorTable::make_per_coordinate() {
  if (!shared()) return;
  std::visit(
      [&]<class P>(const P& prior) {
        std::vector<P> all(size_, prior);
        for (std::size_t i = num_penalized_; i < size_; ++i) all[i] = free_prior<P>();
        priors_ = std::move(all);
      },
      prior_);
  means_.assign(size_, 0.0);
  pins_.assign(size_, 0);
}

void PriorTable::set(std::size_t i, const AnyPrior& prior, double mean, bool pinned) {
  assert(!shared() && prior.index() == prior_.index());
  std::visit([&]<class P>(const P& p) { std::get<std::vector<P>>(priors_)[i] = p; }, prior);
  means_[i] = mean;
  pins_[i] = pinned ? 1 : 0;
}

void PriorTable::couple(Coupling coupling) {
  assert(!shared());
  auto& priors = std::get<std::vector<Gaussian>>(priors_);
  const std::size_t m = coupling.group_size();
  const auto coordinates = coupling.coordinates();
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    assert(!pins_[coordinates[k]]);
    priors[coordinates[k]] = Gaussian{coupling.precision(k % m, k % m)};
  }
  coupling_ = std::move(coupling);
}

std::vector<double> PriorTable::shifted(const double* b) const {
  std::vector<double> t(size_, 0.0);
  for (const std::size_t i : coupling_->coordinates()) t[i] = b[i] - means_[i];
  return t;
}

AnyPrior PriorTable::at(std::size_t i) const {
  if (shared()) return i < num_penalized_ ? prior_ : AnyPrior(Uniform{});
  return std::visit([&]<class P>(const P&) -> AnyPrior { return std::get<std::vector<P>>(priors_)[i]; },
                    prior_);
}

double PriorTable::penalty(const double* b) const {
  const double coupled = coupling_ ? coupling_->value(shifted(b)) : 0.0;
  return visit([&](const auto& view) {
    double sum = coupled;
    for (std::size_t i = 0; i < size_; ++i)
      if (view.penalized(i)) sum += view.at(i).value(b[i] - view.mean(i));
    return sum;
  });
}

double PriorTable::log_prior(const double* b, std::size_t stride, std::size_t vectors) const {
  const double coupled = coupling_ ? coupling_->log_density() - coupling_->value(shifted(b)) : 0.0;
  return visit([&]<class View>(const View& view) {
    // A logarithm: once where all have one prior.
    const double common = View::shared && size_ > 0 ? view.at(0).normaliser() : 0.0;
    double sum = coupled;
    for (std::size_t row = 0; row < size_; row += stride)
      for (std::size_t i = row; i < std::min(row + vectors, size_); ++i)
        if (view.penalized(i))
          sum -= view.at(i).value(b[i] - view.mean(i)) + (View::shared ? common : view.at(i).normaliser());
    return sum;
  });
}

}  // namespace lazylogit::prior
