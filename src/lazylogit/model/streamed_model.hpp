// Writes a model from where its parts lie, row by row, without a copy of any of them: for models that fill the memory, and
// while they go on learning.
//
// The bytes are those that serialize() gives for the same model. Rows are features 0 … num_features − 1, then the intercept.
// The functions are called several times for each row, in ascending order, and must give the same numbers each time.
#pragma once

#include <functional>
#include <optional>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/model/learner_state.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

struct StreamedModel {
  Shape shape;
  const data::ClassTable* classes = nullptr;
  const data::Alphabet* features =
      nullptr;  // the first shape.num_features names; not used when all slots are features
  const data::InputSpec* input = nullptr;
  TrainingRecord record;
  std::function<void(std::size_t row, double* out)> coefficients;  // num_vectors of them
  // Empty: no posterior. Else the variances of the coefficients, and the rest of a diagonal or full posterior.
  std::function<void(std::size_t row, double* out)> variances;
  PosteriorApproximation posterior;  // without its arrays, but for a covariance
  // Nothing: no state. Else all but rows and records, which `state_record` gives.
  std::optional<LearnerState> state;
  std::function<const double*(std::size_t row)> state_record;
};

// Throws an Error when a number is not finite: such a model is never written. Does not commit.
void write_model(const StreamedModel& model, OutputFile& out);

}  // namespace lazylogit::model
