// lazylogit._core: models, fitting and predicting for the Python package; estimators are in Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "fitting.hpp"
#include "lazylogit/model/model_file.hpp"
#include "views.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lazylogit::python {
namespace {

constexpr const char* by_names[] = {"log-loss", "accuracy", "evidence"};  // in the order of TuneBy

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

nb::bytes to_bytes(const Fitted& fitted) {
  const std::string text = model::serialize(fitted.model);
  return nb::bytes(text.data(), text.size());
}

Fitted from_bytes(const nb::bytes& bytes, const std::string& name) {
  Fitted fitted;
  fitted.model = model::deserialize({bytes.c_str(), bytes.size()}, name);
  return fitted;
}

template <class Index, class Value>
void bind_csr(nb::module_& module, nb::class_<Fitted>& model) {
  using Indices = Array<Index>;
  using Values = Array<Value>;
  module.def("is_canonical", &is_canonical<Index, Value>, "row_ends"_a.noconvert(), "ids"_a.noconvert(),
             "values"_a.noconvert(), "num_features"_a);
  module.def(
      "fit",
      [](const Indices& row_ends, const Indices& ids, const Values& values, std::size_t num_features,
         std::vector<std::string> labels, const Array<std::int64_t>& codes,
         std::optional<Array<double>> weights, std::optional<std::vector<std::string>> names,
         const std::map<std::string, std::string>& options, const std::optional<train::TuneSettings>& tune,
         std::size_t threads, const Fitted* warm_start) {
        return fit_data(rows_of_csr(row_ends, ids, values, num_features),
                        {std::move(labels), codes, std::move(weights), std::move(names)}, options, tune,
                        threads, warm_start);
      },
      "row_ends"_a.noconvert(), "ids"_a.noconvert(), "values"_a.noconvert(), "num_features"_a, "labels"_a,
      "codes"_a, "weights"_a.none(), "names"_a.none(), "options"_a, "tune"_a.none(), "threads"_a,
      "warm_start"_a.none());
  model.def(
      "scores",
      [](const Fitted& fitted, const Indices& row_ends, const Indices& ids, const Values& values,
         std::size_t n) { return scores_of(fitted, rows_of_csr(row_ends, ids, values, n)); },
      "row_ends"_a.noconvert(), "ids"_a.noconvert(), "values"_a.noconvert(), "num_features"_a);
  model.def(
      "probabilities",
      [](const Fitted& fitted, const Indices& row_ends, const Indices& ids, const Values& values,
         std::size_t n) { return probabilities_of(fitted, rows_of_csr(row_ends, ids, values, n)); },
      "row_ends"_a.noconvert(), "ids"_a.noconvert(), "values"_a.noconvert(), "num_features"_a);
}

template <class Value>
void bind_dense(nb::module_& module, nb::class_<Fitted>& model) {
  module.def(
      "fit",
      [](const Matrix<Value>& x, std::vector<std::string> labels, const Array<std::int64_t>& codes,
         std::optional<Array<double>> weights, std::optional<std::vector<std::string>> names,
         const std::map<std::string, std::string>& options, const std::optional<train::TuneSettings>& tune,
         std::size_t threads, const Fitted* warm_start) {
        return fit_data(rows_of_dense(x), {std::move(labels), codes, std::move(weights), std::move(names)},
                        options, tune, threads, warm_start);
      },
      "x"_a.noconvert(), "labels"_a, "codes"_a, "weights"_a.none(), "names"_a.none(), "options"_a,
      "tune"_a.none(), "threads"_a, "warm_start"_a.none());
  model.def(
      "scores",
      [](const Fitted& fitted, const Matrix<Value>& x) { return scores_of(fitted, rows_of_dense(x)); },
      "x"_a.noconvert());
  model.def(
      "probabilities",
      [](const Fitted& fitted, const Matrix<Value>& x) { return probabilities_of(fitted, rows_of_dense(x)); },
      "x"_a.noconvert());
}

}  // namespace
}  // namespace lazylogit::python

NB_MODULE(_core, module) {
  using namespace lazylogit;
  using namespace lazylogit::python;
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const IoError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const Error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const Cancelled&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
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
  nb::class_<Fitted> fitted(module, "Model", "A trained model.");
  bind_csr<std::int32_t, double>(module, fitted);
  bind_csr<std::int32_t, float>(module, fitted);
  bind_csr<std::int64_t, double>(module, fitted);
  bind_csr<std::int64_t, float>(module, fitted);
  bind_dense<double>(module, fitted);
  bind_dense<float>(module, fitted);
  fitted.def_prop_ro("classes", [](const Fitted& f) { return f.model.classes.labels(); })
      .def_prop_ro("reference",
                   [](const Fitted& f) -> std::optional<std::int64_t> {
                     if (!f.model.shape.reference) return std::nullopt;
                     return static_cast<std::int64_t>(*f.model.shape.reference);
                   })
      .def_prop_ro("num_features", [](const Fitted& f) { return f.model.shape.num_features; })
      .def_prop_ro("has_intercept", [](const Fitted& f) { return f.model.shape.has_intercept; })
      .def_prop_ro("features", &feature_names)
      .def_prop_ro(
          "coefficients", [](const Fitted& f) { return coefficients_of(f.model, false); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "intercepts", [](const Fitted& f) { return coefficients_of(f.model, true); },
          nb::rv_policy::automatic)
      .def_prop_ro("has_posterior", [](const Fitted& f) { return f.model.posterior.has_value(); })
      .def("standard_errors",
           [](const Fitted& f, bool intercepts) { return standard_errors_of(f.model, intercepts); })
      .def_prop_ro("record", &record_of)
      .def_prop_ro("trace", &trace_of)
      .def_prop_ro("tuning", &tuning_of)
      .def_ro("warnings", &Fitted::warnings)
      .def_ro("notices", &Fitted::notices)
      .def("to_bytes", &to_bytes)
      .def_static("from_bytes", &from_bytes, "data"_a, "name"_a = "<bytes>")
      .def("save", [](const Fitted& f, const std::string& path) { model::save_model(f.model, path); })
      .def_static("load", [](const std::string& path) {
        Fitted f;
        f.model = model::load_model(path);
        return f;
      });
  module.def("canonical_label", [](const std::string& text) { return data::canonical_label(text); });
}
