// The step sizes that golden cases name: η_t for t = 0, 1, …
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lazylogit::test {

inline double golden_rate(const nlohmann::json& schedule, double t, double n) {
  const std::string kind = schedule.at("kind");
  const double eta0 = schedule.at("eta0");
  const double tau = schedule.value("tau", 1.0);
  if (kind == "constant") return eta0;
  if (kind == "inverse") return eta0 / (1 + t / tau);
  if (kind == "exponential") return eta0 * std::pow(schedule.at("rho").get<double>(), t / tau);
  if (kind == "epoch_inverse") return eta0 / (1 + std::floor(t / schedule.value("n", n)) / tau);
  if (kind == "sqrt") return eta0 / std::sqrt(1 + t);
  throw std::runtime_error("unknown schedule " + kind);
}

inline std::vector<double> golden_rates(const nlohmann::json& schedule, double n) {
  std::vector<double> rates;
  const double first = schedule.value("first_t", 0.0);
  for (int i = 0; i < schedule.at("steps").get<int>(); ++i)
    rates.push_back(golden_rate(schedule, first + i, n));
  return rates;
}

}  // namespace lazylogit::test
