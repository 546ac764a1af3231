// The reading half of model_file.hpp: what a container must hold to be a model.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/utf8.hpp"
#include "lazylogit/model/column_tensors.hpp"
#include "lazylogit/model/input_record.hpp"
#include "lazylogit/model/kernel_record.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/read_uncertainty.hpp"
#include "lazylogit/model/sparse_form.hpp"
#include "lazylogit/model/state_record.hpp"
#include "lazylogit/model/training_record.hpp"

namespace lazylogit::model {
namespace {

using nlohmann::json;

constexpr std::array known_tensors{"coefficients",
                                   "coefficient_index",
                                   "coefficient_values",
                                   "intercepts",
                                   "class_names",
                                   "class_name_ends",
                                   "feature_names",
                                   "feature_name_ends",
                                   "idf",
                                   "prior_mean",
                                   "prior_a",
                                   "prior_b",
                                   "centers",
                                   "prior_covariance",
                                   "prior_covariance_rows",
                                   "posterior_variance",
                                   "posterior_coordinates",
                                   "posterior_covariance",
                                   "posterior_factor",
                                   "posterior_mean",
                                   "posterior_samples",
                                   "held_out_scores",
                                   "held_out_weights",
                                   "state_records",
                                   "state_rows",
                                   "column_names",
                                   "column_name_ends",
                                   "column_kinds",
                                   "column_means",
                                   "column_word_names",
                                   "column_word_name_ends",
                                   "ignored_names",
                                   "ignored_name_ends",
                                   "kernel_input_names",
                                   "kernel_input_name_ends",
                                   "kernel_scale",
                                   "kernel_center",
                                   "kernel_row_offsets",
                                   "kernel_row_features",
                                   "kernel_row_values",
                                   "kernel_row_numbers"};
constexpr std::array known_metadata{"shape", "input", "prior", "training", "posterior", "state", "kernel"};

class Reader : private TensorReader {
 public:
  Reader(const Container& container, std::uint64_t file_bytes, const std::string& file)
      : TensorReader(container, file), container_(container), file_bytes_(file_bytes) {}

  Model read() {
    check_known();
    Model model;
    model.shape = parse_shape();
    std::optional<WideTable> wide;
    model.input = parse_input_record(metadata("input"), place("input"), &wide);
    if (wide) {
      read_columns(*this, *wide, model.input);
      check_derived(model.input, place("input"));
    }
    model.input.response = model.shape.response;
    model.record = parse_training_record(metadata("training"), place("training"));
    model.record.prior_json = parse_canonical_json(metadata("prior"), place("prior")).dump();
    model.kernel = read_kernel(*this, model.shape, model.input);
    const std::uint64_t num_base = model.input.derived.num_base;
    const std::uint64_t num_inputs =
        model.kernel != nullptr ? model.kernel->num_inputs : model.shape.num_features;
    if (num_base > num_inputs || (num_base > 0 && model.input.hash_bits))
      refuse_json(place("input"), "has more base features than features");
    check_choices(model);
    read_names(model);
    read_coefficients(model);
    const Shape& shape = model.shape;
    if (container_.find("idf") != nullptr) {
      model.idf.resize(require("idf", TensorType::f64, {num_inputs}).num_bytes() / 8);
      copy_numbers(*container_.find("idf"), model.idf.data(), Finite::required);
    }
    if (model.input.text.tfidf && model.idf.size() < num_inputs)
      refuse_json(place("input"), "weighs words by tf-idf, but the file has no idf");
    model.prior_mean = per_coefficient("prior_mean", shape, Finite::required);
    model.prior_a = per_coefficient("prior_a", shape, Finite::infinity_is_fine);
    model.prior_b = per_coefficient("prior_b", shape, Finite::infinity_is_fine);
    if (container_.find("centers") != nullptr) {
      if (!shape.has_intercept) refuse(container_.find("centers")->byte_offset, "centers need an intercept");
      model.centers.resize(require("centers", TensorType::f64, {shape.num_features}).num_bytes() / 8);
      copy_numbers(*container_.find("centers"), model.centers.data(), Finite::required);
    }
    read_prior_covariance(model);
    model.posterior = read_posterior(*this, shape);
    model.held_out = read_held_out(*this);
    model.state = read_state(container_, model.shape, place("state"));
    return model;
  }

 private:
  void check_known() const {
    if (newer()) return;
    for (const Tensor& tensor : container_.tensors)
      if (std::find(known_tensors.begin(), known_tensors.end(), tensor.name) == known_tensors.end())
        refuse(tensor.byte_offset, fmt::format("unknown tensor {}", quote_text(tensor.name)));
    for (const auto& [key, value] : container_.metadata)
      if (std::find(known_metadata.begin(), known_metadata.end(), key) == known_metadata.end())
        refuse(8, fmt::format("unknown metadata {}", quote_text(key)));
  }

  // What is read of the candidates of choices is their one score, to which nothing is added.
  void check_choices(const Model& model) const {
    const Shape& shape = model.shape;
    if (model.input.choices.column.empty()) return;
    if (shape.response != data::Response::classes || shape.num_classes != 2 || shape.num_vectors() != 1 ||
        shape.has_intercept || model.kernel != nullptr)
      refuse_json(place("shape"), "is not that of choices, which have one vector without an intercept");
  }

  Shape parse_shape() const {
    const JsonPlace where = place("shape");
    const json document = parse_canonical_json(metadata("shape"), where);
    JsonFields fields(document, where);
    Shape shape;
    shape.has_intercept = fields.flag("has_intercept");
    if (fields.has("response")) {
      const std::string name = fields.string("response");
      const auto response = data::find_response(name);
      if (!response || *response == data::Response::classes)
        refuse_json(where,
                    fmt::format("has the response {}, which this program does not know", quote_text(name)));
      shape.response = *response;
    }
    const bool of_classes = shape.response == data::Response::classes;
    shape.num_classes = fields.count(of_classes ? "num_classes" : "num_outputs");
    shape.num_features = fields.count("num_features");
    constexpr std::uint64_t max_classes = std::uint64_t{1} << 30, max_features = std::uint64_t{1} << 32;
    const std::uint64_t fewest = of_classes ? 2 : 1,
                        most = shape.response == data::Response::number ? 1 : max_classes;
    if (shape.num_classes < fewest || shape.num_classes > most)
      refuse_json(where, "has " + counted(shape.num_classes, "class"));
    if (shape.num_features >= max_features)
      refuse_json(where, "has " + counted(shape.num_features, "feature"));
    if (!fields.value("reference").is_null()) {
      const std::uint64_t reference = fields.count("reference");
      if (reference >= shape.num_classes || !of_classes)
        refuse_json(where, fmt::format("has the reference class {}", reference));
      shape.reference = static_cast<ClassId>(reference);
    }
    fields.finish();
    return shape;
  }

  void read_names(Model& model) const {
    const Shape& shape = model.shape;
    const data::Alphabet classes = name_table("class", shape.num_classes);
    std::vector<std::string> labels;
    labels.reserve(shape.num_classes);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      labels.emplace_back(classes.name(static_cast<FeatureId>(c)));
      if (labels.back().empty())
        refuse(container_.find("class_names")->byte_offset, "a class has an empty name");
    }
    model.classes = data::ClassTable::from_ordered(std::move(labels));
    const bool named =
        container_.find("feature_names") != nullptr || container_.find("feature_name_ends") != nullptr;
    if (!model.input.hash_bits || named || model.kernel != nullptr) {
      model.features = name_table("feature", shape.num_features);
      if (model.input.hash_bits && model.kernel == nullptr)
        check_slots("feature", model.features, *model.input.hash_bits);
      return;
    }
    if (shape.num_features != std::uint64_t{1} << *model.input.hash_bits)
      refuse(8, fmt::format("a model with {} hash bits has {} features", *model.input.hash_bits,
                            shape.num_features));
  }

  void read_prior_covariance(Model& model) const {
    const Tensor* matrix = container_.find("prior_covariance");
    if (matrix == nullptr && container_.find("prior_covariance_rows") == nullptr) return;
    model.prior_covariance_rows = positions("prior_covariance_rows", model.shape.num_rows());
    const std::uint64_t m = model.prior_covariance_rows.size();
    if (m > max_coupled_features)
      refuse(8, fmt::format("a prior covariance of {} features is larger than any that is written", m));
    model.prior_covariance.resize(m * m);
    copy_numbers(require("prior_covariance", TensorType::f64, {m, m}), model.prior_covariance.data(),
                 Finite::required);
  }

  void read_coefficients(Model& model) const {
    const Shape& shape = model.shape;
    const std::size_t vectors = shape.num_vectors();
    std::uint64_t size = 0, bytes = 0, dense = 0;
    const bool overflow = __builtin_mul_overflow(shape.num_rows(), shape.stride(), &size) ||
                          __builtin_mul_overflow(size, std::uint64_t{8}, &bytes) ||
                          __builtin_mul_overflow(shape.num_features, vectors, &dense);
    const bool is_dense = container_.find("coefficients") != nullptr;
    if (overflow || (!is_dense && bytes > max_expanded_bytes(file_bytes_)))
      refuse(8, fmt::format("{} features and {} classes are more than a file of {} bytes can hold",
                            shape.num_features, shape.num_classes, file_bytes_));
    if (is_dense) {
      if (container_.find("coefficient_index") != nullptr || container_.find("coefficient_values") != nullptr)
        refuse(8, "the model has both dense and sparse coefficients");
      const Tensor& tensor = require("coefficients", TensorType::f64, {shape.num_features, vectors});
      model.coefficients.resize(size);
      if (vectors == shape.stride()) {
        copy_numbers(tensor, model.coefficients.data(), Finite::required);
      } else {
        std::vector<double> packed(dense);
        copy_numbers(tensor, packed.data(), Finite::required);
        spread(packed, shape, model.coefficients.data());
      }
    } else {
      read_sparse(model, size, dense);
    }
    if (!shape.has_intercept) {
      if (const Tensor* tensor = container_.find("intercepts"))
        refuse(tensor->byte_offset, "a model without intercept has intercepts");
      return;
    }
    copy_numbers(require("intercepts", TensorType::f64, {vectors}),
                 model.coefficients.data() + shape.intercept_index(0), Finite::required);
  }

  void read_sparse(Model& model, std::uint64_t size, std::uint64_t dense) const {
    const Tensor* index = container_.find("coefficient_index");
    if (index == nullptr || index->type != TensorType::i64 || index->shape.size() != 1)
      refuse(8, "the model has neither dense nor sparse coefficients");
    const std::uint64_t count = index->shape[0];
    const Tensor& tensor = require("coefficient_values", TensorType::f64, {count});
    std::vector<double> values(count);
    copy_numbers(tensor, values.data(), Finite::required);
    model.coefficients.resize(size);
    const std::size_t vectors = model.shape.num_vectors();
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t at = 0;
      std::memcpy(&at, index->bytes.data() + 8 * i, sizeof at);
      if (at >= dense || (i > 0 && at <= before))
        refuse(index->byte_offset + 8 * i,
               fmt::format("position {} of a coefficient is out of range or out of order", at));
      if (values[i] == 0) refuse(tensor.byte_offset + 8 * i, "a coefficient of the sparse form is zero");
      model.coefficients[model.shape.index(at / vectors, at % vectors)] = values[i];
      before = at;
    }
  }

  const Container& container_;
  std::uint64_t file_bytes_;
};

}  // namespace

Model deserialize(std::span<const char> bytes, const std::string& file, const ContainerLimits& limits) {
  const Container container = read_container(bytes, file, limits);
  return Reader(container, bytes.size(), file).read();
}

}  // namespace lazylogit::model
