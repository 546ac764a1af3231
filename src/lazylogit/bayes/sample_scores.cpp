#include "lazylogit/bayes/sample_scores.hpp"

#include <algorithm>

namespace lazylogit::bayes {

SampleScores::SampleScores(const model::Model& model, std::size_t draws)
    : model_(model),
      count_(std::min(draws, model.posterior->sampling.num_draws())),
      stored_(model.posterior->sampling.num_draws()) {}

template <class Value>
void SampleScores::operator()(const data::RowView<Value>& row, double offset,
                              std::vector<double>& out) const {
  const model::Shape& shape = model_.shape;
  out.assign(shape.num_classes * count_, 0.0);
  const auto add = [&](std::size_t feature, double x) {
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      const float* samples = model_.posterior->samples.data() + shape.index(feature, v) * stored_;
      double* scores = out.data() + static_cast<std::size_t>(shape.class_of(v)) * count_;
      if (count_ == stored_) {
        for (std::size_t d = 0; d < count_; ++d) scores[d] += x * static_cast<double>(samples[d]);
      } else {
        for (std::size_t d = 0; d < count_; ++d)
          scores[d] += x * static_cast<double>(samples[d * stored_ / count_]);
      }
    }
  };
  for (std::size_t k = 0; k < row.size(); ++k) add(static_cast<std::size_t>(row.ids[k]), row.value(k));
  if (shape.has_intercept) add(shape.num_features, 1.0);
  if (offset != 0 && shape.num_classes == 2)
    for (std::size_t d = 0; d < count_; ++d) out[count_ + d] += offset;
}

template void SampleScores::operator()(const data::RowView<float>&, double, std::vector<double>&) const;
template void SampleScores::operator()(const data::RowView<double>&, double, std::vector<double>&) const;
template void SampleScores::operator()(const data::RowView<data::One>&, double, std::vector<double>&) const;

}  // namespace lazylogit::bayes
