#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "insight.hpp"
#include "lazylogit/data/kernel_map.hpp"
#include "lazylogit/model/model_file.hpp"
#include "quick_rows.hpp"
#include "reading.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lazylogit::python {
namespace {

constexpr const char* by_names[] = {"log-loss", "accuracy", "evidence"};  // in the order of TuneBy
constexpr const char* kind_names[] = {"indexed", "named", "columns", "text"};

train::TuneBy by_of(const std::string& name) {
  for (const train::TuneBy by : {train::TuneBy::log_loss, train::TuneBy::accuracy, train::TuneBy::evidence})
    if (name == by_names[static_cast<std::size_t>(by)]) return by;
  throw ConfigError("there is no criterion " + quote_text(name), "by", "log-loss, accuracy or evidence");
}

std::vector<std::string> feature_names(const Fitted& fitted) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fitted.model.shape.num_features; ++i)
    names.push_back(fitted.model.feature_name(i));
  return names;
}

std::vector<std::string> names_of_inputs(const Fitted& fitted) {
  if (fitted.model.kernel == nullptr) return feature_names(fitted);
  std::vector<std::string> names;
  const data::Alphabet& inputs = fitted.model.kernel->inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) names.emplace_back(inputs.name(static_cast<FeatureId>(i)));
  return names;
}

nb::bytes to_bytes(const Fitted& fitted) {
  const std::string text = model::serialize(fitted.model);
  return nb::bytes(text.data(), text.size());
}

Fitted from_bytes(const nb::bytes& bytes, const std::string& name) {
  Fitted fitted;
  fitted.model = model::deserialize({bytes.c_str(), bytes.size()}, name);
  return fitted;
}

using Names = std::optional<std::vector<std::string>>;
using Weights = std::optional<Array<double>>;

Labelled labelled(std::vector<std::string> labels, const Array<std::int64_t>& codes, Weights weights,
                  Names names) {
  Labelled y;
  y.labels = std::move(labels);
  y.codes = codes;
  y.weights = std::move(weights);
  y.names = std::move(names);
  return y;
}

FitSettings settings_of(const Options& options, const std::optional<train::TuneSettings>& tune,
                        std::optional<double> holdout, std::size_t threads, const Fitted* warm_start,
                        nb::object progress) {
  FitSettings settings{options, tune, holdout, threads, warm_start, nullptr};
  if (!progress.is_none())
    settings.progress = [progress](const optim::PassReport& pass, std::size_t done, std::size_t of) {
      progress(pass.pass, pass.error, pass.relative_gap, pass.seconds, done, of);
    };
  return settings;
}

void bind_tuning(nb::module_& module) {
  nb::class_<train::TuneSettings>(module, "TuneSettings", "How the width of the prior is chosen.")
      .def(nb::init<>())
      .def_prop_rw(
          "by", [](const train::TuneSettings& s) { return by_names[static_cast<std::size_t>(s.by)]; },
          [](train::TuneSettings& s, const std::string& name) { s.by = by_of(name); })
      .def_rw("folds", &train::TuneSettings::folds)
      .def_rw("repeats", &train::TuneSettings::repeats)
      .def_rw("path", &train::TuneSettings::path)
      .def_rw("values", &train::TuneSettings::values)
      .def_rw("one_standard_error", &train::TuneSettings::one_standard_error)
      .def_rw("max_features", &train::TuneSettings::max_features, nb::arg().none());
}

void bind_fit(nb::module_& module) {
  module.def(
      "fit",
      [](const Table& data, std::vector<std::string> labels, const Array<std::int64_t>& codes,
         Weights weights, Names names, const Options& options, const std::optional<train::TuneSettings>& tune,
         std::optional<double> holdout, std::size_t threads, const Fitted* warm_start, nb::object progress,
         std::optional<Array<double>> numbers, std::optional<Array<double>> offsets,
         std::optional<Array<std::int64_t>> set_ends) {
        Labelled y = labelled(std::move(labels), codes, std::move(weights), std::move(names));
        y.numbers = std::move(numbers);
        y.offsets = std::move(offsets);
        y.set_ends = std::move(set_ends);
        return fit_data(data, &y, settings_of(options, tune, holdout, threads, warm_start, progress));
      },
      "data"_a, "labels"_a, "codes"_a, "weights"_a.none(), "names"_a.none(), "options"_a, "tune"_a.none(),
      "holdout"_a.none(), "threads"_a, "warm_start"_a.none(), "progress"_a.none(),
      "numbers"_a.none() = nb::none(), "offsets"_a.none() = nb::none(), "set_ends"_a.none() = nb::none());
}

void bind_views(nb::class_<Fitted>& model) {
  model.def_prop_ro("classes", [](const Fitted& f) { return f.model.classes.labels(); })
      .def_prop_ro("reference",
                   [](const Fitted& f) -> std::optional<std::int64_t> {
                     if (!f.model.shape.reference) return std::nullopt;
                     return static_cast<std::int64_t>(*f.model.shape.reference);
                   })
      .def_prop_ro("kind",
                   [](const Fitted& f) { return kind_names[static_cast<std::size_t>(f.model.input.kind)]; })
      .def_prop_ro("num_features", [](const Fitted& f) { return f.model.shape.num_features; })
      .def_prop_ro("response",
                   [](const Fitted& f) { return std::string(data::response_name(f.model.shape.response)); })
      .def_prop_ro("num_inputs", [](const Fitted& f) { return num_inputs(f.model); })
      .def_prop_ro("inputs", &names_of_inputs)
      .def_prop_ro("has_derived", [](const Fitted& f) { return !f.model.input.derived.empty(); })
      .def_prop_ro("has_kernel", [](const Fitted& f) { return f.model.kernel != nullptr; })
      .def_prop_ro("kept_rows",
                   [](const Fitted& f) {
                     return f.model.kernel != nullptr ? f.model.kernel->kept_numbers
                                                      : std::vector<std::uint64_t>();
                   })
      .def_prop_ro("has_intercept", [](const Fitted& f) { return f.model.shape.has_intercept; })
      .def_prop_ro("has_state", [](const Fitted& f) { return f.model.state.has_value(); })
      .def_prop_ro("features", &feature_names)
      .def_prop_ro("columns",
                   [](const Fitted& f) {
                     std::vector<std::string> names;
                     for (const data::ColumnSpec& column : f.model.input.columns)
                       names.push_back(column.name);
                     return names;
                   })
      .def_prop_ro(
          "coefficients", [](const Fitted& f) { return coefficients_of(f.model, false); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "intercepts", [](const Fitted& f) { return coefficients_of(f.model, true); },
          nb::rv_policy::automatic)
      .def_prop_ro("has_posterior", [](const Fitted& f) { return f.model.posterior.has_value(); })
      .def("standard_errors",
           [](const Fitted& f, bool intercepts) { return standard_errors_of(f.model, intercepts); })
      .def("intervals", &intervals_of, "level"_a)
      .def_prop_ro("record", &record_of)
      .def_prop_ro("trace", &trace_of)
      .def_prop_ro("tuning", &tuning_of)
      .def_ro("warnings", &Fitted::warnings)
      .def_ro("notices", &Fitted::notices);
}

// Predictions straight from arrays that need no names checked: rows that are asked for one by one.
template <class Value>
void bind_quick(nb::class_<Fitted>& model) {
  model
      .def(
          "scores", [](const Fitted& f, const Matrix<Value>& x) { return scores_of(f, table_of_dense(x)); },
          "x"_a.noconvert())
      .def(
          "probabilities",
          [](const Fitted& f, const Matrix<Value>& x) { return probabilities_of(f, table_of_dense(x)); },
          "x"_a.noconvert());
}

// Nothing where the rows are not in order.
template <class Value>
void bind_quick_csr(nb::class_<Fitted>& model) {
  using Ids = Array<std::int32_t>;
  model
      .def(
          "scores",
          [](const Fitted& f, const Ids& ends, const Ids& ids, const Array<Value>& values,
             std::size_t n) -> std::optional<Owned> {
            const std::optional<Table> table = table_of_csr(ends, ids, values, n);
            if (!table) return std::nullopt;
            return scores_of(f, *table);
          },
          "row_ends"_a.noconvert(), "ids"_a.noconvert(), "values"_a.noconvert(), "num_features"_a)
      .def(
          "probabilities",
          [](const Fitted& f, const Ids& ends, const Ids& ids, const Array<Value>& values, std::size_t n) {
            if (n > num_inputs(f.model)) throw ConfigError("the rows have more features than the model");
            return quick_probabilities(f, ends, ids, values, n);
          },
          "row_ends"_a.noconvert(), "ids"_a.noconvert(), "values"_a.noconvert(), "num_features"_a);
}

}  // namespace

void bind_model(nb::module_& module) {
  bind_tuning(module);
  nb::class_<Fitted> model(module, "Model", "A trained model.");
  bind_views(model);
  model.def("scores", &scores_of, "data"_a)
      .def("probabilities", &probabilities_of, "data"_a)
      .def(
          "predictive",
          [](const Fitted& f, const Table& data, const std::string& form, double level, std::size_t draws,
             std::uint64_t seed, bool intervals) {
            return predictive_of(f, data, {predictive_form(form), draws, seed, intervals, level});
          },
          "data"_a, "form"_a, "level"_a, "draws"_a, "seed"_a, "intervals"_a)
      .def("number_bounds", &number_bounds_of, "data"_a, "level"_a)
      .def("explain", &explanations_of, "data"_a, "top"_a)
      .def(
          "outliers",
          [](const Fitted& f, const Table& data, std::vector<std::string> labels,
             const Array<std::int64_t>& codes, Weights weights, const std::string& method, std::size_t folds,
             std::uint64_t seed) {
            const Labelled y = labelled(std::move(labels), codes, std::move(weights), std::nullopt);
            return outliers_of(f, data, &y, method, folds, seed);
          },
          "data"_a, "labels"_a, "codes"_a, "weights"_a.none(), "method"_a, "folds"_a, "seed"_a)
      .def("to_json", &json_of)
      .def("to_bytes", &to_bytes)
      .def_static("from_bytes", &from_bytes, "data"_a, "name"_a = "<bytes>")
      .def("save", [](const Fitted& f, const std::string& path) { model::save_model(f.model, path); })
      .def_static(
          "load",
          [](const std::string& path, std::uint64_t max_header_bytes) {
            Fitted f;
            f.model = model::load_model(path, {.header_bytes = max_header_bytes});
            return f;
          },
          "path"_a, "max_header_bytes"_a = model::ContainerLimits().header_bytes);
  bind_quick<double>(model);
  bind_quick<float>(model);
  bind_quick_csr<double>(model);
  bind_quick_csr<float>(model);
  bind_fit(module);
}

}  // namespace lazylogit::python
