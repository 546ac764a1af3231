// Writes a model from where its parts lie, row by row, without a copy of any of them: for models that fill the memory, and
// while they go on learning.
//
// The bytes are those that serialize() gives for the same model. Rows are features 0 … num_features − 1, then the intercept.
// The functions are called several times for each row, in ascending order, some rows at a time, and must give the same numbers each time.
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
  // Of `count` rows from `first` on, num_vectors numbers for each.
  using RowNumbers = std::function<void(std::size_t first, std::size_t count, double* out)>;
  RowNumbers coefficients;
  // Empty: no posterior. Else the variances of the coefficients, and the rest of a diagonal or full posterior.
  RowNumbers variances;
  PosteriorApproximation posterior;  // without its arrays, but for a covariance
  // Nothing: no state. Else all but rows and records: `state_records` says where those of some rows lie one after another, which may be
  // in `room`, of so many records.
  std::optional<LearnerState> state;
  std::function<const double*(std::size_t first, std::size_t count, double* room)> state_records;
};

// Throws an Error when a number is not finite: such a model is never written. Does not commit.
void write_model(const StreamedModel& model, OutputFile& out);

}  // namespace lazylogit::model
