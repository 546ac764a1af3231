// The writing half of model_file.hpp: a model's parts as tensors and metadata.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/column_tensors.hpp"
#include "lazylogit/model/input_record.hpp"
#include "lazylogit/model/kernel_coordinates.hpp"
#include "lazylogit/model/kernel_record.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/posterior_record.hpp"
#include "lazylogit/model/sparse_form.hpp"
#include "lazylogit/model/state_record.hpp"
#include "lazylogit/model/tensor_list.hpp"
#include "lazylogit/model/training_record.hpp"

namespace lazylogit::model {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& message) {
  throw Error({.kind = ErrorKind::internal, .message = message + "; the model is not written"});
}

std::size_t num_inputs(const Model& model) {
  return model.kernel != nullptr ? model.kernel->num_inputs : model.shape.num_features;
}

void check_sizes(const Model& model) {
  const Shape& shape = model.shape;
  if (model.coefficients.size() != shape.size() || model.classes.size() != shape.num_classes)
    refuse("the model's coefficients or classes do not fit its shape");
  const bool all_slots =
      model.input.hash_bits && model.features.empty() && model.kernel == nullptr;  // every slot is a feature
  if (model.features.size() != shape.num_features && !all_slots)
    refuse("the model's feature names do not fit its shape");
  if (!model.idf.empty() && model.idf.size() != num_inputs(model))
    refuse("the model's idf does not fit its shape");
  for (const auto* array : {&model.prior_mean, &model.prior_a, &model.prior_b})
    if (!array->empty() && array->size() != shape.size()) refuse("the model's prior does not fit its shape");
  if (!model.centers.empty() && (model.centers.size() != shape.num_features || !shape.has_intercept))
    refuse("the model's centers do not fit its shape");
  const std::size_t coupled = model.prior_covariance_rows.size();
  if (model.prior_covariance.size() != coupled * coupled) refuse("the model's prior does not fit its shape");
  const auto& posterior = model.posterior;
  if (posterior && (posterior->variance.size() != shape.size() ||
                    posterior->mean.size() != (has_mean(posterior->kind) ? shape.size() : 0) ||
                    posterior->factor.size() != shape.size() * posterior->rank ||
                    posterior->samples.size() != shape.size() * posterior->sampling.num_draws()))
    refuse("the model's posterior does not fit its shape");
}

void check_numbers(std::span<const double> numbers, const char* what, bool infinity_is_fine = false) {
  for (const double number : numbers)
    if (std::isnan(number) || (!infinity_is_fine && std::isinf(number)))
      refuse(fmt::format("{} is {}", what, number));
}

// The tensors of a posterior; what had to be made for them lives here until the bytes are written.
class PosteriorTensors {
 public:
  PosteriorTensors(const PosteriorApproximation& posterior, const Shape& shape, TensorList& list) {
    const std::size_t rows = shape.num_rows(), vectors = shape.num_vectors(), stride = shape.stride();
    check_numbers(posterior.variance, "a posterior variance");
    check_numbers(posterior.covariance, "a posterior covariance");
    list.add_padded("posterior_variance", posterior.variance, stride, {rows, vectors});
    if (has_mean(posterior.kind)) {
      check_numbers(posterior.mean, "a posterior mean");
      list.add_padded("posterior_mean", posterior.mean, stride, {rows, vectors});
    }
    if (has_covariance(posterior.kind)) {
      for (const std::uint64_t at : posterior.coordinates)
        coordinates_.push_back(at / stride * vectors + at % stride);
      list.add("posterior_coordinates", coordinates_);
      list.add("posterior_covariance", posterior.covariance, {posterior.covariance.size()});
    }
    if (posterior.kind == PosteriorKind::low_rank)
      add_floats("posterior_factor", posterior.factor, posterior.rank, shape, list);
    if (posterior.kind == PosteriorKind::samples)
      add_floats("posterior_samples", posterior.samples, posterior.sampling.num_draws(), shape, list);
  }

 private:
  // `width` numbers per coefficient, without padding.
  void add_floats(const char* name, std::span<const float> padded, std::size_t width, const Shape& shape,
                  TensorList& list) {
    const std::size_t rows = shape.num_rows(), vectors = shape.num_vectors();
    floats_.reserve(rows * vectors * width);
    for (std::size_t row = 0; row < rows; ++row) {
      const float* from = padded.data() + row * shape.stride() * width;
      floats_.insert(floats_.end(), from, from + vectors * width);
    }
    for (const float number : floats_)
      if (!std::isfinite(number)) refuse("a posterior's factor or sample is not finite");
    list.add(name, TensorType::f32,
             {reinterpret_cast<const char*>(floats_.data()), floats_.size() * sizeof(float)},
             {rows * vectors, width});
  }

  std::vector<std::uint64_t> coordinates_;
  std::vector<float> floats_;
};

}  // namespace

std::string write_shape_record(const Shape& shape) {
  // A reader that knows of classes alone must not take another response for them: it looks for "num_classes".
  const bool classes = shape.response == data::Response::classes;
  json record{{"has_intercept", shape.has_intercept},
              {classes ? "num_classes" : "num_outputs", shape.num_classes},
              {"num_features", shape.num_features},
              {"reference", shape.reference ? json(*shape.reference) : json(nullptr)}};
  if (!classes) record["response"] = data::response_name(shape.response);
  return record.dump();
}

void check_header(const data::InputSpec& input, const ContainerLimits& limits) {
  const std::uint64_t bytes = json(write_stored_input(input)).dump().size();
  if (bytes > limits.header_bytes) fail_header_size(bytes, limits);
}

void serialize(const Model& given, const ContainerSink& out) {
  std::optional<Model> dual;
  if (given.kernel != nullptr && !given.kernel->factor.empty()) dual = in_dual_coordinates(given);
  const Model& model = dual ? *dual : given;
  check_sizes(model);
  const Shape& shape = model.shape;
  const std::size_t vectors = shape.num_vectors(), stride = shape.stride();
  check_numbers(model.coefficients, "a coefficient");
  check_numbers(model.idf, "an idf");
  check_numbers(model.prior_mean, "a prior mean");
  check_numbers(model.prior_a, "a prior's parameter", true);
  check_numbers(model.prior_b, "a prior's parameter", true);

  TensorList list;
  data::Alphabet class_names;
  for (const std::string& label : model.classes.labels()) class_names.append(label);
  list.add_names("class", class_names);
  if (!model.input.hash_bits || shape.num_features == model.features.size())
    list.add_names("feature", model.features);
  const std::uint64_t other_bytes =
      8 * (shape.num_classes + model.features.size()) + model.features.bytes().size();
  SparseForm sparse;
  if (sparse_form_is_better(count_nonzero(model.coefficients, shape), shape.num_features * vectors, shape,
                            other_bytes)) {
    sparse = make_sparse_form(model.coefficients, shape);
    list.add("coefficient_index", sparse.index);
    list.add("coefficient_values", sparse.values, {sparse.values.size()});
  } else {
    list.add_padded("coefficients", model.coefficients, stride, {shape.num_features, vectors});
  }
  const std::span<const double> all(model.coefficients);
  if (shape.has_intercept) list.add("intercepts", all.subspan(shape.intercept_index(0), vectors), {vectors});
  if (!model.idf.empty()) list.add("idf", model.idf, {model.idf.size()});
  const auto add_prior = [&](const char* name, std::span<const double> padded) {
    if (!padded.empty()) list.add_padded(name, padded, stride, {shape.num_rows(), vectors});
  };
  add_prior("prior_mean", model.prior_mean);
  add_prior("prior_a", model.prior_a);
  add_prior("prior_b", model.prior_b);

  std::optional<ColumnTensors> columns;
  if (is_wide(model.input)) columns.emplace(model.input, list);
  std::optional<KernelTensors> kernel;
  if (model.kernel != nullptr) kernel.emplace(*model.kernel, list);
  if (!model.centers.empty()) {
    check_numbers(model.centers, "a center");
    list.add("centers", model.centers, {model.centers.size()});
  }
  if (!model.prior_covariance_rows.empty()) {
    const std::size_t m = model.prior_covariance_rows.size();
    check_numbers(model.prior_covariance, "a prior covariance");
    list.add("prior_covariance_rows", model.prior_covariance_rows);
    list.add("prior_covariance", model.prior_covariance, {m, m});
  }
  if (model.held_out) {
    check_numbers(model.held_out->scores, "a held-out score", true);
    check_numbers(model.held_out->weights, "a held-out weight");
    list.add("held_out_scores", model.held_out->scores, {model.held_out->scores.size()});
    if (!model.held_out->weights.empty())
      list.add("held_out_weights", model.held_out->weights, {model.held_out->weights.size()});
  }
  std::optional<PosteriorTensors> posterior;
  if (model.posterior) posterior.emplace(*model.posterior, shape, list);
  if (model.state) {
    const LearnerState& state = *model.state;
    check_numbers(state.records.span(), "the learner's state");
    if (!state.rows.empty()) list.add("state_rows", state.rows);
    list.add("state_records", state.records.span(), {state.records.size() / state.width, state.width});
  }

  try {
    std::map<std::string, std::string, std::less<>> metadata{
        {"shape", write_shape_record(shape)},
        {"input", write_stored_input(model.input)},
        {"prior", canonical_json(model.record.prior_json)},
        {"training", write_training_record(model.record)}};
    if (model.state) metadata["state"] = write_state_record(*model.state);
    if (model.kernel != nullptr) metadata["kernel"] = write_kernel_record(*model.kernel);
    if (model.posterior) metadata["posterior"] = write_posterior_record(*model.posterior);
    write_container(metadata, list.tensors(), out);
  } catch (const json::exception&) {
    refuse("a name in the model's records is not valid UTF-8");
  }
}

std::string serialize(const Model& model) {
  std::string bytes;
  serialize(model, {[&](std::string_view piece) { bytes += piece; },
                    [&](std::uint64_t offset, std::string_view piece) {
                      bytes.replace(offset, piece.size(), piece);
                    }});
  return bytes;
}

}  // namespace lazylogit::model
