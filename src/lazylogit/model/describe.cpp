#include "lazylogit/model/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/printable.hpp"
#include "lazylogit/data/kernel_map.hpp"
#include "lazylogit/model/coefficient_table.hpp"
#include "lazylogit/model/derived_record.hpp"
#include "lazylogit/model/input_record.hpp"
#include "lazylogit/model/kernel_record.hpp"
#include "lazylogit/model/posterior_record.hpp"
#include "lazylogit/model/training_record.hpp"

namespace lazylogit::model {
namespace {

using nlohmann::json;

// Collects small writes.
class Buffered {
 public:
  explicit Buffered(const TextSink& sink) : sink_(sink) {}
  void operator()(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= 64 << 10) flush();
  }
  void flush() {
    if (!buffer_.empty()) sink_(buffer_);
    buffer_.clear();
  }

 private:
  const TextSink& sink_;
  std::string buffer_;
};

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string json_string(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

// Calls body(class, feature, coefficient) for every coefficient, in the order of this file's output.
template <class Body>
void for_each_coefficient(const Model& model, Body&& body) {
  const Shape& shape = model.shape;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    for (std::size_t f = 0; f < shape.num_rows(); ++f)
      body(shape.class_of(v), f, model.coefficients[shape.index(f, v)]);
}

// "0.1 to 3", or one number where all features have the same; empty where there is none per coefficient.
std::string range_of(const Shape& shape, const std::vector<double>& parameters) {
  if (parameters.empty() || shape.num_features == 0) return {};
  double low = parameters[0], high = low;
  for (std::size_t f = 0; f < shape.num_features; ++f)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      low = std::min(low, parameters[shape.index(f, v)]);
      high = std::max(high, parameters[shape.index(f, v)]);
    }
  return low == high ? fmt::format("{:.6g}", low) : fmt::format("{:.6g} to {:.6g}", low, high);
}

std::string describe_prior(const Model& model) {
  const TrainingRecord& record = model.record;
  const json parameters = json::parse(record.prior_json.empty() ? "{}" : record.prior_json, nullptr, false);
  std::string text = record.prior;
  if (!parameters.is_object()) return text;
  for (const auto& [key, value] : parameters.items()) {
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', ' ');
    const bool first = key == "variance" || key == "scale" || key == "l1", second = key == "l2";
    const std::string range = first    ? range_of(model.shape, model.prior_a)
                              : second ? range_of(model.shape, model.prior_b)
                                       : std::string();
    if (!range.empty())
      text += fmt::format(", {} {}", name, range);
    else if (value.is_number())
      text += fmt::format(", {} {:.6g}", name, value.get<double>());
    if (value.is_boolean() && value.get<bool>()) text += ", " + name;
  }
  return text;
}

std::string describe_kernel(const data::KernelMap& map) {
  std::string text = data::kernel_name(map.kernel.family);
  if (map.kernel.family == data::KernelFamily::gaussian)
    text += fmt::format(" of width {:.6g}", map.kernel.width);
  if (map.kernel.family == data::KernelFamily::polynomial)
    text += fmt::format(" of degree {}", map.kernel.degree);
  text += map.form == data::KernelForm::fourier ? fmt::format(", {} random waves", map.waves)
                                                : " with " + counted(map.kept.num_rows(), "training row");
  text += "; " + counted(map.num_inputs, "feature");
  if (!map.scale.empty()) text += map.center.empty() ? ", scaled" : ", centred and scaled";
  return text;
}

std::string describe_input(const data::InputSpec& input) {
  const json record = json::parse(write_input_record(input));
  std::string text = record["kind"].get<std::string>();
  text = text.substr(0, text.find('-'));
  if (!input.target.empty()) text += fmt::format(", label in {}", input.target);
  if (!input.columns.empty()) text += ", " + counted(input.columns.size(), "column");
  if (input.hash_bits) text += ", hashed to " + counted(static_cast<std::uint64_t>(*input.hash_bits), "bit");
  if (input.kind == data::InputKind::text || input.text.ngrams > 1)
    text += fmt::format(", {}-grams", input.text.ngrams);
  if (input.text.lowercase) text += ", lower case";
  if (input.text.tfidf) text += ", tf-idf";
  return text;
}

// What a posterior with a mean of its own says about a coefficient besides its standard error.
std::string distribution_json(const Model& model, std::size_t coordinate) {
  const PosteriorApproximation& posterior = *model.posterior;
  if (!has_mean(posterior.kind)) return {};
  const Interval interval = credible_interval(model, coordinate, 0.95);
  std::string text = fmt::format(",\"mean\":{},\"lower\":{},\"upper\":{}", posterior.mean[coordinate],
                                 interval.lower, interval.upper);
  if (posterior.kind != PosteriorKind::samples) return text;
  const ChainDiagnostics chains = diagnose(posterior, coordinate);
  return text + (std::isfinite(chains.rhat) ? fmt::format(",\"rhat\":{},\"ess\":{}", chains.rhat, chains.ess)
                                            : ",\"rhat\":null,\"ess\":null");
}

}  // namespace

std::size_t count_nonzero(const Model& model) {
  const std::size_t end = model.shape.num_features * model.shape.stride();  // padding is zero
  return static_cast<std::size_t>(std::count_if(model.coefficients.begin(),
                                                model.coefficients.begin() + static_cast<std::ptrdiff_t>(end),
                                                [](double b) { return b != 0; }));
}

void write_coefficients_csv(const Model& model, const TextSink& sink) {
  Buffered out(sink);
  out(model.posterior ? "class,feature,coefficient,std_error\n" : "class,feature,coefficient\n");
  for_each_coefficient(model, [&](ClassId c, std::size_t feature, double b) {
    out(fmt::format("{},{},{:.17g}", csv_field(model.classes.label(c)),
                    csv_field(model.feature_name(feature)), b));
    if (model.posterior) {
      const auto error = standard_error(model, model.shape.index(feature, *model.shape.vector_of(c)));
      out(error ? fmt::format(",{:.17g}", *error) : ",");
    }
    out("\n");
  });
  out.flush();
}

void write_model_json(const Model& model, const TextSink& sink) {
  const TrainingRecord& record = model.record;
  const Shape& shape = model.shape;
  json object{{"classes", model.classes.labels()},
              {"reference", shape.reference ? json(model.classes.label(*shape.reference)) : json(nullptr)},
              {"num_features", shape.num_features},
              {"num_nonzero", count_nonzero(model)},
              {"num_examples", record.num_examples},
              {"intercept", shape.has_intercept},
              {"prior", record.prior},
              {"prior_parameters", json::parse(canonical_json(record.prior_json))},
              {"optimizer", record.optimizer},
              {"termination", record.termination},
              {"termination_message", record.termination_message},
              {"iterations", record.iterations},
              {"passes", record.passes},
              {"log_likelihood", number_or_null(record.log_likelihood)},
              {"penalty", number_or_null(record.penalty)},
              {"error", number_or_null(record.error())},
              {"log_prior", number_or_null(record.log_prior)},
              {"certificate", certificate_to_json(record.certificate)},
              {"options", json::parse(canonical_json(record.options_json))},
              {"input", json::parse(write_input_record(model.input))}};
  if (model.kernel != nullptr) object["kernel"] = json::parse(write_kernel_record(*model.kernel));
  if (shape.response != data::Response::classes) object["response"] = data::response_name(shape.response);
  if (const auto& posterior = model.posterior) {
    object["posterior"] = posterior_kind_name(posterior->kind);
    object["log_evidence"] = number_or_null(posterior->log_evidence);
    object["log_evidence_error"] = number_or_null(posterior->log_evidence_error);
    if (posterior->noise_variance > 0) object["noise_variance"] = posterior->noise_variance;
    object["bic"] = number_or_null(posterior->bic);
    object["aic"] = number_or_null(posterior->aic);
    object["effective_parameters"] = number_or_null(posterior->effective_parameters);
    if (posterior->kind == PosteriorKind::samples)
      object["sampling"] = json::parse(write_posterior_record(*posterior))["sampling"];
  }
  std::string head = object.dump();
  head.pop_back();  // the closing brace: the coefficients follow
  Buffered out(sink);
  out(head);
  out(",\"coefficients\":[");
  const char* separator = "";
  for_each_coefficient(model, [&](ClassId c, std::size_t feature, double b) {
    out(fmt::format("{}{{\"class\":{},\"feature\":{},\"coefficient\":{}", separator,
                    json_string(model.classes.label(c)), json_string(model.feature_name(feature)), b));
    if (model.posterior) {
      const auto error = standard_error(model, model.shape.index(feature, *model.shape.vector_of(c)));
      out(error ? fmt::format(",\"std_error\":{}", *error) : ",\"std_error\":null");
      out(distribution_json(model, shape.index(feature, *shape.vector_of(c))));
    }
    out("}");
    separator = ",";
  });
  out("]}\n");
  out.flush();
}

std::string describe_certificate(const std::optional<Certificate>& certificate) {
  if (!certificate) return "none";
  const Certificate& c = *certificate;
  std::string text;
  if (c.relative_gap && c.lower_bound)
    text = fmt::format("relative gap {:.2g}: error - optimum <= {:.3g} ({})", *c.relative_gap,
                       c.error - *c.lower_bound,
                       c.kind == CertificateKind::duality_gap ? "duality gap" : "Newton decrement");
  else
    text = fmt::format("stationarity only: largest gradient component {:.3g}", c.gradient_norm);
  if (c.min_curvature) text += fmt::format(", smallest curvature {:.3g}", *c.min_curvature);
  if (!c.worst_feature.empty())
    text += fmt::format("; worst expectation constraint off by {:.2g} ({}, {})", c.worst_violation,
                        printable(c.worst_feature), printable(c.worst_class));
  return text;
}

std::string describe_model(const Model& model, std::size_t top, const std::vector<ClassId>& chosen) {
  const TrainingRecord& record = model.record;
  const Shape& shape = model.shape;
  constexpr std::size_t max_listed = 12;
  std::string classes;
  for (std::size_t c = 0; c < std::min(max_listed, shape.num_classes); ++c)
    classes += (c > 0 ? ", " : "") + printable(model.classes.label(static_cast<ClassId>(c)));
  if (shape.num_classes > max_listed) classes += fmt::format(" and {} more", shape.num_classes - max_listed);

  std::string text;
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("{:<14}{}\n", what, value);
  };
  switch (shape.response) {
    case data::Response::number:
      line("predicts", "a number, " + classes);
      break;
    case data::Response::labels:
      line("labels", fmt::format("{}, any number of them in a row: {}", shape.num_classes, classes));
      break;
    case data::Response::classes:
      line("classes", fmt::format("{}: {}", shape.num_classes, classes));
      line("reference", shape.reference ? printable(model.classes.label(*shape.reference))
                                        : "none (a vector for each class)");
      break;
  }
  line("features",
       fmt::format("{}, {}{}", shape.num_features, counted(count_nonzero(model), "non-zero coefficient"),
                   shape.has_intercept ? ", intercept" : ", no intercept"));
  line("input", describe_input(model.input));
  if (!model.input.derived.empty()) line("derived", describe_derived(model.input.derived));
  if (model.kernel != nullptr) line("kernel", describe_kernel(*model.kernel));
  line("prior", describe_prior(model));
  line("trained", fmt::format("{} on {}: {} after {}, {}", record.optimizer,
                              counted(record.num_examples, "example"), record.termination,
                              counted(record.iterations, "iteration"), counted(record.passes, "pass")));
  if (!record.termination_message.empty()) line("", record.termination_message);
  line("error",
       fmt::format(
           "{:.10g} = {:.10g} ({}) + {:.10g} (penalty)", record.error(), -record.log_likelihood,
           shape.response == data::Response::number ? "half the sum of squared errors" : "-log likelihood",
           record.penalty));
  line("certificate", describe_certificate(record.certificate));
  if (model.posterior) line("posterior", describe_posterior(*model.posterior));
  if (!chosen.empty()) {
    for (const ClassId c : chosen) {
      if (const auto vector = shape.vector_of(c))
        text += coefficient_table(model, *vector, top);
      else
        text += fmt::format("\n{} is the reference: its score is 0\n", printable(model.classes.label(c)));
    }
    return text;
  }
  constexpr std::size_t max_shown = 10;
  const std::size_t shown = std::min(max_shown, shape.num_vectors());
  for (std::size_t v = 0; v < shown; ++v) text += coefficient_table(model, v, top);
  if (shape.num_vectors() > shown)
    text += fmt::format("\n{} more {}\n", shape.num_vectors() - shown,
                        shape.response == data::Response::labels ? "labels" : "classes");
  return text;
}

}  // namespace lazylogit::model
