// Limits of model files, of commands that read or write one: --max-header-bytes.
#pragma once

#include "lazylogit/config/field.hpp"
#include "lazylogit/model/safetensors.hpp"

namespace lazylogit::cli {

// Group "Limits".
const config::Table<model::ContainerLimits>& model_limit_fields();

}  // namespace lazylogit::cli
