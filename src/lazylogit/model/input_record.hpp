// data::InputSpec as one canonical JSON document, and back: the part of a model that turns raw rows into
// features.
#pragma once

#include <string>
#include <string_view>

#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/model/json_fields.hpp"

namespace lazylogit::model {

std::string write_input_record(const data::InputSpec& input);

// Throws InputError for anything that write_input_record would not write.
data::InputSpec parse_input_record(std::string_view text, const JsonPlace& place);

}  // namespace lazylogit::model
