#include "lazylogit/train/responses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/train/refuse_data.hpp"

namespace lazylogit::train {
namespace {

// An option that needs classes.
struct NeedsClasses {
  const char* option;
  bool (*given)(const TrainOptions&);
};
constexpr std::array needs_classes{
    NeedsClasses{"class-weights", [](const TrainOptions& o) { return !o.class_weights.empty(); }},
    NeedsClasses{"reference", [](const TrainOptions& o) { return !o.reference.empty(); }},
    NeedsClasses{"symmetric", [](const TrainOptions& o) { return o.symmetric; }},
};

const char* sentence(data::Response response) {
  return response == data::Response::number ? "with --loss squared labels are numbers, not classes"
                                            : "with --multilabel every label is a problem of its own";
}

void check_classes(const data::Dataset& data, const std::vector<std::uint64_t>& counts,
                   std::uint64_t examples) {
  const auto present = std::count_if(counts.begin(), counts.end(), [](std::uint64_t n) { return n > 0; });
  if (present >= 2) return;
  const auto c = static_cast<ClassId>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  refuse_data("one-class",
              fmt::format("only one class: {}{} {} of class {}, expected two or more classes",
                          all_of(examples, "row"), examples < data.num_rows() ? " of positive weight" : "",
                          is_or_are(examples), quote_text(data.classes.label(c))));
}

void check_labels(const data::Dataset& data, const std::vector<std::uint64_t>& counts,
                  std::uint64_t examples) {
  if (counts.empty()) refuse_data("no-label", "no row has a label, expected one or more");
  for (std::size_t c = 0; c < counts.size(); ++c)
    if (counts[c] == 0 || counts[c] == examples)
      refuse_data(
          "one-class",
          fmt::format("{}{} {} the label {}, expected some with it and some without", all_of(examples, "row"),
                      examples < data.num_rows() ? " of positive weight" : "",
                      counts[c] == 0  ? (examples == 1 ? "lacks" : "lack")
                      : examples == 1 ? "has"
                                      : "have",
                      quote_text(data.classes.label(static_cast<ClassId>(c)))),
          "leave the label out");
}

void check_numbers(double squares) {
  if (!std::isfinite(squares))
    refuse_data("overflow", "the sum of the squares of the labels overflows",
                "divide them by a power of ten");
}

}  // namespace

data::Response response_of(const TrainOptions& options) {
  if (options.loss == "squared") return data::Response::number;
  return options.multilabel ? data::Response::labels : data::Response::classes;
}

void check_response(const TrainOptions& options) {
  const data::Response response = response_of(options);
  if (response == data::Response::number && options.multilabel)
    throw ConfigError("it contradicts --loss squared, whose labels are numbers", "multilabel");
  if (options.noise_variance && (response != data::Response::number || options.posterior == "none"))
    throw ConfigError("it belongs to --loss squared with --posterior", "noise-variance");
  if (response == data::Response::classes) return;
  if (options.posterior != "none" && options.posterior != "full" && options.posterior != "diagonal")
    throw ConfigError(std::string(sentence(response)) + "; their posterior is full or diagonal", "posterior");
  for (const NeedsClasses& entry : needs_classes)
    if (entry.given(options)) throw ConfigError(sentence(response), entry.option, "leave it out");
  if (options.optimizer == "perceptron")
    throw ConfigError(std::string("the perceptron learns classes; ") + sentence(response), "optimizer",
                      "take another one");
}

std::uint64_t count_examples(const data::Dataset& data, std::span<const double> weights) {
  if (data.num_rows() == 0) refuse_data("no-rows", "there are no rows to train on, expected two or more");
  const data::Response response = data.input.response;
  std::vector<std::uint64_t> counts(response == data::Response::number ? 0 : data.classes.size(), 0);
  std::uint64_t examples = 0;
  double total = 0, squares = 0, examples_meant = 0;
  for (std::size_t j = 0; j < data.num_rows(); ++j) {
    const double w = weights.empty() ? 1.0 : weights[j];
    const bool missing = response == data::Response::classes  ? data.labels[j] == unknown_class
                         : response == data::Response::number ? std::isnan(data.targets[j])
                                                              : false;
    if (missing) refuse_data("no-label", fmt::format("row {} has no label", j + 1));
    if (w == 0) continue;
    total += w;
    ++examples;
    examples_meant += rows_of(data.input, data.weights.span(), j);
    if (response == data::Response::classes)
      ++counts[static_cast<std::size_t>(data.labels[j])];
    else if (response == data::Response::number)
      squares += w * data.targets[j] * data.targets[j];
    else
      for (const ClassId c : data.label_sets[j]) ++counts[static_cast<std::size_t>(c)];
  }
  if (!std::isfinite(total)) refuse_data("overflow", "the sum of the example weights overflows");
  if (examples == 0)
    refuse_data("no-rows",
                all_of(data.num_rows(), "row") + (data.num_rows() == 1 ? " has" : " have") + " weight 0");
  switch (response) {
    case data::Response::classes:
      check_classes(data, counts, examples);
      break;
    case data::Response::number:
      check_numbers(squares);
      break;
    case data::Response::labels:
      check_labels(data, counts, examples);
      break;
  }
  return whole(examples_meant);
}

double rows_of(const data::InputSpec& input, std::span<const double> weights, std::size_t row) {
  return input.count.empty() || !input.weight.empty() || weights.empty() ? 1 : weights[row];
}

std::uint64_t whole(double number) {
  constexpr double largest = 9007199254740992;  // 2^53
  return static_cast<std::uint64_t>(std::min(number, largest));
}

}  // namespace lazylogit::train
