#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/value.hpp"
#include "lazylogit/train/prior_covariance.hpp"
#include "lazylogit/train/prior_setup.hpp"

namespace lazylogit::train {
namespace {

using nlohmann::json;
constexpr double infinity = std::numeric_limits<double>::infinity();

// A prior as users write it: variance, scale, or l1 and l2.
struct Parameters {
  double a = 0, b = 0;
};

// The inverse of a conversion, as short as it can be said: 1 rather than 0.9999999999999998 when both convert
// to the same number.
template <class Convert>
double shortest_inverse(double estimate, double stored, const Convert& convert) {
  for (int digits = 1; digits < 17; ++digits) {
    const auto shorter = config::parse_real(fmt::format("{:.{}g}", estimate, digits));
    if (shorter && convert(*shorter) == stored) return *shorter;
  }
  return estimate;
}

Parameters parameters(const prior::AnyPrior& prior) {
  return std::visit(
      []<class P>(const P& p) -> Parameters {
        if constexpr (std::is_same_v<P, prior::Gaussian>)
          return {shortest_inverse(1 / p.precision, p.precision,
                                   [](double v) { return P::from_variance(v).precision; })};
        if constexpr (std::is_same_v<P, prior::Laplace>)
          return {shortest_inverse(2 / (p.l1 * p.l1), p.l1, [](double v) { return P::from_variance(v).l1; })};
        if constexpr (std::is_same_v<P, prior::Cauchy>)
          return {shortest_inverse(1 / std::sqrt(p.inverse_square), p.inverse_square,
                                   [](double v) { return P::from_scale(v).inverse_square; })};
        if constexpr (std::is_same_v<P, prior::ElasticNet>) return {p.l1, p.l2};
        return {infinity};
      },
      prior);
}

json number(double x) { return std::isinf(x) ? json("inf") : json(x); }

struct FamilyRecord {
  const char* name;
  const char* first;  // key of `a`; null: the family has no parameter
  const char* second;
  prior::AnyPrior (*make)(Parameters);
};

const FamilyRecord family_records[] = {
    {"uniform", nullptr, nullptr, [](Parameters) -> prior::AnyPrior { return prior::Uniform{}; }},
    {"gaussian", "variance", nullptr,
     [](Parameters p) -> prior::AnyPrior { return prior::Gaussian::from_variance(p.a); }},
    {"laplace", "variance", nullptr,
     [](Parameters p) -> prior::AnyPrior { return prior::Laplace::from_variance(p.a); }},
    {"cauchy", "scale", nullptr,
     [](Parameters p) -> prior::AnyPrior { return prior::Cauchy::from_scale(p.a); }},
    {"elastic-net", "l1", "l2",
     [](Parameters p) -> prior::AnyPrior {
       return prior::ElasticNet{p.a, p.b};
     }},
};

[[noreturn]] void bad_record(const std::string& what) {
  throw InputError({.kind = ErrorKind::input, .message = "the model's record of its prior " + what});
}

const FamilyRecord& find_record(const std::string& name) {
  for (const FamilyRecord& family : family_records)
    if (family.name == name) return family;
  bad_record("names the unknown family " + quote_text(name));
}

json parse_record(const model::Model& model) {
  json record = json::parse(model.record.prior_json, nullptr, false);
  if (!record.is_object() || !record.contains("family") || !record["family"].is_string())
    bad_record("is not an object with a family");
  return record;
}

double read_number(const json& record, const char* key) {
  if (!record.contains(key)) bad_record(std::string("lacks ") + key);
  const json& value = record[key];
  if (value.is_number() && value.get<double>() >= 0) return value.get<double>();
  if (value != "inf") bad_record(std::string("has no valid ") + key);
  return infinity;
}

}  // namespace

void record_prior(const prior::PriorTable& table, const std::vector<double>& class_weights,
                  model::Model& model) {
  const FamilyRecord& family = find_record(std::string(table.family()));
  json record{{"family", family.name}};
  const Parameters shared = parameters(table.shared_prior());
  if (family.first != nullptr) record[family.first] = number(shared.a);
  if (family.second != nullptr) record[family.second] = number(shared.b);
  record["per_coefficient"] = !table.shared();
  if (table.coupling() != nullptr) record["covariance_features"] = table.coupling()->group_size();
  if (table.shared()) record["penalizes_intercept"] = table.num_penalized() == table.size();
  if (!class_weights.empty()) record["class_weights"] = class_weights;
  model.record.prior_json = record.dump();
  model.prior_mean.clear();
  model.prior_a.clear();
  model.prior_b.clear();
  model.prior_covariance_rows.clear();
  model.prior_covariance.clear();
  if (const prior::Coupling* coupling = table.coupling()) {
    for (std::size_t k = 0; k < coupling->group_size(); ++k)
      model.prior_covariance_rows.push_back(coupling->coordinates()[k] / model.shape.stride());
    model.prior_covariance = coupling->covariance();
  }
  if (table.shared()) return;
  for (std::size_t i = 0; i < table.size(); ++i) {
    Parameters p = parameters(table.at(i));
    // Pinned: variance or scale 0; strengths ∞.
    if (table.pinned(i)) p = family.second != nullptr ? Parameters{infinity, infinity} : Parameters{};
    model.prior_mean.push_back(table.mean(i));
    model.prior_a.push_back(p.a);
    if (family.second != nullptr) model.prior_b.push_back(p.b);
  }
}

prior::PriorTable prior_of(const model::Model& model) {
  const json record = parse_record(model);
  const FamilyRecord& family = find_record(record["family"]);
  Parameters shared;
  if (family.first != nullptr) shared.a = read_number(record, family.first);
  if (family.second != nullptr) shared.b = read_number(record, family.second);
  const model::Shape& shape = model.shape;
  const bool says = record.contains("penalizes_intercept");
  if (says && !record["penalizes_intercept"].is_boolean())
    bad_record("does not say whether the intercept has one");
  const bool all = says && record["penalizes_intercept"].get<bool>();
  prior::PriorTable table(family.make(shared), all ? shape.size() : shape.num_features * shape.stride(),
                          shape.size());
  if (model.prior_mean.empty() && model.prior_covariance_rows.empty()) return table;
  const bool two = family.second != nullptr;
  if (model.prior_mean.size() != shape.size() || model.prior_a.size() != shape.size() ||
      model.prior_b.size() != (two ? shape.size() : 0))
    bad_record("does not have one entry per coefficient");
  table.make_per_coordinate();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const double a = model.prior_a[i], b = two ? model.prior_b[i] : 0;
    if (!(a >= 0) || !(b >= 0) || !std::isfinite(model.prior_mean[i])) bad_record("holds a negative number");
    const bool pinned = two ? std::isinf(a) || std::isinf(b) : a == 0;
    table.set(i, family.make(pinned ? Parameters{1, 1} : Parameters{a, b}), model.prior_mean[i], pinned);
  }
  if (model.prior_covariance_rows.empty()) return table;
  if (family.name != std::string_view(prior::Gaussian::name))
    bad_record("has a covariance of another family");
  auto coupling = make_coupling(shape, model.prior_covariance_rows, model.prior_covariance);
  if (!coupling) bad_record("has a covariance that is not positive definite");
  for (const std::size_t i : coupling->coordinates())
    if (table.pinned(i)) bad_record("has a covariance of a pinned coefficient");
  table.couple(std::move(*coupling));
  return table;
}

std::vector<double> class_weights_of(const model::Model& model) {
  const json record = parse_record(model);
  std::vector<double> factors;
  if (!record.contains("class_weights")) return factors;
  if (!record["class_weights"].is_array()) bad_record("has no valid class weights");
  for (const json& factor : record["class_weights"]) {
    if (!factor.is_number() || !(factor.get<double>() >= 0)) bad_record("has no valid class weights");
    factors.push_back(factor);
  }
  if (factors.size() != model.shape.num_classes) bad_record("does not have one weight per class");
  return factors;
}

}  // namespace lazylogit::train
