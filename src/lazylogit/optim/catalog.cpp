#include "lazylogit/optim/catalog.hpp"

#include <array>
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/optim/batch/lbfgs.hpp"
#include "lazylogit/optim/batch/newton.hpp"
#include "lazylogit/optim/stochastic/sgd.hpp"

namespace lazylogit::optim {
namespace {

std::optional<std::string> accepts_all(const prior::PriorTable&) { return std::nullopt; }

FitSummary run_sgd(const FitRequest& request) {
  return fit_sgd({.problem = request.problem,
                  .start = request.start,
                  .settings = request.stochastic != nullptr ? *request.stochastic : StochasticSettings{},
                  .max_seconds = request.max_seconds,
                  .holdout_log_loss = request.holdout_log_loss,
                  .observer = request.observer,
                  .cancel = request.cancel});
}

constexpr std::array catalog{
    OptimizerEntry{"lbfgs", "limited-memory BFGS, diagonally preconditioned; orthant-wise under L1 priors",
                   false, accepts_all, run_lbfgs},
    OptimizerEntry{"sgd", "stochastic gradient descent with exact lazy regularization", true, accepts_all,
                   run_sgd},
    OptimizerEntry{"newton", "Newton steps: Cholesky for few coefficients, conjugate gradients for many",
                   false, accepts_all, run_newton},
};

}  // namespace

std::span<const OptimizerEntry> optimizers() { return catalog; }

const OptimizerEntry& find_optimizer(std::string_view name) {
  std::string names = "auto";
  for (const OptimizerEntry& entry : catalog) {
    if (entry.name == name) return entry;
    names += ", " + std::string(entry.name);
  }
  throw ConfigError("there is no optimizer " + quote_text(name), "optimizer", "known are " + names);
}

const OptimizerEntry& choose_optimizer(const objective::Problem&) { return find_optimizer("newton"); }

}  // namespace lazylogit::optim
