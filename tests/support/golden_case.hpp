// Reference results that were computed by other systems or in 50-digit arithmetic, kept in
// tests/golden/cases.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace lazylogit::test {

inline nlohmann::json golden_case(const std::string& name) {
  const std::string path = std::string(LAZYLOGIT_SOURCE_DIR) + "/tests/golden/cases/" + name + ".json";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  return nlohmann::json::parse(file);
}

}  // namespace lazylogit::test
