#include "lazylogit/bayes/sampling.hpp"

#include <fmt/format.h>

#include <cmath>

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

class Chains {
 public:
  Chains(const objective::Problem& problem, std::span<const double> optimum, const SamplingRequest& request,
         const Names& names, const CancelToken& cancel)
      : problem_(problem),
        request_(request),
        cancel_(cancel),
        whitening_(problem, optimum, names),
        draws_(request.chains * request.per_chain) {}

  model::PosteriorApproximation run(bool gibbs) const {
    model::PosteriorApproximation out;
    out.kind = PosteriorKind::samples;
    out.sampling = {gibbs ? "polya-gamma" : "hamiltonian", request_.chains, request_.per_chain, 1, 0, 0};
    out.samples.assign(problem_.shape.size() * draws_, 0.0F);
    std::vector<std::uint64_t> diverged(request_.chains, 0);
    if (gibbs) {
      const GibbsProblem shared(problem_);
      parallel_blocks(request_.chains, [&](std::size_t chain) { run_gibbs(shared, chain, out); });
    } else {
      parallel_blocks(request_.chains,
                      [&](std::size_t chain) { diverged[chain] = run_hamiltonian(chain, out); });
    }
    for (const std::uint64_t count : diverged) out.sampling.diverged += count;
    summarize(problem_.shape, out);
    return out;
  }

 private:
  void keep(std::span<const double> b, std::size_t chain, std::size_t draw,
            model::PosteriorApproximation& out) const {
    for (std::size_t i = 0; i < b.size(); ++i)
      out.samples[i * draws_ + chain * request_.per_chain + draw] = static_cast<float>(b[i]);
  }

  void run_gibbs(const GibbsProblem& shared, std::size_t chain, model::PosteriorApproximation& out) const {
    Random random(chain_seed(request_.seed, chain));
    math::Vector b(problem_.shape.size());
    whitening_.expand(scattered(whitening_.dimension(), random), b);
    GibbsChain gibbs(shared, b, random.next());
    for (std::size_t k = 0; k < request_.warmup + request_.per_chain; ++k) {
      cancel_.throw_if_cancelled();
      gibbs.sweep();
      if (k < request_.warmup) continue;
      std::copy(gibbs.coefficients().begin(), gibbs.coefficients().end(), b.begin());
      whitening_.settle(b);
      keep(b, chain, k - request_.warmup, out);
    }
  }

  std::uint64_t run_hamiltonian(std::size_t chain, model::PosteriorApproximation& out) const {
    Random random(chain_seed(request_.seed, chain));
    WhitenedError error(problem_, whitening_);
    std::vector<double> start = scattered(whitening_.dimension(), random);
    NoUTurnSampler sampler(
        [&](std::span<const double> z, std::span<double> gradient) { return error(z, gradient); },
        std::move(start), random.next());
    for (std::size_t k = 0; k < request_.warmup; ++k) {
      cancel_.throw_if_cancelled();
      sampler.step(true);
    }
    sampler.end_adaptation();
    math::Vector b(problem_.shape.size());
    for (std::size_t k = 0; k < request_.per_chain; ++k) {
      cancel_.throw_if_cancelled();
      sampler.step(false);
      whitening_.expand(sampler.state(), b);
      whitening_.settle(b);
      keep(b, chain, k, out);
    }
    return sampler.divergences();
  }

  const objective::Problem& problem_;
  const SamplingRequest& request_;
  const CancelToken& cancel_;
  Whitening whitening_;
  std::size_t draws_;
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

model::PosteriorApproximation sample_posterior(const objective::Problem& problem, std::span<const double> b,
                                               const model::TrainingRecord& record,
                                               const SamplingRequest& request, const Names& names,
                                               const CancelToken& cancel) {
  const std::size_t draws = request.chains * request.per_chain;
  if (draws > most_numbers / std::max<std::size_t>(1, problem.shape.size()))
    throw ConfigError(fmt::format("{} samples of {} coefficients are too many to keep (at most {} numbers)",
                                  draws, problem.shape.size(), most_numbers),
                      "posterior", "ask for fewer with --samples, or take low-rank");
  const bool automatic = request.method == SamplingMethod::automatic;
  const bool gibbs = automatic ? takes_gibbs(problem) : request.method == SamplingMethod::polya_gamma;
  const Chains chains(problem, b, request, names, cancel);
  model::PosteriorApproximation out = chains.run(gibbs);
  // Sweeps hardly move where rows are nearly separated; trajectories do.
  if (automatic && gibbs && !sampling_caveat(out.sampling).empty()) {
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
