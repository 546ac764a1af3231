// The numbers of a model::PosteriorApproximation (all but its tensors) as canonical JSON, and back.
#pragma once

#include <string>
#include <string_view>

#include "lazylogit/model/json_fields.hpp"
#include "lazylogit/model/posterior_approximation.hpp"

namespace lazylogit::model {

std::string write_posterior_record(const PosteriorApproximation& posterior);

// Throws InputError for anything that write_posterior_record would not write.
PosteriorApproximation parse_posterior_record(std::string_view text, const JsonPlace& place);

}  // namespace lazylogit::model
