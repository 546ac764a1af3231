#include "insight.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "interruptible.hpp"
#include "lazylogit/bayes/noise.hpp"
#include "lazylogit/model/describe.hpp"
#include "lazylogit/model/explain.hpp"
#include "lazylogit/model/kernel_coordinates.hpp"
#include "lazylogit/train/outliers.hpp"

namespace nb = nanobind;

namespace lazylogit::python {
namespace {

template <class Value>
struct Named {
  const char* name;
  Value value;
};

constexpr Named<bayes::PredictiveForm> forms[] = {{"plug-in", bayes::PredictiveForm::plug_in},
                                                  {"probit", bayes::PredictiveForm::probit},
                                                  {"monte-carlo", bayes::PredictiveForm::monte_carlo}};
constexpr Named<train::LeaveOutMethod> methods[] = {{"approximate", train::LeaveOutMethod::approximate},
                                                    {"exact", train::LeaveOutMethod::exact},
                                                    {"folds", train::LeaveOutMethod::folds}};

template <class Value, std::size_t n>
Value find(const Named<Value> (&list)[n], const std::string& name, const char* option) {
  std::string known;
  for (const auto& row : list) {
    if (name == row.name) return row.value;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw ConfigError("found " + quote_text(name) + ", expected " + known, option);
}

}  // namespace

bayes::PredictiveForm predictive_form(const std::string& name) { return find(forms, name, "predictive"); }

nb::object predictive_of(const Fitted& fitted, const Table& table,
                         const bayes::PredictiveSettings& settings) {
  if (fitted.model.shape.response != data::Response::classes)
    throw ConfigError("intervals are of the probabilities of classes, which the model does not have");
  if (!fitted.model.posterior)
    throw ConfigError("the model keeps no posterior", "posterior",
                      "fit with posterior='full' or another kind");
  if (!(settings.level > 0 && settings.level < 1))
    throw ConfigError("expected a probability between 0 and 1", "level");
  const ScoredRows scored(fitted.model, table.data);
  const data::Rows& rows = scored.rows();
  const model::Predictor predictor(fitted.model);
  const std::size_t classes = predictor.num_classes();
  double *p = nullptr, *lower = nullptr, *upper = nullptr;
  Owned probabilities = new_array({rows.num_rows(), classes}, p);
  std::optional<Owned> from, to;
  if (settings.intervals) {
    from = new_array({rows.num_rows(), classes}, lower);
    to = new_array({rows.num_rows(), classes}, upper);
  }
  run_interruptibly([&](const CancelToken& cancel) {
    const bayes::PosteriorPredictor posterior(predictor, settings);
    constexpr std::size_t rows_at_once = 4096;
    model::Predictions out;
    for (std::size_t first = 0; first < rows.num_rows(); first += rows_at_once) {
      cancel.throw_if_cancelled();
      const std::size_t last = std::min(first + rows_at_once, rows.num_rows());
      posterior.predict(rows, {first, last}, model::Predictor::Detail::probabilities, out);
      p = std::copy(out.probabilities.begin(), out.probabilities.end(), p);
      if (!settings.intervals) continue;
      lower = std::copy(out.class_lower.begin(), out.class_lower.end(), lower);
      upper = std::copy(out.class_upper.begin(), out.class_upper.end(), upper);
    }
  });
  if (!settings.intervals) return nb::cast(probabilities);
  return nb::make_tuple(probabilities, *from, *to);
}

nb::tuple number_bounds_of(const Fitted& fitted, const Table& table, double level) {
  if (!fitted.model.posterior || fitted.model.shape.response != data::Response::number)
    throw ConfigError("the model keeps no posterior of numbers", "posterior", "fit with posterior='full'");
  if (!(level > 0 && level < 1)) throw ConfigError("expected a probability between 0 and 1", "level");
  const ScoredRows scored(fitted.model, table.data);
  model::Predictions out;
  run_interruptibly([&](const CancelToken&) {
    model::Predictor(fitted.model).predict(scored.rows(), model::Predictor::Detail::decisions, out);
    bayes::number_bounds(fitted.model, scored.rows(), level, out);
  });
  double *lower = nullptr, *upper = nullptr;
  Owned from = new_array({out.lower.size()}, lower), to = new_array({out.upper.size()}, upper);
  std::copy(out.lower.begin(), out.lower.end(), lower);
  std::copy(out.upper.begin(), out.upper.end(), upper);
  return nb::make_tuple(from, to);
}

nb::list explanations_of(const Fitted& fitted, const Table& table, std::size_t top) {
  nb::list list;
  if (fitted.model.shape.response != data::Response::classes)
    throw ConfigError("explanations are of classes, which the model does not have");
  const ScoredRows scored(fitted.model, table.data);
  for (std::size_t row = 0; row < table.data.num_rows(); ++row) {
    const model::Explanation why = model::explain_row(fitted.model, scored.rows(), row, top);
    nb::list parts;
    for (const model::Contribution& part : why.contributions)
      parts.append(nb::make_tuple(fitted.model.feature_name(part.feature), part.value, part.contribution));
    list.append(nb::make_tuple(why.best, why.rival, why.margin, parts));
  }
  return list;
}

nb::dict outliers_of(const Fitted& fitted, const Table& table, const Labelled* y, const std::string& method,
                     std::size_t folds, std::uint64_t seed) {
  if (fitted.model.shape.response != data::Response::classes)
    throw ConfigError("outliers are rows whose class is improbable; the model has no classes");
  data::Dataset data = dataset_over(table, y);
  if (data.labels.size() != data.num_rows()) throw std::invalid_argument("the rows have no labels");
  // The model's numbers of the classes.
  for (ClassId& label : data.labels) {
    if (label == unknown_class) continue;
    label = fitted.model.classes.find(data.classes.label(label));
  }
  const train::OutlierSettings settings{find(methods, method, "method"), folds, seed};
  std::vector<bayes::LeftOut> rows;
  std::vector<std::size_t> ranking;
  Messages messages;
  run_interruptibly([&](const CancelToken& cancel) {
    const model::Model model = model::in_training_coordinates(fitted.model);
    const ScoredRows scored(model, data);
    const train::Outliers found(model, scored.rows(), settings, messages, cancel);
    rows = found.rows();
    ranking = found.ranking();
  });
  double *row = nullptr, *probability = nullptr, *in_sample = nullptr, *influence = nullptr, *label = nullptr;
  nb::dict dict;
  const std::size_t count = ranking.size();
  dict["row"] = new_array({count}, row);
  dict["label"] = new_array({count}, label);
  dict["probability"] = new_array({count}, probability);
  dict["in_sample"] = new_array({count}, in_sample);
  dict["influence"] = new_array({count}, influence);
  for (const std::size_t j : ranking) {
    *row++ = static_cast<double>(j);
    *label++ = static_cast<double>(data.labels[j]);
    *probability++ = std::exp(rows[j].log_probability);
    *in_sample++ = std::exp(rows[j].in_sample);
    *influence++ = rows[j].influence;
  }
  nb::list warnings;
  for (const std::string& text : messages.warnings) warnings.append(text);
  dict["warnings"] = warnings;
  return dict;
}

std::string json_of(const Fitted& fitted) {
  std::string text;
  model::write_model_json(fitted.model, [&](std::string_view part) { text += part; });
  return text;
}

}  // namespace lazylogit::python
