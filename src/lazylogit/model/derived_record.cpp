#include "lazylogit/model/derived_record.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/printable.hpp"

namespace lazylogit::model {
namespace {

using nlohmann::json;

constexpr std::pair<data::RowNorm, const char*> norms[] = {{data::RowNorm::none, "none"},
                                                           {data::RowNorm::l1, "l1"},
                                                           {data::RowNorm::l2, "l2"},
                                                           {data::RowNorm::max, "max"}};

data::RowNorm norm_called(const std::string& name, const JsonPlace& place) {
  for (const auto& [norm, known] : norms)
    if (name == known) return norm;
  refuse_json(place, fmt::format("has an unknown norm {}", quote_text(name)));
}

data::BinSpec parse_bins(const json& object, const JsonPlace& place) {
  JsonFields fields(object, place);
  data::BinSpec bins;
  bins.column = fields.string("column");
  const json& edges = fields.value("edges");
  if (!edges.is_array()) refuse_json(place, "has edges of bins that are not a list");
  for (const json& edge : edges) {
    if (!edge.is_number()) refuse_json(place, "has an edge of a bin that is no number");
    const double value = edge.get<double>();
    if (!std::isfinite(value) || (!bins.edges.empty() && value <= bins.edges.back()))
      refuse_json(place, "has edges of bins that do not ascend");
    bins.edges.push_back(value);
  }
  if (fields.has("drop_first")) bins.drop_first = fields.flag("drop_first");
  fields.finish();
  return bins;
}

std::vector<std::vector<std::string>> parse_products(const json& list, const JsonPlace& place) {
  constexpr std::size_t most_factors = 6;
  if (!list.is_array()) refuse_json(place, "has interactions that are not a list");
  std::vector<std::vector<std::string>> products;
  for (const json& operands : list) {
    if (!operands.is_array() || operands.size() < 2 || operands.size() > most_factors)
      refuse_json(place, "has an interaction that is not a list of two to six names");
    std::vector<std::string>& product = products.emplace_back();
    for (const json& operand : operands) {
      if (!operand.is_string()) refuse_json(place, "has an interaction of something that is no name");
      product.push_back(operand.get<std::string>());
    }
  }
  return products;
}

}  // namespace

std::string write_derived_record(const data::DerivedSpec& derived) {
  json object = json::object();
  if (!derived.logs.empty()) object["log"] = derived.logs;
  if (!derived.log1ps.empty()) object["log1p"] = derived.log1ps;
  if (!derived.interactions.empty()) object["interactions"] = derived.interactions;
  if (derived.polynomial > 1) object["polynomial"] = derived.polynomial;
  if (derived.num_base > 0) object["num_base"] = derived.num_base;
  for (const auto& [norm, name] : norms)
    if (norm == derived.normalize && norm != data::RowNorm::none) object["normalize"] = name;
  if (!derived.bins.empty()) object["bins"] = json::array();
  for (const data::BinSpec& bins : derived.bins) {
    json entry{{"column", bins.column}, {"edges", bins.edges}};
    if (bins.drop_first) entry["drop_first"] = true;
    object["bins"].push_back(std::move(entry));
  }
  return object.dump();
}

std::string describe_derived(const data::DerivedSpec& derived) {
  std::vector<std::string> parts;
  for (const auto& operands : derived.interactions)
    parts.push_back(printable(fmt::format("{}", fmt::join(operands, "*"))));
  if (derived.polynomial > 1) parts.push_back(fmt::format("products to degree {}", derived.polynomial));
  for (const std::string& name : derived.logs) parts.push_back(printable(fmt::format("log({})", name)));
  for (const std::string& name : derived.log1ps) parts.push_back(printable(fmt::format("log1p({})", name)));
  for (const data::BinSpec& bins : derived.bins)
    parts.push_back(printable(fmt::format("{} bins of {}", bins.edges.size() + 1, bins.column)));
  for (const auto& [norm, name] : norms)
    if (norm == derived.normalize && norm != data::RowNorm::none)
      parts.push_back(fmt::format("rows of {} norm 1", name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

data::DerivedSpec parse_derived_record(std::string_view text, const JsonPlace& place) {
  const json document = parse_canonical_json(text, place);
  JsonFields fields(document, place);
  data::DerivedSpec derived;
  if (fields.has("log")) derived.logs = fields.strings("log");
  if (fields.has("log1p")) derived.log1ps = fields.strings("log1p");
  if (fields.has("interactions")) derived.interactions = parse_products(fields.value("interactions"), place);
  if (fields.has("polynomial")) {
    const std::int64_t degree = fields.integer("polynomial");
    if (degree < 2 || degree > 8) refuse_json(place, "has a polynomial of a degree outside 2 to 8");
    derived.polynomial = static_cast<int>(degree);
  }
  if (fields.has("num_base")) {
    const std::int64_t count = fields.integer("num_base");
    if (count < 1) refuse_json(place, "has a number of base features below 1");
    derived.num_base = static_cast<std::uint64_t>(count);
  }
  if (fields.has("normalize")) derived.normalize = norm_called(fields.string("normalize"), place);
  if (fields.has("bins")) {
    const json& list = fields.value("bins");
    if (!list.is_array()) refuse_json(place, "has bins that are not a list");
    for (const json& bins : list) derived.bins.push_back(parse_bins(bins, place));
  }
  fields.finish();
  return derived;
}

}  // namespace lazylogit::model
