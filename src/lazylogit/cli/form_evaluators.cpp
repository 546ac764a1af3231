#include "lazylogit/cli/form_evaluators.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lazylogit/cli/predictive_options.hpp"

namespace lazylogit::cli {

FormEvaluators::FormEvaluators(const model::Predictor& predictor, const bayes::PredictiveSettings& chosen)
    : num_classes_(predictor.num_classes()) {
  for (const PredictiveName& row : predictive_names()) {
    const bool is_chosen = row.form == chosen.form;
    if (!is_chosen && !predictor.model().posterior) continue;
    if (is_chosen) chosen_ = forms_.size();
    Form form;
    form.name = row.name;
    form.costly = !is_chosen && row.form == bayes::PredictiveForm::monte_carlo;
    if (row.form == bayes::PredictiveForm::plug_in) {
      form.evaluator = std::make_unique<eval::Evaluator>(predictor);
    } else {
      bayes::PredictiveSettings settings = chosen;
      settings.form = row.form;
      form.predictor = std::make_unique<bayes::PosteriorPredictor>(predictor, settings);
      form.evaluator = std::make_unique<eval::Evaluator>(
          predictor.num_classes(),
          [used = form.predictor.get()](const data::Rows& rows, model::RowInterval interval,
                                        model::Predictions& out) {
            used->predict(rows, interval, model::Predictor::Detail::probabilities, out);
          });
    }
    forms_.push_back(std::move(form));
  }
}

void FormEvaluators::add(const data::Rows& rows) {
  constexpr std::size_t most_probabilities = 200'000;
  num_probabilities_ += rows.num_rows() * num_classes_;
  // The chosen form stands before a costly one, or is none: its place stays.
  if (num_probabilities_ > most_probabilities)
    std::erase_if(forms_, [](const Form& form) { return form.costly; });
  for (Form& form : forms_) form.evaluator->add(rows);
}

void FormEvaluators::finish() {
  for (Form& form : forms_) form.result = form.evaluator->finish();
}

std::string FormEvaluators::forms_text() const {
  if (forms_.size() < 2) return {};
  const auto show = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6f}", *value) : std::string("-");
  };
  std::string text =
      fmt::format("\n{:<14}{:>12}{:>12}{:>20}\n", "predictive", "log loss", "Brier", "calibration error");
  for (const Form& form : forms_)
    text += fmt::format("{:<14}{:>12}{:>12}{:>20}\n", form.name, show(form.result.log_loss),
                        show(form.result.brier), show(form.result.expected_calibration_error));
  return text;
}

std::string FormEvaluators::with_forms_json(const std::string& report) const {
  if (forms_.size() < 2) return report;
  using Json = nlohmann::ordered_json;
  Json document = Json::parse(report);
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  document["predictive"] = Json::object();
  for (const Form& form : forms_)
    document["predictive"][form.name] = {
        {"log_loss", number(form.result.log_loss)},
        {"brier", number(form.result.brier)},
        {"expected_calibration_error", number(form.result.expected_calibration_error)}};
  return document.dump() + "\n";
}

}  // namespace lazylogit::cli
