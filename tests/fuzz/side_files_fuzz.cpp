// The files of a user's making beside the data: priors, covariances, bounds, class weights, groups of features. Every
// reader gets the bytes: each takes or refuses them with a place, without data and with names to look up; what it takes
// before there is data has no other error later than one about names.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/train/bounds_file.hpp"
#include "lazylogit/train/class_weights.hpp"
#include "lazylogit/train/feature_groups.hpp"
#include "lazylogit/train/prior_covariance.hpp"
#include "lazylogit/train/prior_file.hpp"

namespace {

using namespace lazylogit;

// The input as a file that can be read any number of times.
class FileOfBytes {
 public:
  FileOfBytes(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("side", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~FileOfBytes() { close(descriptor_); }
  FileOfBytes(const FileOfBytes&) = delete;
  FileOfBytes& operator=(const FileOfBytes&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

struct Names {
  Names() {
    for (const char* name : {"x", "job=teacher", "a,b"}) features.intern(name);
    features.build_index();
    classes = data::ClassTable::from_labels({"a", "b", "3"}, nullptr);
    shape = {.num_features = features.size(), .num_classes = 3, .reference = ClassId{0}};
  }
  data::Alphabet features;
  data::ClassTable classes;
  model::Shape shape;
};

// Whether the file was taken; an error has the fixed form and says whose it is.
template <class Read>
bool is_taken(const std::string& path, const Read& read) {
  try {
    read();
    return true;
  } catch (const InputError& error) {
    const std::string text = error.what();
    if (!text.starts_with(path + ":") || text.size() > 500) std::abort();
  } catch (const LimitError&) {  // a line that is too long
  }
  return false;
}

const std::array<prior::AnyPrior, 4> families = {prior::Gaussian::from_variance(1),
                                                 prior::Laplace::from_variance(1),
                                                 prior::Cauchy::from_scale(1), prior::ElasticNet{1, 1}};

void read_priors(const std::string& path, const train::CoefficientNames& names) {
  for (const prior::AnyPrior& family : families) {
    prior::PriorTable table(family, names.shape.size(), names.shape.size());
    const bool taken = is_taken(path, [&] { train::check_prior_file(path, std::string(table.family())); });
    const bool applied = is_taken(path, [&] { train::apply_prior_file(path, names, silent_log(), table); });
    if (applied && !taken) std::abort();
    for (std::size_t i = 0; applied && i < table.size(); ++i)
      if (!std::isfinite(table.mean(i))) std::abort();
  }
}

void read_covariance(const std::string& path, const train::CoefficientNames& names) {
  prior::PriorTable table(families[0], names.shape.size(), names.shape.size());
  const bool taken = is_taken(path, [&] { train::check_prior_covariance(path); });
  if (is_taken(path, [&] { train::apply_prior_covariance(path, names, silent_log(), table); }) && !taken)
    std::abort();
}

void read_bounds(const std::string& path, const train::CoefficientNames& names) {
  const prior::PriorTable table(families[0], names.shape.size(), names.shape.size());
  const bool taken = is_taken(path, [&] { train::check_bounds_file(path); });
  is_taken(path, [&] {
    const optim::Bounds bounds = train::load_bounds(path, names, table, silent_log());
    if (!taken) std::abort();
    for (std::size_t i = 0; i < bounds.lower.size(); ++i)
      if (!(bounds.lower[i] <= bounds.upper[i])) std::abort();
  });
}

void read_class_weights(const std::string& path, const data::ClassTable& classes) {
  const bool taken = is_taken(path, [&] { train::check_class_weights(path); });
  is_taken(path, [&] {
    for (const double weight : train::class_weights(path, classes, {}, {}))
      if (!taken || !(weight >= 0 && std::isfinite(weight))) std::abort();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Names names;
  const train::CoefficientNames coefficients{&names.features, &names.classes, names.shape};
  const FileOfBytes file(data, size);
  read_priors(file.path(), coefficients);
  read_covariance(file.path(), coefficients);
  read_bounds(file.path(), coefficients);
  read_class_weights(file.path(), names.classes);
  is_taken(file.path(), [&] { train::check_feature_groups(file.path()); });
  return 0;
}
