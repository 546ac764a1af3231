// A LearnerState in a model file: the metadata document "state" and the tensors "state_records" and "state_rows".
#pragma once

#include <optional>
#include <string>

#include "lazylogit/model/json_fields.hpp"
#include "lazylogit/model/learner_state.hpp"
#include "lazylogit/model/safetensors.hpp"
#include "lazylogit/model/shape.hpp"

namespace lazylogit::model {

std::string write_state_record(const LearnerState& state);
// The state that a container holds for a model of this shape; nothing where it holds none.
std::optional<LearnerState> read_state(const Container& container, const Shape& shape,
                                       const JsonPlace& place);

// Whether records are stored with the numbers of those present: fewer bytes, and within what a reader accepts.
bool sparse_state_is_better(std::uint64_t num_present, std::uint64_t num_rows, std::uint64_t width);

}  // namespace lazylogit::model
