// A number in JSON: null where it is not finite.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace lazylogit::cli {

inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace lazylogit::cli
