#include "lazylogit/train/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/data/row_length.hpp"
#include "lazylogit/objective/centering.hpp"
#include "lazylogit/train/bounds_file.hpp"
#include "lazylogit/train/choices.hpp"
#include "lazylogit/train/class_weights.hpp"
#include "lazylogit/train/coefficient_finder.hpp"
#include "lazylogit/train/model_shape.hpp"
#include "lazylogit/train/prior_covariance.hpp"
#include "lazylogit/train/prior_file.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/refuse_data.hpp"
#include "lazylogit/train/responses.hpp"

namespace lazylogit::train {
namespace {

std::vector<double> weights_by_class(std::span<const double> weights, std::span<const ClassId> labels,
                                     const std::vector<double>& factors) {
  std::vector<double> result(weights.begin(), weights.end());
  if (factors.empty()) return result;
  if (result.empty()) result.assign(labels.size(), 1.0);
  for (std::size_t j = 0; j < labels.size(); ++j) result[j] *= factors[static_cast<std::size_t>(labels[j])];
  return result;
}

// Σ_j w_j |x_j|², in no particular order.
double sum_of_squares(const data::SparseMatrix& x, std::span<const double> weights) {
  constexpr std::size_t block_rows = 4096;
  std::vector<double> parts(num_blocks_of(x.num_rows(), block_rows), 0.0);
  if (parts.empty()) return 0;
  parallel_blocks(parts.size(), [&](std::size_t block) {
    const std::size_t first = block * block_rows, last = std::min(x.num_rows(), first + block_rows);
    x.visit_rows([&](const auto& rows) {
      for (std::size_t j = first; j < last; ++j)
        parts[block] += (weights.empty() ? 1.0 : weights[j]) * data::squared_length(rows.row(j));
    });
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

// Sums of squares over rows, which gradients and curvatures are made of, must stay finite.
void check_magnitudes(const data::Dataset& data, std::span<const double> weights) {
  // No sum of fewer terms is larger; half of the range is left for another order of terms.
  if (sum_of_squares(data.x, weights) < 0.5 * std::numeric_limits<double>::max()) return;
  data.x.visit_rows([&](const auto& rows) {
    double sum = 0;
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      const double w = weights.empty() ? 1.0 : weights[j];
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size(); ++k) sum += w * row.value(k) * row.value(k);
      if (std::isfinite(sum)) continue;
      std::size_t largest = 0;
      for (std::size_t k = 1; k < row.size(); ++k)
        if (std::abs(row.value(k)) > std::abs(row.value(largest))) largest = k;
      const std::string name = data.features.empty() ? "#" + std::to_string(row.ids[largest])
                                                     : std::string(data.features.name(row.ids[largest]));
      refuse_data("overflow",
                  fmt::format("row {} has the value {} in feature {}: sums of squares overflow", j + 1,
                              row.value(largest), quote_text(name)),
                  "divide the column by a power of ten");
    }
  });
}

// Deviations are made of squares, too: those of very small numbers are 0 or have lost their digits.
void check_small_columns(const data::Dataset& data, std::span<const double> deviations) {
  constexpr double smallest = 1e-140;
  std::vector<double> largest(deviations.size(), 0.0);
  if (std::none_of(deviations.begin(), deviations.end(), [](double d) { return d < smallest; })) return;
  data.x.visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size(); ++k)
        largest[row.ids[k]] = std::max(largest[row.ids[k]], std::abs(static_cast<double>(row.value(k))));
    }
  });
  for (std::size_t i = 0; i < largest.size(); ++i) {
    if (largest[i] == 0 || largest[i] >= smallest) continue;
    const std::string name = data.features.empty()
                                 ? "#" + std::to_string(i)
                                 : std::string(data.features.name(static_cast<FeatureId>(i)));
    refuse_data(
        "underflow",
        fmt::format("no value of feature {} is larger than {}: their squares vanish, and with them the "
                    "deviation to divide by",
                    quote_text(name), largest[i]),
        "multiply the column by a power of ten");
  }
}

// Two coefficients of one name could not be told apart, neither in a table nor in a prior file.
void check_names(const data::Alphabet& features) {
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features.name(static_cast<FeatureId>(i)) == model::intercept_name)
      refuse_data("reserved-name",
                  "a feature is called " + quote_text(model::intercept_name) +
                      ", the name of the coefficient that every row has",
                  "rename it");
}

// An intercept that only takes up the means of centred columns is none to those who left it out.
CoefficientNames coefficient_names(const data::Dataset& data, const TrainOptions& options,
                                   model::Shape shape) {
  shape.has_intercept = shape.has_intercept && options.intercept;
  return {&data.features, &data.classes, shape, data.input.hash_bits};
}

bool centers_columns(const TrainOptions& options) {
  return options.standardize == "center" &&
         options.kernel == "none";  // a kernel centers the rows it compares
}

bool has_kink_at(const prior::PriorTable& prior, std::size_t i) {
  return std::visit([](const auto& p) { return p.slope() > 0; }, prior.at(i));
}

// An intercept that takes up the means of centred columns, but has no say itself.
void pin_intercept(const model::Shape& shape, prior::PriorTable& table) {
  table.make_per_coordinate();
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    table.set(shape.intercept_index(v), table.shared_prior(), 0, true);
}

}  // namespace

std::vector<double> centers_of(const TrainOptions& options, const model::Shape& shape,
                               const prior::PriorTable& prior, const data::FeatureMoments& moments) {
  if (!centers_columns(options) || !shape.has_intercept) return {};  // candidates of a choice move together
  bool all_free = true;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    const std::size_t i = shape.intercept_index(v);
    all_free = all_free && !prior.pinned(i) &&
               std::visit([](const auto& p) { return p.value(1) == 0; }, prior.at(i));
  }
  if (all_free) return {};
  std::vector<double> centers = moments.means;
  for (std::size_t i = 0; i < centers.size(); ++i)
    if (moments.deviations[i] == 0) centers[i] = 0;  // such columns stay as they are
  return centers;
}

bool scales_priors(const TrainOptions& options) {
  if (options.kernel != "none") return false;  // the kernel's inputs are
  return options.standardize != "none" || options.scale_prior;
}

objective::Problem Prepared::problem() const {
  return {.x = &rows->x,
          .labels = labels.empty() ? rows->labels.span() : std::span<const ClassId>(labels),
          .targets = targets.empty() ? rows->targets.span() : std::span<const double>(targets),
          .label_sets = shape.response == data::Response::labels ? &rows->label_sets : nullptr,
          .weights = weights,
          .offsets = rows->offsets.span(),
          .choice_ends = rows->choice_ends.span(),
          .shape = shape,
          .prior = &prior,
          .centers = centers};
}

math::Vector Prepared::original(std::span<const double> b) const {
  math::Vector result(b.begin(), b.end());
  if (!centers.empty()) objective::to_original(shape, centers, result.data());
  return result;
}

math::Vector Prepared::centered(std::span<const double> b) const {
  math::Vector result(b.begin(), b.end());
  if (centers.empty()) return result;
  objective::to_centered(shape, centers, result.data());
  constexpr double ulp = 2.3e-16;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    const std::size_t i = shape.intercept_index(v);
    const double mean = prior.mean(i);
    double size = std::abs(b[i]) + std::abs(mean), terms = 2;
    for (std::size_t f = 0; f < centers.size(); ++f) {
      size += std::abs(centers[f] * b[shape.index(f, v)]);
      terms += centers[f] * b[shape.index(f, v)] != 0 ? 1 : 0;
    }
    // There and back each term is rounded twice.
    const bool rests = has_kink_at(prior, i) && std::abs(result[i] - mean) <= 2 * terms * ulp * size;
    if (prior.pinned(i) || rests) result[i] = mean;
  }
  return result;
}

prior::PriorTable make_prior_table(data::Dataset& data, const TrainOptions& options,
                                   const model::Shape& shape, std::span<const double> deviations, Log& log) {
  prior::PriorTable table(make_prior(options),
                          options.prior_intercept ? shape.size() : shape.num_features * shape.stride(),
                          shape.size());
  if (!options.prior_file.empty() || !options.prior_covariance.empty()) data.features.build_index();
  const CoefficientNames names = coefficient_names(data, options, shape);
  if (!options.prior_file.empty()) apply_prior_file(options.prior_file, names, log, table);
  if (!options.prior_covariance.empty()) apply_prior_covariance(options.prior_covariance, names, log, table);
  if (!options.row_strengths.empty()) scale_by_strength(options.row_strengths, shape, table);
  if (!options.intercept && shape.has_intercept) pin_intercept(shape, table);
  if (!deviations.empty() && scales_priors(options)) scale_by_deviation(deviations, shape, table);
  return table;
}

Prepared prepare(data::Dataset& data, const TrainOptions& options, Log& log) {
  make_prior(options);  // refuses what cannot be one, before any work
  check_response(options);
  if (data.input.response != response_of(options))
    throw ConfigError(
        fmt::format("the labels of the data were read as {}, not as {}",
                    data::response_name(data.input.response), data::response_name(response_of(options))),
        "loss");
  check_names(data.features);
  if (data.x.num_features == 0)
    log.warning({.kind = ErrorKind::input,
                 .message = "no row has a feature that is kept: only the classes' frequencies are learned",
                 .hint = "see --min-count",
                 .code = "no-features"});
  model::Shape shape = make_shape(data.x.num_features, data.classes, options);
  if (centers_columns(options)) shape.has_intercept = true;
  std::vector<FeatureId> common;
  if (!data.choice_ends.empty()) {
    check_choices(data, options);
    common = common_features(data, options, log);
    shape.has_intercept = false;  // it would be the same for all candidates
  }
  Prepared prepared{.shape = shape, .prior = make_prior_table(data, options, shape, {}, log)};
  prepared.rows = &data;
  if (options.prior == "uniform" && !common.empty()) {
    prepared.prior.make_per_coordinate();
    for (const FeatureId feature : common)
      prepared.prior.set(shape.index(feature, 0), prior::Uniform{}, 0, true);
  }
  prepared.num_examples = count_examples(data, data.weights.span());
  if (!data.choice_ends.empty()) prepared.num_examples = count_choices(data);
  if (!data.offsets.empty() && shape.response == data::Response::labels)
    throw ConfigError("offsets have no meaning with --multilabel, where every label has a score of its own",
                      "offset");
  if (!data.offsets.empty() && shape.response == data::Response::classes && data.classes.size() != 2)
    throw ConfigError(fmt::format("offsets need two classes; the data has {}", data.classes.size()),
                      "offset");
  prepared.class_weights =
      class_weights(options.class_weights, data.classes, data.labels.span(), data.weights.span());
  prepared.weights = weights_by_class(data.weights.span(), data.labels.span(), prepared.class_weights);
  if (!prepared.class_weights.empty()) prepared.num_examples = count_examples(data, prepared.weights);
  check_magnitudes(data, prepared.weights);
  if (scales_priors(options)) {
    const data::FeatureMoments moments = data::feature_moments(data.x, prepared.weights);
    check_small_columns(data, moments.deviations);
    scale_by_deviation(moments.deviations, shape, prepared.prior);
    prepared.centers = centers_of(options, shape, prepared.prior, moments);
  }
  if (!options.bounds.empty()) {
    data.features.build_index();
    prepared.bounds =
        load_bounds(options.bounds, coefficient_names(data, options, shape), prepared.prior, log);
  }
  return prepared;
}

Prepared prepare_check(const model::Model& model, const data::Rows& rows, Log& log) {
  Prepared prepared{.shape = model.shape, .prior = prior_of(model)};
  prepared.rows = &rows;
  prepared.centers = model.centers;
  prepared.class_weights = class_weights_of(model);
  prepared.weights.assign(rows.num_rows(), 1.0);
  if (!rows.weights.empty()) std::copy(rows.weights.begin(), rows.weights.end(), prepared.weights.begin());
  prepared.labels.assign(rows.labels.begin(), rows.labels.end());
  prepared.targets.assign(rows.targets.begin(), rows.targets.end());
  std::uint64_t unknown = 0;
  for (std::size_t j = 0; j < prepared.targets.size(); ++j)
    if (std::isnan(prepared.targets[j])) {
      ++unknown;
      prepared.targets[j] = prepared.weights[j] = 0;
    }
  for (std::size_t j = 0; j < prepared.labels.size(); ++j) {
    ClassId& label = prepared.labels[j];
    if (label == unknown_class) {
      ++unknown;
      label = 0;
      prepared.weights[j] = 0;
    } else if (!prepared.class_weights.empty()) {
      prepared.weights[j] *= prepared.class_weights[static_cast<std::size_t>(label)];
    }
  }
  double examples = 0;
  for (std::size_t j = 0; j < rows.num_rows(); ++j)
    if (prepared.weights[j] > 0) examples += rows_of(model.input, rows.weights.span(), j);
  prepared.num_examples = whole(examples);
  if (!rows.choice_ends.empty()) {
    if (unknown > 0) refuse_data("no-label", "rows have labels that the model does not know");
    check_sets(rows);
    prepared.num_examples = count_choices(rows);
  }
  if (unknown > 0)
    log.warning({.kind = ErrorKind::input,
                 .message = fmt::format("{} left out, whose label the model does not know",
                                        counted(unknown, "row") + " " + std::string(is_or_are(unknown)))});
  if (prepared.num_examples == 0)
    refuse_data("no-rows", "there are no rows with a label that the model knows");
  return prepared;
}

}  // namespace lazylogit::train
