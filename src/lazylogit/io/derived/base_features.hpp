// Which column each base feature belongs to, told from its name alone, and what derived features need to know of it.
//
// Tables: "age" of a numeric column, "job=teacher", "review:word", "embedding[3]"; "age=missing" marks missing cells and
// takes no part in products. vw: "namespace^name". Base features are numbered 0, 1, … by whoever reads the rows; new
// ones may come while rows are read (a stream).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/input_spec.hpp"

namespace lazylogit::io {

class BaseFeatures {
 public:
  // `input` must outlive this; `spec` names the operands.
  BaseFeatures(const data::InputSpec& input, const data::DerivedSpec& spec);

  struct Feature {
    std::uint64_t operands = 0;   // bit k: it belongs to operands()[k]
    std::int32_t column = -1;     // tables: the column of the input
    bool is_numeric = false;      // part of --polynomial
    bool may_be_squared = false;  // A*A holds its square
    bool marks_missing = false;   // of no operand
  };
  // What the name of a feature says.
  Feature look_at(std::string_view name) const;

  // The distinct operands of all products, in order of first use; at most 64.
  const std::vector<std::string>& operands() const noexcept { return operands_; }
  std::size_t operand(std::string_view name) const;  // its place in operands(); their number when it is none

 private:
  std::int32_t column_of(std::string_view name, bool& marks_missing) const;
  const data::InputSpec* input_;
  std::vector<std::string> operands_;
  data::Alphabet columns_;
};

}  // namespace lazylogit::io
