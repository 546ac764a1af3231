#include "lazylogit/train/kernel_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/data/dense_rows.hpp"
#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/data/kernel_map.hpp"
#include "lazylogit/train/kept_rows.hpp"

namespace lazylogit::train {
namespace {

constexpr std::uint64_t default_size = 500;
constexpr double max_entries = 2e9;  // of mapped rows in memory

data::KernelFamily family_of(const TrainOptions& options) {
  for (const data::KernelFamily family : data::kernel_families)
    if (options.kernel == data::kernel_name(family)) return family;
  throw ConfigError("unknown kernel " + quote_text(options.kernel), "kernel");
}

// Half the median distance of pairs of rows drawn by the seed: points then differ, and neighbours are alike.
double typical_width(const data::SparseMatrix& x, const data::KernelMap& like, std::uint64_t seed) {
  constexpr std::size_t sampled = 300;
  Random random(seed);
  std::vector<std::size_t> all(x.num_rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  random.shuffle(std::span(all));
  all.resize(std::min(sampled, all.size()));
  std::vector<double> distances;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double square = data::squared_distance(x, all[a], all[b], like);
      if (square > 0) distances.push_back(std::sqrt(square));
    }
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  const double width = *middle / 2;
  return width > 0 && std::isfinite(width) ? width : 1;
}

void standardize_inputs(const data::Dataset& data, const TrainOptions& options, data::KernelMap& map) {
  if (options.standardize == "none") return;
  const data::FeatureMoments moments = data::feature_moments(data.x, data.weights.span());
  map.scale = moments.deviations;
  for (double& deviation : map.scale)
    if (!(deviation > 0)) deviation = 1;
  if (options.standardize != "center") return;
  map.center = moments.means;
  for (std::size_t i = 0; i < map.center.size(); ++i) map.center[i] /= map.scale[i];
}

// Lengths that overflow make all kernels 0, infinite or no number.
void check_lengths(const data::Dataset& data, const data::KernelMap& map) {
  constexpr double largest = 1e300;
  data::KernelMap lengths;
  lengths.kernel.family = data::KernelFamily::linear;
  lengths.num_inputs = map.num_inputs;
  lengths.scale = map.scale;
  lengths.center = map.center;
  const std::vector<double> squares = data::self_kernels(data.x, lengths);
  for (std::size_t j = 0; j < squares.size(); ++j)
    if (!(squares[j] <= largest))
      throw InputError({.message = fmt::format("row {} has values so large that kernels overflow", j + 1),
                        .hint = "divide the column by a power of ten",
                        .code = "overflow"});
}

void check_size(std::size_t rows, std::size_t features) {
  if (static_cast<double>(rows) * static_cast<double>(features) > max_entries)
    throw ConfigError(fmt::format("{} with {} each do not fit into memory", counted(rows, "row"),
                                  counted(features, "feature")),
                      "kernel-size", "take a smaller one, or fewer rows");
}

// Waves need only a seed.
void add_waves(const TrainOptions& options, data::Dataset& data, data::KernelMap& map) {
  map.form = data::KernelForm::fourier;
  map.waves = options.kernel_size.value_or(default_size);
  map.seed = options.seed;
  if (map.num_inputs > 0 && map.waves > data::max_frequencies / map.num_inputs)
    throw ConfigError(
        fmt::format("{} waves over {} features are too many numbers", map.waves, map.num_inputs),
        "kernel-size", "--kernel-map nystroem keeps sparse rows instead");
  check_size(data.num_rows(), map.waves);
  data.x = data::KernelMapper(map)(data.x);
}

// Rows to compare with: as many as asked for, or as many as span all others.
void add_rows(const TrainOptions& options, bool exact, data::Dataset& data, Log& log,
              const CancelToken& cancel, data::KernelMap& map) {
  const std::size_t n = data.num_rows();
  const std::size_t most = exact ? n : std::min<std::size_t>(n, options.kernel_size.value_or(default_size));
  check_size(n, most);
  map.prior_of_function = options.prior == "gaussian";
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  KeptRows kept;
  if (map.prior_of_function || most < n) {
    kept = choose_kept_rows(data.x, map, most, options.seed, cancel);
    rows = kept.rows;
    log.notice(fmt::format("kernel: {} of {} rows {}", rows.size(), n,
                           rows.size() < most || exact
                               ? (rows.size() == 1 ? "spans all others" : "span all others")
                           : rows.size() == 1 ? "is kept"
                                              : "are kept"));
  }
  if (!map.prior_of_function) std::sort(rows.begin(), rows.end());
  map.kept = data::rows_to_keep(data.x, rows);
  map.kept_numbers.assign(rows.begin(), rows.end());
  if (map.prior_of_function) {
    map.factor = std::move(kept.factor);
    data.x = data::sparse_from_dense(std::move(kept.coordinates), n, rows.size());
  } else {
    kept = {};
    data.x = data::KernelMapper(map)(data.x);
  }
}

}  // namespace

void check_kernel(const TrainOptions& options) {
  const auto belongs = [&](bool given, const char* option, bool fits, const char* to) {
    if (given && !fits) throw ConfigError(fmt::format("belongs to {}", to), option);
  };
  const bool none = options.kernel == "none", fourier = options.kernel_map == "fourier";
  belongs(options.kernel_map != "auto", "kernel-map", !none, "--kernel");
  belongs(options.kernel_size.has_value(), "kernel-size", !none && options.kernel_map != "exact",
          "--kernel with --kernel-map nystroem or fourier");
  belongs(options.kernel_degree.has_value(), "kernel-degree", options.kernel == "polynomial",
          "--kernel polynomial");
  belongs(options.kernel_width.has_value(), "kernel-width", options.kernel == "gaussian",
          "--kernel gaussian");
  if (none) return;
  if (fourier && options.kernel != "gaussian")
    throw ConfigError("random waves stand for the gaussian kernel; this one is " + options.kernel,
                      "kernel-map", "take nystroem");
  const auto refuse = [&](bool given, const char* option) {
    if (given)
      throw ConfigError("with --kernel coefficients belong to training rows, not to features", option,
                        "leave it out");
  };
  refuse(!options.prior_file.empty(), "prior-file");
  refuse(!options.prior_covariance.empty(), "prior-covariance");
  refuse(!options.bounds.empty(), "bounds");
  if (options.scale_prior)
    throw ConfigError("a kernel compares rows, whatever the scale of a prior", "scale-prior",
                      "--standardize scale divides the features before the kernel sees them");
  if (options.posterior != "none" && !fourier)
    throw ConfigError("training rows as features have no posterior of their own", "posterior",
                      "--kernel-map fourier has ordinary features");
}

void apply_kernel(data::Dataset& data, const TrainOptions& options, Log& log, const CancelToken& cancel) {
  if (options.kernel == "none" || data.kernel != nullptr || data.num_rows() == 0) return;
  if (data.x.num_features == 0)
    throw InputError({.message = "rows have no features that a kernel could compare", .code = "no-features"});
  const bool exact = options.kernel_map == "exact" || (options.kernel_map == "auto" && !options.kernel_size &&
                                                       data.num_rows() <= max_exact_rows);
  if (exact && data.num_rows() > max_exact_rows)
    throw ConfigError(
        fmt::format("an exact kernel compares every pair of rows: up to {} rows; the data has {}",
                    max_exact_rows, data.num_rows()),
        "kernel-map", "take nystroem or fourier");
  if (!exact && options.kernel_map == "auto" && !options.kernel_size)
    log.notice(fmt::format(
        "kernel: {} rows are too many for an exact kernel; --kernel-map nystroem keeps {} of them",
        data.num_rows(), default_size));
  auto map = std::make_shared<data::KernelMap>();
  map->kernel.family = family_of(options);
  map->kernel.degree = static_cast<int>(options.kernel_degree.value_or(2));
  map->num_inputs = data.x.num_features;
  standardize_inputs(data, options, *map);
  check_lengths(data, *map);
  if (map->kernel.family == data::KernelFamily::gaussian) {
    map->kernel.width = options.kernel_width.value_or(0);
    if (!options.kernel_width) {
      map->kernel.width = typical_width(data.x, *map, options.seed);
      log.notice(fmt::format("kernel: width {:.6g}, half the median distance of rows", map->kernel.width));
    }
  }
  if (options.kernel_map == "fourier")
    add_waves(options, data, *map);
  else
    add_rows(options, exact, data, log, cancel, *map);
  map->inputs = std::move(data.features);
  map->inputs.build_index();
  data.features = data::kernel_feature_names(*map);
  data.kernel = std::move(map);
}

double kernel_bytes(const data::Dataset& data, const TrainOptions& options) {
  if (options.kernel == "none" || data.kernel != nullptr) return 0;
  const auto n = static_cast<double>(data.num_rows());
  const bool exact = options.kernel_map == "exact" || (options.kernel_map == "auto" && !options.kernel_size &&
                                                       data.num_rows() <= max_exact_rows);
  double features = exact ? n : static_cast<double>(options.kernel_size.value_or(default_size));
  if (options.kernel_map != "fourier") features = std::min(features, n);
  // Values with their ids; under a Gaussian prior also the factor of the rows that are kept.
  const bool factor = options.prior == "gaussian" && options.kernel_map != "fourier";
  return n * features * (sizeof(double) + sizeof(FeatureId)) +
         (factor ? features * features * sizeof(double) : 0);
}

void map_rows(const data::Dataset& like, data::Rows& rows) {
  if (like.kernel != nullptr) rows.x = data::KernelMapper(*like.kernel)(rows.x);
}

}  // namespace lazylogit::train
