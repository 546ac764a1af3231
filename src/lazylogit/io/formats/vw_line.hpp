// One line of Vowpal Wabbit's text format, without names of our own: who stands where.
//
//   [label] [importance [base]] ['tag]|namespace[:scale] feature[:value] … |namespace2 …
//
// Blanks and tabs separate. A last token before the first bar that begins with ' or touches the bar is the
// tag. The importance is the example's weight (finite, >= 0); the base is added to the score (an offset). The
// other label types of that program (contextual bandit, cost-sensitive, multilabel, slates, continuous
// actions) are refused by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lazylogit::io {

// What is wrong with a line, and where.
struct VwProblem {
  const char* at = nullptr;  // first byte of the offending token
  std::string message;
  std::string hint = {};
  std::string_view found = {};
  std::string code = {};
};

struct VwHead {
  std::string_view label;  // empty: none
  double importance = 1;
  double base = 0;
  bool has_base = false;
  std::string_view tag;  // without the quote; empty: none
};

// Parses what stands before the first bar. `line` has a bar at `bar`.
// `several`: the label may be a list of labels separated by commas.
std::optional<VwProblem> parse_vw_head(std::string_view line, std::size_t bar, VwHead& head,
                                       bool several = false);

// The namespaces and features after the first bar, one after another. The text must be followed by readable
// bytes (parse_number.hpp).
class VwFeatures {
 public:
  // `text` begins with the first bar.
  explicit VwFeatures(std::string_view text) : p_(text.data()), end_(text.data() + text.size()) {}

  enum class Step { feature, name_space, end, problem };
  // Moves to the next namespace or feature.
  Step next();

  std::string_view name_space() const noexcept { return name_space_; }  // empty: the default one
  std::string_view name() const noexcept { return name_; }              // of the feature
  double value() const noexcept { return value_; }                      // times the namespace's scale
  const VwProblem& problem() const noexcept { return problem_; }

 private:
  Step start_namespace();
  Step read_feature();
  bool read_factor(const char* colon, const char* what, double& value);

  const char* p_;
  const char* end_;
  std::string_view name_space_, name_;
  double scale_ = 1, value_ = 1;
  VwProblem problem_;
};

}  // namespace lazylogit::io
