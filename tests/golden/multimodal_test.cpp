// Cauchy priors have several minima: a fit ends in one of those listed, and starts near each end in it.
#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_case.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit::golden {
namespace {

math::Vector fit_from(const Case& c, const math::Vector& start, const std::string& optimizer) {
  optim::FitRequest request;
  request.problem = c.problem();
  request.start = start;
  request.gap = 1e-12;
  return optim::find_optimizer(optimizer).run(request).coefficients;
}

double full_error(const Case& c, const math::Vector& b) {
  return -objective::evaluate_error(c.problem(), b).log_likelihood -
         c.prior->log_prior(b.data(), c.shape.stride(), c.shape.num_vectors());
}

// Coefficients and error of every minimum that the file lists.
std::vector<std::pair<math::Vector, double>> minima(const Case& c) {
  std::vector<std::pair<math::Vector, double>> list;
  const json& results = c.file["results"];
  if (results.contains("local_minima"))
    for (const json& minimum : results["local_minima"])
      list.emplace_back(c.coefficients(minimum["coef"]), minimum["error"]);
  else
    for (const json& point : results["stationary_points"])
      if (point["type"] == "local minimum")
        list.emplace_back(math::Vector{point["b"].get<double>()}, point["error"]);
  return list;
}

TEST(golden_multimodal, fits_end_in_a_listed_minimum) {
  for (const std::string& name : cases_of_kind("multimodal"))
    for (const std::string optimizer : {"lbfgs", "newton"}) {
      const Case c(name);
      const math::Vector b = fit_from(c, math::Vector(c.shape.size(), 0.0), optimizer);
      double nearest = HUGE_VAL;
      for (const auto& [minimum, error] : minima(c))
        nearest = std::min(nearest, std::abs(full_error(c, b) - error));
      EXPECT_LT(nearest, 1e-9) << name << " " << optimizer << " error " << full_error(c, b);
      const auto certificate = objective::certify(c.problem(), b);
      EXPECT_EQ(certificate.kind, model::CertificateKind::stationarity);
      EXPECT_FALSE(certificate.relative_gap);
      ASSERT_TRUE(certificate.min_curvature) << name;
      EXPECT_GT(*certificate.min_curvature, 0) << name;
    }
}

TEST(golden_multimodal, a_start_near_a_minimum_stays_with_it) {
  for (const std::string& name : cases_of_kind("multimodal")) {
    const Case c(name);
    for (const auto& [minimum, error] : minima(c)) {
      math::Vector start = minimum;
      for (double& x : start) x += 1e-3;
      const math::Vector b = fit_from(c, start, "newton");
      EXPECT_NEAR(full_error(c, b), error, 1e-9 * std::abs(error)) << name;
      for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(b[i], minimum[i], 1e-6) << name;
    }
  }
}

}  // namespace
}  // namespace lazylogit::golden
