#include "lazylogit/cli/planned_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/nearest.hpp"

namespace lazylogit::cli {

std::unique_ptr<OutputFile> probed_output(const std::string& path) {
  auto out = std::make_unique<OutputFile>(path);
  return out->is_direct() ? std::move(out) : nullptr;
}

void check_side_file(const std::string& file, const std::vector<std::string>& words,
                     const std::function<void(const std::string& file)>& check) {
  if (file.empty() || std::count(words.begin(), words.end(), file) > 0) return;
  if (::access(file.c_str(), R_OK) != 0)
    throw IoError(file, std::string("cannot be opened: ") + std::strerror(errno),
                  config::did_you_mean(file, words));
  if (std::filesystem::is_regular_file(file)) check(file);
}

}  // namespace lazylogit::cli
