#include "fitting.hpp"

#include <algorithm>
#include <stdexcept>

#include "interruptible.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit::python {
namespace {

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

}  // namespace

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

}  // namespace lazylogit::python
