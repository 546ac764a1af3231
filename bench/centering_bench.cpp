// What implicit centring costs: a gradient pass and a Hessian-vector pass over text-like rows with and without centers,
// in turns. Limit: 10 % of a pass.
#include <cstdio>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "stopwatch.hpp"
#include "text_like_data.hpp"

namespace {

using namespace lazylogit;
using namespace lazylogit::bench;

void compare(const char* name, const TextLikeData& data, std::size_t num_classes) {
  model::Shape shape;
  shape.num_features = data.x.num_features;
  shape.num_classes = num_classes;
  shape.has_intercept = true;
  if (num_classes == 2) shape.reference = 0;
  const prior::PriorTable prior(prior::Gaussian::from_variance(1), shape.size(), shape.size());
  const std::vector<double> means = data::feature_moments(data.x, {}).means;
  objective::Problem plain;
  plain.x = &data.x;
  plain.labels = data.labels;
  plain.shape = shape;
  plain.prior = &prior;
  objective::Problem centered = plain;
  centered.centers = means;
  objective::Posterior a(plain), b(centered);
  math::Vector at(shape.size(), 0.01), out(shape.size());
  Best gradient[2], product[2];
  constexpr int rounds = 15;
  for (int round = 0; round < rounds; ++round)
    for (int which = 0; which < 2; ++which) {
      objective::Posterior& objective = which == 0 ? a : b;
      gradient[which].add(seconds_of([&] { objective.value_and_gradient(at, out); }));
      objective.set_curvature_point(at);
      product[which].add(seconds_of([&] { objective.hessian_vector(at, out); }));
    }
  std::printf("%-28s gradient %7.2f ms, centred %+.1f %%   Hessian-vector %7.2f ms, centred %+.1f %%\n", name,
              1e3 * gradient[0].seconds(), 100 * (gradient[1].seconds() / gradient[0].seconds() - 1),
              1e3 * product[0].seconds(), 100 * (product[1].seconds() / product[0].seconds() - 1));
}

}  // namespace

int main() {
  const ThreadLimit one_thread(1);
  std::printf("implicit centring, limit 10 %% of a pass\n");
  compare("rcv1-like 50k rows, 2 classes", make_text_like({.num_rows = 50000}), 2);
  compare("news-like 20k rows, 20 classes",
          make_text_like({.num_rows = 20000, .per_row = 80, .num_features = 62061, .num_classes = 20}), 20);
}
