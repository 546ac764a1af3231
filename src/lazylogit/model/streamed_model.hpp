// Writes a model from where its parts lie, row by row, without a copy of any of them: for models that fill the memory, and
// while they go on learning.
//
// The bytes are those that serialize() gives for the same model. Rows are features 0 … num_features − 1, then the intercept.
// The functions are called several times for each row, in ascending order, some rows at a time, and must give the same numbers each time.
// Rows that are known to be empty cost nothing.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/model/learner_state.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/model/safetensors.hpp"

namespace lazylogit::model {

struct StreamedModel {
  Shape shape;
  const data::ClassTable* classes = nullptr;
  const data::Alphabet* features =
      nullptr;  // the first shape.num_features names; not used when all slots are features
  const data::InputSpec* input = nullptr;
  TrainingRecord record;
  // Numbers of some rows, one row after another.
  using RowNumbers = std::function<void(std::span<const std::uint64_t> rows, double* out)>;
  RowNumbers coefficients;  // num_vectors for each
  // The features from `from` on whose coefficients or records may be other than 0, ascending, as many as there is room for; how many, 0
  // when there are no more. Empty: all.
  std::function<std::size_t(std::uint64_t from, std::span<std::uint64_t> found)> find_used;
  // Empty: no posterior. Else the variances of the coefficients, and the rest of a diagonal or full posterior.
  RowNumbers variances;
  PosteriorApproximation posterior;  // without its arrays, but for a covariance
  // Nothing: no state. Else all but rows and records.
  std::optional<LearnerState> state;
  RowNumbers state_records;  // state->width for each
};

// Throws an Error when a number is not finite: such a model is never written. Does not commit.
void write_model(const StreamedModel& model, OutputFile& out, const ContainerLimits& limits = {});

}  // namespace lazylogit::model
