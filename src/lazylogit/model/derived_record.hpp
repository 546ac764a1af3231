// Derived features as part of the input record of a model file: JSON, only what differs from the default.
#pragma once

#include <string>
#include <string_view>

#include "lazylogit/data/derived_spec.hpp"
#include "lazylogit/model/json_fields.hpp"

namespace lazylogit::model {

std::string write_derived_record(const data::DerivedSpec& derived);
// Throws for anything that write_derived_record would not write: unknown keys, edges that do not ascend, degrees out of
// range. Whether the columns exist is for the reader of rows to say.
data::DerivedSpec parse_derived_record(std::string_view text, const JsonPlace& place);

}  // namespace lazylogit::model
