#include "lazylogit/model/training_record.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/named_value.hpp"

namespace lazylogit::model {
namespace {

using nlohmann::json;

constexpr std::array<Named<CertificateKind>, 3> certificate_kinds{
    {{CertificateKind::duality_gap, "duality-gap"},
     {CertificateKind::newton_decrement, "newton-decrement"},
     {CertificateKind::stationarity, "stationarity"}}};

Certificate parse_certificate(const json& object, const JsonPlace& place) {
  JsonFields fields(object, place);
  Certificate certificate;
  const std::string kind = fields.string("kind");
  bool known = false;
  for (const auto& row : certificate_kinds)
    if (kind == row.name) {
      certificate.kind = row.value;
      known = true;
    }
  if (!known) refuse_json(place, fmt::format("has an unknown kind of certificate {}", quote_text(kind)));
  certificate.error = fields.number("error");
  certificate.lower_bound = fields.optional_number("lower_bound");
  certificate.relative_gap = fields.optional_number("relative_gap");
  certificate.gradient_norm = fields.number("gradient_norm");
  certificate.min_curvature = fields.optional_number("min_curvature");
  certificate.worst_violation = fields.number("worst_violation");
  certificate.worst_feature = fields.string("worst_feature");
  certificate.worst_class = fields.string("worst_class");
  certificate.rounding = fields.number("rounding");
  fields.finish();
  return certificate;
}

}  // namespace

const char* certificate_kind_name(CertificateKind kind) {
  for (const auto& row : certificate_kinds)
    if (row.value == kind) return row.name;
  return "";
}

json certificate_to_json(const std::optional<Certificate>& certificate) {
  if (!certificate) return nullptr;
  const Certificate& c = *certificate;
  return {{"kind", certificate_kind_name(c.kind)},
          {"error", number_or_null(c.error)},
          {"lower_bound", number_or_null(c.lower_bound)},
          {"relative_gap", number_or_null(c.relative_gap)},
          {"gradient_norm", number_or_null(c.gradient_norm)},
          {"min_curvature", number_or_null(c.min_curvature)},
          {"worst_violation", number_or_null(c.worst_violation)},
          {"worst_feature", c.worst_feature},
          {"worst_class", c.worst_class},
          {"rounding", number_or_null(c.rounding)}};
}

std::string write_training_record(const TrainingRecord& record) {
  const json object{{"prior", record.prior},
                    {"optimizer", record.optimizer},
                    {"termination", record.termination},
                    {"termination_message", record.termination_message},
                    {"iterations", record.iterations},
                    {"passes", record.passes},
                    {"num_examples", record.num_examples},
                    {"log_likelihood", number_or_null(record.log_likelihood)},
                    {"penalty", number_or_null(record.penalty)},
                    {"log_prior", number_or_null(record.log_prior)},
                    {"certificate", certificate_to_json(record.certificate)},
                    {"options", json::parse(canonical_json(record.options_json))}};
  return object.dump();
}

TrainingRecord parse_training_record(std::string_view text, const JsonPlace& place) {
  const json document = parse_canonical_json(text, place);
  JsonFields fields(document, place);
  TrainingRecord record;
  record.prior = fields.string("prior");
  record.optimizer = fields.string("optimizer");
  record.termination = fields.string("termination");
  record.termination_message = fields.string("termination_message");
  record.iterations = fields.count("iterations");
  record.passes = fields.count("passes");
  record.num_examples = fields.count("num_examples");
  record.log_likelihood = fields.number("log_likelihood");
  record.penalty = fields.number("penalty");
  record.log_prior = fields.number("log_prior");
  if (const json& certificate = fields.value("certificate"); !certificate.is_null())
    record.certificate = parse_certificate(certificate, place);
  const json& options = fields.value("options");
  if (!options.is_object()) refuse_json(place, "has options that are not an object");
  record.options_json = options.dump();
  fields.finish();
  return record;
}

}  // namespace lazylogit::model
