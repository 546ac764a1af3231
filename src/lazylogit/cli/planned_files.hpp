// Files that a command will read or write later, looked at before any work.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lazylogit/base/output_file.hpp"

namespace lazylogit::cli {

// Throws when the place cannot be written. A regular file is opened again when there is something to write; a
// pipe or a device stays open, because its reader would see the end.
std::unique_ptr<OutputFile> probed_output(const std::string& path);

// A file of the user's making: whether it can be read, and what can be told of it before there is data. A pipe can
// be read only once, when the names in it can be looked up. `words` are values that name no file.
void check_side_file(const std::string& file, const std::vector<std::string>& words,
                     const std::function<void(const std::string& file)>& check);

}  // namespace lazylogit::cli
