#include "lazylogit/model/input_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/derived_record.hpp"
#include "lazylogit/model/named_value.hpp"

namespace lazylogit::model {
namespace {

using nlohmann::json;

constexpr std::array<Named<data::InputKind>, 4> kinds{{{data::InputKind::indexed, "indexed"},
                                                       {data::InputKind::named, "named"},
                                                       {data::InputKind::columns, "columns"},
                                                       {data::InputKind::text, "text"}}};
constexpr std::array<Named<data::ColumnType>, 4> types{{{data::ColumnType::numeric, "numeric"},
                                                        {data::ColumnType::categorical, "categorical"},
                                                        {data::ColumnType::text, "text"},
                                                        {data::ColumnType::sparse, "sparse"}}};
constexpr std::array<Named<data::MissingPolicy>, 3> policies{{{data::MissingPolicy::impute, "impute"},
                                                              {data::MissingPolicy::error, "error"},
                                                              {data::MissingPolicy::drop_row, "drop-row"}}};

template <class Enum, std::size_t N>
const char* name_of(const std::array<Named<Enum>, N>& list, Enum value) {
  for (const auto& row : list)
    if (row.value == value) return row.name;
  throw std::logic_error("a value of the input specification has no name");
}

template <class Enum, std::size_t N>
Enum value_of(const std::array<Named<Enum>, N>& list, const std::string& name, const char* key,
              const JsonPlace& place) {
  for (const auto& row : list)
    if (name == row.name) return row.value;
  refuse_json(place, fmt::format("has an unknown \"{}\" {}", key, quote_text(name)));
}

// Wide tables have many columns: only what differs from the default is written.
json column_to_json(const data::ColumnSpec& column) {
  json object{{"name", column.name}, {"type", name_of(types, column.type)}};
  if (column.missing_indicator) object["missing_indicator"] = true;
  if (column.indicator != data::ColumnSpec().indicator) object["indicator"] = column.indicator;
  if (column.impute_number != 0) object["impute_number"] = column.impute_number;
  if (!column.impute_category.empty()) object["impute_category"] = column.impute_category;
  if (column.has_dropped_category) object["dropped_category"] = column.dropped_category;
  return object;
}

data::ColumnSpec parse_column(const json& object, const JsonPlace& place) {
  JsonFields fields(object, place);
  data::ColumnSpec column;
  column.name = fields.string("name");
  column.type = value_of(types, fields.string("type"), "type", place);
  if (fields.has("missing_indicator")) column.missing_indicator = fields.flag("missing_indicator");
  if (fields.has("indicator")) column.indicator = fields.string("indicator");
  if (fields.has("impute_number")) {
    column.impute_number = fields.number("impute_number");
    if (!std::isfinite(column.impute_number)) refuse_json(place, "imputes a number that is not finite");
  }
  if (fields.has("impute_category")) column.impute_category = fields.string("impute_category");
  if (fields.has("dropped_category")) {
    column.has_dropped_category = true;
    column.dropped_category = fields.string("dropped_category");
  }
  fields.finish();
  return column;
}

int parse_int(JsonFields& fields, const char* key, std::int64_t low, std::int64_t high,
              const JsonPlace& place) {
  const std::int64_t value = fields.integer(key);
  if (value < low || value > high)
    refuse_json(place, fmt::format("has a \"{}\" of {}, outside {} to {}", key, value, low, high));
  return static_cast<int>(value);
}

}  // namespace

// Readers that do not know derived features must not take the model for one without them: they refuse its kind.
constexpr std::string_view derived_suffix = "-derived";
// Nor may readers that look for columns in the record.
constexpr std::string_view wide_suffix = "-wide";

void check_derived(const data::InputSpec& input, const JsonPlace& place) {
  std::set<std::string_view> numeric;
  if (input.derived.adds_features())
    for (const data::ColumnSpec& column : input.columns)
      if (column.type == data::ColumnType::numeric) numeric.insert(column.name);
  const auto check = [&](const std::string& name) {
    if (!numeric.contains(name))
      refuse_json(place, fmt::format("derives features of {}, which is no numeric column", quote_text(name)));
  };
  for (const std::string& name : input.derived.logs) check(name);
  for (const std::string& name : input.derived.log1ps) check(name);
  for (const data::BinSpec& bins : input.derived.bins) check(bins.column);
  constexpr std::size_t most_operands = 64;
  std::set<std::string> operands;
  for (const auto& product : input.derived.interactions) operands.insert(product.begin(), product.end());
  if (operands.size() > most_operands) refuse_json(place, "multiplies features of more than 64 names");
}

namespace {

bool take_suffix(std::string& kind, std::string_view suffix) {
  if (!kind.ends_with(suffix)) return false;
  kind.resize(kind.size() - suffix.size());
  return true;
}

// Without columns and the names of those ignored.
json input_to_json(const data::InputSpec& input, bool wide) {
  std::string kind = name_of(kinds, input.kind);
  if (wide) kind += wide_suffix;
  if (!input.derived.empty()) kind += derived_suffix;
  json object{{"kind", kind},
              {"index_base", input.index_base},
              {"target", input.target},
              {"id", input.id},
              {"weight", input.weight},
              {"offset", input.offset},
              {"count", input.count},
              {"ngrams", input.text.ngrams},
              {"lowercase", input.text.lowercase},
              {"tfidf", input.text.tfidf},
              {"missing", name_of(policies, input.missing)},
              {"hash_bits", input.hash_bits ? json(*input.hash_bits) : json(nullptr)}};
  if (!input.has_header) object["has_header"] = false;
  if (!input.choices.column.empty())
    object["choices"] = json{
        {"column", input.choices.column}, {"nested", input.choices.nested}, {"target", input.choices.target}};
  if (!input.derived.empty()) object["derived"] = json::parse(write_derived_record(input.derived));
  return object;
}

}  // namespace

std::string write_input_record(const data::InputSpec& input) {
  json object = input_to_json(input, false);
  json columns = json::array();
  for (const data::ColumnSpec& column : input.columns) columns.push_back(column_to_json(column));
  object["columns"] = std::move(columns);
  object["ignored"] = input.ignored;
  return object.dump();
}

bool is_wide(const data::InputSpec& input) {
  constexpr std::uint64_t longest_record = std::uint64_t{1} << 20, column_bytes = 64;
  std::uint64_t bytes = column_bytes * (input.columns.size() + input.ignored.size());
  for (const data::ColumnSpec& column : input.columns)
    bytes += column.name.size() + column.impute_category.size() + column.dropped_category.size();
  for (const std::string& name : input.ignored) bytes += name.size();
  return bytes > longest_record;
}

std::string write_stored_input(const data::InputSpec& input) {
  if (!is_wide(input)) return write_input_record(input);
  json object = input_to_json(input, true);
  object["num_columns"] = input.columns.size();
  object["num_ignored"] = input.ignored.size();
  return object.dump();
}

data::InputSpec parse_input_record(std::string_view text, const JsonPlace& place,
                                   std::optional<WideTable>* wide) {
  const json document = parse_canonical_json(text, place);
  JsonFields fields(document, place);
  data::InputSpec input;
  std::string kind = fields.string("kind");
  const bool is_derived = take_suffix(kind, derived_suffix);
  const bool has_tensors = wide != nullptr && take_suffix(kind, wide_suffix);
  input.kind = value_of(kinds, kind, "kind", place);
  input.index_base = parse_int(fields, "index_base", 0, 1, place);
  input.target = fields.string("target");
  input.id = fields.string("id");
  input.weight = fields.string("weight");
  input.offset = fields.string("offset");
  input.count = fields.string("count");
  if (has_tensors)
    *wide = {.num_columns = fields.count("num_columns"), .num_ignored = fields.count("num_ignored")};
  else
    input.ignored = fields.strings("ignored");
  input.text.ngrams = parse_int(fields, "ngrams", 1, 1000, place);
  input.text.lowercase = fields.flag("lowercase");
  input.text.tfidf = fields.flag("tfidf");
  input.missing = value_of(policies, fields.string("missing"), "missing", place);
  if (!fields.value("hash_bits").is_null()) input.hash_bits = parse_int(fields, "hash_bits", 1, 31, place);
  if (fields.has("has_header")) input.has_header = fields.flag("has_header");
  if (fields.has("choices")) {
    JsonFields choices(fields.value("choices"), place);
    input.choices = {choices.string("column"), choices.flag("nested"), choices.string("target")};
    choices.finish();
    if (input.choices.column.empty() || input.id.empty()) refuse_json(place, "has choices without a column");
  }
  if (!has_tensors) {
    const json& columns = fields.value("columns");
    if (!columns.is_array()) refuse_json(place, "has columns that are not a list");
    for (const json& column : columns) input.columns.push_back(parse_column(column, place));
  }
  if (is_derived) input.derived = parse_derived_record(fields.value("derived").dump(), place);
  if (!has_tensors) check_derived(input, place);
  fields.finish();
  return input;
}

}  // namespace lazylogit::model
