#include "lazylogit/bayes/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/bayes/gibbs.hpp"
#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/bayes/nuts.hpp"
#include "lazylogit/bayes/whitened_error.hpp"
#include "lazylogit/model/chain_diagnostics.hpp"

namespace lazylogit::bayes {
namespace {

using model::PosteriorKind;

constexpr std::size_t most_numbers = std::size_t{1} << 28;  // 1 GiB of samples
// The Laplace approximation beside the samples takes the whole covariance up to this size.
constexpr std::size_t full_limit = 1024;

std::uint64_t chain_seed(std::uint64_t seed, std::size_t chain) {
  return Random(seed * 0x9e3779b97f4a7c15ULL + chain).next();
}

// A place to start: the posterior's own width, times two.
std::vector<double> scattered(std::size_t dimension, Random& random) {
  std::vector<double> z(dimension);
  for (double& value : z) value = 2 * random.normal();
  return z;
}

void summarize(const model::Shape& shape, model::PosteriorApproximation& out) {
  const std::size_t draws = out.sampling.num_draws(), count = shape.size();
  out.mean.assign(count, 0.0);
  out.variance.assign(count, 0.0);
  std::vector<model::ChainDiagnostics> found(count);
  parallel_blocks(count, [&](std::size_t i) {
    if (i % shape.stride() >= shape.num_vectors()) return;
    const std::span<const float> own(out.samples.data() + i * draws, draws);
    double sum = 0, squares = 0;
    for (const float value : own) sum += static_cast<double>(value);
    const double mean = sum / static_cast<double>(draws);
    for (const float value : own)
      squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
    out.mean[i] = mean;
    // Single precision makes no spread of a coefficient that does not move.
    const bool moves = std::any_of(own.begin(), own.end(), [&](float value) { return value != own[0]; });
    out.variance[i] = moves ? squares / static_cast<double>(draws - 1) : 0.0;
    if (moves) found[i] = model::diagnose_chains(own, out.sampling.chains);
  });
  out.sampling.worst_rhat = 1;
  out.sampling.smallest_ess = static_cast<double>(draws);
  for (std::size_t i = 0; i < count; ++i)
    if (out.variance[i] > 0) {
      out.sampling.worst_rhat = std::max(out.sampling.worst_rhat, found[i].rhat);
      out.sampling.smallest_ess = std::min(out.sampling.smallest_ess, found[i].ess);
    }
}

// One chain, step by step.
class Walk {
 public:
  virtual ~Walk() = default;
  virtual void warm_up() = 0;
  virtual void end_warm_up() {}
  virtual void draw(std::span<double> b) = 0;  // the next one, in the layout of the problem
  virtual std::uint64_t divergences() const { return 0; }
};

class GibbsWalk final : public Walk {
 public:
  GibbsWalk(const GibbsProblem& shared, const Whitening& whitening, std::size_t size, std::uint64_t seed)
      : whitening_(whitening),
        random_(seed),
        chain_{shared, start(size), random_.next()} {}  // braces: in this order
  void warm_up() override { chain_.sweep(); }
  void draw(std::span<double> b) override {
    chain_.sweep();
    std::copy(chain_.coefficients().begin(), chain_.coefficients().end(), b.begin());
    whitening_.settle(b);
  }

 private:
  math::Vector start(std::size_t size) {
    math::Vector b(size);
    whitening_.expand(scattered(whitening_.dimension(), random_), b);
    return b;
  }

  const Whitening& whitening_;
  Random random_;
  GibbsChain chain_;
};

class HamiltonianWalk final : public Walk {
 public:
  HamiltonianWalk(const objective::Problem& problem, const Whitening& whitening, std::uint64_t seed)
      : whitening_(whitening),
        random_(seed),
        error_(problem, whitening),
        sampler_{
            [this](std::span<const double> z, std::span<double> gradient) { return error_(z, gradient); },
            scattered(whitening.dimension(), random_), random_.next()} {}
  void warm_up() override { sampler_.step(true); }
  void end_warm_up() override { sampler_.end_adaptation(); }
  void draw(std::span<double> b) override {
    sampler_.step(false);
    whitening_.expand(sampler_.state(), b);
    whitening_.settle(b);
  }
  std::uint64_t divergences() const override { return sampler_.divergences(); }

 private:
  const Whitening& whitening_;
  Random random_;
  WhitenedError error_;
  NoUTurnSampler sampler_;
};

class Chains {
 public:
  Chains(const objective::Problem& problem, std::span<const double> optimum, const SamplingRequest& request,
         const Names& names, const CancelToken& cancel)
      : problem_(problem),
        request_(request),
        cancel_(cancel),
        begin_(Clock::now()),
        whitening_(problem, optimum, names) {}

  bool is_over() const {
    return request_.max_seconds &&
           std::chrono::duration<double>(Clock::now() - begin_).count() >= *request_.max_seconds;
  }

  // As many draws of every chain as there was time for: sampling.per_chain says how many, 0 if there are none.
  model::PosteriorApproximation run(bool gibbs) const {
    model::PosteriorApproximation out;
    out.kind = PosteriorKind::samples;
    out.sampling = {gibbs ? "polya-gamma" : "hamiltonian", request_.chains, request_.per_chain, 1, 0, 0};
    out.samples.assign(problem_.shape.size() * out.sampling.num_draws(), 0.0F);
    std::optional<GibbsProblem> shared;
    if (gibbs) shared.emplace(problem_);
    std::vector<std::unique_ptr<Walk>> walks(request_.chains);
    std::vector<std::size_t> steps(request_.chains, 0);
    // Chains take turns, so that time that runs out has been spent on all of them.
    constexpr std::size_t turn = 25;
    const std::size_t most = request_.warmup + request_.per_chain;
    do {
      parallel_blocks(request_.chains, [&](std::size_t chain) {
        if (walks[chain] == nullptr) walks[chain] = make_walk(shared ? &*shared : nullptr, chain);
        for (std::size_t k = 0; k < turn && steps[chain] < most && !is_over(); ++k)
          advance(*walks[chain], chain, steps[chain]++, out);
      });
    } while (*std::min_element(steps.begin(), steps.end()) < most && !is_over());
    const std::size_t fewest = *std::min_element(steps.begin(), steps.end());
    shorten(fewest > request_.warmup ? fewest - request_.warmup : 0, out);
    for (const auto& walk : walks) out.sampling.diverged += walk->divergences();
    if (out.sampling.per_chain > 1) summarize(problem_.shape, out);
    return out;
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<Walk> make_walk(const GibbsProblem* shared, std::size_t chain) const {
    const std::uint64_t seed = chain_seed(request_.seed, chain);
    if (shared == nullptr) return std::make_unique<HamiltonianWalk>(problem_, whitening_, seed);
    return std::make_unique<GibbsWalk>(*shared, whitening_, problem_.shape.size(), seed);
  }

  void advance(Walk& walk, std::size_t chain, std::size_t step, model::PosteriorApproximation& out) const {
    cancel_.throw_if_cancelled();
    if (step == request_.warmup) walk.end_warm_up();
    if (step < request_.warmup) return walk.warm_up();
    math::Vector b(problem_.shape.size());
    walk.draw(b);
    const std::size_t at = chain * request_.per_chain + step - request_.warmup,
                      draws = out.sampling.num_draws();
    for (std::size_t i = 0; i < b.size(); ++i) out.samples[i * draws + at] = static_cast<float>(b[i]);
  }

  // Keeps the first draws of every chain.
  void shorten(std::size_t per_chain, model::PosteriorApproximation& out) const {
    const std::size_t before = out.sampling.per_chain;
    if (per_chain == before) return;
    out.sampling.per_chain = per_chain;
    const std::size_t lists = problem_.shape.size() * request_.chains;
    for (std::size_t list = 0; list < lists; ++list)
      std::copy_n(out.samples.begin() + static_cast<std::ptrdiff_t>(list * before), per_chain,
                  out.samples.begin() + static_cast<std::ptrdiff_t>(list * per_chain));
    out.samples.resize(lists * per_chain);
  }

  const objective::Problem& problem_;
  const SamplingRequest& request_;
  const CancelToken& cancel_;
  Clock::time_point begin_;
  Whitening whitening_;
};

// The numbers that come from the Laplace approximation; without it (a kink or a Cauchy prior can make it impossible where
// the posterior is fine) only those that need no curvature.
void borrow_evidence(const objective::Problem& problem, std::span<const double> b,
                     const model::TrainingRecord& record, std::uint64_t seed, const Names& names,
                     const CancelToken& cancel, model::PosteriorApproximation& out) {
  const auto family = problem.prior->family();
  try {
    const auto laplace = approximate_posterior(
        problem, b, record,
        {.kind = problem.shape.size() <= full_limit ? PosteriorKind::full : PosteriorKind::diagonal,
         .seed = seed},
        names, cancel);
    out.log_evidence = laplace.log_evidence;
    out.log_evidence_error = laplace.log_evidence_error;
    out.effective_parameters = laplace.effective_parameters;
    out.num_parameters = laplace.num_parameters;
    out.bic = laplace.bic;
    out.aic = laplace.aic;
  } catch (const InputError&) {
    if (family == prior::Gaussian::name || family == prior::Uniform::name) throw;
    for (const double v : out.variance) out.num_parameters += v > 0 ? 1 : 0;
    out.effective_parameters = out.num_parameters;
    out.bic =
        -2 * record.log_likelihood + out.num_parameters * std::log(static_cast<double>(record.num_examples));
    out.aic = -2 * record.log_likelihood + 2 * out.num_parameters;
  }
}

}  // namespace

void check_draws(const objective::Problem& problem, const SamplingRequest& request) {
  const std::size_t draws = request.chains * request.per_chain;
  if (draws > most_numbers / std::max<std::size_t>(1, problem.shape.size()))
    throw ConfigError(fmt::format("{} samples of {} coefficients are too many to keep (at most {} numbers)",
                                  draws, problem.shape.size(), most_numbers),
                      "posterior", "ask for fewer with --samples, or take low-rank");
}

model::PosteriorApproximation sample_posterior(const objective::Problem& problem, std::span<const double> b,
                                               const model::TrainingRecord& record,
                                               const SamplingRequest& request, const Names& names,
                                               const CancelToken& cancel) {
  check_draws(problem, request);
  const bool automatic = request.method == SamplingMethod::automatic;
  const bool gibbs = automatic ? takes_gibbs(problem) : request.method == SamplingMethod::polya_gamma;
  const Chains chains(problem, b, request, names, cancel);
  model::PosteriorApproximation out = chains.run(gibbs);
  if (request.max_seconds && out.sampling.per_chain < std::min(fewest_draws, request.per_chain))
    throw LimitError({.kind = ErrorKind::environment,
                      .message = fmt::format("the seconds were over when the chains had {} draws each, "
                                             "besides {} of warm-up; expected {} or more",
                                             out.sampling.per_chain, request.warmup,
                                             std::min(fewest_draws, request.per_chain)),
                      .hint = "allow more with --max-seconds, or ask for fewer with --warmup and --chains",
                      .code = "no-time"});
  // Sweeps hardly move where rows are nearly separated; trajectories do.
  if (automatic && gibbs && !chains.is_over() && !sampling_caveat(out.sampling).empty()) {
    model::PosteriorApproximation other = chains.run(false);
    if (other.sampling.smallest_ess > out.sampling.smallest_ess) out = std::move(other);
  }
  borrow_evidence(problem, b, record, request.seed, names, cancel, out);
  return out;
}

std::string sampling_caveat(const model::Sampling& sampling) {
  constexpr double largest_rhat = 1.05, fewest = 100;
  std::string text;
  if (sampling.worst_rhat > largest_rhat || sampling.smallest_ess < fewest)
    text = fmt::format(
        "the chains have not settled: the worst R-hat is {:.3g} (expected at most {:g}), the smallest "
        "effective sample "
        "size {:.0f} (expected {:g} or more)",
        sampling.worst_rhat, largest_rhat, sampling.smallest_ess, fewest);
  if (sampling.diverged > 0)
    text += fmt::format("{}{} of {} trajectories diverged", text.empty() ? "" : "; ", sampling.diverged,
                        sampling.num_draws());
  return text;
}

}  // namespace lazylogit::bayes
