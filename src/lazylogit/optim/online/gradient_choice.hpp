// A choice of a stream: its candidates, feature by feature.
//
// The gradient of −log p(taken) is g_j = Σ_a (p_a − [a taken]) x_aj, one vector for all candidates. With s the largest |x| of a
// feature so far, u = x/s: G ← G + w (g/s)², N ← N + Σ_j max_a u_aj², b ← b − η_t ĝ/(s² √(ε + G)); plainly b ← b − η_t w g. ĝ is shortened
// as in gradient_steps.hpp, by the log odds of the taken candidate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/optim/online/softmax_row.hpp"

namespace lazylogit::optim {

struct ChoiceEntry {
  FeatureId id = 0;
  std::uint32_t candidate = 0;
  double x = 0;
};

class ChoiceGradient {
 public:
  std::vector<double> scores;  // of the candidates; residuals later

  // Scores become the offsets.
  template <class View>
  void read(const View& view, const OnlineChoice& choice) {
    entries_.clear();
    scores.assign(choice.last - choice.first, 0.0);
    taken_ = choice.taken - choice.first;
    for (std::size_t j = choice.first; j < choice.last; ++j) {
      const auto row = view.row(j);
      for (std::size_t k = 0; k < row.size(); ++k)
        if (row.value(k) != 0)
          entries_.push_back({row.ids[k], static_cast<std::uint32_t>(j - choice.first), row.value(k)});
      if (!choice.offsets.empty()) scores[j - choice.first] = choice.offsets[j];
    }
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const ChoiceEntry& a, const ChoiceEntry& b) { return a.id < b.id; });
  }

  // body(feature, its entries), ascending.
  template <class Body>
  void for_features(const Body& body) const {
    for (std::size_t from = 0; from < entries_.size();) {
      std::size_t to = from + 1;
      while (to < entries_.size() && entries_[to].id == entries_[from].id) ++to;
      body(entries_[from].id, std::span(entries_).subspan(from, to - from));
      from = to;
    }
  }

  // Scores to residuals. A choice without an alternative teaches nothing.
  SoftmaxRow residuals() {
    if (scores.size() == 1) {
      scores[0] = 0;
      return {{.loss = 0, .correct = true}, HUGE_VAL};
    }
    const VectorForm form{.vectors = scores.size(), .reference = false};
    return softmax_row(static_cast<ClassId>(taken_), form, scores.data());
  }

 private:
  std::vector<ChoiceEntry> entries_;
  std::size_t taken_ = 0;
};

}  // namespace lazylogit::optim
