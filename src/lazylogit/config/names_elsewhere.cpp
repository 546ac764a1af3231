#include "lazylogit/config/names_elsewhere.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace lazylogit::config {

std::string_view option_called_elsewhere(std::string_view name) {
  // C of scikit-learn is the variance of a Gaussian prior; lambda and alpha are not, and stay unknown.
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"C", "variance"},
      {"algorithm", "optimizer"},
      {"coef", "coefficients"},
      {"eta", "learning-rate"},
      {"label", "target"},
      {"lr", "learning-rate"},
      {"max-iter", "max-passes"},
      {"n-jobs", "threads"},
      {"output", "out"},
      {"penalty", "prior"},
      {"probabilities", "proba"},
      {"probability", "proba"},
      {"regularization", "prior"},
      {"response", "target"},
      {"sep", "delimiter"},
      {"separator", "delimiter"},
      {"solver", "optimizer"},
      {"test-size", "holdout"},
      {"tol", "gap"},
      {"validation", "holdout"},
  };
  std::string written(name);
  std::replace(written.begin(), written.end(), '_', '-');
  for (const auto& [elsewhere, here] : names)
    if (written == elsewhere) return here;
  return {};
}

}  // namespace lazylogit::config
