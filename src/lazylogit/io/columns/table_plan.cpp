#include "lazylogit/io/columns/table_plan.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lazylogit/config/nearest.hpp"
#include "lazylogit/io/columns/name_list.hpp"
#include "lazylogit/io/derived/derived_plan.hpp"

namespace lazylogit::io {
namespace {

std::string list_names(const std::vector<std::string>& names) {
  NameList list;
  for (const std::string& name : names) list.add(name);
  return list.text();
}

bool equals_any_case(std::string_view a, std::string_view lower) {
  return a.size() == lower.size() && std::equal(a.begin(), a.end(), lower.begin(), [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? x + ('a' - 'A') : x) == y;
         });
}

[[noreturn]] void fail_nested_label(std::string_view name, const HeaderPlace& place) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = place.file;
  detail.found = quote_text(name);
  detail.message =
      "the key " + detail.found +
      " holds objects or arrays, expected a name or a number under what labels are usually called";
  detail.hint = "--target names the key of the labels; --multilabel takes an array as a set of them";
  detail.code = "nested-label";
  throw InputError(std::move(detail));
}

// Columns without a role or a type that an option gave, called label, target, class or y: in this order of preference.
std::vector<std::uint32_t> usual_targets(const TablePlan& plan) {
  constexpr std::array<std::string_view, 4> usual = {"label", "target", "class", "y"};
  std::vector<std::uint32_t> found;
  for (const std::string_view name : usual)
    for (std::uint32_t c = 0; c < plan.columns.size(); ++c) {
      const ColumnPlan& column = plan.columns[c];
      const bool is_named = column.type_is_given && column.type != data::ColumnType::sparse;
      if (column.role == ColumnRole::feature && !is_named && equals_any_case(plan.name(c), name))
        found.push_back(c);
    }
  return found;
}

// A column with a usual name; else the last one without another role. Where rows have sets of labels, a list may be one.
std::uint32_t default_target(TablePlan& plan, data::Response response, const HeaderPlace& place, Log& log) {
  const std::vector<std::uint32_t> usual = usual_targets(plan);
  if (!usual.empty()) {
    const std::uint32_t c = usual.front();
    if (plan.columns[c].type == data::ColumnType::sparse && response != data::Response::labels)
      fail_nested_label(plan.name(c), place);
    if (usual.size() == 1) {
      log.notice("label column: " + quote_text(plan.name(c)) + " (--target chooses another)");
    } else {
      NameList names;
      for (const std::uint32_t other : usual) names.add(plan.name(other));
      log.warning({.kind = ErrorKind::input,
                   .message = "columns that could hold the labels: " + names.text() + "; " +
                              quote_text(plan.name(c)) + " is taken, the others are features",
                   .hint = "--target chooses",
                   .file = place.file,
                   .code = "several-targets"});
    }
    return c;
  }
  for (std::size_t c = plan.columns.size(); c > 0; --c)
    if (plan.columns[c - 1].role == ColumnRole::feature && !plan.columns[c - 1].type_is_given) {
      log.notice("label column: " + quote_text(plan.name(c - 1)) +
                 ", the last one (--target chooses another)");
      plan.target_is_guessed = true;
      return static_cast<std::uint32_t>(c - 1);
    }
  return no_column;
}

std::vector<std::string> names_of(const TablePlan& plan) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) names.emplace_back(plan.name(c));
  return names;
}

class RoleGiver {
 public:
  RoleGiver(TablePlan& plan, const HeaderPlace& place) : plan_(&plan), place_(&place) {}

  std::uint32_t find(const std::string& name, const std::string& option) {
    plan_->names.build_index();
    const auto found = plan_->names.find(name);
    if (!found) fail_unknown_column(name, "--" + option, names_of(*plan_), *place_);
    return *found;
  }

  std::uint32_t give(const std::string& name, const std::string& option, ColumnRole role) {
    if (name.empty()) return no_column;
    const std::uint32_t c = find(name, option);
    ColumnPlan& column = plan_->columns[c];
    if (column.role != ColumnRole::feature && column.role != role)
      throw ConfigError("column " + quote_text(name) + " already has another role", option);
    column.role = role;
    return c;
  }

  void give_type(const std::vector<std::string>& names, const std::string& option, data::ColumnType type) {
    for (const std::string& name : names) {
      ColumnPlan& column = plan_->columns[find(name, option)];
      if (column.role != ColumnRole::feature || (column.type_is_given && column.type != type))
        throw ConfigError("column " + quote_text(name) + " already has another role", option);
      column.type = type;
      column.type_is_given = true;
    }
  }

 private:
  TablePlan* plan_;
  const HeaderPlace* place_;
};

}  // namespace

std::uint32_t find_column(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? no_column : static_cast<std::uint32_t>(found - names.begin());
}

void fail_unknown_column(std::string_view name, std::string_view why, const std::vector<std::string>& names,
                         const HeaderPlace& place) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = place.file;
  detail.line = place.line;
  detail.column = place.line == 0 ? 0 : 1;
  detail.found = quote_text(name);
  detail.message = "no column is called " + detail.found + " (" + std::string(why) + "); " +
                   (names.empty() ? "there are no columns" : "the columns are " + list_names(names));
  detail.hint = config::did_you_mean(name, names);
  detail.code = "unknown-column";
  throw InputError(std::move(detail));
}

TableColumns columns_called(data::Alphabet names) {
  std::vector<ColumnPlan> columns(names.size());
  return {std::move(names), std::move(columns)};
}

TablePlan make_table_plan(TableColumns columns, const ReadOptions& options, const HeaderPlace& place,
                          Log& log) {
  TablePlan plan;
  static_cast<TableColumns&>(plan) = std::move(columns);
  plan.text = {.ngrams = options.ngrams, .lowercase = options.lowercase, .tfidf = options.tfidf};
  plan.missing = options.missing;
  RoleGiver roles(plan, place);
  plan.target = roles.give(options.target, "target", ColumnRole::target);
  plan.id = roles.give(options.id, options.choices.empty() ? "id" : "choices", ColumnRole::id);
  plan.weight = roles.give(options.weight, "weight", ColumnRole::weight);
  plan.offset = roles.give(options.offset, "offset", ColumnRole::offset);
  plan.count = roles.give(options.count, "count", ColumnRole::count);
  for (const std::string& name : options.ignore) roles.give(name, "ignore", ColumnRole::ignored);
  roles.give_type(options.categorical, "categorical", data::ColumnType::categorical);
  roles.give_type(options.text, "text", data::ColumnType::text);
  if (options.derived.adds_features()) check_derived_columns(options.derived, names_of(plan), place);
  for (const std::string& name : options.derived.log1p) plan.columns[roles.find(name, "log1p")].above = -1;
  for (const std::string& name : options.derived.log) plan.columns[roles.find(name, "log")].above = 0;
  if (plan.target == no_column) {
    plan.target = default_target(plan, options.response, place, log);
    if (plan.target != no_column) plan.columns[plan.target].role = ColumnRole::target;
  }
  number_slots(plan);
  return plan;
}

void number_slots(TablePlan& plan) {
  plan.num_categorical = plan.num_texts = plan.num_nested = 0;
  for (ColumnPlan& column : plan.columns) {
    if (column.role != ColumnRole::feature) continue;
    switch (column.type) {
      case data::ColumnType::numeric:
        break;
      case data::ColumnType::categorical:
        column.slot = plan.num_categorical++;
        break;
      case data::ColumnType::text:
        column.slot = plan.num_texts++;
        break;
      case data::ColumnType::sparse:
        column.slot = plan.num_nested++;
        break;
    }
  }
}

}  // namespace lazylogit::io
