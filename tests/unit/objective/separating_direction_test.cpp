#include "lazylogit/objective/separating_direction.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "lazylogit/base/random.hpp"

namespace lazylogit::objective {
namespace {

Eigen::MatrixXd random_rows(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  Eigen::MatrixXd a(rows, columns);
  for (Eigen::Index j = 0; j < rows; ++j)
    for (Eigen::Index i = 0; i < columns; ++i) a(j, i) = random.normal();
  return a;
}

std::vector<Eigen::Index> all_of(const Eigen::MatrixXd& a) {
  std::vector<Eigen::Index> taken(static_cast<std::size_t>(a.cols()));
  std::iota(taken.begin(), taken.end(), Eigen::Index{0});
  return taken;
}

// d = s + Aᵀ λ with λ ≥ 0 and λ ⟂ A d: then s − d, which is −Aᵀ λ, makes no acute angle with any point of the cone less d.
TEST(nearest_in_cone, the_rest_is_a_nonnegative_combination_of_rows_at_0) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Eigen::MatrixXd columns = random_rows(12, 5, seed).transpose();
    columns.colwise().normalize();
    const Eigen::VectorXd s = random_rows(5, 1, seed + 1000).col(0);
    WorkLeft work{.multiplications = 1e6};
    const auto d = nearest_in_cone(columns, s, work);
    ASSERT_TRUE(d) << seed;
    EXPECT_GE((columns.transpose() * *d).minCoeff(), -1e-9) << seed;
    EXPECT_NEAR(s.dot(*d), d->squaredNorm(), 1e-9) << seed;
    // No point of the cone is nearer: points of it are projections of others.
    for (std::uint64_t other = 0; other < 5; ++other) {
      const Eigen::VectorXd t = random_rows(5, 1, seed + 2000 + other).col(0);
      if (const auto e = nearest_in_cone(columns, t, work)) {
        EXPECT_LE((s - *d).dot(*e), 1e-9) << seed;
      }
    }
  }
}

TEST(nearest_in_cone, is_0_where_the_cone_has_nothing_on_the_side_asked_for) {
  Eigen::MatrixXd columns(2, 3);
  columns << 1, -0.5, -0.5, 0, std::sqrt(0.75), -std::sqrt(0.75);  // three directions that surround 0
  WorkLeft work{.multiplications = 1e6};
  const auto d = nearest_in_cone(columns, Eigen::Vector2d(1, 0.3), work);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->norm(), 0);
}

TEST(nearest_in_cone, says_nothing_when_the_work_is_used_up_or_interrupted) {
  Eigen::MatrixXd columns = random_rows(12, 5, 1).transpose();
  columns.colwise().normalize();
  const Eigen::VectorXd s = Eigen::VectorXd::Ones(5);
  WorkLeft little{.multiplications = 10};
  EXPECT_FALSE(nearest_in_cone(columns, s, little));
  WorkLeft interrupted{.multiplications = 1e9, .interrupted = [] { return true; }};
  EXPECT_FALSE(nearest_in_cone(columns, s, interrupted));
}

TEST(separating_direction, makes_every_margin_positive_that_can_be) {
  // d = (1, 2, 0, …) has margins of at least 0.01; the last row and its opposite can only be 0.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Eigen::MatrixXd a = random_rows(40, 6, seed);
    for (Eigen::Index j = 0; j < a.rows(); ++j)
      if (const double margin = a(j, 0) + 2 * a(j, 1); margin < 0) a.row(j) = -a.row(j);
    WorkLeft work{.multiplications = 1e8};
    auto found = separating_direction(a, all_of(a), Asked::as_many_as_can, work);
    ASSERT_TRUE(found) << seed;
    EXPECT_TRUE(found->every_row) << seed;
    EXPECT_GT((a * found->d).minCoeff(), 0) << seed;

    a.row(39) << 0, 0, 1, 1, 0, 0;
    a.row(38) = -a.row(39);
    found = separating_direction(a, all_of(a), Asked::as_many_as_can, work);
    ASSERT_TRUE(found) << seed;
    EXPECT_FALSE(found->every_row) << seed;
    EXPECT_GT((a * found->d).head(38).minCoeff(), 0) << seed;
    EXPECT_NEAR((a * found->d)[39], 0, 1e-9) << seed;
  }
}

TEST(separating_direction, uses_the_columns_taken_alone) {
  Eigen::MatrixXd a(3, 2);
  a << 1, 1, -1, 2, -1, 3;
  WorkLeft work{.multiplications = 1e6};
  const std::vector<Eigen::Index> first{0}, second{1};
  EXPECT_FALSE(separating_direction(a, first, Asked::some_rows, work));
  ASSERT_TRUE(separating_direction(a, second, Asked::some_rows, work));
  EXPECT_TRUE(separating_direction(a, second, Asked::as_many_as_can, work)->every_row);
  EXPECT_FALSE(separating_direction(a, {}, Asked::some_rows, work));
}

}  // namespace
}  // namespace lazylogit::objective
