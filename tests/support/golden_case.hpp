// Reference results that were computed by other systems or in 50-digit arithmetic, kept in
// tests/golden/cases.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "support/source_tree.hpp"

namespace lazylogit::test {

inline nlohmann::json golden_case(const std::string& name) {
  const std::string path = (source_tree() / "tests/golden/cases" / (name + ".json")).string();
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  return nlohmann::json::parse(file);
}

}  // namespace lazylogit::test
