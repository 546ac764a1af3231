#include "lazylogit/io/read_options.hpp"

#include <string>
#include <utility>

namespace lazylogit::io {
namespace {

using config::at_least;
using config::between;
using Builder = config::TableBuilder<ReadOptions>;

const std::vector<std::pair<std::string, Format>>& formats() {
  static const std::vector<std::pair<std::string, Format>> list = {
      {"auto", Format::automatic}, {"libsvm", Format::libsvm}, {"vw", Format::vw},     {"csv", Format::csv},
      {"tsv", Format::tsv},        {"jsonl", Format::jsonl},   {"text", Format::text}, {"npy", Format::npy},
      {"npz", Format::npz},        {"cache", Format::cache},
  };
  return list;
}

void add_input(Builder& t) {
  t.group("Input");
  t.add_choice({.name = "format",
                .value = "FORMAT",
                .help = "format of the data; auto: by extension, then by content"},
               &ReadOptions::format, formats());
  t.add({.name = "delimiter",
         .value = "C",
         .help = "character between the fields of csv",
         .unset = "comma, or what the header suggests"},
        &ReadOptions::delimiter);
  t.add({.name = "no-header",
         .help = "csv and tsv have no header line; columns are called 1, 2, …",
         .negated = true},
        &ReadOptions::header);
  t.add({.name = "quote", .help = "tsv fields may be quoted, as in csv"}, &ReadOptions::quote);
  t.add({.name = "labels", .value = "FILE", .help = "file of labels for npy and npz"},
        &ReadOptions::labels_file);
  t.add({.name = "id",
         .value = "NAME",
         .help = "column that is passed through to the predictions and is never a feature"},
        &ReadOptions::id);
  t.add_choice({.name = "on-bad-row",
                .value = "ACTION",
                .help = "what to do with a malformed row: stop with an error, or skip and count it"},
               &ReadOptions::skip_bad_rows,
               std::vector<std::pair<std::string, bool>>{{"stop", false}, {"skip", true}});
  t.add({.name = "max-bad-rows",
         .value = "N",
         .help = "with --on-bad-row skip: fail when more than N rows are bad",
         .unset = "no limit"},
        &ReadOptions::max_bad_rows);
  t.add({.name = "max-errors",
         .value = "N",
         .help = "report up to N errors in the data before stopping",
         .bounds = at_least(1)},
        &ReadOptions::max_errors);
}

void add_columns(Builder& t) {
  t.group("Columns");
  t.add({.name = "target",
         .value = "NAME",
         .help = "column of the labels",
         .unset = "a column called label, target, class or y, else the last one"},
        &ReadOptions::target);
  t.add({.name = "weight", .value = "NAME", .help = "column of example weights"}, &ReadOptions::weight);
  t.add({.name = "count", .value = "NAME", .help = "column that says for how many equal rows a row stands"},
        &ReadOptions::count);
  t.add({.name = "offset",
         .value = "NAME",
         .help = "column that is added to the score of the second of two classes"},
        &ReadOptions::offset);
}

void add_features(Builder& t) {
  t.group("Features");
  t.add({.name = "choices",
         .value = "NAME",
         .help = "conditional logit: rows with the same NAME, one after another, are the candidates of a "
                 "choice, and "
                 "the label says which was taken; in jsonl NAME may hold the candidates of a line"},
        &ReadOptions::choices);
  t.add({.name = "ignore", .value = "NAME,…", .help = "columns to leave out"}, &ReadOptions::ignore);
  t.add({.name = "categorical",
         .value = "NAME,…",
         .help = "columns to take as categories, even when they are numbers"},
        &ReadOptions::categorical);
  t.add({.name = "text", .value = "NAME,…", .help = "columns to take as text"}, &ReadOptions::text);
  t.add_choice(
      {.name = "missing",
       .value = "POLICY",
       .help = "missing values: impute the mean or most frequent value and add an indicator feature, refuse "
               "them, or drop the row"},
      &ReadOptions::missing,
      std::vector<std::pair<std::string, data::MissingPolicy>>{{"impute", data::MissingPolicy::impute},
                                                               {"error", data::MissingPolicy::error},
                                                               {"drop-row", data::MissingPolicy::drop_row}});
  t.add({.name = "ngrams",
         .value = "N",
         .help = "text: features are runs of 1 to N words",
         .bounds = between(1, 8)},
        &ReadOptions::ngrams);
  t.add({.name = "lowercase", .help = "text: letters without case"}, &ReadOptions::lowercase);
  t.add({.name = "tfidf", .help = "text: counts times inverse document frequency, rows scaled to length 1"},
        &ReadOptions::tfidf);
  t.add({.name = "min-count",
         .value = "N",
         .help = "drop features seen in fewer than N rows",
         .bounds = at_least(1)},
        &ReadOptions::min_count);
  t.add({.name = "hash-bits",
         .value = "B",
         .help = "hash features into 2^B columns instead of keeping their names",
         .bounds = between(1, 30),
         .unset = "exact names"},
        &ReadOptions::hash_bits);
  t.add({.name = "index-base",
         .value = "N",
         .help = "number of the first feature in libsvm data",
         .bounds = between(0, 1)},
        &ReadOptions::index_base);
  t.add_choice(
      {.name = "precision",
       .value = "TYPE",
       .help = "of the data in memory; auto: float32 for libsvm, vw and text, float64 otherwise"},
      &ReadOptions::precision,
      std::vector<std::pair<std::string, Precision>>{
          {"auto", Precision::automatic}, {"float32", Precision::float32}, {"float64", Precision::float64}});
}

void add_derived(Builder& t) {
  const auto derived = [](auto member) {
    return [member](ReadOptions & o) -> auto& { return o.derived.*member; };
  };
  t.group("Derived features");
  t.add(
      {.name = "interactions",
       .value = "A*B,…",
       .help =
           "products of the features of columns (vw: of namespaces; libsvm: of feature numbers), of two or "
           "more: "
           "\"age*job\" adds \"age*job=teacher\", … beside them; A*A squares numbers and pairs words; \".\" "
           "stands for every other column"},
      derived(&DerivedOptions::interactions));
  t.add(
      {.name = "polynomial",
       .value = "D",
       .help =
           "all powers and products up to degree D of numeric columns (vw, libsvm, arrays: of all features), "
           "as scikit-learn's PolynomialFeatures: \"age^2\", \"age*height\", …; 1: none",
       .bounds = between(1, 8)},
      derived(&DerivedOptions::polynomial));
  t.add({.name = "log1p",
         .value = "NAME,…",
         .help = "numeric columns whose ln(1 + x) is a feature beside them, \"log1p(NAME)\": for counts; "
                 "--log is ln x"},
        derived(&DerivedOptions::log1p));
  t.add({.name = "bins",
         .value = "NAME=N,…",
         .help =
             "numeric columns that are cut at N-quantiles of the training rows; each bin is a feature beside "
             "the column, \"age=[18,25)\""},
        derived(&DerivedOptions::bins));
  t.add_choice({.name = "normalize",
                .value = "NORM",
                .help = "divide each row, derived features included, by this norm of it"},
               derived(&DerivedOptions::normalize),
               std::vector<std::pair<std::string, data::RowNorm>>{{"none", data::RowNorm::none},
                                                                  {"l1", data::RowNorm::l1},
                                                                  {"l2", data::RowNorm::l2},
                                                                  {"max", data::RowNorm::max}});
}

void add_limits(Builder& t) {
  const auto limit = [](auto member) {
    return [member](ReadOptions & o) -> auto& { return o.limits.*member; };
  };
  t.group("Limits");
  t.add({.name = "max-memory",
         .value = "SIZE",
         .help = "refuse what would need more memory; 0: no own limit",
         .bytes = true},
        limit(&Limits::max_memory));
  t.add({.name = "max-line-bytes",
         .value = "SIZE",
         .help = "longest line or record",
         .bounds = at_least(1),
         .bytes = true},
        limit(&Limits::max_line_bytes));
  t.add({.name = "max-name-bytes",
         .value = "SIZE",
         .help = "longest class or feature name",
         .bounds = at_least(1),
         .bytes = true},
        limit(&Limits::max_name_bytes));
  t.add({.name = "max-field-bytes",
         .value = "SIZE",
         .help = "longest field that is no text document",
         .bounds = at_least(1),
         .bytes = true},
        limit(&Limits::max_field_bytes));
  t.add({.name = "max-row-features", .value = "N", .help = "most features in one row", .bounds = at_least(1)},
        limit(&Limits::max_row_features));
  t.add({.name = "max-classes", .value = "N", .help = "most classes", .bounds = at_least(2)},
        limit(&Limits::max_classes));
  t.add(
      {.name = "max-json-depth", .value = "N", .help = "deepest nesting of JSON", .bounds = between(1, 1000)},
      limit(&Limits::max_json_depth));
  t.add({.name = "max-expansion",
         .value = "N",
         .help = "most expanded bytes per compressed byte, beyond the first 64 MiB",
         .bounds = at_least(1)},
        limit(&Limits::max_expansion));
}

}  // namespace

const config::Table<ReadOptions>& other_column_fields() {
  static const config::Table<ReadOptions> table = [] {
    constexpr const char* trained = "the one of the training data";
    Builder t;
    t.note_given(&ReadOptions::given);
    t.group("Columns");
    t.add({.name = "target", .value = "NAME", .help = "column of the labels", .unset = trained},
          &ReadOptions::target);
    t.add({.name = "weight", .value = "NAME", .help = "column of example weights", .unset = trained},
          &ReadOptions::weight);
    t.add({.name = "count",
           .value = "NAME",
           .help = "column that says for how many equal rows a row stands",
           .unset = trained},
          &ReadOptions::count);
    t.add({.name = "offset",
           .value = "NAME",
           .help = "column that is added to the score of the second of two classes",
           .unset = trained},
          &ReadOptions::offset);
    return std::move(t).build();
  }();
  return table;
}

const config::Table<ReadOptions>& read_fields() {
  static const config::Table<ReadOptions> table = [] {
    Builder t;
    t.note_given(&ReadOptions::given);
    add_input(t);
    add_columns(t);
    add_features(t);
    add_derived(t);
    add_limits(t);
    return std::move(t).build();
  }();
  return table;
}

std::string_view format_name(Format format) {
  for (const auto& [name, value] : formats())
    if (value == format) return name;
  return "auto";
}

}  // namespace lazylogit::io
