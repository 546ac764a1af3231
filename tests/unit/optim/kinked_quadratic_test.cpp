#include "lazylogit/optim/batch/kinked_quadratic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "lazylogit/base/random.hpp"

namespace lazylogit::optim {
namespace {

struct Quadratic {
  math::Vector matrix, gradient, start, slopes;
  std::vector<std::uint8_t> fixed;
};

// A Gram matrix whose columns have lengths over many orders and are nearly collinear in pairs.
Quadratic make(Random& random, std::size_t size, double spread) {
  Quadratic q;
  const std::size_t rows = size + 5;
  math::Vector a(rows * size);
  for (std::size_t i = 0; i < size; ++i) {
    const double length = std::pow(10.0, spread * (random.uniform() - 0.5));
    for (std::size_t j = 0; j < rows; ++j)
      a[j * size + i] =
          length * (i % 2 == 1 ? a[j * size + i - 1] + 1e-3 * random.normal() : random.normal());
  }
  q.matrix.assign(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t j = 0; j < rows; ++j) q.matrix[i * size + k] += a[j * size + i] * a[j * size + k];
  for (std::size_t i = 0; i < size; ++i) {
    q.gradient.push_back(3 * random.normal());
    q.start.push_back(random.uniform() < 0.5 ? 0.0 : random.normal());
    q.slopes.push_back(random.uniform() < 0.1 ? 0.0 : 2 * random.uniform());
    q.fixed.push_back(random.uniform() < 0.1 ? 1 : 0);
  }
  return q;
}

// At the minimum every derivative is met by the kink's, or is zero.
TEST(KinkedQuadratic, EndsWhereNoCoordinateCanDescend) {
  Random random(11);
  for (const double spread : {0.0, 4.0})
    for (const std::size_t size : {1u, 2u, 7u, 40u}) {
      const Quadratic q = make(random, size, spread);
      const math::Vector x =
          minimum_of({q.matrix, q.gradient, q.start, q.slopes, q.fixed}, 1e-10, [] { return false; });
      for (std::size_t i = 0; i < size; ++i) {
        if (q.fixed[i] != 0) {
          EXPECT_EQ(x[i], 0);
          continue;
        }
        double slope = q.gradient[i], size_of_terms = std::abs(slope);
        for (std::size_t k = 0; k < size; ++k) {
          slope += q.matrix[i * size + k] * x[k];
          size_of_terms += std::abs(q.matrix[i * size + k] * x[k]);
        }
        const double now = q.start[i] + x[i], rounding = 1e-9 * size_of_terms + 1e-9;
        if (now == 0)
          EXPECT_LE(std::abs(slope), q.slopes[i] + rounding) << size << " " << i;
        else
          EXPECT_NEAR(slope + std::copysign(q.slopes[i], now), 0, rounding) << size << " " << i;
      }
    }
}

// The last coordinate that is away from its kink is at its minimum exactly when the face is looked at.
TEST(KinkedQuadratic, TakesNoStepFromTheMinimum) {
  const math::Vector matrix{1, -0.95, -0.95, 1}, slopes{1, 1};
  const std::vector<std::pair<math::Vector, math::Vector>> cases{{{-1.5, 2}, {0.5, 0}}, {{0, 1}, {-1.5, 2}}};
  for (const auto& [gradient, start] : cases)
    for (const double precision : {1e-3, 1e-7})
      for (const double x :
           minimum_of({matrix, gradient, start, slopes, {}}, precision, [] { return false; }))
        EXPECT_TRUE(std::isfinite(x));
}

TEST(KinkedQuadratic, StopsWhenAsked) {
  Random random(5);
  const Quadratic q = make(random, 30, 4);
  int asked = 0;
  minimum_of({q.matrix, q.gradient, q.start, q.slopes, {}}, 1e-12, [&] { return ++asked > 0; });
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace lazylogit::optim
