#include "lazylogit/objective/score_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/math/compensated_sum.hpp"
#include "lazylogit/math/softmax.hpp"
#include "lazylogit/objective/centering.hpp"
#include "lazylogit/objective/row_scores.hpp"

namespace lazylogit::objective {
namespace {

constexpr std::size_t block_rows = 2048;

// Σ over blocks of body(begin, end), added in order.
template <class Body>
double sum_blocks(std::size_t count, std::size_t block, const Body& body) {
  std::vector<double> parts(num_blocks_of(count, block));
  parallel_blocks(parts.size(),
                  [&](std::size_t k) { parts[k] = body(k * block, std::min(count, (k + 1) * block)); });
  math::CompensatedSum sum;
  for (const double part : parts) sum.add(part);
  return sum.value();
}

template <class Body>
double sum_row_blocks(std::size_t rows, const Body& body) {
  return sum_blocks(rows, block_rows, body);
}

}  // namespace

ScoreLine::ScoreLine(const Problem& problem)
    : problem_(problem),
      num_rows_(problem.x->num_rows()),
      vectors_(problem.shape.num_vectors()),
      scores_(num_rows_ * vectors_),
      direction_(num_rows_ * vectors_),
      probabilities_(num_rows_ * vectors_) {
  if (problem.shape.response == data::Response::labels) {
    members_.assign(num_rows_ * vectors_, 0);
    for (std::size_t j = 0; j < num_rows_; ++j)
      for (const ClassId c : (*problem.label_sets)[j])
        members_[static_cast<std::size_t>(c) * num_rows_ + j] = 1;
  }
  if (problem.shape.response != data::Response::classes) return;
  label_vectors_.resize(num_rows_);
  for (std::size_t j = 0; j < num_rows_; ++j)
    label_vectors_[j] =
        static_cast<std::uint32_t>(std::min(vectors_, label_vector(problem.shape, problem.labels[j])));
}

double ScoreLine::set_point(std::span<const double> point) {
  math::Vector b(point.begin(), point.end());
  if (has_centers()) to_original(problem_.shape, problem_.centers, b.data());
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(num_blocks_of(num_rows_, block_rows), [&](std::size_t k) {
      math::Vector s(problem_.shape.stride());
      for (std::size_t j = k * block_rows, end = std::min(num_rows_, j + block_rows); j < end; ++j) {
        if (problem_.shape.stride() == 1)
          s[0] = row_score(problem_, rows.row(j), j, b.data());
        else
          row_scores(problem_, rows.row(j), j, b.data(), s.data());
        for (std::size_t v = 0; v < vectors_; ++v) scores_[v * num_rows_ + j] = s[v];
      }
    });
  });
  std::fill(direction_.begin(), direction_.end(), 0.0);
  return value_at(0);
}

double ScoreLine::one_vector(std::size_t begin, std::size_t end, double t) {
  std::array<double, block_rows> s, against;
  const std::size_t count = end - begin;
  for (std::size_t k = 0; k < count; ++k) {
    s[k] = scores_[begin + k] + t * direction_[begin + k];
    against[k] = target(begin + k, 0) > 0 ? -s[k] : s[k];
  }
  math::sigmoids({s.data(), count}, {probabilities_.data() + begin, count});
  math::log1p_exps({against.data(), count}, {against.data(), count});
  math::CompensatedSum loss;
  for (std::size_t k = 0; k < count; ++k) {
    const double w = problem_.weight(begin + k);
    if (w != 0) loss.add(w * against[k]);
  }
  return loss.value();
}

double ScoreLine::several_vectors(std::size_t begin, std::size_t end, double t) {
  // A few rows at a time are turned over, so that both sides stay in cache.
  constexpr std::size_t few = 16;
  math::Vector s(few * vectors_);
  math::CompensatedSum loss;
  const bool reference = problem_.shape.reference.has_value();
  for (std::size_t from = begin; from < end; from += few) {
    const std::size_t count = std::min(few, end - from);
    for (std::size_t v = 0; v < vectors_; ++v) {
      const double *score = at(scores_, v) + from, *change = at(direction_, v) + from;
      for (std::size_t k = 0; k < count; ++k) s[k * vectors_ + v] = score[k] + t * change[k];
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t label = label_vectors_[from + k];
      const double one = softmax_loss(s.data() + k * vectors_, vectors_, label < vectors_ ? label : no_vector,
                                      reference, nullptr);
      const double w = problem_.weight(from + k);
      if (w != 0) loss.add(w * one);
    }
    for (std::size_t v = 0; v < vectors_; ++v) {
      double* p = probabilities_.data() + v * num_rows_ + from;
      for (std::size_t k = 0; k < count; ++k) p[k] = s[k * vectors_ + v];
    }
  }
  return loss.value();
}

double ScoreLine::choices(double t) {
  constexpr std::size_t block_choices = 512;
  const std::span<const std::uint64_t> ends = problem_.choice_ends;
  return sum_blocks(ends.size(), block_choices, [&](std::size_t begin, std::size_t end) {
    math::CompensatedSum loss;
    for (std::size_t c = begin; c < end; ++c) {
      const std::size_t first = c == 0 ? 0 : ends[c - 1], last = ends[c];
      double largest = -HUGE_VAL, sum = 0, taken = 0;
      for (std::size_t j = first; j < last; ++j) {
        probabilities_[j] = scores_[j] + t * direction_[j];
        largest = std::max(largest, probabilities_[j]);
        if (target(j, 0) > 0) taken = probabilities_[j];
      }
      for (std::size_t j = first; j < last; ++j)
        sum += probabilities_[j] = std::exp(probabilities_[j] - largest);
      for (std::size_t j = first; j < last; ++j) probabilities_[j] /= sum;
      const double w = problem_.weight(first);
      if (w != 0) loss.add(w * (largest + std::log(sum) - taken));
    }
    return loss.value();
  });
}

double ScoreLine::number(std::size_t begin, std::size_t end, double t) {
  math::CompensatedSum loss;
  for (std::size_t j = begin; j < end; ++j) {
    probabilities_[j] = scores_[j] + t * direction_[j];
    const double error = probabilities_[j] - problem_.targets[j];
    loss.add(0.5 * problem_.weight(j) * error * error);
  }
  return loss.value();
}

double ScoreLine::labels(std::size_t begin, std::size_t end, double t) {
  std::array<double, block_rows> s, against;
  const std::size_t count = end - begin;
  math::CompensatedSum loss;
  for (std::size_t v = 0; v < vectors_; ++v) {
    const double *score = at(scores_, v) + begin, *change = at(direction_, v) + begin;
    const std::uint8_t* member = members_.data() + v * num_rows_ + begin;
    for (std::size_t k = 0; k < count; ++k) {
      s[k] = score[k] + t * change[k];
      against[k] = member[k] != 0 ? -s[k] : s[k];
    }
    math::sigmoids({s.data(), count}, {probabilities_.data() + v * num_rows_ + begin, count});
    math::log1p_exps({against.data(), count}, {against.data(), count});
    for (std::size_t k = 0; k < count; ++k) {
      const double w = problem_.weight(begin + k);
      if (w != 0) loss.add(w * against[k]);
    }
  }
  return loss.value();
}

double ScoreLine::value_at(double t) {
  if (!problem_.choice_ends.empty()) return choices(t);
  const data::Response response = problem_.shape.response;
  return sum_row_blocks(num_rows_, [&](std::size_t begin, std::size_t end) {
    if (response == data::Response::number) return number(begin, end, t);
    if (response == data::Response::labels) return labels(begin, end, t);
    return vectors_ == 1 ? one_vector(begin, end, t) : several_vectors(begin, end, t);
  });
}

double ScoreLine::slope() const {
  return sum_row_blocks(num_rows_, [&](std::size_t begin, std::size_t end) {
    math::CompensatedSum sum;
    for (std::size_t v = 0; v < vectors_; ++v) {
      const double *p = probabilities(v), *d = direction(v);
      for (std::size_t j = begin; j < end; ++j) sum.add(problem_.weight(j) * (p[j] - target(j, v)) * d[j]);
    }
    return sum.value();
  });
}

void ScoreLine::forget_direction() {
  std::fill(direction_.begin(), direction_.end(), 0.0);
  value_at(0);
}

void ScoreLine::accept(double t) {
  parallel_blocks(num_blocks_of(scores_.size(), block_rows), [&](std::size_t k) {
    for (std::size_t i = k * block_rows, end = std::min(scores_.size(), i + block_rows); i < end; ++i) {
      scores_[i] += t * direction_[i];
      direction_[i] = 0;
    }
  });
}

}  // namespace lazylogit::objective
