#include "lazylogit/model/streamed_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/column_tensors.hpp"
#include "lazylogit/model/feature_set.hpp"
#include "lazylogit/model/input_record.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/posterior_record.hpp"
#include "lazylogit/model/safetensors.hpp"
#include "lazylogit/model/sparse_form.hpp"
#include "lazylogit/model/state_record.hpp"
#include "lazylogit/model/training_record.hpp"

namespace lazylogit::model {
namespace {

// Numbers on their way into a tensor, some kilobytes at a time.
template <class T>
class Pieces {
 public:
  explicit Pieces(const ByteSink& sink) : sink_(sink) {}
  ~Pieces() = default;
  void add(T value) {
    kept_.push_back(value);
    if (kept_.size() == 8192) flush();
  }
  void add(const T* values, std::size_t count) {
    kept_.insert(kept_.end(), values, values + count);
    if (kept_.size() >= 8192) flush();
  }
  void flush() {
    sink_({reinterpret_cast<const char*>(kept_.data()), kept_.size() * sizeof(T)});
    kept_.clear();
  }

 private:
  const ByteSink& sink_;
  std::vector<T> kept_;
};

// body(rows) for rows 0 … count − 1.
template <class Body>
void for_all_rows(std::size_t count, const Body& body) {
  std::vector<std::uint64_t> rows;
  for (std::size_t first = 0; first < count; first += some_rows) {
    rows.resize(std::min(some_rows, count - first));
    std::iota(rows.begin(), rows.end(), first);
    body(rows);
  }
}

class Writer {
 public:
  explicit Writer(const StreamedModel& model)
      : model_(model),
        shape_(model.shape),
        with_coefficients_(model.shape.num_features),
        with_state_(model.state ? model.shape.num_features : 0) {}

  std::vector<StreamedTensor> tensors() {
    look();
    add_classes();
    if (!model_.input->hash_bits || model_.features->size() > 0) add_features();
    add_coefficients();
    if (model_.variances) add_rows("posterior_variance", shape_.num_rows(), model_.variances);
    if (model_.variances && has_covariance(model_.posterior.kind)) add_covariance();
    if (model_.state) add_state();
    return std::move(tensors_);
  }

 private:
  using RowNumbers = StreamedModel::RowNumbers;

  void add_classes() {
    std::uint64_t bytes = 0;
    for (const std::string& label : model_.classes->labels()) bytes += label.size();
    const auto& labels = model_.classes->labels();
    tensors_.push_back({"class_names", TensorType::u8, {bytes}, [&labels](const ByteSink& sink) {
                          for (const std::string& label : labels) sink(label);
                        }});
    tensors_.push_back({"class_name_ends", TensorType::i64, {labels.size()}, [&labels](const ByteSink& sink) {
                          Pieces<std::uint64_t> pieces(sink);
                          std::uint64_t end = 0;
                          for (const std::string& label : labels) pieces.add(end += label.size());
                          pieces.flush();
                        }});
  }

  void add_features() {
    const data::Alphabet& names = *model_.features;
    const std::size_t count = shape_.num_features;
    const std::uint64_t bytes = count == 0 ? 0 : names.ends()[count - 1];
    name_bytes_ = bytes;
    tensors_.push_back({"feature_names", TensorType::u8, {bytes}, [&names, bytes](const ByteSink& sink) {
                          sink({names.bytes().data(), bytes});
                        }});
    tensors_.push_back(
        {"feature_name_ends", TensorType::i64, {count}, [&names, count](const ByteSink& sink) {
           sink({reinterpret_cast<const char*>(names.ends().data()), count * sizeof(std::uint64_t)});
         }});
  }

  void add_rows(std::string name, std::size_t rows, const RowNumbers& numbers) {
    const std::size_t vectors = shape_.num_vectors();
    tensors_.push_back({std::move(name), TensorType::f64, {rows, vectors}, [=](const ByteSink& sink) {
                          std::vector<double> some;
                          for_all_rows(rows, [&](std::span<const std::uint64_t> all) {
                            some.resize(all.size() * vectors);
                            numbers(all, some.data());
                            sink({reinterpret_cast<const char*>(some.data()), some.size() * sizeof(double)});
                          });
                        }});
  }

  void add_covariance() {
    const std::vector<std::uint64_t>& at = model_.posterior.coordinates;
    tensors_.push_back(
        {"posterior_coordinates", TensorType::i64, {at.size()}, [this, &at](const ByteSink& sink) {
           Pieces<std::uint64_t> pieces(sink);
           for (const std::uint64_t i : at)
             pieces.add(i / shape_.stride() * shape_.num_vectors() + i % shape_.stride());
           pieces.flush();
         }});
    const std::vector<double>& lower = model_.posterior.covariance;
    tensors_.push_back(
        {"posterior_covariance", TensorType::f64, {lower.size()}, [&lower](const ByteSink& sink) {
           sink({reinterpret_cast<const char*>(lower.data()), lower.size() * sizeof(double)});
         }});
  }

  // body(rows) for the features that may have something.
  template <class Body>
  void for_used_features(const Body& body) const {
    if (!model_.find_used) return for_all_rows(shape_.num_features, body);
    std::vector<std::uint64_t> rows(some_rows);
    for (std::uint64_t from = 0; const std::size_t count = model_.find_used(from, rows);
         from = rows[count - 1] + 1)
      body(std::span<const std::uint64_t>(rows).first(count));
  }

  // Finds what there is in one walk: records lie in any order, and each walk waits for memory.
  void look() {
    const std::size_t vectors = shape_.num_vectors();
    std::vector<double> some, records;
    for_used_features([&](std::span<const std::uint64_t> rows) {
      some.resize(rows.size() * vectors);
      model_.coefficients(rows, some.data());
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (some[i] == 0) continue;
        ++nonzero_;
        finite_ = finite_ && std::isfinite(some[i]);
        with_coefficients_.add(rows[i / vectors]);
      }
      if (model_.state) look_at_state(rows, records);
    });
    const std::uint64_t intercept[] = {shape_.num_features};
    if (model_.state) look_at_state(intercept, records);
  }

  void look_at_state(std::span<const std::uint64_t> rows, std::vector<double>& records) {
    const std::size_t width = model_.state->width;
    records.resize(rows.size() * width);
    model_.state_records(rows, records.data());
    for (const double x : records) state_not_finite_ += x - x;  // 0 for numbers alone
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!is_present(records.data() + i * width)) continue;
      ++present_;
      if (rows[i] < shape_.num_features)
        with_state_.add(rows[i]);
      else
        intercept_has_state_ = true;
    }
  }

  // Calls body(position, coefficient) for each that is not 0.
  template <class Body>
  void for_each_nonzero(const Body& body) const {
    const std::size_t vectors = shape_.num_vectors();
    std::vector<double> some;
    with_coefficients_.for_all([&](std::span<const std::uint64_t> rows) {
      some.resize(rows.size() * vectors);
      model_.coefficients(rows, some.data());
      for (std::size_t i = 0; i < some.size(); ++i)
        if (some[i] != 0) body(rows[i / vectors] * vectors + i % vectors, some[i]);
    });
  }

  void write_coefficient_index(const ByteSink& sink) const {
    Pieces<std::uint64_t> pieces(sink);
    if (shape_.num_vectors() == 1)
      with_coefficients_.for_all(
          [&](std::span<const std::uint64_t> rows) { pieces.add(rows.data(), rows.size()); });
    else
      for_each_nonzero([&](std::uint64_t at, double) { pieces.add(at); });
    pieces.flush();
  }

  void add_coefficients() {
    const std::size_t vectors = shape_.num_vectors();
    bool finite = finite_;
    std::vector<double> intercepts(vectors);
    const std::uint64_t intercept[] = {shape_.num_features};
    if (shape_.has_intercept) model_.coefficients(intercept, intercepts.data());
    for (const double b : intercepts) finite = finite && std::isfinite(b);
    if (!finite)
      throw InputError(
          {.message = "a coefficient is not finite; the model is not written", .code = "not-finite"});
    const std::uint64_t names =
        model_.features == nullptr || model_.features->size() == 0 ? 0 : shape_.num_features;
    const std::uint64_t other_bytes = 8 * (shape_.num_classes + names) + name_bytes_;
    if (sparse_form_is_better(nonzero_, shape_.num_features * vectors, shape_, other_bytes)) {
      tensors_.push_back({"coefficient_index", TensorType::i64, {nonzero_}, [this](const ByteSink& sink) {
                            write_coefficient_index(sink);
                          }});
      tensors_.push_back({"coefficient_values", TensorType::f64, {nonzero_}, [this](const ByteSink& sink) {
                            Pieces<double> pieces(sink);
                            for_each_nonzero([&](std::uint64_t, double b) { pieces.add(b); });
                            pieces.flush();
                          }});
    } else {
      add_rows("coefficients", shape_.num_features, model_.coefficients);
    }
    if (!shape_.has_intercept) return;
    tensors_.push_back(
        {"intercepts", TensorType::f64, {vectors}, [intercepts](const ByteSink& sink) {
           sink({reinterpret_cast<const char*>(intercepts.data()), intercepts.size() * sizeof(double)});
         }});
  }

  // By its bits: a state comes back as it was, −0 too.
  bool is_present(const double* record) const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < model_.state->width; ++i) bits |= std::bit_cast<std::uint64_t>(record[i]);
    return bits != 0;
  }

  void add_state() {
    const std::size_t rows = shape_.num_features + 1;
    const std::uint64_t width = model_.state->width;
    if (state_not_finite_ != 0)
      throw InputError(
          {.message = "the learner's state is not finite; the model is not written", .code = "not-finite"});
    const bool sparse = sparse_state_is_better(present_, rows, width);
    if (sparse)
      tensors_.push_back({"state_rows", TensorType::i64, {present_}, [this](const ByteSink& sink) {
                            Pieces<std::uint64_t> pieces(sink);
                            with_state_.for_all([&](std::span<const std::uint64_t> some) {
                              pieces.add(some.data(), some.size());
                            });
                            if (intercept_has_state_) pieces.add(shape_.num_features);
                            pieces.flush();
                          }});
    tensors_.push_back(
        {"state_records",
         TensorType::f64,
         {sparse ? present_ : rows, width},
         [this, sparse, width](const ByteSink& sink) {
           std::vector<double> records;
           const auto write = [&](std::span<const std::uint64_t> some) {
             records.resize(some.size() * width);
             model_.state_records(some, records.data());
             sink({reinterpret_cast<const char*>(records.data()), records.size() * sizeof(double)});
           };
           if (sparse)
             with_state_.for_all(write);
           else
             for_all_rows(shape_.num_features, write);
           const std::uint64_t intercept[] = {shape_.num_features};
           if (!sparse || intercept_has_state_) write(intercept);
         }});
  }

  const StreamedModel& model_;
  const Shape& shape_;
  // What look() has found.
  FeatureSet with_coefficients_, with_state_;
  std::uint64_t nonzero_ = 0, present_ = 0;
  bool finite_ = true, intercept_has_state_ = false;
  double state_not_finite_ = 0;
  std::uint64_t name_bytes_ = 0;
  std::vector<StreamedTensor> tensors_;
};

}  // namespace

void write_model(const StreamedModel& model, OutputFile& out, const ContainerLimits& limits) {
  Writer writer(model);
  std::vector<StreamedTensor> tensors = writer.tensors();
  TensorList list;
  std::optional<ColumnTensors> columns;
  if (is_wide(*model.input)) columns.emplace(*model.input, list);
  tensors.insert(tensors.end(), list.tensors().begin(), list.tensors().end());
  std::map<std::string, std::string, std::less<>> metadata{{"shape", write_shape_record(model.shape)},
                                                           {"input", write_stored_input(*model.input)},
                                                           {"prior", canonical_json(model.record.prior_json)},
                                                           {"training", write_training_record(model.record)}};
  if (model.variances) metadata["posterior"] = write_posterior_record(model.posterior);
  if (model.state) metadata["state"] = write_state_record(*model.state);
  write_container(metadata, tensors, sink_of(out, limits));
}

}  // namespace lazylogit::model
