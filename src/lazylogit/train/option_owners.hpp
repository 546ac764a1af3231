// Which optimizers know an option, and what is said where one would be ignored.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

// Throws ConfigError for an option that was given and means nothing to this optimizer. To "auto": to one that it may
// take, because which one that is depends on the data.
void check_use(const TrainOptions& options, std::string_view optimizer);

// Throws ConfigError for an option that was given and means nothing to any of these; "auto" may be among them.
void check_some_use(const TrainOptions& options, const std::vector<std::string>& optimizers);

// The same options with the defaults of those that mean nothing to this optimizer, for one of several.
TrainOptions known_to(const TrainOptions& options, const std::string& optimizer);

// The stochastic optimizer that whoever gives these options without naming one means: sgd, or the first that knows them.
std::string stochastic_choice(const TrainOptions& options);

// --bounds and --max-norm: the optimum is another than that without them, for which there are certificates.
bool is_constrained(const TrainOptions& options);
// Why an optimizer, or "auto", would come to another optimum than the constraints ask for; or nothing.
std::optional<ConfigError> refuses_constraints(const TrainOptions& options, std::string_view optimizer);

}  // namespace lazylogit::train
