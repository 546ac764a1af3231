#include "lazylogit/model/read_uncertainty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "lazylogit/model/posterior_record.hpp"

namespace lazylogit::model {
namespace {

// Which tensors belong to which kinds of posterior, besides the variance that all have.
struct Belongs {
  const char* tensor;
  bool (*to)(PosteriorKind kind);
};
constexpr std::array<Belongs, 5> tensors_of_kinds{{
    {"posterior_coordinates", has_covariance},
    {"posterior_covariance", has_covariance},
    {"posterior_factor", [](PosteriorKind kind) { return kind == PosteriorKind::low_rank; }},
    {"posterior_mean", has_mean},
    {"posterior_samples", [](PosteriorKind kind) { return kind == PosteriorKind::samples; }},
}};

void read_covariance(const TensorReader& reader, const Shape& shape, PosteriorApproximation& posterior) {
  const std::uint64_t vectors = shape.num_vectors();
  const auto packed = reader.positions("posterior_coordinates", shape.num_rows() * vectors);
  const std::uint64_t count = packed.size();
  const Tensor& covariance =
      reader.require("posterior_covariance", TensorType::f64, {count * (count + 1) / 2});
  posterior.covariance.resize(count * (count + 1) / 2);
  reader.copy_numbers(covariance, posterior.covariance.data(), Finite::required);
  for (std::size_t i = 0; i < count; ++i) {
    posterior.coordinates.push_back(shape.index(packed[i] / vectors, packed[i] % vectors));
    if (posterior.covariance[i * (i + 1) / 2 + i] != posterior.variance[posterior.coordinates.back()])
      reader.refuse(covariance.byte_offset, "the posterior's variances and covariances do not agree");
  }
}

// `width` floats per coefficient, spread over the padded layout.
void read_floats(const TensorReader& reader, const char* name, const Shape& shape, std::size_t width,
                 math::AlignedVector<float>& out) {
  const std::size_t vectors = shape.num_vectors();
  const Tensor& tensor = reader.require(name, TensorType::f32, {shape.num_rows() * vectors, width});
  out.resize(shape.size() * width);  // no more than the tensor's bytes, but for padding
  for (std::size_t row = 0; row < shape.num_rows(); ++row)
    std::memcpy(out.data() + shape.index(row, 0) * width,
                tensor.bytes.data() + row * vectors * width * sizeof(float), vectors * width * sizeof(float));
  for (const float number : out)
    if (!std::isfinite(number))
      reader.refuse(tensor.byte_offset, fmt::format("tensor \"{}\" holds a number that is not finite", name));
}

}  // namespace

std::optional<PosteriorApproximation> read_posterior(const TensorReader& reader, const Shape& shape) {
  const auto found = reader.container().metadata.find("posterior");
  if (found == reader.container().metadata.end()) {
    for (const Tensor& tensor : reader.container().tensors)
      if (tensor.name.starts_with("posterior_"))
        reader.refuse(tensor.byte_offset,
                      fmt::format("tensor {} without the metadata \"posterior\"", tensor.name));
    return std::nullopt;
  }
  PosteriorApproximation posterior = parse_posterior_record(found->second, reader.place("posterior"));
  const std::vector<double> variance = reader.per_coefficient("posterior_variance", shape, Finite::required);
  if (variance.empty())
    reader.require("posterior_variance", TensorType::f64, {shape.num_rows(), shape.num_vectors()});
  for (const double v : variance)
    if (v < 0)
      reader.refuse(reader.find("posterior_variance")->byte_offset, "a posterior variance is negative");
  posterior.variance.assign(variance.begin(), variance.end());
  for (const Belongs& row : tensors_of_kinds)
    if (const Tensor* tensor = reader.find(row.tensor); tensor != nullptr && !row.to(posterior.kind))
      reader.refuse(tensor->byte_offset, fmt::format("tensor \"{}\" does not belong to a {} posterior",
                                                     row.tensor, posterior_kind_name(posterior.kind)));
  if (has_covariance(posterior.kind)) read_covariance(reader, shape, posterior);
  if (posterior.kind == PosteriorKind::low_rank)
    read_floats(reader, "posterior_factor", shape, posterior.rank, posterior.factor);
  if (has_mean(posterior.kind)) {
    const std::vector<double> mean = reader.per_coefficient("posterior_mean", shape, Finite::required);
    if (mean.empty())
      reader.require("posterior_mean", TensorType::f64, {shape.num_rows(), shape.num_vectors()});
    posterior.mean.assign(mean.begin(), mean.end());
  }
  if (posterior.kind == PosteriorKind::samples)
    read_floats(reader, "posterior_samples", shape, posterior.sampling.num_draws(), posterior.samples);
  return posterior;
}

std::optional<HeldOutScores> read_held_out(const TensorReader& reader) {
  const Tensor* scores = reader.find("held_out_scores");
  const Tensor* weights = reader.find("held_out_weights");
  if (scores == nullptr) {
    if (weights != nullptr) reader.refuse(weights->byte_offset, "held-out weights without scores");
    return std::nullopt;
  }
  if (scores->shape.size() != 1)
    reader.refuse(scores->byte_offset, "tensor \"held_out_scores\" is not a list");
  HeldOutScores held_out;
  held_out.scores.resize(reader.require("held_out_scores", TensorType::f64, scores->shape).num_bytes() / 8);
  reader.copy_numbers(*scores, held_out.scores.data(), Finite::infinity_is_fine);
  for (std::size_t i = 0; i < held_out.scores.size(); ++i)
    if (held_out.scores[i] < 0 || (i > 0 && held_out.scores[i] < held_out.scores[i - 1]))
      reader.refuse(scores->byte_offset + 8 * i, "a held-out score is negative or out of order");
  if (weights == nullptr) return held_out;
  held_out.weights.resize(held_out.scores.size());
  reader.copy_numbers(reader.require("held_out_weights", TensorType::f64, scores->shape),
                      held_out.weights.data(), Finite::required);
  for (std::size_t i = 0; i < held_out.weights.size(); ++i)
    if (!(held_out.weights[i] > 0))
      reader.refuse(weights->byte_offset + 8 * i, "a held-out weight is not positive");
  return held_out;
}

}  // namespace lazylogit::model
