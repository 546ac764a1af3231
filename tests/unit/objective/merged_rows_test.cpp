#include "lazylogit/objective/merged_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "lazylogit/objective/posterior.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::objective {
namespace {

// The rows of a problem, over and over.
struct Repeated {
  data::SparseMatrix x;
  std::vector<ClassId> labels;
  std::vector<double> weights, offsets;
  Problem problem;

  Repeated(const Problem& once, std::size_t times) : problem(once) {
    x.num_features = once.x->num_features;
    Buffer<double> values;
    once.x->visit_rows([&](const auto& rows) {
      for (std::size_t t = 0; t < times; ++t)
        for (std::size_t j = 0; j < rows.num_rows; ++j) {
          const auto row = rows.row(j);
          x.ids.append(row.ids);
          for (std::size_t k = 0; k < row.size(); ++k) values.push_back(row.value(k));
          x.row_offsets.push_back(x.ids.size());
          labels.push_back(once.labels[j]);
          weights.push_back(once.weight(j));
          offsets.push_back(once.offsets.empty() ? 0.0 : once.offsets[j]);
        }
    });
    x.values = std::move(values);
    problem.x = &x;
    problem.labels = labels;
    problem.weights = weights;
    if (!once.offsets.empty()) problem.offsets = offsets;
  }
};

TEST(MergedRows, EqualRowsCountOnceWithTheSumOfTheirWeights) {
  for (const std::size_t classes : {2u, 4u}) {
    const auto p = test::make_sparse_problem({.num_rows = 300,
                                              .num_features = 40,
                                              .shape = {.num_classes = classes, .reference = ClassId{0}},
                                              .weights = true,
                                              .offsets = classes == 2},
                                             prior::Gaussian::from_variance(1));
    const Repeated repeated(p->problem, 600);
    const auto merged = MergedRows::of(repeated.problem);
    ASSERT_NE(merged, nullptr);
    const Problem problem = merged->problem();
    EXPECT_LE(problem.x->num_rows(), 300u);
    double total = 0, expected = 0;
    for (std::size_t j = 0; j < problem.x->num_rows(); ++j) total += problem.weight(j);
    for (std::size_t j = 0; j < 300; ++j) expected += 600 * p->problem.weight(j);
    EXPECT_NEAR(total, expected, 1e-9 * expected);
    std::vector<double> b(problem.shape.size());
    Random random(2);
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = i % problem.shape.stride() < problem.shape.num_vectors() ? random.normal() : 0.0;
    const double error = evaluate_error(repeated.problem, b).error();
    EXPECT_NEAR(evaluate_error(problem, b).error(), error, 1e-11 * error);
  }
}

TEST(MergedRows, RowsThatDifferAndFewRowsStayAsTheyAre) {
  const model::Shape shape{.num_classes = 3, .reference = {}};
  const auto few =
      test::make_sparse_problem({.num_rows = 30, .shape = shape}, prior::Gaussian::from_variance(1));
  EXPECT_EQ(MergedRows::of(Repeated(few->problem, 100).problem), nullptr);
  const auto many =
      test::make_sparse_problem({.num_rows = 50'000, .num_features = 40, .density = 0.5, .shape = shape},
                                prior::Gaussian::from_variance(1));
  EXPECT_EQ(MergedRows::of(many->problem), nullptr);
}

}  // namespace
}  // namespace lazylogit::objective
