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

// For people: "age*job, products to degree 2, log(income), 10 bins of age, rows of l2 norm 1".
std::string describe_derived(const data::DerivedSpec& derived);

}  // namespace lazylogit::model
