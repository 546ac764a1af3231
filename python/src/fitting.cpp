#include "fitting.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <stdexcept>

#include "interruptible.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/data/row_source.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/model/kernel_coordinates.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/train/kernel_features.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/trainer.hpp"
#include "reading.hpp"
#include "set_option.hpp"

namespace lazylogit::python {
namespace {

// Passes and points of a path as they come; another thread may look at the last one.
class Trace final : public optim::Observer, public train::TuneObserver {
 public:
  void on_pass(const optim::PassReport& report) override {
    const std::lock_guard lock(mutex_);
    passes.push_back(report);
  }
  void on_point(const train::TunePoint&, std::size_t done, std::size_t of) override {
    const std::lock_guard lock(mutex_);
    done_ = done;
    of_ = of;
  }
  void tell(const FitSettings& settings) {
    optim::PassReport last;
    std::size_t done = 0, of = 0;
    {
      const std::lock_guard lock(mutex_);
      if (!passes.empty()) last = passes.back();
      done = done_;
      of = of_;
    }
    settings.progress(last, done, of);
  }
  std::vector<optim::PassReport> passes;

 private:
  std::mutex mutex_;
  std::size_t done_ = 0, of_ = 0;
};

template <class T>
Buffer<T> borrowed(const Buffer<T>& buffer) {
  return Buffer<T>::borrow(buffer.data(), buffer.size());
}

data::Values borrowed(const data::Values& values) {
  if (const auto* f = std::get_if<Buffer<float>>(&values)) return borrowed(*f);
  if (const auto* d = std::get_if<Buffer<double>>(&values)) return borrowed(*d);
  return data::OnesValues{};
}

data::Rows rows_over(const data::Rows& from) {
  data::Rows rows;
  rows.x.row_offsets = borrowed(from.x.row_offsets);
  rows.x.ids = borrowed(from.x.ids);
  rows.x.values = borrowed(from.x.values);
  rows.x.num_features = from.x.num_features;
  rows.x.source = from.x.source;
  rows.labels = borrowed(from.labels);
  rows.targets = borrowed(from.targets);
  rows.label_sets.ends = borrowed(from.label_sets.ends);
  rows.label_sets.ids = borrowed(from.label_sets.ids);
  rows.weights = borrowed(from.weights);
  rows.offsets = borrowed(from.offsets);
  return rows;
}

// Rows one by one in any order: what is only quick in order is copied for that.
bool needs_any_order(const train::TrainOptions& options) {
  return options.kernel != "none" ||
         (options.optimizer != "auto" && optim::find_optimizer(options.optimizer, "optimizer").stochastic);
}

void take_numbers(const Array<double>& numbers, data::Dataset& data) {
  if (numbers.shape(0) != data.num_rows())
    throw std::invalid_argument("X and y have different numbers of rows");
  for (std::size_t r = 0; r < data.num_rows(); ++r)
    if (!std::isfinite(numbers.data()[r])) throw std::invalid_argument("Input y contains NaN or infinity.");
  data.input.response = data::Response::number;
  data.targets = Buffer<double>::borrow(numbers.data(), data.num_rows());
  data.labels = {};
  data.label_sets = {};
  data.classes = data::ClassTable::from_ordered({data.input.target.empty() ? "target" : data.input.target});
}

// Rows with sets of labels: a set per row, in the numbers of the classes.
data::LabelSets label_sets(const Labelled& y, const std::vector<ClassId>& to_class) {
  data::LabelSets sets;
  std::vector<ClassId> row;
  std::int64_t at = 0;
  for (std::size_t r = 0; r < y.set_ends->shape(0); ++r) {
    const std::int64_t end = y.set_ends->data()[r];
    if (end < at || end > static_cast<std::int64_t>(y.codes.shape(0)))
      throw std::invalid_argument("the ends of the sets of labels do not ascend");
    row.clear();
    for (; at < end; ++at) row.push_back(to_class.at(static_cast<std::size_t>(y.codes.data()[at])));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    sets.push_back(row);
  }
  return sets;
}

void take_labels(const Labelled& y, data::Dataset& data) {
  data.input.response = y.set_ends ? data::Response::labels : data::Response::classes;
  data.targets = {};
  data.labels = {};
  data.label_sets = {};
  if ((y.set_ends ? *y.set_ends : y.codes).shape(0) != data.num_rows())
    throw std::invalid_argument("X and y have different numbers of rows");
  std::vector<std::string> labels;
  for (const std::string& label : y.labels) {
    labels.push_back(canonical(label));
    if (std::count(labels.begin(), labels.end(), labels.back()) > 1)
      throw std::invalid_argument("two labels are the same number: " + labels.back());
  }
  std::vector<ClassId> to_class;
  data.classes = data::ClassTable::from_labels(labels, &to_class);
  if (y.set_ends) {
    data.label_sets = label_sets(y, to_class);
    return;
  }
  Buffer<ClassId> classes;
  classes.resize(data.num_rows());
  for (std::size_t r = 0; r < data.num_rows(); ++r)
    classes[r] = to_class.at(static_cast<std::size_t>(y.codes.data()[r]));
  data.labels = std::move(classes);
}

void take_names(const std::vector<std::string>& names, data::Dataset& data) {
  data.input = {};
  data.features = {};
  data.input.kind = data::InputKind::columns;
  for (const std::string& name : names) {
    data.features.intern(name);
    data::ColumnSpec column;
    column.name = name;
    data.input.columns.push_back(std::move(column));
  }
  if (names.size() != data.x.num_features || data.features.size() != names.size())
    throw std::invalid_argument("feature names are not distinct, one for each column");
}

}  // namespace

std::string canonical(const std::string& label) {
  auto form = data::canonical_label(label);
  if (!form) throw std::invalid_argument("a label is no finite number: " + label);
  return std::move(*form);
}

train::TrainOptions train_options_of(const std::map<std::string, std::string>& given) {
  train::TrainOptions options;
  std::vector<std::string> stochastic;
  for (const auto& [name, text] : given) {
    if (set_option(train::train_fields(), name, text, options).info.group == "Stochastic training")
      stochastic.push_back(name);
  }
  if (!stochastic.empty() && options.optimizer == "auto")
    options.optimizer = stochastic == std::vector<std::string>{"bounds"} ? "saga" : "sgd";
  return options;
}

ScoredRows::ScoredRows(const model::Model& model, const data::Rows& rows) : rows_(rows) {
  if (rows.x.num_features > num_inputs(model))
    throw ConfigError("the rows have " + std::to_string(rows.x.num_features) + " features, the model has " +
                      std::to_string(num_inputs(model)));
  if (model.kernel == nullptr) return;
  mapped_ = rows_over(rows);
  model::RowMapper{model}(*mapped_);
}

data::Dataset dataset_over(const Table& table, const Labelled* y) {
  const data::Dataset& from = table.data;
  data::Dataset data;
  static_cast<data::Rows&>(data) = rows_over(from);
  data.classes = from.classes;
  data.features = from.features;
  data.input = from.input;
  data.idf = from.idf;
  if (y != nullptr) {
    if (y->names) take_names(*y->names, data);
    if (y->numbers)
      take_numbers(*y->numbers, data);
    else
      take_labels(*y, data);
    if (y->weights) {
      if (y->weights->shape(0) != data.num_rows())
        throw std::invalid_argument("sample_weight has another length than y");
      data.weights = Buffer<double>::borrow(y->weights->data(), data.num_rows());
    }
    if (y->offsets) {
      if (y->offsets->shape(0) != data.num_rows())
        throw std::invalid_argument("offset has another length than y");
      data.offsets = Buffer<double>::borrow(y->offsets->data(), data.num_rows());
    }
  }
  if (data.features.empty() && !data.input.hash_bits)
    for (std::size_t i = 1; i <= data.x.num_features; ++i) data.features.append(std::to_string(i));
  return data;
}

Fitted fit_data(const Table& table, const Labelled* y, const FitSettings& settings) {
  data::Dataset data = dataset_over(table, y);
  Fitted fitted;
  Trace trace;
  const auto fit = [&](const CancelToken& cancel) {
    const ThreadLimit limit(settings.threads);
    if (data.x.source != nullptr) data.x.source->make_room(data::reading_threads());
    Messages messages;
    train::TrainOptions options = train_options_of(settings.options);
    train::check_options(options);
    if (options.kernel != "none" && settings.warm_start != nullptr)
      throw ConfigError("a kernel's coefficients belong to the rows of one training set", "warm-start");
    if (data.x.source != nullptr && !data.x.source->random_access() && needs_any_order(options))
      data.x = data::stored(data.x);
    std::optional<data::Rows> holdout;
    if (settings.holdout) {
      if (!(*settings.holdout > 0 && *settings.holdout < 1))
        throw ConfigError("expected a fraction between 0 and 1", "holdout");
      // Rows are moved within the matrix, which must be our own for that.
      std::vector<std::size_t> all(data.num_rows());
      for (std::size_t r = 0; r < all.size(); ++r) all[r] = r;
      static_cast<data::Rows&>(data) = data::copy_rows(data, all);
      holdout = data::take_holdout(data, *settings.holdout, options.seed);
    }
    train::apply_kernel(data, options, messages, cancel);
    if (holdout) train::map_rows(data, *holdout);
    if (settings.tune) {
      fitted.tuning = train::tune(data, options, *settings.tune, trace, messages, cancel);
      options = fitted.tuning->options;
    }
    train::TrainResult result =
        train::train(data, options, holdout ? &*holdout : nullptr,
                     settings.warm_start ? &settings.warm_start->model : nullptr, trace, messages, cancel);
    cancel.throw_if_cancelled();
    fitted.model = model::in_dual_coordinates(std::move(result.model));
    fitted.model.features.build_index();
    fitted.warnings = std::move(messages.warnings);
    fitted.notices = std::move(messages.notices);
  };
  if (settings.progress)
    run_interruptibly(fit, [&] { trace.tell(settings); });
  else
    run_interruptibly(fit);
  fitted.trace = std::move(trace.passes);
  return fitted;
}

}  // namespace lazylogit::python
