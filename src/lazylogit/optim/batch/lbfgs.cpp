#include "lazylogit/optim/batch/lbfgs.hpp"

#include <cmath>
#include <deque>
#include <vector>

#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/newton.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"

namespace lazylogit::optim {
namespace {

struct Pair {
  math::Vector step, change;
  double inverse_product;
};

class Memory {
 public:
  Memory(std::size_t most_pairs, math::Vector inverse_diagonal)
      : most_pairs_(most_pairs), inverse_diagonal_(std::move(inverse_diagonal)) {}

  void clear() { pairs_.clear(); }
  bool empty() const { return pairs_.empty(); }

  void add(const Point& before, const Point& after) {
    Pair pair;
    if (pairs_.size() == most_pairs_) pair = std::move(pairs_.front()), pairs_.pop_front();
    const std::size_t n = after.b.size();
    pair.step.resize(n);
    pair.change.resize(n);
    double weighted = 0;
    for (std::size_t i = 0; i < n; ++i) {
      pair.step[i] = after.b[i] - before.b[i];
      pair.change[i] = after.gradient[i] - before.gradient[i];
      weighted += pair.change[i] * pair.change[i] * inverse_diagonal_[i];
    }
    const double product = dot(pair.step, pair.change);
    if (!(product > 1e-10 * std::sqrt(dot(pair.step, pair.step) * dot(pair.change, pair.change)))) return;
    pair.inverse_product = 1 / product;
    scale_ = product / weighted;
    pairs_.push_back(std::move(pair));
  }

  // −H g by the two loops.
  void direction(const math::Vector& gradient, math::Vector& d) const {
    d.assign(gradient.begin(), gradient.end());
    std::vector<double> a(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      a[k] = pairs_[k].inverse_product * dot(pairs_[k].step, d);
      add_scaled(-a[k], pairs_[k].change, d);
    }
    const double scale = pairs_.empty() ? 1.0 : scale_;
    for (std::size_t i = 0; i < d.size(); ++i) d[i] *= scale * inverse_diagonal_[i];
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const double c = pairs_[k].inverse_product * dot(pairs_[k].change, d);
      add_scaled(a[k] - c, pairs_[k].step, d);
    }
    for (double& x : d) x = -x;
  }

 private:
  std::size_t most_pairs_;
  math::Vector inverse_diagonal_;
  std::deque<Pair> pairs_;
  double scale_ = 1;
};

}  // namespace

FitSummary run_lbfgs(const FitRequest& request) {
  Descent descent(request);
  std::optional<Termination> end = descent.check();
  if (end) return descent.finish(*end);
  Memory memory_of_steps(request.batch.memory, inverse_diagonal(descent));
  math::Vector direction;
  int steps = 0;
  while (!end) {
    memory_of_steps.direction(descent.point().pseudo, direction);
    for (std::size_t i = 0; i < direction.size(); ++i)
      if (!descent.free(i) ||
          (!descent.objective().slopes().empty() && direction[i] * descent.point().pseudo[i] > 0))
        direction[i] = 0;
    if (!descent.search(direction, 1, SearchRule::weak_wolfe())) {
      if (memory_of_steps.empty()) return newton_steps(descent);
      memory_of_steps.clear();
      continue;
    }
    memory_of_steps.add(descent.previous(), descent.point());
    end = descent.check();
    // Without a prior on the features the optimum may be at infinity: Newton steps show that soonest.
    if (!end && descent.may_be_separated() && ++steps > 30 && factoring_pays(descent.objective()))
      return newton_steps(descent);
  }
  return descent.finish(*end);
}

}  // namespace lazylogit::optim
