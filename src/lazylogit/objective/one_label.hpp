// Labels do not see each other: each is a problem of two classes, and one that is separated leaves the error without a
// minimum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

class OneLabel {
 public:
  OneLabel(const Problem& problem, std::size_t v) : all_(problem.shape), v_(v), problem_(problem) {
    problem_.shape = {.num_features = all_.num_features,
                      .num_classes = 2,
                      .reference = 0,
                      .has_intercept = all_.has_intercept};
    labels_.resize(problem.x->num_rows());
    for (std::size_t j = 0; j < labels_.size(); ++j) {
      const auto own = (*problem.label_sets)[j];
      labels_[j] = std::find(own.begin(), own.end(), static_cast<ClassId>(v)) != own.end() ? 1 : 0;
    }
    problem_.labels = labels_;
  }
  OneLabel(const OneLabel&) = delete;
  OneLabel& operator=(const OneLabel&) = delete;

  const Problem& problem() const noexcept { return problem_; }  // refers to this object
  // Of what there is for every coefficient, what belongs to the label.
  template <class T>
  std::vector<T> own(std::span<const T> all) const {
    std::vector<T> part(all_.num_rows());
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = all[all_.index(i, v_)];
    return part;
  }
  math::Vector embedded(std::span<const double> direction) const {
    math::Vector all(all_.size(), 0.0);
    for (std::size_t i = 0; i < all_.num_rows(); ++i) all[all_.index(i, v_)] = direction[i];
    return all;
  }

 private:
  model::Shape all_;
  std::size_t v_;
  Problem problem_;
  std::vector<ClassId> labels_;
};

}  // namespace lazylogit::objective
