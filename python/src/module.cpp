// lazylogit._core: models, fitting and predicting for the Python package; estimators are in Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "arrays.hpp"
#include "interruptible.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/train/trainer.hpp"
#include "lazylogit/train/tuning.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lazylogit::python {
namespace {

using Owned = nb::ndarray<nb::numpy, double>;

// An array of numpy's with memory of its own, filled by the caller.
Owned new_array(std::initializer_list<std::size_t> shape, double*& data) {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  data = new double[std::max<std::size_t>(1, size)];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Owned(data, shape.size(), shape.begin(), owner);
}

// What the engine says, kept for Python's warnings.
class Messages final : public Log {
 public:
  void warning(const ErrorDetail& detail) override {
    warnings.push_back(detail.message + (detail.hint.empty() ? "" : "; " + detail.hint));
  }
  void notice(std::string_view text) override { notices.emplace_back(text); }
  std::vector<std::string> warnings, notices;
};

class Trace final : public optim::Observer {
 public:
  void on_pass(const optim::PassReport& report) override { passes.push_back(report); }
  std::vector<optim::PassReport> passes;
};

constexpr const char* by_names[] = {"log-loss", "accuracy", "evidence"};  // in the order of TuneBy

train::TuneBy by_of(const std::string& name) {
  for (const train::TuneBy by : {train::TuneBy::log_loss, train::TuneBy::accuracy, train::TuneBy::evidence})
    if (name == by_names[static_cast<std::size_t>(by)]) return by;
  throw ConfigError("there is no criterion " + quote_text(name), "by", "log-loss, accuracy or evidence");
}

train::TrainOptions options_of(const std::map<std::string, std::string>& given) {
  train::TrainOptions options;
  for (const auto& [name, text] : given) {
    const auto& fields = train::train_fields().fields;
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.info.name == name; });
    if (field == fields.end()) throw ConfigError("there is no such option", name);
    field->set(&options, text);
  }
  return options;
}

// Labels, weights and names beside the matrix.
struct Labelled {
  std::vector<std::string> labels;
  Array<std::int64_t> codes;  // per row, into labels
  std::optional<Array<double>> weights;
  std::optional<std::vector<std::string>> names;
};

data::Dataset dataset_of(data::Rows rows, const Labelled& y) {
  data::Dataset data;
  static_cast<data::Rows&>(data) = std::move(rows);
  if (y.codes.shape(0) != data.num_rows())
    throw std::invalid_argument("X and y have different numbers of rows");
  std::vector<std::string> canonical;
  for (const std::string& label : y.labels) {
    auto form = data::canonical_label(label);
    if (!form) throw std::invalid_argument("a label is no finite number: " + label);
    if (std::find(canonical.begin(), canonical.end(), *form) != canonical.end())
      throw std::invalid_argument("two labels are the same number: " + *form);
    canonical.push_back(std::move(*form));
  }
  std::vector<ClassId> to_class;
  data.classes = data::ClassTable::from_labels(canonical, &to_class);
  data.labels.resize(data.num_rows());
  for (std::size_t r = 0; r < data.num_rows(); ++r)
    data.labels[r] = to_class.at(static_cast<std::size_t>(y.codes.data()[r]));
  if (y.weights) {
    if (y.weights->shape(0) != data.num_rows())
      throw std::invalid_argument("sample_weight has another length than y");
    data.weights = Buffer<double>::borrow(y.weights->data(), data.num_rows());
  }
  if (y.names) {
    data.input.kind = data::InputKind::columns;
    for (const std::string& name : *y.names) {
      data.features.intern(name);
      data::ColumnSpec column;
      column.name = name;
      data.input.columns.push_back(std::move(column));
    }
    if (data.features.size() != data.x.num_features)
      throw std::invalid_argument("feature names are not distinct");
  } else {
    for (std::size_t i = 1; i <= data.x.num_features; ++i) data.features.intern(std::to_string(i));
  }
  return data;
}

struct Fitted {
  model::Model model;
  std::vector<optim::PassReport> trace;
  std::vector<std::string> warnings, notices;
  std::optional<train::Tuning> tuning;
};

Fitted fit_data(data::Rows rows, const Labelled& y, const std::map<std::string, std::string>& given,
                const std::optional<train::TuneSettings>& tune, std::size_t threads,
                const Fitted* warm_start) {
  data::Dataset data = dataset_of(std::move(rows), y);
  Fitted fitted;
  run_interruptibly([&](const CancelToken& cancel) {
    const ThreadLimit limit(threads);
    Messages messages;
    Trace trace;
    train::TrainOptions options = options_of(given);
    if (tune) {
      struct Silent final : train::TuneObserver {
        void on_point(const train::TunePoint&, std::size_t, std::size_t) override {}
      } silent;
      fitted.tuning = train::tune(data, options, *tune, silent, messages, cancel);
      options = fitted.tuning->options;
    }
    train::TrainResult result = train::train(
        data, options, nullptr, warm_start ? &warm_start->model : nullptr, trace, messages, cancel);
    cancel.throw_if_cancelled();
    fitted.model = std::move(result.model);
    fitted.model.features.build_index();
    fitted.trace = std::move(trace.passes);
    fitted.warnings = std::move(messages.warnings);
    fitted.notices = std::move(messages.notices);
  });
  return fitted;
}

// Scores, in the order of the model's classes; the reference's are 0.
Owned scores_of(const Fitted& fitted, const data::Rows& rows) {
  const model::Predictor predictor(fitted.model);
  double* out = nullptr;
  Owned array = new_array({rows.num_rows(), predictor.num_classes()}, out);
  const nb::gil_scoped_release release;
  predictor.scores(rows, {out, rows.num_rows() * predictor.num_classes()});
  return array;
}

Owned probabilities_of(const Fitted& fitted, const data::Rows& rows) {
  const model::Predictor predictor(fitted.model);
  double* out = nullptr;
  Owned array = new_array({rows.num_rows(), predictor.num_classes()}, out);
  const nb::gil_scoped_release release;
  constexpr std::size_t rows_at_once = 8192;
  model::Predictions predictions;
  for (std::size_t from = 0; from < rows.num_rows(); from += rows_at_once) {
    const std::size_t to = std::min(from + rows_at_once, rows.num_rows());
    predictor.predict(rows, {from, to}, model::Predictor::Detail::probabilities, predictions);
    out = std::copy(predictions.probabilities.begin(), predictions.probabilities.end(), out);
  }
  return array;
}

// One number of every coefficient, vectors × (features or 1).
template <class At>
Owned table_of(const model::Shape& shape, bool intercepts, const At& at) {
  double* out = nullptr;
  const std::size_t columns = intercepts ? 1 : shape.num_features;
  Owned array = new_array({shape.num_vectors(), columns}, out);
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    for (std::size_t i = 0; i < columns; ++i)
      *out++ =
          intercepts ? (shape.has_intercept ? at(shape.intercept_index(v)) : 0.0) : at(shape.index(i, v));
  return array;
}

nb::object number(const std::optional<double>& value) { return value ? nb::cast(*value) : nb::none(); }

nb::dict record_of(const Fitted& fitted) {
  const model::TrainingRecord& record = fitted.model.record;
  nb::dict dict;
  dict["prior"] = record.prior;
  dict["optimizer"] = record.optimizer;
  dict["termination"] = record.termination;
  dict["message"] = record.termination_message;
  dict["iterations"] = record.iterations;
  dict["passes"] = record.passes;
  dict["num_examples"] = record.num_examples;
  dict["log_likelihood"] = record.log_likelihood;
  dict["penalty"] = record.penalty;
  dict["error"] = record.error();
  nb::object certificate = nb::none();
  if (record.certificate) {
    nb::dict c;
    c["relative_gap"] = number(record.certificate->relative_gap);
    c["lower_bound"] = number(record.certificate->lower_bound);
    c["error"] = record.certificate->error;
    c["gradient_norm"] = record.certificate->gradient_norm;
    c["worst_feature"] = record.certificate->worst_feature;
    c["worst_class"] = record.certificate->worst_class;
    c["worst_violation"] = record.certificate->worst_violation;
    certificate = std::move(c);
  }
  dict["certificate"] = certificate;
  if (fitted.model.posterior) {
    dict["log_evidence"] = number(fitted.model.posterior->log_evidence);
    dict["bic"] = fitted.model.posterior->bic;
    dict["aic"] = fitted.model.posterior->aic;
    dict["effective_parameters"] = fitted.model.posterior->effective_parameters;
  }
  return dict;
}

nb::list trace_of(const Fitted& fitted) {
  nb::list list;
  for (const optim::PassReport& pass : fitted.trace) {
    nb::dict dict;
    dict["passes"] = pass.pass;
    dict["error"] = pass.error;
    dict["relative_gap"] = pass.relative_gap;
    dict["gradient_norm"] = pass.gradient_norm;
    dict["seconds"] = pass.seconds;
    list.append(dict);
  }
  return list;
}

nb::object tuning_of(const Fitted& fitted) {
  if (!fitted.tuning) return nb::none();
  nb::dict dict;
  nb::list points;
  for (const train::TunePoint& point : fitted.tuning->points) {
    nb::dict p;
    p["value"] = point.value;
    p["log_loss"] = point.log_loss;
    p["log_loss_error"] = point.log_loss_error;
    p["accuracy"] = point.accuracy;
    p["fold_log_loss"] = point.fold_log_loss;
    p["fold_accuracy"] = point.fold_accuracy;
    p["log_evidence"] = number(point.log_evidence);
    p["features"] = point.features ? nb::cast(*point.features) : nb::none();
    points.append(p);
  }
  dict["option"] = fitted.tuning->option;
  dict["points"] = points;
  dict["best"] = fitted.tuning->best;
  dict["chosen"] = fitted.tuning->chosen;
  return dict;
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
          "coefficients",
          [](const Fitted& f) {
            return table_of(f.model.shape, false, [&](std::size_t i) { return f.model.coefficients[i]; });
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "intercepts",
          [](const Fitted& f) {
            return table_of(f.model.shape, true, [&](std::size_t i) { return f.model.coefficients[i]; });
          },
          nb::rv_policy::automatic)
      .def_prop_ro("has_posterior", [](const Fitted& f) { return f.model.posterior.has_value(); })
      .def("standard_errors",
           [](const Fitted& f, bool intercepts) {
             if (!f.model.posterior) throw ConfigError("the model keeps no posterior", "posterior");
             return table_of(f.model.shape, intercepts,
                             [&](std::size_t i) { return std::sqrt(f.model.posterior->variance[i]); });
           })
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
