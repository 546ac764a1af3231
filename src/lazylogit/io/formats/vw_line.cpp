#include "lazylogit/io/formats/vw_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "lazylogit/base/ascii.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {
namespace {

bool ends_token(char c) noexcept { return is_blank(c) || c == '|'; }

// Text of the whole token, for messages: from `from` to the next blank or bar.
std::string_view token_at(const char* from, const char* end) noexcept {
  return {from, static_cast<std::size_t>(std::find_if(from, end, ends_token) - from)};
}

bool is_integer_list(std::string_view token) noexcept {
  return token.find(',') != std::string_view::npos &&
         token.find_first_not_of("0123456789,") == std::string_view::npos;
}

// The name of the label type that the tokens before the bar are of, or nothing when they name one class.
std::string_view foreign_label_type(std::span<const std::string_view> tokens, bool several) noexcept {
  const std::string_view first = tokens[0];
  if (first == "shared") return "a shared line of the contextual bandit type";
  if (first == "ccb" && tokens.size() > 1) return "the conditional contextual bandit type";
  if (first == "slates" && tokens.size() > 1) return "the slates type";
  if (first == "ca" && tokens.size() > 1 && tokens[1].find(':') != std::string_view::npos)
    return "the continuous action type";
  if (is_integer_list(first) && !several) return "the multilabel type";
  const auto colons = std::count(first.begin(), first.end(), ':');
  if (colons == 0 || first.front() == '\'') return {};
  return colons == 1 ? "the cost-sensitive type" : "the contextual bandit type";
}

VwProblem unexpected_token(std::string_view token) {
  return {token.data(),
          "unexpected " + quote_text(token) + " before the bar; expected [label [importance [base]]] ['tag]|",
          {},
          token,
          "bad-label"};
}

std::optional<VwProblem> read_head_number(std::string_view token, const char* what, const char* expected,
                                          double& value) {
  const NumberStatus status = parse_number(token, value);
  if (status == NumberStatus::ok) return std::nullopt;
  const char* const fault =
      status == NumberStatus::overflow ? " is beyond the range of a double" : " is not a number";
  return VwProblem{token.data(),
                   std::string(what) + " " + quote_text(token) + fault + "; expected " + expected,
                   {},
                   token,
                   "bad-number"};
}

}  // namespace

std::optional<VwProblem> parse_vw_head(std::string_view line, std::size_t bar, VwHead& head, bool several) {
  head = {};
  std::array<std::string_view, 5> tokens;  // the fifth is only there to be complained about
  std::size_t count = 0;
  const char* const end = line.data() + bar;
  for (const char* p = line.data(); p < end && count < tokens.size();) {
    const char* const from = std::find_if_not(p, end, is_blank);
    p = std::find_if(from, end, is_blank);
    if (p != from) tokens[count++] = {from, static_cast<std::size_t>(p - from)};
  }
  if (count == 0) return std::nullopt;
  if (const auto type = foreign_label_type({tokens.data(), count}, several); !type.empty())
    return VwProblem{tokens[0].data(),
                     "label " + quote_text(tokens[0]) + " is of " + std::string(type) +
                         ", which is not supported; expected one class",
                     is_integer_list(tokens[0]) ? "--multilabel takes several labels" : "", tokens[0],
                     "label-type"};
  const std::string_view last = tokens[count - 1];
  if (count <= 4 && (last.front() == '\'' || last.data() + last.size() == end)) {
    head.tag = last.substr(last.front() == '\'' ? 1 : 0);
    --count;
  }
  if (count > 3) return unexpected_token(tokens[3]);
  for (std::size_t i = 0; i < count; ++i)
    if (tokens[i].front() == '\'')
      return VwProblem{
          tokens[i].data(),
          "tag " + quote_text(tokens[i]) +
              " is not the last thing before the bar; expected [label [importance [base]]] ['tag]|",
          {},
          tokens[i],
          "bad-tag"};
  if (count > 0) head.label = tokens[0];
  if (count > 1) {
    if (auto problem = read_head_number(tokens[1], "importance", "a finite number >= 0", head.importance))
      return problem;
    if (head.importance < 0)
      return VwProblem{tokens[1].data(),
                       "importance " + quote_text(tokens[1]) + " is negative; expected a number >= 0",
                       {},
                       tokens[1],
                       "bad-weight"};
  }
  head.has_base = count > 2;
  if (head.has_base) return read_head_number(tokens[2], "base", "a finite number", head.base);
  return std::nullopt;
}

VwFeatures::Step VwFeatures::next() {
  while (p_ < end_ && is_blank(*p_)) ++p_;
  if (p_ >= end_) return Step::end;
  return *p_ == '|' ? start_namespace() : read_feature();
}

// Reads the number after a colon; what it belongs to is named by `what`.
bool VwFeatures::read_factor(const char* colon, const char* what, double& value) {
  NumberStatus status = NumberStatus::malformed;
  const char* const from = colon + 1;
  const char* to = from;
  if (from < end_) to = scan_number(from, end_, value, status);
  if (status == NumberStatus::ok && (to == end_ || ends_token(*to))) {
    p_ = to;
    return true;
  }
  const std::string_view token = token_at(from, end_);
  const std::string name = std::string(what) + " " + quote_text(token);
  if (token.empty())
    problem_ = {colon, "a number is missing after the colon; expected name:value", {}, {}, "bad-number"};
  else if (status == NumberStatus::overflow)
    problem_ = {
        from, name + " is beyond the range of a double; expected a finite number", {}, token, "bad-number"};
  else
    problem_ = {from, name + " is not a number; expected a finite number", {}, token, "bad-number"};
  return false;
}

VwFeatures::Step VwFeatures::start_namespace() {
  const char* const from = ++p_;
  while (p_ < end_ && !ends_token(*p_) && *p_ != ':') ++p_;
  name_space_ = {from, static_cast<std::size_t>(p_ - from)};
  scale_ = 1;
  if (p_ < end_ && *p_ == ':') {
    if (name_space_.empty()) {
      problem_ = {p_,
                  "a colon follows the bar; expected the name of a namespace, or a blank",
                  {},
                  {},
                  "bad-namespace"};
      return Step::problem;
    }
    if (!read_factor(p_, "the scale of a namespace,", scale_)) return Step::problem;
  }
  return Step::name_space;
}

VwFeatures::Step VwFeatures::read_feature() {
  const char* const from = p_;
  while (p_ < end_ && !ends_token(*p_) && *p_ != ':') ++p_;
  name_ = {from, static_cast<std::size_t>(p_ - from)};
  value_ = 1;
  if (name_.empty()) {
    const std::string_view token = token_at(from, end_);
    problem_ = {from,
                "feature " + quote_text(token) + " has no name; expected name or name:value",
                {},
                token,
                "bad-feature"};
    return Step::problem;
  }
  if (p_ < end_ && *p_ == ':' && !read_factor(p_, "the value of a feature,", value_)) return Step::problem;
  value_ *= scale_;
  if (!std::isfinite(value_)) {
    problem_ = {from,
                "the value of feature " + quote_text(name_) +
                    " times its namespace's scale is beyond the range of a double; expected a finite product",
                {},
                token_at(from, end_),
                "bad-number"};
    return Step::problem;
  }
  return Step::feature;
}

}  // namespace lazylogit::io
