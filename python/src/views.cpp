#include "views.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/model/coefficient_table.hpp"
#include "lazylogit/model/predictor.hpp"

namespace nb = nanobind;

namespace lazylogit::python {
namespace {

template <class At>
Owned table_of(const model::Shape& shape, bool intercepts, const At& at) {
  double* out = nullptr;
  const std::size_t columns = intercepts ? 1 : shape.num_features;
  Owned array = new_array({shape.num_vectors(), columns}, out);
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    for (std::size_t i = 0; i < columns; ++i)
      *out++ =
          intercepts ? (shape.has_intercept ? at(shape.intercept_index(v)) : 0.0) : at(shape.index(i, v));
  return array;
}

nb::object number(const std::optional<double>& value) { return value ? nb::cast(*value) : nb::none(); }

}  // namespace

Owned new_array(std::initializer_list<std::size_t> shape, double*& data) {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  data = new double[std::max<std::size_t>(1, size)];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Owned(data, shape.size(), shape.begin(), owner);
}

Owned coefficients_of(const model::Model& model, bool intercepts) {
  return table_of(model.shape, intercepts, [&](std::size_t i) { return model.coefficients[i]; });
}

Owned standard_errors_of(const model::Model& model, bool intercepts) {
  if (!model.posterior) throw ConfigError("the model keeps no posterior", "posterior");
  return table_of(model.shape, intercepts,
                  [&](std::size_t i) { return std::sqrt(model.posterior->variance[i]); });
}

nb::tuple intervals_of(const Fitted& fitted, double level) {
  const model::Model& model = fitted.model;
  if (!model.posterior) throw ConfigError("the model keeps no posterior", "posterior");
  if (!(level > 0 && level < 1)) throw ConfigError("expected a probability between 0 and 1", "level");
  const model::Shape& shape = model.shape;
  double *lower = nullptr, *upper = nullptr;
  Owned from = new_array({shape.num_vectors(), shape.num_rows()}, lower),
        to = new_array({shape.num_vectors(), shape.num_rows()}, upper);
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    for (std::size_t i = 0; i < shape.num_rows(); ++i) {
      const model::Interval interval = model::credible_interval(model, shape.index(i, v), level);
      *lower++ = interval.lower;
      *upper++ = interval.upper;
    }
  return nb::make_tuple(from, to);
}

// Scores, in the order of the model's classes; the reference's are 0.
Owned scores_of(const Fitted& fitted, const Table& table) {
  const ScoredRows scored(fitted.model, table.data);
  const data::Rows& rows = scored.rows();
  const model::Predictor predictor(fitted.model);
  double* out = nullptr;
  Owned array = new_array({rows.num_rows(), predictor.num_classes()}, out);
  const nb::gil_scoped_release release;
  predictor.scores(rows, {out, rows.num_rows() * predictor.num_classes()});
  return array;
}

Owned probabilities_of(const Fitted& fitted, const Table& table) {
  const ScoredRows scored(fitted.model, table.data);
  const data::Rows& rows = scored.rows();
  const model::Predictor predictor(fitted.model);
  double* out = nullptr;
  Owned array = new_array({rows.num_rows(), predictor.num_classes()}, out);
  const nb::gil_scoped_release release;
  if (predictor.has_probabilities()) {
    constexpr std::size_t few = 1024;
    const std::size_t classes = predictor.num_classes();
    parallel_blocks(num_blocks_of(rows.num_rows(), few), [&](std::size_t block) {
      const std::size_t first = block * few, last = std::min(first + few, rows.num_rows());
      predictor.probabilities(rows, {first, last}, out + classes * first);
    });
    return array;
  }
  constexpr std::size_t rows_at_once = std::size_t{1} << 16;
  model::Predictions predictions;
  for (std::size_t from = 0; from < rows.num_rows(); from += rows_at_once) {
    const std::size_t to = std::min(from + rows_at_once, rows.num_rows());
    predictor.predict(rows, {from, to}, model::Predictor::Detail::probabilities, predictions);
    out = std::copy(predictions.probabilities.begin(), predictions.probabilities.end(), out);
  }
  return array;
}

nb::dict record_of(const Fitted& fitted) {
  const model::TrainingRecord& record = fitted.model.record;
  nb::dict dict;
  dict["prior"] = record.prior;
  dict["optimizer"] = record.optimizer;
  dict["termination"] = record.termination;
  dict["message"] = record.termination_message;
  dict["iterations"] = record.iterations;
  dict["passes"] = record.passes;
  dict["num_examples"] = record.num_examples;
  dict["log_likelihood"] = record.log_likelihood;
  dict["penalty"] = record.penalty;
  dict["error"] = record.error();
  dict["options"] = record.options_json;
  nb::object certificate = nb::none();
  if (record.certificate) {
    nb::dict c;
    c["relative_gap"] = number(record.certificate->relative_gap);
    c["lower_bound"] = number(record.certificate->lower_bound);
    c["error"] = record.certificate->error;
    c["gradient_norm"] = record.certificate->gradient_norm;
    c["worst_feature"] = record.certificate->worst_feature;
    c["worst_class"] = record.certificate->worst_class;
    c["worst_violation"] = record.certificate->worst_violation;
    certificate = std::move(c);
  }
  dict["certificate"] = certificate;
  if (fitted.model.posterior) {
    dict["log_evidence"] = number(fitted.model.posterior->log_evidence);
    dict["bic"] = fitted.model.posterior->bic;
    dict["aic"] = fitted.model.posterior->aic;
    dict["effective_parameters"] = fitted.model.posterior->effective_parameters;
  }
  return dict;
}

nb::list trace_of(const Fitted& fitted) {
  nb::list list;
  for (const optim::PassReport& pass : fitted.trace) {
    nb::dict dict;
    dict["passes"] = pass.pass;
    dict["error"] = pass.error;
    dict["relative_gap"] = pass.relative_gap;
    dict["gradient_norm"] = pass.gradient_norm;
    dict["learning_rate"] = pass.learning_rate;
    dict["holdout_log_loss"] = pass.holdout_log_loss;
    dict["seconds"] = pass.seconds;
    list.append(dict);
  }
  return list;
}

nb::object tuning_of(const Fitted& fitted) {
  if (!fitted.tuning) return nb::none();
  nb::dict dict;
  nb::list points;
  for (const train::TunePoint& point : fitted.tuning->points) {
    nb::dict p;
    p["value"] = point.value;
    p["log_loss"] = point.log_loss;
    p["log_loss_error"] = point.log_loss_error;
    p["accuracy"] = point.accuracy;
    p["fold_log_loss"] = point.fold_log_loss;
    p["fold_accuracy"] = point.fold_accuracy;
    p["log_evidence"] = number(point.log_evidence);
    p["features"] = point.features ? nb::cast(*point.features) : nb::none();
    points.append(p);
  }
  dict["option"] = fitted.tuning->option;
  dict["points"] = points;
  dict["best"] = fitted.tuning->best;
  dict["chosen"] = fitted.tuning->chosen;
  return dict;
}

}  // namespace lazylogit::python
