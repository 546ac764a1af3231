// Choices as rows of two classes: the taken candidate less each of the others, all of the second class. Directions that
// separate one separate the other.
#pragma once

#include <vector>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

class ChoiceDifferences {
 public:
  explicit ChoiceDifferences(const Problem& choices);
  // Refers to this object.
  Problem problem() const;

 private:
  Problem choices_;
  data::SparseMatrix x_;
  std::vector<ClassId> labels_;
  std::vector<double> weights_;
};

}  // namespace lazylogit::objective
