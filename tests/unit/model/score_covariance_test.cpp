#include "lazylogit/model/score_covariance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/random.hpp"

namespace lazylogit::model {
namespace {

// A low-rank posterior whose factor is a given share of the variances, and rows to score.
struct CovarianceCase {
  Model model;
  data::SparseMatrix x;
};

CovarianceCase make_case(std::size_t classes, bool reference, std::size_t rank, double share) {
  constexpr std::size_t features = 40, rows = 60;
  CovarianceCase result;
  Model& model = result.model;
  model.shape = {.num_features = features, .num_classes = classes};
  if (reference) model.shape.reference = 0;
  const Shape& shape = model.shape;
  model.coefficients.assign(shape.size(), 0.0);
  model.posterior.emplace();
  model.posterior->kind = PosteriorKind::low_rank;
  model.posterior->rank = rank;
  model.posterior->variance.assign(shape.size(), 0.0);
  model.posterior->factor.assign(shape.size() * rank, 0.0F);
  Random random(classes + rank);
  for (std::size_t i = 0; i < shape.num_rows(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      const std::size_t at = shape.index(i, v);
      const double base = 0.5 + random.uniform();
      double squares = 0;
      std::vector<double> f(rank);
      for (double& x : f) x = random.normal(), squares += x * x;
      for (std::size_t r = 0; r < rank; ++r)
        model.posterior->factor[at * rank + r] = static_cast<float>(f[r] * std::sqrt(share * base / squares));
      model.posterior->variance[at] = base * (1 - share);
    }
  Buffer<float> values;
  for (std::size_t j = 0; j < rows; ++j) {
    for (FeatureId i = 0; i < features; ++i)
      if (random.uniform() < 0.05 + 0.3 * static_cast<double>(j % 3)) {
        result.x.ids.push_back(i);
        values.push_back(static_cast<float>(random.normal()));
      }
    result.x.row_offsets.push_back(result.x.ids.size());
  }
  result.x.values = std::move(values);
  result.x.num_features = features;
  return result;
}

TEST(ScoreCovariance, LeavesOutAFactorOnlyWhereItIsNegligible) {
  std::size_t exact = 0, left_out = 0;
  for (const bool reference : {false, true})
    for (const std::size_t classes : {2U, 3U, 9U, 20U})
      for (const std::size_t rank : {1U, 7U, 50U})
        for (const double share : {1e-4, 1e-3, 0.02}) {
          const CovarianceCase c = make_case(classes, reference, rank, share);
          const Shape& shape = c.model.shape;
          const ScoreCovariance covariance(c.model);
          ScoreCovariance::Scratch scratch;
          const std::size_t vectors = shape.num_vectors();
          std::vector<double> s(vectors * vectors), found(classes);
          math::Vector variances;
          c.x.visit_rows([&](const auto& rows) {
            covariance.variances(rows, {0, rows.num_rows}, variances, scratch);
            for (std::size_t j = 0; j < rows.num_rows; ++j) {
              covariance(rows.row(j), s.data(), scratch);
              const auto top = static_cast<ClassId>(j % classes);
              const double* of_row = variances.data() + j * shape.stride();
              covariance.differences(rows.row(j), top, of_row, found.data(), scratch);
              const auto own = shape.vector_of(top);
              for (std::size_t a = 0; a < classes; ++a) {
                const auto v = shape.vector_of(static_cast<ClassId>(a));
                double expected = 0, alone = 0;
                if (v) expected += s[*v * vectors + *v], alone += of_row[*v];
                if (own) expected += s[*own * vectors + *own], alone += of_row[*own];
                if (v && own) expected -= 2 * s[*v * vectors + *own];
                if (static_cast<ClassId>(a) == top) expected = alone = 0;
                EXPECT_GE(found[a], expected - 1e-5 * alone);
                EXPECT_LE(found[a], expected + ScoreCovariance::negligible * alone + 1e-5 * alone);
                if (static_cast<ClassId>(a) != top) ++(found[a] == alone ? left_out : exact);
              }
            }
          });
        }
  EXPECT_GT(exact, 1000U);
  EXPECT_GT(left_out, 1000U);
}

}  // namespace
}  // namespace lazylogit::model
