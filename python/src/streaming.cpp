#include "streaming.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "interruptible.hpp"
#include "lazylogit/base/output_file.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/train/stream_options.hpp"

namespace lazylogit::python {
namespace {

constexpr FeatureId no_column = std::numeric_limits<FeatureId>::max();
constexpr std::size_t window = 10000;  // of the program's own windowed loss, which nobody looks at here

data::InputSpec spec_of(const Table& table, const Labelled& y) {
  data::InputSpec input = table.data.input;
  if (!y.names) return input;
  input.kind = data::InputKind::columns;
  for (const std::string& name : *y.names) {
    data::ColumnSpec column;
    column.name = name;
    input.columns.push_back(std::move(column));
  }
  return input;
}

}  // namespace

Stream::Stream(const Options& options) : options_(train_options_of(options)) {
  if (!options.contains("optimizer")) options_.optimizer = "auto";
  train::check_stream_options(options_);
}

const train::StreamTrainer& Stream::trainer() const {
  if (!trainer_) throw std::invalid_argument("nothing has been learned yet");
  return *trainer_;
}

void Stream::begin(const data::InputSpec& input) {
  input_ = input;
  input_.index_base = 1;
  trainer_ = std::make_unique<train::StreamTrainer>(options_, input_, window);
  if (input_.kind == data::InputKind::indexed) names_.number_columns(input_.index_base);
  if (!expected_.empty()) trainer_->expect(expected_);
  for (const std::string& label : expected_) names_.labels.intern(label);
  expected_.clear();
}

std::unique_ptr<Stream> Stream::resume(const Options& options, const Fitted& from) {
  auto stream = std::make_unique<Stream>(options);
  Messages messages;
  stream->input_ = from.model.input;
  stream->trainer_ = std::make_unique<train::StreamTrainer>(stream->options_, stream->input_, window);
  stream->trainer_->resume(from.model, messages);
  for (const std::string& label : stream->trainer_->labels()) stream->names_.labels.intern(label);
  stream->names_.features = from.model.features;
  if (stream->input_.kind == data::InputKind::indexed)
    stream->names_.number_columns(stream->input_.index_base);
  stream->notices_ = std::move(messages.notices);
  return stream;
}

void Stream::expect(const std::vector<std::string>& labels) {
  if (trainer_) throw std::invalid_argument("classes can be given with the first rows only");
  for (const std::string& label : labels) expected_.push_back(canonical(label));
}

// The column of the stream that a column of the table is, by first appearance.
FeatureId Stream::column_of(const data::Alphabet& names, FeatureId column, std::vector<FeatureId>& known) {
  FeatureId& id = known[column];
  if (id != no_column) return id;
  if (input_.kind == data::InputKind::indexed)
    names_.to_columns(&(id = column), 1);
  else
    id = names_.features.intern(names.name(column));
  return id;
}

void Stream::learn(const Table& table, const Labelled& y) {
  const data::Dataset data = dataset_over(table, &y);
  if (!trainer_) begin(spec_of(table, y));
  run_interruptibly([&](const CancelToken&) {
    std::vector<FeatureId> columns(data.x.num_features, no_column);
    // A table's columns are known from the start.
    if (y.names)
      for (const std::string& name : *y.names) names_.features.intern(name);
    std::vector<ClassId> arrival(data.classes.size(), unknown_class);
    // Some rows at a time: where they are cut makes no difference, and they need room of their own.
    constexpr std::size_t rows_at_once = 4096;
    for (std::size_t first = 0; first < data.num_rows(); first += rows_at_once) {
      const std::size_t last = std::min(data.num_rows(), first + rows_at_once);
      data::Rows rows;
      data.x.visit_rows([&]<class Value>(const data::RowsView<Value>& view) {
        Buffer<double> values;
        for (std::size_t r = first; r < last; ++r) {
          const data::RowView<Value> row = view.row(r);
          for (std::size_t k = 0; k < row.size(); ++k) {
            rows.x.ids.push_back(y.names ? row.ids[k] : column_of(table.data.features, row.ids[k], columns));
            values.push_back(row.value(k));
          }
          rows.x.row_offsets.push_back(rows.x.ids.size());
        }
        rows.x.values = std::move(values);
      });
      rows.x.num_features = names_.features.size();
      if (!data.weights.empty())
        rows.weights = Buffer<double>::borrow(data.weights.data() + first, last - first);
      rows.labels.resize(last - first);
      for (std::size_t r = first; r < last; ++r) {
        ClassId& id = arrival[static_cast<std::size_t>(data.labels[r])];
        if (id == unknown_class) {
          const std::string& label = data.classes.label(data.labels[r]);
          const std::size_t known = names_.labels.size();
          id = static_cast<ClassId>(names_.labels.intern(label));
          if (names_.labels.size() > known) rows.unknown_labels.push_back(label);
        }
        rows.labels[r - first] = id;
      }
      trainer_->learn(rows, 0);
    }
  });
}

void Stream::learn_bytes(std::string_view bytes, const Options& given) {
  const io::ReadOptions read = read_options_of(given);
  run_interruptibly([&](const CancelToken& cancel) {
    Messages messages;
    std::vector<io::Input> inputs;
    inputs.push_back(io::Input::from_memory("X", bytes, read.limits));
    if (!trainer_) begin(io::outline_stream(inputs, read, messages));
    const auto source = io::open_stream(std::move(inputs), input_, names_, read, messages, cancel);
    data::Rows rows;
    while (source->next(rows)) trainer_->learn(rows, 0);
  });
}

double Stream::log_loss() const {
  return trainer_ && trainer_->progressive().count() > 0 ? trainer_->progressive().all().log_loss()
                                                         : std::numeric_limits<double>::quiet_NaN();
}

void Stream::save(const std::string& path, bool with_state) const {
  OutputFile out(path);
  trainer().save(names_.features, with_state, out);
  out.commit();
}

Fitted Stream::model(std::size_t num_features) const {
  Fitted fitted;
  fitted.model = trainer().snapshot();
  fitted.notices = notices_;
  if (input_.kind != data::InputKind::indexed) {
    fitted.model.features = names_.features;
    fitted.model.features.build_index();
    return fitted;
  }
  const model::Model streamed = std::move(fitted.model);
  model::Model& model = fitted.model;
  model = {};
  model.classes = streamed.classes;
  model.input = streamed.input;
  model.record = streamed.record;
  model.shape = streamed.shape;
  model.shape.num_features = num_features;
  model.coefficients.assign(model.shape.size(), 0.0);
  if (streamed.posterior) {
    model.posterior = streamed.posterior;
    model.posterior->variance.assign(model.shape.size(), 0.0);
  }
  const auto move_row = [&](std::size_t from, std::size_t to) {
    for (std::size_t v = 0; v < model.shape.num_vectors(); ++v) {
      model.coefficients[model.shape.index(to, v)] = streamed.coefficients[streamed.shape.index(from, v)];
      if (streamed.posterior)
        model.posterior->variance[model.shape.index(to, v)] =
            streamed.posterior->variance[streamed.shape.index(from, v)];
    }
  };
  for (std::size_t i = 0; i < streamed.shape.num_features; ++i) {
    const std::string_view name = names_.features.name(static_cast<FeatureId>(i));
    std::size_t column = 0;
    std::from_chars(name.data(), name.data() + name.size(), column);
    if (column == 0 || column > num_features)
      throw std::invalid_argument("the stream knows the feature " + std::string(name) + ", X does not");
    move_row(i, column - 1);
  }
  if (model.shape.has_intercept) move_row(streamed.shape.num_features, num_features);
  for (std::size_t i = 1; i <= num_features; ++i) model.features.append(std::to_string(i));
  model.features.build_index();
  return fitted;
}

}  // namespace lazylogit::python
