// Writes a data set as a cache (layout.hpp). The caller's file appears whole or not at all (base/output_file.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::io {

void write_cache(const data::Dataset& data, std::uint64_t text_bytes, std::string_view fingerprint,
                 const std::function<void(std::string_view)>& out);

}  // namespace lazylogit::io
