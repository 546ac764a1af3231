// What other programs call options: scikit-learn's max_iter is max-passes here. For advice alone; no option has two names.
#pragma once

#include <string_view>

namespace lazylogit::config {

// The option that has this name elsewhere, with - or _ between words; empty: none is known.
std::string_view option_called_elsewhere(std::string_view name);

}  // namespace lazylogit::config
