// The prior of every coefficient of a model: one family, with one set of parameters for all or one per
// coordinate.
//
// Coordinates are positions in the flat parameter vector of model/shape.hpp. In the shared form coordinates
// from `num_penalized` on (the intercept row) are free. In the per-coordinate form each has its own mean and
// parameters; parameters that mean "uniform" (variance ∞) are stored as the family's zero, and variance 0 as
// `pinned`: the coefficient stays at its mean, has no penalty and no normalising constant, and optimizers
// leave it alone. A Gaussian table may be coupled: some coordinates then have a common covariance (coupling.hpp), and
// what `at` and `visit` give of them is the diagonal of its inverse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "lazylogit/prior/cauchy.hpp"
#include "lazylogit/prior/coupling.hpp"
#include "lazylogit/prior/elastic_net.hpp"
#include "lazylogit/prior/gaussian.hpp"
#include "lazylogit/prior/laplace.hpp"
#include "lazylogit/prior/prior.hpp"
#include "lazylogit/prior/uniform.hpp"

namespace lazylogit::prior {

using AnyPrior = std::variant<Uniform, Gaussian, Laplace, Cauchy, ElasticNet>;  // the list of priors

// What kernels see. `at(i)` and `mean(i)` inline to constants in the shared form.
template <Prior P>
struct SharedPrior {
  using Family = P;
  static constexpr bool shared = true;
  P prior;
  std::size_t num_penalized;
  bool penalized(std::size_t i) const noexcept { return i < num_penalized; }
  P at(std::size_t) const noexcept { return prior; }
  double mean(std::size_t) const noexcept { return 0; }
  bool pinned(std::size_t) const noexcept { return false; }
};

template <Prior P>
struct CoordinatePrior {
  using Family = P;
  static constexpr bool shared = false;
  const P* priors;
  const double* means;
  const std::uint8_t* pins;
  bool penalized(std::size_t i) const noexcept { return !pins[i]; }
  P at(std::size_t i) const noexcept { return priors[i]; }
  double mean(std::size_t i) const noexcept { return means[i]; }
  bool pinned(std::size_t i) const noexcept { return pins[i] != 0; }
};

class PriorTable {
 public:
  // One prior with mean 0 for coordinates [0, num_penalized); the rest, up to `size`, is free.
  PriorTable(AnyPrior prior, std::size_t num_penalized, std::size_t size);

  std::size_t size() const noexcept { return size_; }
  bool shared() const noexcept { return means_.empty(); }
  std::string_view family() const noexcept;
  bool convex() const noexcept;
  const AnyPrior& shared_prior() const noexcept { return prior_; }
  std::size_t num_penalized() const noexcept { return num_penalized_; }  // shared form only

  // Switches to the per-coordinate form (means 0, the shared parameters, the intercept row free).
  void make_per_coordinate();
  // Sets one coordinate, which must be of this table's family. Needs make_per_coordinate().
  void set(std::size_t i, const AnyPrior& prior, double mean, bool pinned);

  // Gives the coordinates of the coupling their part of it, keeping their means. The table must be Gaussian and have a
  // prior per coordinate; none of the coordinates may be pinned.
  void couple(Coupling coupling);
  const Coupling* coupling() const noexcept { return coupling_ ? &*coupling_ : nullptr; }
  std::vector<double> shifted(const double* b) const;  // b − m where coupled, else 0; needs a coupling

  AnyPrior at(std::size_t i) const;  // Uniform where the coordinate is free in the shared form
  double mean(std::size_t i) const noexcept { return shared() ? 0 : means_[i]; }
  bool pinned(std::size_t i) const noexcept { return !shared() && pins_[i] != 0; }

  // Calls body(view) with a SharedPrior<P> or CoordinatePrior<P>: one dispatch per run.
  template <class Body>
  decltype(auto) visit(Body&& body) const {
    return std::visit(
        [&]<class P>(const P& prior) -> decltype(auto) {
          if (shared()) return body(SharedPrior<P>{prior, num_penalized_});
          return body(
              CoordinatePrior<P>{std::get<std::vector<P>>(priors_).data(), means_.data(), pins_.data()});
        },
        prior_);
  }

  double penalty(const double* b) const;  // Σ R(b_i − m_i)
  // −Σ (R + normaliser) over the first `vectors` of every `stride` coordinates (the rest is padding); pinned
  // and free coordinates are left out.
  double log_prior(const double* b, std::size_t stride, std::size_t vectors) const;

 private:
  template <class... P>
  static std::variant<std::vector<P>...> lists(std::variant<P...>*);
  using Lists = decltype(lists(static_cast<AnyPrior*>(nullptr)));

  AnyPrior prior_;
  std::size_t num_penalized_;
  std::size_t size_;
  Lists priors_;               // per coordinate; same alternative as prior_
  std::vector<double> means_;  // empty: shared form
  std::vector<std::uint8_t> pins_;
  std::optional<Coupling> coupling_;
};

}  // namespace lazylogit::prior
