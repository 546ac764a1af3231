#include "lazylogit/io/derived/derived_plan.hpp"

#include <algorithm>
#include <utility>

#include "lazylogit/config/nearest.hpp"
#include "lazylogit/config/value.hpp"

namespace lazylogit::io {
namespace {

using data::ColumnType;
using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string wrapped(std::string_view function, std::string_view column) {
  return std::string(function).append("(").append(column).append(")");
}

Names bin_columns(const DerivedOptions& options) {
  Names names;
  for (const std::string& text : options.bins) names.push_back(parse_bins(text).column);
  return names;
}

// Derived columns that products may name.
Names derived_columns(const DerivedOptions& options) {
  Names names;
  for (const std::string& name : options.log) names.push_back(log_name(name));
  for (const std::string& name : options.log1p) names.push_back(log1p_name(name));
  for (const std::string& name : bin_columns(options)) names.push_back(bins_name(name));
  return names;
}

Names split_at_stars(std::string_view text) {
  Names parts(1);
  for (const char c : text) {
    if (c == '*')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// Pieces between stars, put together again where only their union is a known name; the longest one wins.
Names operands_of(std::string_view text, const Names& known) {
  const Names parts = split_at_stars(text);
  Names operands;
  for (std::size_t i = 0; i < parts.size();) {
    std::size_t taken = 1;
    std::string joined = parts[i];
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      joined += "*" + parts[j];
      if (contains(known, joined)) taken = j + 1 - i;
    }
    std::string operand = parts[i];
    for (std::size_t j = i + 1; j < i + taken; ++j) operand += "*" + parts[j];
    operands.push_back(std::move(operand));
    i += taken;
  }
  return operands;
}

Names checked_operands(const std::string& text, const Names& known) {
  constexpr std::size_t most = 6;
  const Names operands = operands_of(text, known);
  if (operands.size() < 2 || operands.size() > most || contains(operands, ""))
    throw ConfigError(
        "found " + quote_text(text) + ", expected two to six names with * between them, as in age*job",
        "interactions");
  return operands;
}

// Equal operands side by side, in the order of their first occurrence: A*B*A is A*A*B.
Names grouped_operands(const Names& operands) {
  Names result;
  for (const std::string& operand : operands)
    if (!contains(result, operand))
      result.insert(result.end(),
                    static_cast<std::size_t>(std::count(operands.begin(), operands.end(), operand)), operand);
  return result;
}

// The column of a table, which must hold numbers.
void check_numeric(const std::string& name, const std::string& option, const data::InputSpec& input) {
  for (const data::ColumnSpec& column : input.columns) {
    if (column.name != name) continue;
    if (column.type == ColumnType::numeric) return;
    throw ConfigError("column " + quote_text(name) + " holds " +
                          (column.type == ColumnType::categorical ? "categories"
                           : column.type == ColumnType::text      ? "text"
                                                                  : "several numbers") +
                          ", expected a column of numbers",
                      option);
  }
  throw ConfigError(
      "column " + quote_text(name) +
          (contains(input.ignored, name) ? " holds no values or is ignored" : " is no feature") +
          ", expected a column of numbers",
      option);
}

void check_operand(const std::string& name, const Names& derived, const data::InputSpec& input) {
  if (name == every_column) return;
  switch (input.kind) {
    case data::InputKind::columns: {
      if (contains(derived, name)) return;
      Names names;
      for (const data::ColumnSpec& column : input.columns) names.push_back(column.name);
      if (contains(names, name)) return;
      throw ConfigError(
          "column " + quote_text(name) +
              (contains(input.ignored, name) ? " holds no values or is ignored" : " is no feature"),
          "interactions", config::did_you_mean(name, names));
    }
    case data::InputKind::indexed:
      if (!config::parse_count(name))
        throw ConfigError("found " + quote_text(name) + ", expected the number of a feature", "interactions");
      return;
    case data::InputKind::text:
      if (name != "text")
        throw ConfigError("found " + quote_text(name) + "; plain text has one column, called text",
                          "interactions", "text*text makes pairs of words");
      return;
    case data::InputKind::named:
      return;  // known when the rows have been read
  }
}

}  // namespace

std::string log_name(std::string_view column) { return wrapped("log", column); }
std::string log1p_name(std::string_view column) { return wrapped("log1p", column); }
std::string bins_name(std::string_view column) { return wrapped("bins", column); }

BinRequest parse_bins(const std::string& text) {
  constexpr std::uint64_t most = 1000;
  const std::size_t equals = text.rfind('=');
  const auto count =
      equals == std::string::npos ? std::nullopt : config::parse_count(text.substr(equals + 1));
  if (!count || equals == 0 || *count < 2 || *count > most)
    throw ConfigError(
        "found " + quote_text(text) + ", expected a column and a number of bins from 2 to 1000, as in age=10",
        "bins");
  return {text.substr(0, equals), static_cast<int>(*count)};
}

void check_derived_columns(const DerivedOptions& options, const Names& columns, const HeaderPlace& place) {
  const auto check = [&](const std::string& name, const char* option) {
    if (!contains(columns, name)) fail_unknown_column(name, std::string("--") + option, columns, place);
  };
  for (const std::string& name : options.log) check(name, "log");
  for (const std::string& name : options.log1p) check(name, "log1p");
  for (const std::string& name : bin_columns(options)) check(name, "bins");
  const Names derived = derived_columns(options);
  Names known = columns;
  known.insert(known.end(), derived.begin(), derived.end());
  for (const std::string& text : options.interactions)
    for (const std::string& operand : checked_operands(text, known))
      if (operand != every_column && !contains(derived, operand)) check(operand, "interactions");
}

data::DerivedSpec plan_derived(const DerivedOptions& options, const data::InputSpec& input) {
  data::DerivedSpec spec;
  const auto take = [&](const Names& names, const char* option, Names& into) {
    for (const std::string& name : names) {
      check_numeric(name, option, input);
      if (!contains(into, name)) into.push_back(name);
    }
  };
  take(options.log, "log", spec.logs);
  take(options.log1p, "log1p", spec.log1ps);
  for (const std::string& text : options.bins) {
    const BinRequest request = parse_bins(text);
    check_numeric(request.column, "bins", input);
    for (const data::BinSpec& earlier : spec.bins)
      if (earlier.column == request.column)
        throw ConfigError("column " + quote_text(request.column) + " is named twice, expected once", "bins");
    spec.bins.push_back({.column = request.column, .edges = {}});
  }
  const Names derived = derived_columns(options);
  Names known = derived;
  for (const data::ColumnSpec& column : input.columns) known.push_back(column.name);
  for (const std::string& text : options.interactions) {
    Names operands = grouped_operands(checked_operands(text, known));
    for (const std::string& operand : operands) check_operand(operand, derived, input);
    if (std::find(spec.interactions.begin(), spec.interactions.end(), operands) == spec.interactions.end())
      spec.interactions.push_back(std::move(operands));
  }
  spec.polynomial = options.polynomial;
  spec.normalize = options.normalize;
  return spec;
}

}  // namespace lazylogit::io
