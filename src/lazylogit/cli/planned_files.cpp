#include "lazylogit/cli/planned_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <system_error>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/config/nearest.hpp"
#include "lazylogit/train/bounds_file.hpp"
#include "lazylogit/train/class_weights.hpp"
#include "lazylogit/train/prior_covariance.hpp"
#include "lazylogit/train/prior_file.hpp"

namespace lazylogit::cli {
namespace {

// Whether two outputs would end in one place, also where nothing is there yet. A device or a pipe takes what several
// write.
bool is_same_output(const std::string& one, const std::string& other) {
  if (is_standard_output(one) || is_standard_output(other))
    return is_standard_output(one) && is_standard_output(other);
  std::error_code failed;  // then opening it tells why
  if (std::filesystem::exists(one, failed) && std::filesystem::exists(other, failed))
    return std::filesystem::equivalent(one, other, failed) && std::filesystem::is_regular_file(one, failed);
  const auto first = std::filesystem::weakly_canonical(std::filesystem::absolute(one), failed),
             second = std::filesystem::weakly_canonical(std::filesystem::absolute(other), failed);
  return !failed && first == second;
}

// `words` are values that name no file.
void check_side_file(const std::string& file, const std::vector<std::string>& words,
                     const std::function<void(const std::string& file)>& check) {
  if (file.empty() || is_standard_input(file) || std::count(words.begin(), words.end(), file) > 0) return;
  if (::access(file.c_str(), R_OK) != 0)
    throw IoError(file, std::string("cannot be opened: ") + std::strerror(errno),
                  config::did_you_mean(file, words));
  if (std::filesystem::is_regular_file(file)) check(file);
}

}  // namespace

std::unique_ptr<OutputFile> probed_output(const std::string& path) {
  auto out = std::make_unique<OutputFile>(path);
  return out->is_direct() ? std::move(out) : nullptr;
}

std::vector<std::string> side_files(const train::TrainOptions& options, const io::ReadOptions& read) {
  std::vector<std::string> files;
  for (const std::string* file : {&options.prior_file, &options.prior_covariance, &options.bounds,
                                  &options.class_weights, &read.labels_file})
    if (!file->empty()) files.push_back(*file);
  return files;
}

void check_outputs(const std::vector<PlannedOutput>& outputs, const std::vector<std::string>& inputs) {
  refuse_standard_input_twice(inputs);
  for (const PlannedOutput& output : outputs) {
    if (output.path.empty()) continue;
    refuse_output_equal_to_input(output.path, inputs, output.option);
    for (const PlannedOutput* earlier = outputs.data(); earlier != &output; ++earlier)
      if (!earlier->path.empty() && is_same_output(earlier->path, output.path))
        throw ConfigError(std::string("the same file as --") + earlier->option, output.option);
  }
}

void check_side_files(const train::TrainOptions& options) {
  check_side_file(options.prior_file, {},
                  [&](const std::string& file) { train::check_prior_file(file, options.prior); });
  check_side_file(options.prior_covariance, {}, train::check_prior_covariance);
  check_side_file(options.bounds, {}, train::check_bounds_file);
  check_side_file(options.class_weights, {"balanced"}, train::check_class_weights);
}

}  // namespace lazylogit::cli
