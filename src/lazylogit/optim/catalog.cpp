#include "lazylogit/optim/catalog.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/data/row_source.hpp"
#include "lazylogit/objective/separation.hpp"
#include "lazylogit/optim/batch/bfgs.hpp"
#include "lazylogit/optim/batch/cg.hpp"
#include "lazylogit/optim/batch/gd.hpp"
#include "lazylogit/optim/batch/irls.hpp"
#include "lazylogit/optim/batch/lbfgs.hpp"
#include "lazylogit/optim/batch/lm.hpp"
#include "lazylogit/optim/batch/newton.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"
#include "lazylogit/optim/coordinate/coordinate.hpp"
#include "lazylogit/optim/stochastic/dual_ascent.hpp"
#include "lazylogit/optim/stochastic/epochs.hpp"
#include "lazylogit/optim/stochastic/head_start.hpp"
#include "lazylogit/optim/stochastic/saga/saga.hpp"

namespace lazylogit::optim {
namespace {

// Stochastic optimizers walk over single rows and coefficients.
constexpr Needs of_rows{Need::separable_prior, Need::own_columns};

constexpr std::array catalog{
    OptimizerEntry{"lbfgs",
                   "limited-memory BFGS, diagonally preconditioned; orthant-wise under L1 priors",
                   false,
                   {},
                   run_lbfgs},
    OptimizerEntry{"sgd", "stochastic gradient descent with exact lazy regularization", true, of_rows,
                   run_rule<PlainRule>},
    OptimizerEntry{"momentum", "stochastic gradient descent whose steps remember earlier ones", true, of_rows,
                   run_rule<Momentum>},
    OptimizerEntry{"adagrad",
                   "stochastic, a rate for each coefficient that falls with its gradients; exactly lazy",
                   true, of_rows, run_rule<AdaGrad>},
    OptimizerEntry{"adadelta", "stochastic, steps in the units of the coefficients", true, of_rows,
                   run_rule<AdaDelta>},
    OptimizerEntry{"rmsprop", "stochastic, steps over a running root mean square of gradients", true, of_rows,
                   run_rule<RmsProp>},
    OptimizerEntry{"adam", "stochastic, running mean of gradients over their root mean square", true, of_rows,
                   run_rule<Adam>},
    OptimizerEntry{"adamax", "stochastic, running mean of gradients over their largest", true, of_rows,
                   run_rule<AdaMax>},
    OptimizerEntry{"ftrl",
                   "follow the proximally regularized leader; exact zeros, exactly lazy",
                   true,
                   {Need::convex_prior, Need::separable_prior, Need::own_columns},
                   run_rule<Ftrl>},
    OptimizerEntry{"saga", "stochastic steps without their noise; goes on to the certified optimum", true,
                   of_rows, run_saga},
    OptimizerEntry{"newton",
                   "Newton steps: Cholesky for few coefficients, conjugate gradients for many",
                   false,
                   {},
                   run_newton},
    OptimizerEntry{
        "coordinate",
        "proximal Newton steps by coordinate descent over columns and a working set; for L1 priors",
        false,
        {Need::separable_prior},
        run_coordinate},
    OptimizerEntry{"irls",
                   "iteratively reweighted least squares, as R's glm",
                   false,
                   {Need::convex_prior, Need::smooth_prior},
                   run_irls},
    OptimizerEntry{"lm", "Levenberg-Marquardt: Newton steps damped until the error falls", false, {}, run_lm},
    OptimizerEntry{"bfgs",
                   "BFGS with a dense inverse Hessian, or another member of Broyden's family",
                   false,
                   {Need::smooth_prior, Need::few_coefficients},
                   run_bfgs},
    OptimizerEntry{"cg",
                   "nonlinear conjugate gradients, diagonally preconditioned",
                   false,
                   {Need::smooth_prior},
                   run_cg},
    OptimizerEntry{
        "gd", "gradient descent with line search or constant steps, and momentum", false, {}, run_gd},
};

// Epochs of stochastic descent that are worth taking before an exact optimizer. They need many rows to say something,
// passes that take a while, and the quick ledgers, which want one prior for all. Several vectors of coefficients cost
// exact steps more than they cost epochs, and an L1 prior leaves more to be found out; one vector: an epoch costs about
// what a pass does.
std::uint64_t head_start_epochs(const objective::Problem& problem) {
  constexpr std::size_t least_rows = 5000;
  constexpr double least_work = 2e6;
  const std::size_t vectors = problem.shape.num_vectors();
  const double work = static_cast<double>(problem.x->num_nonzeros()) * static_cast<double>(vectors);
  if (problem.x->source != nullptr && !problem.x->source->random_access()) return 0;
  if (problem.x->num_rows() < least_rows || work < least_work || !problem.prior->shared() ||
      !problem.centers.empty())
    return 0;
  return vectors > 1 ? 4 : has_kink(*problem.prior) ? 2 : 1;
}

std::string with_head_start(std::string reason, std::uint64_t epochs) {
  if (epochs == 0) return reason;
  return reason + (epochs == 1 ? "; an epoch of sgd finds the start"
                               : "; " + std::to_string(epochs) + " epochs of sgd find the start");
}

}  // namespace

std::span<const OptimizerEntry> optimizers() { return catalog; }

const OptimizerEntry& find_optimizer(std::string_view name, std::string_view option) {
  std::string names = "auto";
  for (const OptimizerEntry& entry : catalog) {
    if (entry.name == name) return entry;
    names += ", " + std::string(entry.name);
  }
  throw ConfigError("there is no optimizer " + quote_text(name), std::string(option), "known are " + names);
}

FitSummary run_choice(const Choice& choice, const FitRequest& request) {
  return run_from_head_start(*choice.optimizer, request, choice.head_start, choice.ahead);
}

// With a kink, Newton steps are as good as L-BFGS while the Hessian is factored, which finds the support in a
// few steps; beyond that coordinate descent is what reaches the certified optimum, as long as its three numbers
// for each row and vector fit. Smooth priors: a small Hessian is factored in no time; else L-BFGS, whose first passes bring
// most, and which leaves for Newton steps where the curvatures spread too widely for it (lbfgs.cpp); with many rows a
// few epochs of stochastic descent bring as much for less, and Newton steps do the rest.
Choice choose_optimizer(const objective::Problem& problem) {
  constexpr double cheap = 2e7;  // multiply–adds: hundredths of a second
  const objective::Posterior objective(problem);
  const auto size = static_cast<double>(objective.size());
  const bool factored = factoring_pays(objective);
  const std::string coefficients = std::to_string(problem.shape.num_rows() * problem.shape.num_vectors());
  if (has_kink(*problem.prior)) {
    // Beyond these whole Hessians find the support more slowly than columns do; between several classes also where few
    // rows tell each coefficient from 0, so that many rest there.
    constexpr std::size_t few = 200, rows_for_each = 20;
    const std::size_t count = problem.shape.num_rows() * problem.shape.num_vectors();
    if (factored && count <= few &&
        (problem.shape.num_vectors() == 1 || problem.x->num_rows() >= rows_for_each * count))
      return {&find_optimizer("newton"), "the Hessian of " + coefficients + " coefficients is factored soon"};
    constexpr std::size_t most_scores = std::size_t{1} << 28;  // 2 GiB for each of the three
    const bool columns = problem.x->num_rows() <= most_scores / problem.shape.num_vectors();
    const std::uint64_t epochs = head_start_epochs(problem);
    return {&find_optimizer(columns ? "coordinate" : "lbfgs"),
            with_head_start("the " + std::string(problem.prior->family()) + " prior has a kink and " +
                                coefficients + " coefficients are too many for a whole Hessian",
                            epochs),
            epochs};
  }
  if (!problem.prior->convex())
    return {&find_optimizer("newton"),
            "the " + std::string(problem.prior->family()) + " prior is smooth but not convex"};
  if (objective::has_free_feature(problem))
    return {&find_optimizer("newton"), problem.shape.response == data::Response::number
                                           ? "features have no prior"
                                           : "features without a prior may separate the classes"};
  // One Newton step is all that a quadratic error takes; other optimizers need dozens of passes.
  constexpr double few_passes = 20;
  const double hessian = objective.matrix_cost() + size * size * size / 24;
  if (problem.shape.response == data::Response::number && factored &&
      hessian <= few_passes * objective.pass_cost())
    return {&find_optimizer("newton"), "a quadratic error takes one Newton step"};
  if (factored && 10 * hessian <= cheap)
    return {&find_optimizer("newton"), "the Hessian of " + coefficients + " coefficients is factored soon"};
  // Where vectors of all coefficients cost more than passes over the data, the pairs of L-BFGS are what is dear.
  // Tables of several classes whose rows have few gaps: Newton steps from the start are fewer than from where L-BFGS has
  // led, which puts some rows far off on its way.
  constexpr double few_steps = 20, few_steps_for_tables = 120, few_gaps = 0.75;
  constexpr double at_once = 5e9;  // multiply–adds in a second or so, which nobody can interrupt
  const std::uint64_t epochs = factored ? 0 : head_start_epochs(problem);
  // Passes over rows without gaps take wide instructions, as the blocks of a Hessian do.
  constexpr double gapless_discount = 0.25;
  const bool gapless = problem.shape.stride() == 1 &&
                       problem.x->num_nonzeros() == problem.x->num_rows() * problem.shape.num_features;
  const bool table = factored && problem.shape.num_vectors() > 1 &&
                     problem.shape.response == data::Response::classes && hessian <= at_once &&
                     static_cast<double>(problem.x->num_nonzeros()) >=
                         few_gaps * static_cast<double>(problem.x->num_rows() * problem.shape.num_features);
  // Where rows are short beside the prior, dual ascent gains a factor with every epoch.
  constexpr std::uint64_t most_epochs = 50;
  if (epochs > 0 && dual_ascent_pays(problem))
    return {&find_optimizer("newton"), "rows are many and short: epochs of dual ascent find the start",
            most_epochs, Ahead::dual_ascent};
  const double newton = newton_in_lbfgs_steps(objective, BatchSettings{}.memory);
  if (table && newton < few_steps_for_tables)
    return {&find_optimizer("newton"),
            "few Newton steps do for " + coefficients + " coefficients of rows with few gaps"};
  if (newton < (gapless ? gapless_discount : 1.0) * few_steps)
    return {&find_optimizer("newton"),
            with_head_start("the coefficients, " + coefficients +
                                ", outweigh the data: few Newton steps are cheaper than many short ones",
                            epochs),
            epochs};
  if (epochs > 0)
    return {&find_optimizer("newton"),
            with_head_start("rows are many and the Hessian of " + coefficients + " coefficients is costly",
                            epochs),
            epochs};
  return {&find_optimizer("lbfgs"), "the prior is smooth and convex and the Hessian of " + coefficients +
                                        " coefficients is costly; Newton steps follow if it slows down"};
}

}  // namespace lazylogit::optim
